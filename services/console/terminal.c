/* terminal.c: text of others without what a terminal would obey or hide, and colour where a terminal is. */
#include "services/console/terminal.h"

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
