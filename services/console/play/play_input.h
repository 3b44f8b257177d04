/* play_input.h: lines somebody types, or a pipe brings, without ever waiting for them.
 *
 * On a terminal a line can be edited, and earlier ones come back with the arrow keys (libedit). While it is open the
 * terminal hands over every key; input_close puts it back. */
#ifndef ARBITER_PLAY_INPUT_H
#define ARBITER_PLAY_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#define INPUT_MAX 1024

struct play_input {
    int    file;
    bool   is_ended;  /* There will be no more.                                                   */
    bool   is_edited; /* A person at a terminal. There is one such input at a time. */
    size_t size;
    char   bytes[INPUT_MAX];
};

void input_init(struct play_input *input, int file);
/* Lets lines be edited, if the standard input and output are a terminal that can do it. */
void input_edit(struct play_input *input);
void input_close(struct play_input *input);
/* Shows, at the beginning of a row, that a line may be typed; and what of it has been typed already. */
void input_prompt(struct play_input *input);
/* The next line, without its end, if a whole one is there; longer ones are cut. */
bool input_line(struct play_input *input, char line[INPUT_MAX]);

#endif
