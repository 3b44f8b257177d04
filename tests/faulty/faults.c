/* faults.c: see faults.h. */
#include "faults.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[FAULTS_END] = {
#define FAULT(name, word) word,
    FAULTS(FAULT)
#undef FAULT
};

static enum fault     planted;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void read_environment(void)
{
    const char *word = getenv("ARBITER_FAULT");
    uint32_t    fault = 0;
    if (word == NULL || word[0] == '\0')
        word = words[FAULT_NONE];
    while (fault < FAULTS_END && strcmp(words[fault], word) != 0)
        fault++;
    if (fault == FAULTS_END) {
        (void) fprintf(stderr, "there is no fault named %s\n", word);
        exit(2);
    }
    planted = (enum fault) fault;
}

bool fault_is(enum fault fault)
{
    (void) pthread_once(&once, read_environment);
    return planted == fault;
}
