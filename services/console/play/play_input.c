/* play_input.c: reads what is there. */
#include "services/console/play/play_input.h"

#include <string.h>
#include <sys/select.h>
#include <unistd.h>

void input_init(struct play_input *input, int file)
{
    memset(input, 0, sizeof *input);
    input->file = file;
}

static bool is_readable(int file)
{
    struct timeval none = { 0 };
    fd_set         files;
    FD_ZERO(&files);
    FD_SET(file, &files);
    return select(file + 1, &files, NULL, NULL, &none) == 1;
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
        ssize_t size = read(input->file, input->bytes + input->size, INPUT_MAX - 1 - input->size);
        if (size > 0)
            input->size += (size_t) size;
        else
            input->is_ended = true;
    }
    return true;
}
