/* objectron_grid.c: reads a grid that a person drew, and judges it. */
#include <string.h>

#include "games/objectron/objectron_setup.h"

/* What is being read: a text with line ends, or a list of lines. */
struct page {
    struct objectron_drawing *drawing;
    const struct value       *grid;
    struct faults            *faults;
    int32_t                   seen[OBJECTRON_PLAYERS_MAX + 1]; /* By digit. */
    int32_t                   free;
    bool                      bad;
};

static void complain_at(const struct page *page, const char *code, int64_t number,
                        const char *between, int64_t last)
{
    fault_numbers(page->faults, page->grid, NULL, code, number, between, last, "");
}

/* Calls `each` with every line; of a text, the last one only if it is not empty. */
static void each_line(struct page *page,
                      void (*each)(struct page *page, int32_t y, const char *line, uint32_t size))
{
    int32_t y = 0;
    if (page->grid->kind == VALUE_LIST) {
        for (const struct value *line = page->grid->first; line != NULL; line = line->next)
            each(page, y++, line->text, line->text_size);
        return;
    }
    const char *text = page->grid->text;
    uint32_t    from = 0;
    for (uint32_t i = 0; i < page->grid->text_size; i++) {
        if (text[i] != '\n')
            continue;
        uint32_t size = i - from;
        each(page, y++, text + from, size - (size > 0 && text[i - 1] == '\r'));
        from = i + 1;
    }
    if (from < page->grid->text_size)
        each(page, y, text + from, page->grid->text_size - from);
}

static void measure(struct page *page, int32_t y, const char *line, uint32_t size)
{
    (void) line;
    int32_t width = size > OBJECTRON_SIDE_MAX ? OBJECTRON_SIDE_MAX + 1 : (int32_t) size;
    page->drawing->height = y + 1;
    if (width > page->drawing->width)
        page->drawing->width = width;
}

static void read_letter(struct page *page, int32_t y, int32_t x, char letter)
{
    int32_t square = y * page->drawing->width + x;
    if (letter >= '1' && letter <= '9') {
        page->seen[letter - '0']++;
        page->drawing->home[letter - '1'] = square;
        letter = OBJECTRON_FREE;
    }
    bool known = letter == OBJECTRON_FREE || letter == OBJECTRON_HOLE || letter == OBJECTRON_WALL;
    if (!known && !page->bad) {
        page->bad = true;
        complain_at(page, "GRID_INVALID_CHARACTER: neither blank, *, # nor 1 to 9 in line ", y + 1,
                    ", column ", x + 1);
    }
    page->drawing->letters[square] = letter;
    page->drawing->squares += letter != OBJECTRON_HOLE;
    page->free += letter == OBJECTRON_FREE;
}

static void read_line(struct page *page, int32_t y, const char *line, uint32_t size)
{
    for (uint32_t x = 0; x < size; x++)
        read_letter(page, y, (int32_t) x, line[x]);
}

/* Marks every free square that can be reached from the first start; returns how many. */
static int32_t flood(const struct objectron_drawing *drawing, uint8_t *reached)
{
    int16_t queue[OBJECTRON_SQUARES_MAX];
    int32_t head = 0, tail = 0;
    queue[tail++] = (int16_t) drawing->home[0];
    reached[drawing->home[0]] = 1;
    while (head < tail) {
        int32_t x = queue[head] % drawing->width, y = queue[head] / drawing->width;
        head++;
        for (int32_t k = 0; k < 9; k++) {
            int32_t to_x = x + k % 3 - 1, to_y = y + k / 3 - 1;
            int32_t to = to_y * drawing->width + to_x;
            if (to_x < 0 || to_y < 0 || to_x >= drawing->width || to_y >= drawing->height ||
                drawing->letters[to] != OBJECTRON_FREE || reached[to])
                continue;
            reached[to] = 1;
            queue[tail++] = (int16_t) to;
        }
    }
    return tail;
}

static bool judge_ways(const struct page *page)
{
    const struct objectron_drawing *drawing = page->drawing;
    uint8_t                         reached[OBJECTRON_SQUARES_MAX] = { 0 };
    int32_t                         way = flood(drawing, reached);
    for (int32_t start = 1; start < drawing->starts; start++)
        if (!reached[drawing->home[start]]) {
            complain_at(page, "GRID_NO_PATH_BETWEEN_STARTS: no way leads from start ", 1,
                        " to start ", start + 1);
            return false;
        }
    if (way != page->free)
        complain_at(page, "GRID_UNREACHABLE_SQUARES: of the free squares, ", page->free - way,
                    " cannot be reached from start ", 1);
    return way == page->free;
}

static bool judge_starts(struct page *page)
{
    int32_t starts = 0, digits = 0;
    for (int32_t digit = OBJECTRON_PLAYERS_MAX; digit >= 1; digit--)
        if (page->seen[digit] > 1) {
            complain_at(page, "GRID_DUPLICATE_START: start ", digit,
                        " occurs so often: ", page->seen[digit]);
            return false;
        }
    for (int32_t digit = 1; digit <= OBJECTRON_PLAYERS_MAX; digit++) {
        digits += page->seen[digit];
        starts = page->seen[digit] ? digit : starts;
    }
    page->drawing->starts = starts;
    if (digits != starts)
        complain_at(page, "GRID_START_GAP: there are starts up to ", starts, ", but only ", digits);
    else if (starts < 2)
        complain_at(page, "GRID_TOO_FEW_STARTS: has ", starts, " starts, must have at least ", 2);
    return digits == starts && starts >= 2;
}

static bool is_text(const struct value *grid, struct faults *faults)
{
    bool text = grid->kind == VALUE_STRING || grid->kind == VALUE_LIST;
    if (grid->kind == VALUE_LIST)
        for (const struct value *line = grid->first; line != NULL; line = line->next)
            text = text && line->kind == VALUE_STRING;
    if (!text)
        fault(faults, grid, NULL, "must be a string, or a list of strings, the lines");
    return text;
}

int32_t objectron_read_grid(struct objectron_drawing *drawing, const struct value *grid,
                            struct faults *faults)
{
    struct page page = { .drawing = drawing, .grid = grid, .faults = faults };
    memset(drawing, 0, sizeof *drawing);
    if (!is_text(grid, faults))
        return 0;
    each_line(&page, measure);
    if (drawing->width > OBJECTRON_SIDE_MAX || drawing->height > OBJECTRON_SIDE_MAX) {
        complain_at(&page, "GRID_TOO_LARGE: must be at most ", OBJECTRON_SIDE_MAX, " by ",
                    OBJECTRON_SIDE_MAX);
        return 0;
    }
    memset(drawing->letters, OBJECTRON_HOLE, sizeof drawing->letters);
    each_line(&page, read_line);
    if (page.bad)
        return 0;
    if (drawing->squares == 0) {
        fault(faults, grid, NULL, "GRID_EMPTY: has no square but holes");
        return 0;
    }
    return judge_starts(&page) && judge_ways(&page) ? drawing->starts : 0;
}
