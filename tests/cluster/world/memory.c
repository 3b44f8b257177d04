/* memory.c: see memory.h. */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>

static void *given(void *memory)
{
    if (memory == NULL) {
        fputs("cluster: no memory\n", stderr);
        exit(2);
    }
    return memory;
}

void *memory_new(size_t size)
{
    return given(calloc(1, size > 0 ? size : 1));
}

void *memory_again(void *memory, size_t size)
{
    return given(realloc(memory, size > 0 ? size : 1));
}
