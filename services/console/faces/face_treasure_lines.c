/* face_treasure_lines.c: what somebody types in a treasure hunt: half a map, or a way to go; and a half as it is
 * typed. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/treasure/treasure_rules.h"
#include "services/console/faces/face_treasure.h"

/* What stands for a field: its letter, its sign on the map, and its number in a half's text. */
static const struct {
    char letter, sign, number;
} fields[] = { { 'G', '.', '1' }, { 'M', '^', '2' }, { 'W', '~', '3' }, { 'C', '@', '0' } };

#define FIELD_KINDS (sizeof fields / sizeof fields[0])

static char number_of(char letter)
{
    for (size_t i = 0; i < FIELD_KINDS; i++)
        if (toupper((unsigned char) letter) == fields[i].letter || letter == fields[i].sign)
            return fields[i].number;
    return '\0';
}

/* Takes the fields of a line: each two characters of the text. False: it holds something else. */
static bool take_fields(const char *line, char *text, size_t room, uint32_t *count)
{
    *count = 0;
    for (; *line != '\0'; line++) {
        char number = number_of(*line);
        if (strchr(" /,|\t", *line) != NULL)
            continue;
        if (number == '\0' || 2 * (size_t) *count + 2 > room)
            return false;
        text[2 * *count] = '0';
        text[2 * *count + 1] = number;
        ++*count;
    }
    return *count > 0;
}

static void put_faults(const struct phrase *phrase, FILE *out, const struct treasure_faults *faults)
{
    static const struct saying words[] = {
        [TREASURE_BAD_LENGTH] = { { "another number of fields", "andere Zahl von Feldern" } },
        [TREASURE_BAD_CODE] = { { "a strange letter", "ein fremder Buchstabe" } },
        [TREASURE_FORBIDDEN] = { { "a treasure", "ein Schatz" } },
        [TREASURE_CASTLE_COUNT] = { { "not exactly one castle", "nicht genau eine Burg" } },
        [TREASURE_CASTLE_NOT_ON_GRASS] = { { "a castle that is not on grass",
                                             "eine Burg, die nicht auf Gras steht" } },
        [TREASURE_TOO_FEW_MOUNTAIN] = { { "too few mountains", "zu wenige Berge" } },
        [TREASURE_TOO_FEW_GRASS] = { { "too little grass", "zu wenig Gras" } },
        [TREASURE_TOO_FEW_WATER] = { { "too little water", "zu wenig Wasser" } },
        [TREASURE_EDGE_TOP] = { { "too much water at the top", "oben zu viel Wasser" } },
        [TREASURE_EDGE_BOTTOM] = { { "too much water at the bottom", "unten zu viel Wasser" } },
        [TREASURE_EDGE_LEFT] = { { "too much water at the left", "links zu viel Wasser" } },
        [TREASURE_EDGE_RIGHT] = { { "too much water at the right", "rechts zu viel Wasser" } },
        [TREASURE_ISLAND] = { { "an island", "eine Insel" } },
    };
    phrase_text(
        phrase, out,
        phrase_say(phrase, "This half would lose the game: ", "Diese Hälfte verlöre die Partie: "));
    for (uint32_t i = 0; i < faults->count; i++) {
        fputs(i > 0 ? ", " : "", out);
        phrase_put(phrase, out, &words[faults->code[i]], NULL, 0);
    }
    fputs(".\n", out);
}

/* A bad half would lose at once. So it is judged here, as the rules will. */
static enum face_reading read_half(const struct phrase *phrase, FILE *out, const char *line,
                                   struct command *command)
{
    static char                  text[2 * TREASURE_FIELDS_MAX];
    const struct treasure_setup *setup = phrase->setup;
    struct treasure_faults       faults;
    struct treasure_half         half;
    uint32_t                     count;
    if (!take_fields(line, text, sizeof text, &count))
        return FACE_KNOWS_NOT;
    face_command(command, TREASURE_SUBMIT_HALF);
    command->text = (const uint8_t *) text;
    command->text_size = 2 * count;
    (void) treasure_take_half(setup, command, &half, &faults);
    if (faults.count == 0)
        return FACE_PLAYS;
    put_faults(phrase, out, &faults);
    return FACE_SAYS;
}

enum face_reading treasure_read_line(const struct phrase *phrase, FILE *out, const char *line,
                                     struct command *command)
{
    static const struct {
        const char *words[4];
        word        way;
    } ways[] = { { { "n", "up", "north", "oben" }, TREASURE_UP },
                 { { "s", "down", "south", "unten" }, TREASURE_DOWN },
                 { { "w", "left", "west", "links" }, TREASURE_TO_LEFT },
                 { { "ea", "right", "east", "rechts" }, TREASURE_TO_RIGHT } };
    const Arbiter__Treasure__View *view = phrase->view;
    if (view == NULL || view->viewer_case != ARBITER__TREASURE__VIEW__VIEWER_PLAYER)
        return FACE_KNOWS_NOT;
    if (view->player->n_terrain == 0)
        return read_half(phrase, out, line, command);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        for (size_t k = 0; k < 4; k++)
            if (strcasecmp(line, ways[i].words[k]) == 0) {
                face_command(command, TREASURE_STEP);
                command->arg[1] = ways[i].way;
                return FACE_PLAYS;
            }
    return FACE_KNOWS_NOT;
}

void treasure_put_half(const struct phrase *phrase, FILE *out, const struct command *command)
{
    const struct treasure_setup *setup = phrase->setup;
    for (uint32_t i = 0; setup != NULL && 2 * i + 1 < command->text_size; i++) {
        char letter = '?';
        for (size_t k = 0; k < FIELD_KINDS; k++)
            if (command->text[2 * i + 1] == (uint8_t) fields[k].number)
                letter = fields[k].letter;
        fputs(i > 0 && i % setup->width == 0 ? " " : "", out);
        fputc(letter, out);
    }
}

/* A sentence with numbers, wrapped. */
static void say(struct drawing *drawing, const struct saying *saying, const word *numbers,
                uint32_t count)
{
    char  *words = NULL;
    size_t size = 0;
    FILE  *out = open_memstream(&words, &size);
    if (out == NULL)
        abort();
    phrase_put(drawing->phrase, out, saying, numbers, count);
    fclose(out);
    board_text_words(&drawing->text, COLOUR_NONE, words);
    board_text_line(&drawing->text);
    free(words);
}

void treasure_draw_half(struct drawing *drawing)
{
    static const struct saying how = {
        { "Type your half: {n0} rows of {n1} letters, with a blank between rows. G is grass, M a "
          "mountain, W water, C your castle. /hint shows one that chance drew; /best hands it in.",
          "Tippe deine Hälfte: {n0} Zeilen aus {n1} Buchstaben, dazwischen je ein Leerzeichen. G "
          "ist "
          "Gras, M ein Berg, W Wasser, C deine Burg. /hint zeigt eine ausgewürfelte; /best gibt "
          "sie "
          "ab." }
    };
    static const struct saying needs = {
        { "It needs so many at least: mountains {n0}, grass {n1}, water {n2}; and no island.",
          "Sie braucht mindestens: Berge {n0}, Gras {n1}, Wasser {n2}; und keine Insel." }
    };
    const struct treasure_setup *setup = drawing->phrase->setup;
    say(drawing, &how, (const word[]){ setup->height, setup->width }, 2);
    say(drawing, &needs, (const word[]){ setup->min_mountain, setup->min_grass, setup->min_water },
        3);
}
