/* play_input.h: lines somebody types, or a pipe brings, without ever waiting for them. */
#ifndef ARBITER_PLAY_INPUT_H
#define ARBITER_PLAY_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#define INPUT_MAX 1024

struct play_input {
    int    file;
    bool   is_ended; /* There will be no more.                                                    */
    size_t size;
    char   bytes[INPUT_MAX];
};

void input_init(struct play_input *input, int file);
/* The next line, without its end, if a whole one is there; longer ones are cut. */
bool input_line(struct play_input *input, char line[INPUT_MAX]);

#endif
