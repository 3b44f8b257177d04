/* corpus_main.c: plays every file of a corpus through a fuzz target once, in builds without libFuzzer. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

#define INPUT_MAX ((size_t) 1 << 20)

static int play(const char *folder, const char *name, uint8_t *bytes)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return 1;
    }
    size_t size = fread(bytes, 1, INPUT_MAX, file);
    fclose(file);
    /* An exact copy, so that a sanitizer sees a read one byte too far. */
    uint8_t *exact = malloc(size > 0 ? size : 1);
    if (exact == NULL)
        return 1;
    for (size_t i = 0; i < size; i++)
        exact[i] = bytes[i];
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return 0;
}

int main(int count, char **words)
{
    if (count != 2) {
        fprintf(stderr, "usage: %s CORPUS\n", words[0]);
        return 2;
    }
    DIR     *folder = opendir(words[1]);
    uint8_t *bytes = malloc(INPUT_MAX);
    if (folder == NULL || bytes == NULL) {
        perror(words[1]);
        return 1;
    }
    unsigned played = 0;
    int      failed = 0;
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
        if (entry->d_name[0] != '.') {
            failed |= play(words[1], entry->d_name, bytes);
            played++;
        }
    closedir(folder);
    free(bytes);
    printf("%u inputs played\n", played);
    return played == 0 ? 1 : failed;
}
