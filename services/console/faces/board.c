/* board.c: what all boards are made with, and the frame around each. */
#include "services/console/faces/board.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "services/console/faces/face.h"
#include "services/console/faces/worded.h"

#define ROOMY_ROWS 36

char *board_string(const struct drawing *drawing, void (*put)(const struct phrase *, FILE *, word),
                   word                  value)
{
    char  *string = NULL;
    size_t size = 0;
    FILE  *out = open_memstream(&string, &size);
    if (out == NULL)
        abort();
    put(drawing->phrase, out, value);
    fclose(out);
    return string;
}

void board_name(struct drawing *drawing, enum colour                   colour,
                void (*put)(const struct phrase *, FILE *, word), word value)
{
    char *string = board_string(drawing, put, value);
    board_text_put(&drawing->text, colour, string);
    free(string);
}

void board_say(struct drawing *drawing, enum colour colour, const char *english, const char *german)
{
    char  *string = NULL;
    size_t size = 0;
    FILE  *out = open_memstream(&string, &size);
    if (out == NULL)
        abort();
    phrase_text(drawing->phrase, out, phrase_say(drawing->phrase, english, german));
    fclose(out);
    board_text_words(&drawing->text, colour, string);
    free(string);
}

void board_number(struct drawing *drawing, enum colour colour, int64_t number)
{
    char digits[24];
    (void) snprintf(digits, sizeof digits, " %" PRId64, number);
    board_text_put(&drawing->text, colour, digits);
}

void board_seat(const struct phrase *phrase, FILE *out, word seat)
{
    phrase_player(phrase, out, (uint32_t) seat);
}

void board_player(const struct phrase *phrase, FILE *out, word seat)
{
    phrase_player(phrase, out, (uint32_t) seat);
    if (phrase->seat == (uint32_t) seat)
        fputs(phrase_say(phrase, " (you)", " (du)"), out);
}

bool board_exists(const struct phrase *phrase)
{
    return phrase->wire != NULL && phrase->view != NULL;
}

/* A reader who copies a board copies no blanks at the ends of its lines. */
static void put_trimmed(const char *bytes, FILE *out)
{
    while (*bytes != '\0') {
        size_t size = strcspn(bytes, "\n"), kept = size;
        while (kept > 0 && bytes[kept - 1] == ' ')
            kept--;
        fprintf(out, "%.*s\n", (int) kept, bytes);
        bytes += size + 1;
    }
}

static void draw_with(const struct board_look *look, void (*draw)(struct drawing *), FILE *out)
{
    /* A face counts on its columns; what is drawn from words fits itself into fewer. */
    uint32_t least = face_of(look->phrase) != NULL ? BOARD_COLUMNS_LEAST : BOARD_COLUMNS_NARROW;
    uint32_t columns = look->columns < least ? least : look->columns;
    struct drawing drawing = { .look = look,
                               .phrase = look->phrase,
                               .is_wide = look->columns >= BOARD_COLUMNS_WIDE };
    drawing.is_roomy = drawing.is_wide || look->whole || look->rows >= ROOMY_ROWS;
    drawing.is_terse = look->terse && !drawing.is_wide;
    if (!board_text_begin(&drawing.text, columns, look->coloured))
        abort();
    draw(&drawing);
    board_text_end(&drawing.text);
    put_trimmed(drawing.text.bytes, out);
    board_text_free(&drawing.text);
}

void board_draw(const struct board_look *look, FILE *out)
{
    const struct face *face = face_of(look->phrase);
    draw_with(look, face != NULL && face->draw != NULL ? face->draw : worded_draw, out);
}

void board_draw_head(const struct board_look *look, FILE *out)
{
    const struct face *face = face_of(look->phrase);
    if (face == NULL || face->draw == NULL)
        draw_with(look, worded_draw_head, out);
    else if (face->head != NULL)
        draw_with(look, face->head, out);
}
