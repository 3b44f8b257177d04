/* keyring.c: see keyring.h. */
#include "shell/keyring.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENDING ".key"

static bool cannot(struct text *fault, const char *folder, const char *why)
{
    text_clear(fault);
    text_put(fault, folder);
    text_put(fault, ": ");
    text_put(fault, why);
    return false;
}

static int is_key(const struct dirent *entry)
{
    size_t size = strlen(entry->d_name);
    return size > strlen(ENDING) && size - strlen(ENDING) < PEER_NAME_MAX &&
           strcmp(entry->d_name + size - strlen(ENDING), ENDING) == 0;
}

/* fanout-2 stands before fanout-10. */
static int by_number(const struct dirent **one, const struct dirent **other)
{
    size_t size = strlen((*one)->d_name), other_size = strlen((*other)->d_name);
    if (size != other_size)
        return size < other_size ? -1 : 1;
    return strcmp((*one)->d_name, (*other)->d_name);
}

/* False: somebody holds it, or it cannot be opened. */
static bool take(struct keyring *keyring, const char *folder, const char *file_name)
{
    int size = snprintf(keyring->path, sizeof keyring->path, "%s/%s", folder, file_name);
    if (size < 0 || (size_t) size >= sizeof keyring->path)
        return false;
    int file = open(keyring->path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
        (void) close(file);
        return false;
    }
    keyring->lock = file;
    (void) snprintf(keyring->name, sizeof keyring->name, "%.*s",
                    (int) (strlen(file_name) - strlen(ENDING)), file_name);
    return true;
}

/* What this machine, container or pod is called; empty: nothing that a key could be called, too. */
static void name_of_machine(char name[PEER_NAME_MAX])
{
    memset(name, 0, PEER_NAME_MAX);
    if (gethostname(name, PEER_NAME_MAX) != 0 || name[PEER_NAME_MAX - 1] != '\0')
        name[0] = '\0';
}

static bool take_from_ring(struct keyring *keyring, const char *path, struct text *fault)
{
    struct bus_keys keys;
    if (strlen(path) >= sizeof keyring->path)
        return cannot(fault, path, "the path is too long");
    (void) snprintf(keyring->path, sizeof keyring->path, "%s", path);
    name_of_machine(keyring->name);
    keyring->is_ring = bus_keys_pick(&keys, path, keyring->name, NULL, fault);
    sodium_memzero(&keys, sizeof keys);
    if (!keyring->is_ring)
        text_put(fault, ": a process takes the key that its machine is called like");
    return keyring->is_ring;
}

static void take_by_name(struct keyring *keyring, const char *folder)
{
    char name[PEER_NAME_MAX], file_name[PEER_NAME_MAX + sizeof ENDING];
    name_of_machine(name);
    (void) snprintf(file_name, sizeof file_name, "%s%s", name, ENDING);
    if (name[0] != '\0')
        (void) take(keyring, folder, file_name);
}

bool keyring_take(struct keyring *keyring, const char *place, struct text *fault)
{
    struct dirent **entries = NULL;
    struct stat     facts;
    memset(keyring, 0, sizeof *keyring);
    if (stat(place, &facts) == 0 && S_ISREG(facts.st_mode))
        return take_from_ring(keyring, place, fault);
    int count = scandir(place, &entries, is_key, by_number);
    if (count < 0)
        return cannot(fault, place, strerror(errno));
    take_by_name(keyring, place);
    for (int i = 0; i < count; i++) {
        if (keyring->lock == 0)
            (void) take(keyring, place, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    if (keyring->lock != 0)
        return true;
    return cannot(fault, place,
                  count == 0 ? "there is no key yet; \"arbiter keys\" makes them"
                             : "every key is in use by another process, or may not be read; "
                               "\"arbiter keys --replicas N\" makes more");
}

void keyring_give_back(struct keyring *keyring)
{
    if (keyring->lock > 0)
        (void) close(keyring->lock);
    keyring->lock = 0;
}

bool keyring_lobby(const struct keyring *keyring, char key[BUS_KEY_TEXT], const char *place,
                   struct text *fault)
{
    char    path[KEYRING_PATH_MAX];
    uint8_t read[BUS_KEY_SIZE];
    if (keyring->is_ring)
        return bus_keys_word(key, BUS_KEY_TEXT, place, "lobby", fault) &&
               (bus_key_read(read, key) || cannot(fault, place, "its lobby's key is none"));
    (void) snprintf(path, sizeof path, "%s/%s", place, KEYRING_LOBBY);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return cannot(fault, path, strerror(errno));
    size_t size = fread(key, 1, BUS_KEY_TEXT - 1, file);
    (void) fclose(file);
    key[size] = '\0';
    return bus_key_read(read, key) || cannot(fault, path, "it is no public key of 40 characters");
}
