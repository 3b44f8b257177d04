/* worded_grid.c: cells as texts, then rows and columns of them, numbered where commands name them.
 *
 *        1 2 3 4 5 6 7
 *        . . . X . . .        X Ada (you)   O Ben
 *
 * A cell is as wide as the widest; where a row has no room for blanks between its cells it does without. */
#include "services/console/faces/worded_grid.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define GRID_CELLS_MAX 65536u

struct cell {
    char       *text; /* NULL: empty. */
    enum colour colour;
};

struct grid {
    struct drawing *drawing;
    struct cell    *cells;
    uint32_t        columns, rows;
    uint32_t        width, gap;  /* Of a cell, and of what stands between two. */
    uint32_t        row_width;   /* Of a row's number; 0: rows have none.      */
    bool            has_columns; /* They are numbered.                         */
    bool            has_places;  /* Empty cells show their place.              */
};

static char sign_of(uint32_t seat)
{
    static const char signs[SEATS_MAX + 1] = "XO#@%&$+*=?~ABCD";
    return seat < SEATS_MAX ? signs[seat] : '?';
}

static enum colour colour_of(uint32_t seat)
{
    static const enum colour colours[] = { COLOUR_GREEN, COLOUR_RED, COLOUR_YELLOW };
    return seat < 3 ? colours[seat] : COLOUR_BOLD;
}

/* How many sit at the table, as far as names tell; all there can be if nobody has one. */
static uint32_t seats_at(const struct phrase *phrase)
{
    uint32_t seats = 0;
    while (seats < SEATS_MAX && phrase->players[seats][0] != '\0')
        seats++;
    return seats > 0 ? seats : SEATS_MAX;
}

/* A number of this list that is a seat; false: it is none. */
static bool seat_of(const struct phrase *phrase, const json_t *value, uint32_t *seat)
{
    json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;
    *seat = (uint32_t) number;
    return number >= 0 && number < seats_at(phrase);
}

void worded_grid_legend(struct drawing *drawing)
{
    uint32_t seats = seats_at(drawing->phrase);
    for (uint32_t seat = 0; seat < seats; seat++) {
        const char sign[] = { sign_of(seat), '\0' };
        char      *name = board_string(drawing, board_seat, seat);
        uint32_t   width = board_text_width(name, strlen(name)) + 5;
        if (drawing->text.at > 0 && drawing->text.at + width > drawing->text.columns)
            board_text_line(&drawing->text);
        board_text_put(&drawing->text, COLOUR_NONE, drawing->text.at > 0 ? "   " : "");
        board_text_put(&drawing->text, colour_of(seat), sign);
        board_text_put(&drawing->text, COLOUR_NONE, " ");
        board_text_put(&drawing->text, COLOUR_NONE, name);
        free(name);
    }
}

/* Texts of a message's fields; in a cell there is no room for labels. */
static void put_fields(const struct phrase *phrase, FILE *out, struct said said)
{
    const char *gap = "";
    for (unsigned i = 0; i < said.message->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &said.message->fields[i];
        const json_t                   *value = json_object_get(said.fields, field->name);
        if (value == NULL || vocabulary_field(phrase, field->name).kind == FIELD_HIDDEN)
            continue;
        fputs(gap, out);
        sentence_value(phrase, out, field, value);
        gap = " ";
    }
}

/* NULL: the cell is empty. */
static char *text_of(const struct phrase *phrase, const ProtobufCFieldDescriptor *field,
                     const json_t *value)
{
    char  *text = NULL;
    size_t size = 0;
    FILE  *out = open_memstream(&text, &size);
    if (out == NULL)
        abort();
    if (json_is_object(value))
        put_fields(phrase, out, (struct said){ field->descriptor, value });
    else
        sentence_value(phrase, out, field, value);
    fclose(out);
    if (text[0] != '\0')
        return text;
    free(text);
    return NULL;
}

static void fill_cell(const struct grid *grid, struct cell *cell,
                      const ProtobufCFieldDescriptor *field, const json_t *value, bool of_seats)
{
    uint32_t seat;
    char     number[32];
    (void) snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    bool is_named = vocabulary_value(grid->drawing->phrase, field->name, number) != NULL;
    bool is_seat = of_seats && seat_of(grid->drawing->phrase, value, &seat);
    if (is_seat)
        cell->colour = colour_of(seat);
    if (is_seat && !is_named)
        cell->text = strndup((const char[]){ sign_of(seat), '\0' }, 1);
    else if (!of_seats || is_named)
        cell->text = text_of(grid->drawing->phrase, field, value);
}

/* The letters of a string, each a cell of its row. */
static void fill_row(const struct grid *grid, struct cell *row,
                     const ProtobufCFieldDescriptor *field, const char *letters)
{
    for (uint32_t x = 0; x < grid->columns && *letters != '\0'; x++) {
        size_t size = 1;
        while (((unsigned char) letters[size] & 0xc0) == 0x80)
            size++;
        json_t *letter = json_stringn_nocheck(letters, size);
        row[x].text = text_of(grid->drawing->phrase, field, letter);
        json_decref(letter);
        letters += size;
    }
}

static uint32_t letters_in(const char *string)
{
    uint32_t letters = 0;
    for (; *string != '\0'; string++)
        letters += ((unsigned char) *string & 0xc0) != 0x80;
    return letters;
}

/* How many columns and rows. False: there is nothing to draw, or too much. */
static bool measure(struct grid *grid, struct said said, const json_t *list,
                    const struct field_use *use)
{
    size_t     count = json_array_size(list);
    json_int_t by = use->columns_by == NULL
                        ? (json_int_t) use->columns
                        : json_integer_value(json_object_get(said.fields, use->columns_by));
    bool       of_strings = by == 0 && json_is_string(json_array_get(list, 0));
    for (size_t i = 0; i < count && of_strings; i++) {
        uint32_t letters = letters_in(json_string_value(json_array_get(list, i)));
        by = letters > by ? letters : by;
    }
    if (count == 0 || count > GRID_CELLS_MAX || by > GRID_CELLS_MAX)
        return false;
    grid->columns = by > 0 ? (uint32_t) by : (uint32_t) count;
    grid->rows =
        of_strings ? (uint32_t) count : ((uint32_t) count + grid->columns - 1) / grid->columns;
    grid->cells = calloc((size_t) grid->rows * grid->columns, sizeof *grid->cells);
    return grid->cells != NULL;
}

static void fill(struct grid *grid, const json_t *list, const ProtobufCFieldDescriptor *field,
                 const struct field_use *use)
{
    bool of_strings =
        json_is_string(json_array_get(list, 0)) && use->columns == 0 && use->columns_by == NULL;
    for (uint32_t i = 0; i < json_array_size(list); i++) {
        const json_t *value = json_array_get(list, i);
        if (of_strings)
            fill_row(grid, &grid->cells[(size_t) i * grid->columns], field,
                     json_string_value(value));
        else
            fill_cell(grid, &grid->cells[i], field, value, use->of_seats);
    }
}

static uint32_t digits_of(uint32_t number)
{
    return number < 10 ? 1 : 1 + digits_of(number / 10);
}

/* How wide cells are, and whether there is room between them. */
static void fit(struct grid *grid, const char *name)
{
    const struct phrase *phrase = grid->drawing->phrase;
    uint32_t             count = grid->columns * grid->rows;
    grid->has_columns = vocabulary_chooses(phrase, "column", name);
    grid->has_places = vocabulary_chooses(phrase, "place", name);
    grid->row_width = vocabulary_chooses(phrase, "row", name) ? digits_of(grid->rows) : 0;
    grid->width = grid->has_places    ? digits_of(count)
                  : grid->has_columns ? digits_of(grid->columns)
                                      : 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t width = grid->cells[i].text == NULL
                             ? 1
                             : board_text_width(grid->cells[i].text, strlen(grid->cells[i].text));
        grid->width = width > grid->width ? width : grid->width;
    }
    grid->gap =
        (grid->width + 1) * grid->columns + grid->row_width + 2 <= grid->drawing->text.columns;
}

static void put_number(struct grid *grid, uint32_t number, uint32_t width, enum colour colour)
{
    char text[16];
    (void) snprintf(text, sizeof text, "%*" PRIu32, (int) width, number);
    board_text_cell(&grid->drawing->text, colour, text, width);
}

static void put_cell(struct grid *grid, uint32_t at)
{
    struct board_text *text = &grid->drawing->text;
    const struct cell *cell = &grid->cells[at];
    board_text_cell(text, COLOUR_NONE, "", grid->gap);
    if (cell->text != NULL)
        board_text_cell(text, cell->colour, cell->text, grid->width);
    else if (grid->has_places)
        put_number(grid, at + 1, grid->width, COLOUR_DIM);
    else
        board_text_cell(text, COLOUR_DIM, grid->drawing->phrase->is_ascii ? "." : "·", grid->width);
}

/* Columns that a terminal has no room for are cut off, and it is said. */
static uint32_t shown_columns(const struct grid *grid)
{
    uint32_t room = grid->drawing->text.columns - grid->row_width - 2;
    uint32_t each = grid->width + grid->gap;
    return grid->columns * each <= room ? grid->columns : room / each;
}

static void put_rows(struct grid *grid)
{
    struct board_text *text = &grid->drawing->text;
    uint32_t           columns = shown_columns(grid);
    if (grid->has_columns) {
        board_text_cell(text, COLOUR_NONE, "", grid->row_width + 1);
        for (uint32_t x = 0; x < columns; x++) {
            board_text_cell(text, COLOUR_NONE, "", grid->gap);
            put_number(grid, x + 1, grid->width, COLOUR_DIM);
        }
        board_text_line(text);
    }
    for (uint32_t y = 0; y < grid->rows; y++) {
        if (grid->row_width > 0)
            put_number(grid, y + 1, grid->row_width, COLOUR_DIM);
        board_text_cell(text, COLOUR_NONE, "", 1);
        for (uint32_t x = 0; x < columns; x++)
            put_cell(grid, y * grid->columns + x);
        board_text_line(text);
    }
    if (columns == grid->columns)
        return;
    board_say(grid->drawing, COLOUR_DIM, "(Columns on the right have no room here.)",
              "(Spalten rechts haben hier keinen Platz.)");
    board_text_line(text);
}

void worded_grid(struct drawing *drawing, struct said said, const ProtobufCFieldDescriptor *field,
                 const struct field_use *use)
{
    const json_t *list = json_object_get(said.fields, field->name);
    struct grid   grid = { .drawing = drawing };
    if (!measure(&grid, said, list, use))
        return;
    fill(&grid, list, field, use);
    fit(&grid, field->name);
    put_rows(&grid);
    for (uint32_t i = 0; i < grid.rows * grid.columns; i++)
        free(grid.cells[i].text);
    free(grid.cells);
}
