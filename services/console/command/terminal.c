/* terminal.c: text of others without what a terminal would obey or hide, and colour where a terminal is. */
#include "services/console/command/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "wire/utf8.h"

bool terminal_has_colour(FILE *out)
{
    const char *term = getenv("TERM");
    return isatty(fileno(out)) && getenv("NO_COLOR") == NULL && term != NULL &&
           strcmp(term, "dumb") != 0;
}

void terminal_size(uint32_t *columns, uint32_t *rows)
{
    struct winsize size = { 0 };
    bool           is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    *columns = is_known ? size.ws_col : 80;
    *rows = is_known ? size.ws_row : 24;
}

void terminal_put(FILE *out, const char *bytes, size_t size)
{
    const unsigned char *at = (const unsigned char *) bytes;
    while (size > 0) {
        uint32_t code;
        size_t   step = utf8_character(at, size, &code);
        if (step == 0 || !utf8_is_shown(code)) {
            fputc('?', out);
            step = step == 0 ? 1 : step;
        } else {
            fwrite(at, 1, step, out);
        }
        at += step;
        size -= step;
    }
}

/* A stream of plain lines: what has come of the last one. */
struct plain {
    FILE  *out, *line;
    char  *bytes;
    size_t size;
};

static void end_line(struct plain *plain)
{
    (void) fflush(plain->line);
    terminal_put(plain->out, plain->bytes, plain->size);
    rewind(plain->line);
}

static ssize_t write_plain(void *cookie, const char *bytes, size_t size)
{
    struct plain *plain = cookie;
    for (const char *end = bytes + size; bytes < end;) {
        const char *feed = memchr(bytes, '\n', (size_t) (end - bytes));
        const char *stop = feed != NULL ? feed : end;
        (void) fwrite(bytes, 1, (size_t) (stop - bytes), plain->line);
        if (feed != NULL) {
            end_line(plain);
            (void) fputc('\n', plain->out);
        }
        bytes = feed != NULL ? feed + 1 : end;
    }
    return (ssize_t) size;
}

static int close_plain(void *cookie)
{
    struct plain *plain = cookie;
    end_line(plain);
    (void) fclose(plain->line);
    free(plain->bytes);
    free(plain);
    return 0;
}

FILE *terminal_plain(FILE *out)
{
    static const cookie_io_functions_t functions = { .write = write_plain, .close = close_plain };
    struct plain                      *plain = calloc(1, sizeof *plain);
    if (plain == NULL)
        return NULL;
    plain->out = out;
    plain->line = open_memstream(&plain->bytes, &plain->size);
    FILE *stream = plain->line != NULL ? fopencookie(plain, "w", functions) : NULL;
    if (stream != NULL)
        (void) setvbuf(stream, NULL, _IOLBF, BUFSIZ);
    else
        free(plain);
    return stream;
}

void terminal_put_in(FILE *out, bool coloured, enum colour colour, const char *string)
{
    static const char *const codes[] = { "0", "2", "1", "31", "32", "33" };
    bool                     painted = coloured && colour != COLOUR_NONE && string[0] != '\0';
    if (painted)
        fprintf(out, "\033[%sm", codes[colour]);
    terminal_put(out, string, strlen(string));
    if (painted)
        fputs("\033[0m", out);
}
