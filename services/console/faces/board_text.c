/* board_text.c: columns, wrapping, and blocks side by side. */
#include "services/console/faces/board_text.h"

#include <stdlib.h>
#include <string.h>

bool board_text_begin(struct board_text *text, uint32_t columns, bool coloured)
{
    memset(text, 0, sizeof *text);
    text->columns = columns;
    text->coloured = coloured;
    text->out = open_memstream(&text->bytes, &text->size);
    return text->out != NULL;
}

void board_text_end(struct board_text *text)
{
    if (text->at > 0)
        board_text_line(text);
    fclose(text->out);
    text->out = NULL;
}

void board_text_free(struct board_text *text)
{
    free(text->bytes);
    text->bytes = NULL;
}

/* The character's number, and how many bytes it takes. */
static uint32_t character_at(const char *bytes, size_t size, size_t *step)
{
    unsigned char first = (unsigned char) bytes[0];
    uint32_t      more = first < 0xc0 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    uint32_t      code = more == 0 ? first : first & (0x3fu >> more);
    *step = 1;
    while (*step <= more && *step < size)
        code = code << 6 | ((unsigned char) bytes[(*step)++] & 0x3fu);
    return code;
}

/* Marks that combine with the letter before take no column, those of East Asia and pictures two. */
static uint32_t columns_of(uint32_t code)
{
    static const struct {
        uint32_t first, last, columns;
    } odd[] = { { 0x300, 0x36f, 0 },   { 0x200b, 0x200f, 0 },   { 0xfe00, 0xfe0f, 0 },
                { 0x1100, 0x115f, 2 }, { 0x2e80, 0xa4cf, 2 },   { 0xac00, 0xd7a3, 2 },
                { 0xf900, 0xfaff, 2 }, { 0xfe30, 0xfe6f, 2 },   { 0xff00, 0xff60, 2 },
                { 0xffe0, 0xffe6, 2 }, { 0x1f300, 0x1faff, 2 }, { 0x20000, 0x3fffd, 2 } };
    for (uint32_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
        if (code >= odd[i].first && code <= odd[i].last)
            return odd[i].columns;
    return 1;
}

/* A colour is an escape character and all up to its "m". */
static size_t colour_size(const char *bytes, size_t size)
{
    const char *end = bytes[0] == '\033' ? memchr(bytes, 'm', size) : NULL;
    return end == NULL ? 0 : (size_t) (end - bytes) + 1;
}

uint32_t board_text_width(const char *bytes, size_t size)
{
    uint32_t width = 0;
    for (size_t i = 0; i < size;) {
        size_t step = colour_size(bytes + i, size - i);
        if (step == 0)
            width += columns_of(character_at(bytes + i, size - i, &step));
        i += step;
    }
    return width;
}

/* How many bytes of a string fit so many columns. */
static size_t fitting(const char *string, uint32_t columns)
{
    size_t   size = strlen(string), fits = 0;
    uint32_t used = 0;
    while (fits < size) {
        size_t step = 1;
        used += columns_of(character_at(string + fits, size - fits, &step));
        if (used > columns)
            break;
        fits += step;
    }
    return fits;
}

static void put_coloured(struct board_text *text, enum colour colour, const char *bytes,
                         size_t size)
{
    char *copy = strndup(bytes, size);
    if (copy != NULL)
        terminal_put_in(text->out, text->coloured, colour, copy);
    free(copy);
}

void board_text_line(struct board_text *text)
{
    fputc('\n', text->out);
    text->at = 0;
    text->lines++;
}

static void fill(struct board_text *text, uint32_t columns)
{
    for (uint32_t i = 0; i < columns; i++)
        fputc(' ', text->out);
    text->at += columns;
}

/* A piece without a break in it, in this line or the next; the spaces it begins with stay behind. */
static void put_piece(struct board_text *text, enum colour colour, const char *bytes, size_t size)
{
    uint32_t width = board_text_width(bytes, size);
    if (text->at > text->indent && text->at + width > text->columns) {
        board_text_line(text);
        fill(text, text->indent);
        while (size > 0 && *bytes == ' ') {
            bytes++;
            size--;
            width--;
        }
    }
    put_coloured(text, colour, bytes, size);
    text->at += width;
}

void board_text_put(struct board_text *text, enum colour colour, const char *string)
{
    size_t size = fitting(string, text->columns);
    put_piece(text, colour, string, size);
}

void board_text_words(struct board_text *text, enum colour colour, const char *string)
{
    while (*string != '\0') {
        size_t size = strspn(string, " ");
        size += strcspn(string + size, " ");
        put_piece(text, colour, string, size);
        string += size;
    }
}

void board_text_cell(struct board_text *text, enum colour colour, const char *string,
                     uint32_t columns)
{
    size_t   size = fitting(string, columns);
    uint32_t width = board_text_width(string, size);
    put_coloured(text, colour, string, size);
    text->at += width;
    fill(text, columns - width);
}

/* Puts one line of a block; NULL behind its last. */
static const char *take_line(struct board_text *text, const char *from)
{
    if (from == NULL || *from == '\0')
        return NULL;
    size_t size = strcspn(from, "\n");
    fwrite(from, 1, size, text->out);
    text->at += board_text_width(from, size);
    return from + size + (from[size] == '\n');
}

void board_text_join(struct board_text *text, const struct board_text *left,
                     const struct board_text *right, uint32_t column)
{
    const char *one = left->bytes, *other = right->bytes;
    while ((one != NULL && *one != '\0') || (other != NULL && *other != '\0')) {
        one = take_line(text, one);
        if (other != NULL && *other != '\0') {
            fill(text, text->at < column ? column - text->at : 1);
            other = take_line(text, other);
        }
        board_text_line(text);
    }
}
