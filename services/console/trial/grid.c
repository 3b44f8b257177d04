/* grid.c: `arbiter grid`: judges a grid of objectron that somebody drew, and draws one by dice. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dice/kinds.h"
#include "games/objectron/objectron_rules.h"
#include "services/console/command/console.h"
#include "services/console/command/files.h"
#include "services/console/command/terminal.h"
#include "services/console/trial/grid_faults.h"

#define SIDE_LEAST 10
#define STARTS_MAX 4

struct grid_ask {
    const char *size;
    uint64_t    seed, players, walls;
    bool        items;
};

static const struct option options[] = {
    { .name = "size",
      .value = "WxH",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct grid_ask, size),
      .help = "The size, 10x10 (default) to 100x100." },
    { .name = "seed",
      .value = "N",
      .kind = OPTION_NUMBER,
      .most = UINT64_MAX,
      .offset = offsetof(struct grid_ask, seed),
      .help = "The seed of the dice. Default: 1." },
    { .name = "players",
      .value = "N",
      .kind = OPTION_NUMBER,
      .least = 2,
      .most = STARTS_MAX,
      .offset = offsetof(struct grid_ask, players),
      .help = "How many starts, 2 (default) to 4." },
    { .name = "walls",
      .value = "PERCENT",
      .kind = OPTION_NUMBER,
      .least = 2,
      .most = 20,
      .offset = offsetof(struct grid_ask, walls),
      .help = "The most walls, in percent of all squares. Default: 20." },
    { .name = "items",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct grid_ask, items),
      .help = "Also lists where the same dice would put items: kind and square." },
    { .name = NULL },
};

/* grid check */

/* What is longer than 100 lines of 100 columns and their ends is too large, whatever follows. */
static bool may_be_grid(const uint8_t *bytes, size_t size, size_t *at)
{
    (void) bytes, (void) at;
    return size <= (size_t) OBJECTRON_SIDE_MAX * (OBJECTRON_SIDE_MAX + 2);
}

static int check(const char *path)
{
    size_t            size;
    struct grid_facts facts;
    uint8_t          *text = file_read(path, &size, may_be_grid);
    if (text == NULL)
        return CONSOLE_BAD_INPUT;
    uint32_t faults = grid_faults(path, (const char *) text, size, &facts, stdout);
    if (faults == 0) {
        terminal_put(stdout, path, strlen(path));
        printf(": good, %" PRIu32 "x%" PRIu32 ", %" PRIu32 " starts\n", facts.width, facts.height,
               facts.starts);
    }
    if (faults > 0 && size > 0 && text[strspn((const char *) text, " \t\r\n")] == '{')
        complain("%s looks like a set-up; \"arbiter check-config objectron %s\" judges those, and "
                 "\"grid "
                 "check\" a grid as one draws it.",
                 path, path);
    free(text);
    return faults == 0 ? CONSOLE_OK : CONSOLE_DISAGREES;
}

/* grid generate */

/* One side, digits only; what is no side is 0. Moves behind it. */
static int32_t read_side(const char **text)
{
    int32_t side = 0;
    for (; **text >= '0' && **text <= '9'; ++*text)
        side = side > OBJECTRON_SIDE_MAX ? side : side * 10 + (**text - '0');
    return side >= SIDE_LEAST && side <= OBJECTRON_SIDE_MAX ? side : 0;
}

/* "20x15" */
static bool read_size(const char *text, struct objectron_setup *setup)
{
    setup->width = read_side(&text);
    bool has_cross = *text == 'x';
    text += has_cross;
    setup->height = read_side(&text);
    return has_cross && *text == '\0' && setup->width > 0 && setup->height > 0;
}

/* The plain set-up of this size, as if somebody had asked for a table of it. */
static void fill_setup(struct objectron_setup *setup, const struct grid_ask *ask)
{
    setup->mode = ask->players == 2 ? OBJECTRON_RACE : OBJECTRON_CTF;
    setup->players = (int32_t) ask->players;
    setup->drawn = 1;
    setup->actions = 4;
    setup->inventory = 6;
    setup->wall_percent = (int32_t) ask->walls;
    setup->wall_length = 50;
    setup->grenade_percent = setup->disc_percent = 2;
    setup->teleporter_percent = 3;
    setup->generator_percent = 7;
    setup->charged = 1;
    setup->squares = setup->width * setup->height;
    setup->fields_most = 12 * objectron_generators_most(setup);
    objectron_corners(setup);
}

static void put_grid(const struct objectron_state *state)
{
    for (int32_t y = 0; y < state->height; y++) {
        for (int32_t x = 0; x < state->width; x++) {
            int32_t at = y * state->width + x, seat = objectron_player_on(state, at);
            putchar(seat >= 0 ? '1' + (char) seat : objectron_cell(state, at));
        }
        putchar('\n');
    }
}

static void put_items(const struct objectron_state *state)
{
    static const char *const names[OBJECTRON_KINDS] = { [OBJECTRON_GRENADE] = "light_grenade",
                                                        [OBJECTRON_DISC] = "identity_disc",
                                                        [OBJECTRON_CHARGED_DISC] =
                                                            "charged_identity_disc",
                                                        [OBJECTRON_TELEPORTER] = "teleporter",
                                                        [OBJECTRON_GENERATOR] =
                                                            "force_field_generator",
                                                        [OBJECTRON_FLAG] = "flag" };
    for (int32_t i = 0; i < state->items; i++) {
        const struct objectron_item *item = &objectron_items(state)[i];
        printf("%" PRId32 " %s %" PRId32 " %" PRId32, item->id, names[item->kind],
               item->at % state->width, item->at / state->width);
        if (item->dest >= 0)
            printf(" %" PRId32, objectron_items(state)[item->dest].id);
        putchar('\n');
    }
}

static int generate(const struct grid_ask *ask)
{
    struct objectron_setup setup = { 0 };
    struct dice            dice;
    if (!read_size(ask->size, &setup)) {
        complain("--size must be columns and rows such as 20x15, each from %d to %d.", SIDE_LEAST,
                 OBJECTRON_SIDE_MAX);
        return CONSOLE_USAGE;
    }
    fill_setup(&setup, ask);
    struct objectron_state *state = calloc(1, objectron_state_bytes(&setup));
    if (state == NULL)
        abort();
    dice_splitmix(&dice, ask->seed);
    objectron_lay_out(&setup, &dice, state);
    put_grid(state);
    if (ask->items)
        put_items(state);
    free(state);
    (void) fflush(stdout);
    complain("kept in a file, it is played with: %s play objectron --grid FILE --mode %s",
             console_program(), setup.mode == OBJECTRON_RACE ? "race" : "ctf");
    return CONSOLE_OK;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    struct grid_ask ask = { .size = "10x10", .seed = 1, .players = 2, .walls = 20 };
    struct words    words;
    int             worst = CONSOLE_OK;
    if (!console_read(self, argc, argv, &ask, &words))
        return CONSOLE_USAGE;
    bool is_check = strcmp(words.word[0], "check") == 0;
    if (strcmp(words.word[0], "generate") == 0 && words.count == 1)
        return generate(&ask);
    if (!is_check || words.count == 1) {
        complain("say \"grid check FILE\" or \"grid generate --size WxH --seed N\".");
        return CONSOLE_USAGE;
    }
    if (!console_reads_once(&words, 1))
        return CONSOLE_USAGE;
    for (uint32_t i = 1; i < words.count; i++) {
        int code = check(words.word[i]);
        worst = code > worst ? code : worst;
    }
    return worst;
}

const struct console_command command_grid = {
    .name = "grid",
    .arguments = "check FILE... | generate",
    .summary = "Checks grids of objectron, or makes one by dice.",
    .about =
        "  arbiter grid generate --size 20x20 --seed 7\n"
        "  arbiter grid check my.grid\n"
        "\n"
        "check: reads grids that people drew (blank: free, #: wall, *: hole, 1 to 9:\n"
        "starts). Prints every fault as \"file:line:column: what is wrong\".\n"
        "\n"
        "generate: prints the grid that a table of this size and seed plays on.\n" CONSOLE_STDIN
        "\n",
    .options = options,
    .words_least = 1,
    .words_most = UINT32_MAX,
    .run = run,
};
