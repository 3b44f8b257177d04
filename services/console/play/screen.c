/* screen.c: see screen.h. */
#include "services/console/play/screen.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "services/console/faces/board_text.h"

#define CELLS_MAX 3u /* Of 26 columns each, where there are 80. */
#define ENTRY_INDENT 6

/* Rows that the terminal takes for this; long lines go on in the next. */
static uint32_t rows_of(const char *text, uint32_t columns)
{
    uint32_t rows = 0;
    while (*text != '\0') {
        size_t   size = strcspn(text, "\n");
        uint32_t width = board_text_width(text, size);
        rows += width == 0 ? 1 : (width + columns - 1) / columns;
        text += size + (text[size] == '\n');
    }
    return rows;
}

struct flow {
    FILE    *out;
    uint32_t columns;      /* What is wider is wrapped. */
    uint32_t cells, width; /* A line has so many cells of so many columns, at least one. */
    uint32_t used;         /* Cells of this line. */
    uint32_t at;           /* Columns of it. */
};

static void end_line(struct flow *flow)
{
    if (flow->used > 0)
        fputc('\n', flow->out);
    flow->used = flow->at = 0;
}

/* What is longer than a line goes on in the next, between words and below its own first one. */
static void put_wrapped(const struct flow *flow, const char *entry, size_t size)
{
    struct board_text text;
    char             *words = strndup(entry, size);
    if (words == NULL || !board_text_begin(&text, flow->columns, false))
        abort();
    text.indent = ENTRY_INDENT;
    board_text_words(&text, COLOUR_NONE, words);
    board_text_end(&text);
    fwrite(text.bytes, 1, strlen(text.bytes) - 1, flow->out);
    board_text_free(&text);
    free(words);
}

/* An entry takes as many cells as it needs with a gap behind it. */
static void put_entry(struct flow *flow, const char *entry, size_t size)
{
    uint32_t width = board_text_width(entry, size);
    uint32_t cells = (width + flow->width) / flow->width;
    bool     is_alone = size == 0 || entry[0] != ' ' || cells > flow->cells;
    if (is_alone || flow->used + cells > flow->cells)
        end_line(flow);
    for (; flow->at < flow->used * flow->width; flow->at++)
        fputc(' ', flow->out);
    if (width > flow->columns)
        put_wrapped(flow, entry, size);
    else
        fwrite(entry, 1, size, flow->out);
    flow->at += width;
    flow->used += is_alone ? flow->cells : cells;
    if (flow->used >= flow->cells)
        end_line(flow);
}

/* The menu's lines, so many side by side; to be freed. */
static char *flowed(const struct screen *screen, uint32_t cells)
{
    const char *menu = screen->menu;
    char       *text = NULL;
    size_t      size = 0;
    struct flow flow = { .out = open_memstream(&text, &size),
                         .columns = screen->rows == 0 ? UINT32_MAX : screen->columns,
                         .cells = cells,
                         .width = screen->columns < cells ? 1 : screen->columns / cells };
    if (flow.out == NULL)
        abort();
    while (*menu != '\0') {
        size_t line = strcspn(menu, "\n");
        put_entry(&flow, menu, line);
        menu += line + (menu[line] == '\n');
    }
    end_line(&flow);
    fclose(flow.out);
    return text;
}

/* The lines of one page, and what stands below it. */
static void put_page(const struct screen *screen, const char *menu, uint32_t lines, FILE *out)
{
    uint32_t whole = rows_of(menu, screen->columns);
    uint32_t pages = (whole + lines - 1) / lines;
    uint32_t page = screen->page % pages;
    for (uint32_t line = 0; *menu != '\0'; line++) {
        size_t size = strcspn(menu, "\n") + 1;
        if (line / lines == page)
            fwrite(menu, 1, size, out);
        menu += size;
    }
    fprintf(out, "   +  %s (%" PRIu32 "/%" PRIu32 ")\n", screen->more, page + 1, pages);
}

/* The one of these that takes the fewest rows: long entries alone in their lines take many. */
static const char *shortest(const struct screen *screen, char *menus[CELLS_MAX])
{
    const char *found = menus[0];
    for (uint32_t i = 1; i < CELLS_MAX; i++)
        if (rows_of(menus[i], screen->columns) < rows_of(found, screen->columns))
            found = menus[i];
    return found;
}

/* What does not fit in any way: the head is there, and as much of the menu as has room. */
static bool put_below_the_edge(const struct screen *screen, const char *menu, FILE *out)
{
    uint32_t taken =
        rows_of(screen->head, screen->columns) + rows_of(screen->clock, screen->columns);
    uint32_t room =
        screen->rows > taken + screen->prompt + 1 ? screen->rows - taken - screen->prompt : 2;
    bool is_paged = rows_of(menu, screen->columns) > room;
    fprintf(out, "%s%s%s", screen->terse, screen->head, screen->clock);
    if (is_paged)
        put_page(screen, menu, room - 1, out);
    else
        fputs(menu, out);
    return is_paged;
}

static bool fits(const struct screen *screen, const char *board, const char *menu)
{
    uint32_t columns = screen->columns;
    return screen->rows == 0 || rows_of(board, columns) + rows_of(screen->clock, columns) +
                                        rows_of(menu, columns) + screen->prompt <=
                                    screen->rows;
}

bool screen_put(const struct screen *screen, FILE *out)
{
    /* A newcomer would rather read what the survivors can do than save a menu of two columns. */
    static const struct {
        uint32_t cells;
        bool     is_terse;
    } ways[] = { { 1, false }, { 2, false }, { 1, true }, { 2, true }, { 3, false }, { 3, true } };
    char *menus[CELLS_MAX];
    bool  is_put = false, is_paged = false;
    for (uint32_t cells = 1; cells <= CELLS_MAX; cells++)
        menus[cells - 1] = flowed(screen, cells);
    for (uint32_t way = 0; way < sizeof ways / sizeof ways[0] && !is_put; way++) {
        const char *board = ways[way].is_terse ? screen->terse : screen->board;
        const char *menu = menus[ways[way].cells - 1];
        is_put = fits(screen, board, menu);
        if (is_put)
            fprintf(out, "%s%s%s", board, screen->clock, menu);
    }
    if (!is_put)
        is_paged = put_below_the_edge(screen, shortest(screen, menus), out);
    for (uint32_t cells = 0; cells < CELLS_MAX; cells++)
        free(menus[cells]);
    return is_paged;
}
