/* play_input.c: reads what is there. */
#include "services/console/play/play_input.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <unistd.h>

#include <editline/readline.h>

void input_init(struct play_input *input, int file)
{
    memset(input, 0, sizeof *input);
    input->file = file;
}

/* Editing. The library knows one line, so there is one input that it belongs to. */

static struct play_input *edited;

/* A line is whole; NULL: the person has ended the input. */
static void on_line(char *line)
{
    if (line == NULL) {
        edited->is_ended = true;
        return;
    }
    size_t size = strlen(line), room = INPUT_MAX - 1 - edited->size;
    if (size > 0)
        add_history(line);
    if (size + 1 > room)
        size = room > 0 ? room - 1 : 0;
    memcpy(edited->bytes + edited->size, line, size);
    edited->bytes[edited->size + size] = '\n';
    edited->size += size + (room > 0);
    free(line);
    rl_callback_handler_install("", on_line);
}

void input_edit(struct play_input *input)
{
    const char *kind = getenv("TERM");
    if (isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1 || kind == NULL ||
        strcmp(kind, "dumb") == 0)
        return;
    if (setlocale(LC_CTYPE, "") == NULL || MB_CUR_MAX == 1)
        (void) setlocale(LC_CTYPE, "C.UTF-8"); /* So that no letter is refused. */
    input->is_edited = true;
    edited = input;
    rl_catch_signals = 0; /* Ctrl-C ends the program as it does elsewhere. */
    (void) rl_initialize();
    using_history();
    (void) rl_bind_key('\t', rl_insert);
    rl_callback_handler_install("", on_line);
}

void input_close(struct play_input *input)
{
    if (!input->is_edited)
        return;
    input->is_edited = false;
    rl_callback_handler_remove();
}

void input_prompt(struct play_input *input)
{
    char typed[INPUT_MAX] = "";
    if (!input->is_edited) {
        (void) fputs("> ", stdout);
        (void) fflush(stdout);
        return;
    }
    if (rl_line_buffer != NULL && rl_end > 0)
        (void) snprintf(typed, sizeof typed, "%.*s", rl_end, rl_line_buffer);
    (void) fflush(stdout);
    rl_callback_handler_remove();
    rl_callback_handler_install("> ", on_line);
    if (typed[0] != '\0' && rl_insert_text(typed) >= 0)
        rl_forced_update_display();
}

static bool is_readable(int file)
{
    struct timeval none = { 0 };
    fd_set         files;
    FD_ZERO(&files);
    FD_SET(file, &files);
    return select(file + 1, &files, NULL, NULL, &none) == 1;
}

/* A terminal that has gone away is readable for ever, and libedit does not say that nothing came. */
static bool has_bytes(int file)
{
    int size = 0;
    return ioctl(file, FIONREAD, &size) == 0 && size > 0;
}

/* Takes the first `size` bytes as a line, and `over` bytes behind them away. */
static bool take(struct play_input *input, char line[INPUT_MAX], size_t size, size_t over)
{
    memcpy(line, input->bytes, size);
    line[size] = '\0';
    input->size -= size + over;
    memmove(input->bytes, input->bytes + size + over, input->size);
    return true;
}

static bool take_line(struct play_input *input, char line[INPUT_MAX])
{
    const char *end = memchr(input->bytes, '\n', input->size);
    if (end != NULL)
        return take(input, line, (size_t) (end - input->bytes), 1);
    if (input->size == INPUT_MAX - 1 || (input->is_ended && input->size > 0))
        return take(input, line, input->size, 0);
    return false;
}

bool input_line(struct play_input *input, char line[INPUT_MAX])
{
    while (!take_line(input, line)) {
        if (input->is_ended || !is_readable(input->file))
            return false;
        if (input->is_edited && has_bytes(input->file)) {
            rl_callback_read_char();
            continue;
        }
        if (input->is_edited) {
            input->is_ended = true;
            continue;
        }
        ssize_t size = read(input->file, input->bytes + input->size, INPUT_MAX - 1 - input->size);
        if (size > 0)
            input->size += (size_t) size;
        else
            input->is_ended = true;
    }
    return true;
}
