/* play_menu.c: groups commands by their words, and reads the numbers somebody types. */
#include "services/console/play/play_menu.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "services/console/faces/face.h"
#include "services/console/faces/worded.h"

typedef void put_words(const struct phrase *phrase, FILE *out, const struct command *command);

static char *words_of(const struct phrase *phrase, put_words *put, const struct command *command)
{
    char  *words = NULL;
    size_t size = 0;
    FILE  *out = open_memstream(&words, &size);
    if (out == NULL)
        abort();
    put(phrase, out, command);
    fclose(out);
    return words;
}

static void *grown(void *array, uint32_t count, size_t size)
{
    void *more = realloc(array, (count + 1) * size);
    if (more == NULL)
        abort();
    return more;
}

static bool belongs_last(const struct phrase *phrase, uint32_t kind)
{
    const struct game *game = phrase->wire->game;
    const struct face *face = face_of(phrase);
    return (game->commands[kind].flags & COMMAND_SELDOM) != 0 ||
           (face != NULL && (face->kinds_last & FACE_KIND(kind)) != 0);
}

static struct menu_row *row_of(struct menu *menu, const struct phrase *phrase,
                               const struct command *command)
{
    char *deed = words_of(phrase, menu->is_flat ? phrase_command : phrase_deed, command);
    for (uint32_t i = 0; i < menu->count; i++)
        if (strcmp(menu->rows[i].deed, deed) == 0) {
            free(deed);
            return &menu->rows[i];
        }
    menu->rows = grown(menu->rows, menu->count, sizeof *menu->rows);
    struct menu_row *row = &menu->rows[menu->count++];
    *row = (struct menu_row){ .deed = deed,
                              .kind = command->kind,
                              .is_last = belongs_last(phrase, command->kind) };
    return row;
}

static void add(struct menu *menu, const struct phrase *phrase, const struct command *command)
{
    const struct face *face = face_of(phrase);
    if (face != NULL && face->is_twin != NULL && face->is_twin(command))
        return;
    struct menu_row *row = row_of(menu, phrase, command);
    char            *words = words_of(phrase, phrase_choice, command);
    /* Of a game without a face, two that read the same are the words' fault, and both can be played. */
    for (uint32_t i = 0; i < row->count && !menu->is_whole; i++)
        if (strcmp(row->choices[i].words, words) == 0) {
            free(words);
            return;
        }
    row->choices = grown(row->choices, row->count, sizeof *row->choices);
    row->choices[row->count++] = (struct menu_choice){ *command, words };
}

/* What stands there only to be refused says so, unless the engine has listed it. */
static void add_offer(struct menu *menu, const struct phrase *phrase, const struct command *command)
{
    struct menu_row *row = row_of(menu, phrase, command);
    char            *words = words_of(phrase, phrase_choice, command);
    char            *said = NULL;
    for (uint32_t i = 0; i < row->count; i++)
        if (strcmp(row->choices[i].words, words) == 0) {
            free(words);
            return;
        }
    if (asprintf(&said, "%s%s%s", words, words[0] != '\0' ? " " : "",
                 phrase_say(phrase, "(not now)", "(jetzt nicht)")) < 0)
        abort();
    free(words);
    row->choices = grown(row->choices, row->count, sizeof *row->choices);
    row->choices[row->count++] = (struct menu_choice){ *command, said };
}

static void add_offers(struct menu *menu, const struct phrase *phrase)
{
    const struct face *face = face_of(phrase);
    struct command     command;
    for (uint32_t i = 0; face != NULL && face->offers != NULL && face->offers(phrase, i, &command);
         i++)
        add_offer(menu, phrase, &command);
}

/* Rows of the end go there, all others keep their order. */
static void order(struct menu *menu)
{
    struct menu_row *ordered = calloc(menu->count + 1, sizeof *ordered);
    uint32_t         used = 0;
    if (ordered == NULL)
        abort();
    for (uint32_t last = 0; last < 2; last++)
        for (uint32_t i = 0; i < menu->count; i++)
            if (menu->rows[i].is_last == (last == 1))
                ordered[used++] = menu->rows[i];
    free(menu->rows);
    menu->rows = ordered;
}

/* The place that a row chooses and nothing else; 0: none. */
static uint32_t place_of(const struct menu *menu, const struct phrase *phrase, uint32_t at)
{
    const struct menu_row *row = &menu->rows[at];
    bool is_alone = menu->is_whole && row->count == 1 && row->kind == menu->rows[0].kind;
    return is_alone ? worded_place(phrase, &row->choices[0].command) : 0;
}

/* Rows that choose places have their numbers, if the first one does; all others go on behind them. */
static void number(struct menu *menu, const struct phrase *phrase)
{
    bool     has_places = menu->count > 0 && place_of(menu, phrase, 0) != 0;
    uint32_t last = 0;
    for (uint32_t i = 0; i < menu->count; i++) {
        uint32_t place = has_places ? place_of(menu, phrase, i) : 0;
        menu->rows[i].number = place;
        last = place > last ? place : last;
    }
    for (uint32_t i = 0; i < menu->count; i++)
        if (menu->rows[i].number == 0)
            menu->rows[i].number = ++last;
}

void menu_fill(struct menu *menu, const struct phrase *phrase, const struct legal *list)
{
    uint64_t count = legal_count(list);
    menu_clear(menu);
    menu->is_cut = count > MENU_COMMANDS_MAX;
    menu->is_whole = phrase_is_worded(phrase);
    menu->is_flat = menu->is_whole && count <= MENU_FLAT_MAX;
    for (uint64_t k = 0; k < count && k < MENU_COMMANDS_MAX; k++) {
        struct command command;
        legal_pick(list, k, &command);
        add(menu, phrase, &command);
    }
    if (count > 0)
        add_offers(menu, phrase);
    order(menu);
    number(menu, phrase);
    menu->is_asked = menu->count == 1 && menu->rows[0].count > 1; /* There is no other row. */
}

void menu_clear(struct menu *menu)
{
    for (uint32_t i = 0; i < menu->count; i++) {
        for (uint32_t k = 0; k < menu->rows[i].count; k++)
            free(menu->rows[i].choices[k].words);
        free(menu->rows[i].choices);
        free(menu->rows[i].deed);
    }
    free(menu->rows);
    memset(menu, 0, sizeof *menu);
}

static void put_row(const struct menu *menu, const struct menu_row *row, FILE *out)
{
    bool is_alone = row->count == 1 && menu->is_whole;
    fprintf(out, "%4" PRIu32 "  %s", row->number, is_alone ? row->choices[0].words : row->deed);
    if (row->count > 1)
        fprintf(out, menu->is_whole ? " (%" PRIu32 ")\n" : " ... (%" PRIu32 ")\n", row->count);
    else if (is_alone)
        fputc('\n', out);
    else
        fprintf(out, "%s%s\n", row->choices[0].words[0] != '\0' ? ": " : "", row->choices[0].words);
}

void menu_put(const struct menu *menu, const struct phrase *phrase, FILE *out)
{
    if (menu->is_asked) {
        const struct menu_row *row = &menu->rows[menu->row];
        fprintf(out, "%s:\n", row->deed);
        for (uint32_t i = 0; i < row->count; i++)
            fprintf(out, "%4" PRIu32 "  %s\n", i + 1,
                    row->choices[i].words[0] != '\0' ? row->choices[i].words : row->deed);
        if (menu->count > 1) {
            phrase_text(phrase, out, phrase_say(phrase, "   0  back", "   0  zurück"));
            fputc('\n', out);
        }
        return;
    }
    for (uint32_t i = 0; i < menu->count; i++)
        put_row(menu, &menu->rows[i], out);
    if (!menu->is_cut)
        return;
    phrase_text(phrase, out,
                phrase_say(phrase, "      ... and more than can be listed",
                           "      ... und mehr, als sich aufzählen lässt"));
    fputc('\n', out);
}

/* A number at the front of a line; false: there is none. */
static bool take_number(const char **line, uint32_t *number)
{
    const char *at = *line + strspn(*line, " .,\t");
    uint32_t    value = 0, digits = 0;
    for (; *at >= '0' && *at <= '9' && digits < 6; at++, digits++)
        value = value * 10 + (uint32_t) (*at - '0');
    *line = at;
    *number = value;
    return digits > 0;
}

static enum menu_answer take_choice(struct menu *menu, uint32_t number, struct command *command)
{
    const struct menu_row *row = &menu->rows[menu->row];
    if (number > row->count || (number == 0 && menu->count == 1))
        return MENU_NONSENSE;
    menu->is_asked = false;
    if (number == 0)
        return MENU_ASKS;
    *command = row->choices[number - 1].command;
    return MENU_PLAYS;
}

enum menu_answer menu_take(struct menu *menu, const char *line, struct command *command)
{
    uint32_t first, second;
    bool     has_first = take_number(&line, &first);
    bool     has_second = has_first && take_number(&line, &second);
    if (!has_first || line[strspn(line, " .,\t")] != '\0')
        return MENU_NONSENSE;
    if (menu->is_asked)
        return has_second ? MENU_NONSENSE : take_choice(menu, first, command);
    uint32_t row = 0;
    while (row < menu->count && menu->rows[row].number != first)
        row++;
    if (row == menu->count)
        return MENU_NONSENSE;
    menu->row = row;
    /* The rows are what the player sees. For a choice that is not there they are asked again. */
    if (has_second && second > menu->rows[menu->row].count)
        return MENU_NONSENSE;
    menu->is_asked = true;
    if (has_second)
        return take_choice(menu, second, command);
    return menu->rows[menu->row].count == 1 ? take_choice(menu, 1, command) : MENU_ASKS;
}

/* What a key stands for, by the names of commands; the first that can be done now is taken. */
static const struct {
    const char *key;
    const char *commands[4];
} keys[] = { { "e", { "end_turn", "attack_done", "stage_done", NULL } },
             { "l", { "leave", "resign", NULL } } };

#define LEAVES 1u /* The key that leaves. */

/* Some games do not list what gives up. The rules say whether it can be done now. */
static enum menu_answer take_unlisted(const struct game *game, struct command *command)
{
    for (uint32_t name = 0; keys[LEAVES].commands[name] != NULL; name++)
        for (uint32_t kind = 1; kind < game->command_kinds; kind++)
            if (game->commands[kind].name != NULL &&
                strcmp(game->commands[kind].name, keys[LEAVES].commands[name]) == 0) {
                face_command(command, kind);
                return MENU_PLAYS;
            }
    return MENU_NONSENSE;
}

static size_t key_of(const char *line)
{
    size_t key = 0;
    while (key < sizeof keys / sizeof *keys && strcmp(keys[key].key, line) != 0)
        key++;
    return key;
}

bool menu_is_key(const char *line)
{
    return key_of(line) < sizeof keys / sizeof *keys;
}

enum menu_answer menu_take_key(struct menu *menu, const struct game *game, const char *line,
                               struct command *command)
{
    size_t key = key_of(line);
    for (uint32_t name = 0; menu_is_key(line) && keys[key].commands[name] != NULL; name++)
        for (uint32_t row = 0; row < menu->count; row++) {
            const struct menu_row *there = &menu->rows[row];
            if (there->kind >= game->command_kinds || there->count == 0 ||
                strcmp(game->commands[there->kind].name, keys[key].commands[name]) != 0)
                continue;
            menu->is_asked = false;
            *command = there->choices[0].command;
            return MENU_PLAYS;
        }
    return key == LEAVES ? take_unlisted(game, command) : MENU_NONSENSE;
}
