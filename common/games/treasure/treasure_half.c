/* treasure_half.c: reading half a map, from a string of two characters a field or from rows.
 *
 * A string is read in this order. White space goes (R-E4). The length is counted in code points
 * (R-H1). The alphabet is recognised (R-E1, R-E3). Every code must be one of it (R-H2). Only then
 * treasures are refused (R-H3). The first three that fail end the reading. */
#include "games/treasure/treasure_rules.h"

void treasure_add_fault(struct treasure_faults *faults, uint32_t code)
{
    assert(faults->count < TREASURE_FAULTS_MAX);
    faults->code[faults->count++] = (uint8_t) code;
}

static bool fails(struct treasure_faults *faults, uint32_t code)
{
    treasure_add_fault(faults, code);
    return false;
}

static void begin(struct treasure_half *half)
{
    half->castles = 0;
    half->misplaced = 0;
    half->castle = TREASURE_NOWHERE;
}

static bool is_space(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* Bytes that begin a code point; the others, 10xxxxxx, go on with one. */
static bool is_first(uint8_t byte)
{
    return (byte & 0xc0) != 0x80;
}

struct letters {
    const uint8_t *text;
    uint32_t       size, at;
};

/* The next byte that is no white space; 0 at the end. */
static uint8_t next_letter(struct letters *letters)
{
    while (letters->at < letters->size && is_space(letters->text[letters->at]))
        letters->at++;
    return letters->at < letters->size ? letters->text[letters->at++] : 0;
}

/* How many code points the string has, white space apart, and of what sort they are. */
static uint32_t measure(const uint8_t *text, uint32_t size, bool *digits, bool *plain)
{
    uint32_t count = 0;
    *digits = true;
    *plain = true;
    for (uint32_t i = 0; i < size; i++) {
        if (is_space(text[i]))
            continue;
        count += is_first(text[i]);
        *digits = *digits && text[i] >= '0' && text[i] <= '9';
        *plain = *plain && text[i] < 0x80;
    }
    return count;
}

enum code { CODE_CASTLE = TREASURE_OUTSIDE + 1, CODE_TREASURE, CODE_NONE };

static enum code numeric_code(uint8_t one, uint8_t two)
{
    static const uint8_t codes[] = { CODE_CASTLE, TREASURE_GRASS, TREASURE_MOUNTAIN,
                                     TREASURE_WATER };
    if (one != '0' || two < '0' || two > '3')
        return CODE_NONE;
    return (enum code) codes[two - '0'];
}

static uint8_t upper(uint8_t letter)
{
    return letter >= 'a' && letter <= 'z' ? (uint8_t) (letter - 'a' + 'A') : letter;
}

static enum code symbolic_code(uint8_t one, uint8_t two)
{
    one = upper(one);
    two = upper(two);
    if (one == 'O') /* A font artefact of 2017, R-E3. */
        one = '0';
    if (one != '0' && one != 'P')
        return CODE_NONE;
    switch (two) {
    case 'C': return CODE_CASTLE;
    case 'T': return CODE_TREASURE;
    case 'X': return one == '0' ? CODE_TREASURE : CODE_NONE;
    case 'G': return one == '0' ? (enum code) TREASURE_GRASS : CODE_NONE;
    case 'M': return one == '0' ? (enum code) TREASURE_MOUNTAIN : CODE_NONE;
    case 'W': return one == '0' ? (enum code) TREASURE_WATER : CODE_NONE;
    default: return CODE_NONE;
    }
}

static void put_code(struct treasure_half *half, uint32_t field, enum code code)
{
    half->field[field] = code < CODE_CASTLE ? (uint8_t) code : TREASURE_GRASS;
    if (code != CODE_CASTLE)
        return;
    half->castle = (int32_t) field;
    half->castles++;
}

bool treasure_read_text(const struct treasure_setup *setup, const uint8_t *text, uint32_t size,
                        struct treasure_half *half, struct treasure_faults *faults)
{
    struct letters letters = { text, size, 0 };
    bool           digits, plain, treasure = false;

    begin(half);
    if (measure(text, size, &digits, &plain) != 2 * treasure_half_size(setup))
        return fails(faults, TREASURE_BAD_LENGTH);
    if (!plain)
        return fails(faults, TREASURE_BAD_CODE);
    for (uint32_t field = 0; field < treasure_half_size(setup); field++) {
        uint8_t   one = next_letter(&letters), two = next_letter(&letters);
        enum code code = digits ? numeric_code(one, two) : symbolic_code(one, two);
        if (code == CODE_NONE)
            return fails(faults, TREASURE_BAD_CODE);
        treasure = treasure || code == CODE_TREASURE;
        put_code(half, field, code);
    }
    return !treasure || fails(faults, TREASURE_FORBIDDEN);
}

/* Whether these are as many rows as there must be, of the right length, counted in code points. */
static bool has_shape(const struct treasure_setup *setup, const uint8_t *text, uint32_t size)
{
    uint32_t rows = 1, row = 0;
    for (uint32_t i = 0; i < size; i++) {
        if (text[i] != '\n') {
            row += is_first(text[i]);
            continue;
        }
        if (row != setup->width)
            return false;
        rows++;
        row = 0;
    }
    return rows == setup->height && row == setup->width;
}

bool treasure_read_rows(const struct treasure_setup *setup, const uint8_t *text, uint32_t size,
                        struct treasure_half *half, struct treasure_faults *faults)
{
    uint32_t field = 0;
    begin(half);
    if (!has_shape(setup, text, size))
        return fails(faults, TREASURE_BAD_LENGTH);
    for (uint32_t i = 0; i < size; i++)
        switch (text[i]) {
        case '\n': break;
        case 'G': half->field[field++] = TREASURE_GRASS; break;
        case 'M': half->field[field++] = TREASURE_MOUNTAIN; break;
        case 'W': half->field[field++] = TREASURE_WATER; break;
        default: return fails(faults, TREASURE_BAD_CODE);
        }
    return true;
}

void treasure_put_castle(const struct treasure_setup *setup, int64_t x, int64_t y,
                         struct treasure_half *half)
{
    bool inside = x >= 0 && y >= 0 && x < setup->width && y < setup->height;
    half->castles++;
    if (inside)
        half->castle = (int32_t) (y * setup->width + x);
    if (!inside || half->field[half->castle] != TREASURE_GRASS)
        half->misplaced++;
}

/* A castle has two coordinates or none. */
static bool take_rows(const struct treasure_setup *setup, const struct command *command,
                      struct treasure_half *half, struct treasure_faults *faults)
{
    word x = command->arg[1], y = command->arg[2];
    if ((x == ABSENT) != (y == ABSENT) || x == MISTYPED || y == MISTYPED)
        return false;
    if (!treasure_read_rows(setup, command->text, command->text_size, half, faults))
        return true;
    if (x != ABSENT)
        treasure_put_castle(setup, x, y, half);
    treasure_judge_half(setup, half, faults);
    return true;
}

bool treasure_take_half(const struct treasure_setup *setup, const struct command *command,
                        struct treasure_half *half, struct treasure_faults *faults)
{
    faults->count = 0;
    if (command->kind == TREASURE_SUBMIT_ROWS)
        return take_rows(setup, command, half, faults);
    if (treasure_read_text(setup, command->text, command->text_size, half, faults))
        treasure_judge_half(setup, half, faults);
    return true;
}
