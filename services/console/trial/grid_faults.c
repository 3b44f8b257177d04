/* grid_faults.c: reads a drawn grid of objectron and names all its faults. */
#include "services/console/trial/grid_faults.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "games/objectron/objectron_setup.h"
#include "services/console/command/terminal.h"
#include "wire/utf8.h"

#define SIDE OBJECTRON_SIDE_MAX

/* A grid being judged. What lies outside of 100 x 100 is a fault and nothing else. */
struct drawn {
    const char *path;
    FILE       *out;
    uint32_t    faults;
    uint32_t    width, height;
    char        letters[SIDE][SIDE];
    uint32_t    seen[OBJECTRON_PLAYERS_MAX + 1]; /* By digit: how often, ...        */
    uint32_t    x[OBJECTRON_PLAYERS_MAX + 1];    /* ... and where it stands first.   */
    uint32_t    y[OBJECTRON_PLAYERS_MAX + 1];
    uint32_t    squares;
    bool        reached[SIDE][SIDE];
    uint16_t    queue[SIDE * SIDE];
};

/* Begins a line about a column and a line that count from 0. */
static void begin_fault(struct drawn *drawn, uint32_t x, uint32_t y)
{
    drawn->faults++;
    terminal_put(drawn->out, drawn->path, strlen(drawn->path));
    fprintf(drawn->out, ":%" PRIu32 ":%" PRIu32 ": ", y + 1, x + 1);
}

#define FAULT(drawn, x, y, ...)                                                                    \
    do {                                                                                           \
        begin_fault(drawn, x, y);                                                                  \
        fprintf((drawn)->out, __VA_ARGS__);                                                        \
        fputc('\n', (drawn)->out);                                                                 \
    } while (0)

static void read_start(struct drawn *drawn, uint32_t x, uint32_t y, uint32_t digit)
{
    if (drawn->seen[digit]++ == 0) {
        drawn->x[digit] = x;
        drawn->y[digit] = y;
        return;
    }
    FAULT(drawn, x, y, "GRID_DUPLICATE_START: start %" PRIu32 " stands in line %" PRIu32 " already",
          digit, drawn->y[digit] + 1);
}

/* What cannot be seen where it stands is said in words. */
static void put_letter(FILE *out, const char *letter, size_t size)
{
    if (*letter == '\t' || *letter == '\r')
        fputs(*letter == '\t' ? "a tab" : "a carriage return", out);
    else if (size == 3 && memcmp(letter, "\xef\xbb\xbf", 3) == 0)
        fputs("a byte order mark", out);
    else if (size > 1 || (*letter > ' ' && *letter < 0x7f))
        fprintf(out, "\"%.*s\"", (int) size, letter);
    else
        fprintf(out, "byte 0x%02X", (unsigned) (uint8_t) *letter);
}

/* A letter that is none, and how many bytes it has: a column is a byte, but a letter is named once. */
static size_t read_invalid(struct drawn *drawn, uint32_t x, uint32_t y, const char *letter,
                           size_t left)
{
    uint32_t code;
    size_t   size = utf8_character((const uint8_t *) letter, left, &code);
    bool     is_shown = size > 0 && (utf8_is_shown(code) || code == 0xfeff);
    begin_fault(drawn, x, y);
    fputs("GRID_INVALID_CHARACTER: ", drawn->out);
    put_letter(drawn->out, letter, is_shown ? size : 1);
    fputs(" is neither blank, *, # nor 1 to 9\n", drawn->out);
    return is_shown ? size : 1;
}

/* Reads the letter at a column; returns how many bytes it has. */
static size_t read_letter(struct drawn *drawn, uint32_t x, uint32_t y, const char *letter,
                          size_t left)
{
    bool   is_start = *letter >= '1' && *letter <= '9';
    bool   is_square = *letter == OBJECTRON_FREE || *letter == OBJECTRON_WALL;
    size_t size = 1;
    if (*letter == OBJECTRON_HOLE)
        return size;
    if (is_start)
        read_start(drawn, x, y, (uint32_t) (*letter - '0'));
    else if (!is_square)
        size = read_invalid(drawn, x, y, letter, left);
    for (size_t i = 0; i < size && x + i < SIDE; i++) {
        drawn->letters[y][x + i] = is_square ? *letter : OBJECTRON_FREE;
        drawn->squares++;
    }
    return size;
}

static void read_line(struct drawn *drawn, uint32_t y, const char *line, size_t size)
{
    drawn->height = y + 1;
    if (y == SIDE)
        FAULT(drawn, 0, y, "GRID_TOO_LARGE: has more than %d lines", SIDE);
    if (y >= SIDE)
        return;
    if (size > SIDE)
        FAULT(drawn, SIDE, y, "GRID_TOO_LARGE: has more than %d columns", SIDE);
    for (size_t x = 0; x < size && x < SIDE;)
        x += read_letter(drawn, (uint32_t) x, y, line + x, size - x);
    if (size > drawn->width)
        drawn->width = size < SIDE ? (uint32_t) size : SIDE;
}

/* Lines end in LF or CRLF; what follows the last of them, if anything, is one, too. */
static void read_lines(struct drawn *drawn, const char *text, size_t size)
{
    uint32_t y = 0;
    for (size_t from = 0; from < size; y++) {
        const char *feed = memchr(text + from, '\n', size - from);
        size_t      to = feed != NULL ? (size_t) (feed - text) : size;
        bool        has_return = feed != NULL && to > from && text[to - 1] == '\r';
        read_line(drawn, y, text + from, to - from - has_return);
        from = to + 1;
    }
}

static uint32_t judge_starts(struct drawn *drawn)
{
    uint32_t last = 0, starts = 0;
    for (uint32_t digit = 1; digit <= OBJECTRON_PLAYERS_MAX; digit++) {
        last = drawn->seen[digit] > 0 ? digit : last;
        starts += drawn->seen[digit] > 0;
    }
    for (uint32_t digit = 1; digit < last; digit++)
        if (drawn->seen[digit] == 0)
            FAULT(drawn, drawn->x[last], drawn->y[last],
                  "GRID_START_GAP: there is a start %" PRIu32 ", but no start %" PRIu32, last,
                  digit);
    if (drawn->squares == 0)
        FAULT(drawn, 0u, 0u, "GRID_EMPTY: has no square but holes");
    else if (starts < 2)
        FAULT(drawn, 0u, 0u, "GRID_TOO_FEW_STARTS: has %" PRIu32 ", must have at least 2", starts);
    return starts;
}

/* Marks all that can be reached from a square; returns how many squares that are. */
static uint32_t flood(struct drawn *drawn, uint32_t x, uint32_t y)
{
    uint32_t head = 0, tail = 0;
    drawn->reached[y][x] = true;
    drawn->queue[tail++] = (uint16_t) (y * SIDE + x);
    while (head < tail) {
        uint32_t at_x = drawn->queue[head] % SIDE, at_y = drawn->queue[head] / SIDE;
        head++;
        for (uint32_t k = 0; k < 9; k++) {
            uint32_t to_x = at_x + k % 3 - 1, to_y = at_y + k / 3 - 1; /* -1 is far beyond. */
            if (to_x >= drawn->width || to_y >= drawn->height || to_y >= SIDE ||
                drawn->letters[to_y][to_x] != OBJECTRON_FREE || drawn->reached[to_y][to_x])
                continue;
            drawn->reached[to_y][to_x] = true;
            drawn->queue[tail++] = (uint16_t) (to_y * SIDE + to_x);
        }
    }
    return tail;
}

/* Every part that start 1 has no way to, named by its starts or by its first square. */
static void judge_ways(struct drawn *drawn)
{
    (void) flood(drawn, drawn->x[1], drawn->y[1]);
    for (uint32_t digit = 2; digit <= OBJECTRON_PLAYERS_MAX; digit++)
        if (drawn->seen[digit] > 0 && !drawn->reached[drawn->y[digit]][drawn->x[digit]])
            FAULT(drawn, drawn->x[digit], drawn->y[digit],
                  "GRID_NO_PATH_BETWEEN_STARTS: no way leads from start 1 to start %" PRIu32,
                  digit);
    for (uint32_t y = 0; y < drawn->height && y < SIDE; y++)
        for (uint32_t x = 0; x < drawn->width; x++) {
            if (drawn->letters[y][x] != OBJECTRON_FREE || drawn->reached[y][x])
                continue;
            uint32_t squares = flood(drawn, x, y);
            FAULT(drawn, x, y,
                  "GRID_UNREACHABLE_SQUARES: start 1 has no way to here; squares: %" PRIu32,
                  squares);
        }
}

uint32_t grid_faults(const char *path, const char *text, size_t size, struct grid_facts *facts,
                     FILE *out)
{
    static struct drawn drawn; /* Some 50 KiB, for one caller. */
    memset(&drawn, 0, sizeof drawn);
    memset(drawn.letters, OBJECTRON_HOLE, sizeof drawn.letters);
    drawn.path = path;
    drawn.out = out;
    read_lines(&drawn, text, size);
    facts->starts = judge_starts(&drawn);
    facts->width = drawn.width;
    facts->height = drawn.height;
    if (drawn.seen[1] > 0)
        judge_ways(&drawn);
    return drawn.faults;
}
