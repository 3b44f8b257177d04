/* objectron_configure.c: judges a set-up of objectron and compiles it.
 *
 * Where the rules have a code for what is wrong, its sentence begins with it. They also say which is
 * reported first: mode and actions, the grid, the number of players, placements, all others. */
#include <string.h>

#include "games/objectron/objectron_setup.h"

#define GENERATED_SIDE_MIN 10
#define GENERATED_STARTS 4
#define INVENTORY 6

static const char *const modes[] = { "race", "ctf", NULL };

static void read_mode(struct objectron_setup *head, const struct value *config,
                      struct faults *faults)
{
    head->mode = value_word_of(config, "mode", modes, faults) + 1;
    head->actions =
        (int32_t) value_int_or(config, "actions_per_turn", 2, OBJECTRON_ACTIONS_MAX, 4, faults);
}

static void judge_small(const struct value *config, const char *key, int64_t side,
                        struct faults *faults)
{
    if (side < GENERATED_SIDE_MIN)
        fault_numbers(faults, config, key, "GRID_TOO_SMALL: is ", side, ", must be at least ",
                      GENERATED_SIDE_MIN, "");
}

static void judge_large(const struct value *config, const char *key, int64_t side,
                        struct faults *faults)
{
    if (side > OBJECTRON_SIDE_MAX)
        fault_numbers(faults, config, key, "GRID_TOO_LARGE: is ", side, ", must be at most ",
                      OBJECTRON_SIDE_MAX, "");
}

/* Both sides of a grid that the dice make. What is too small is told before what is too large. */
static void read_sides(struct objectron_setup *head, const struct value *config,
                       struct faults *faults)
{
    uint32_t before = faults->count;
    int64_t  width = value_int(config, "width", INT64_MIN, INT64_MAX, faults);
    int64_t  height = value_int(config, "height", INT64_MIN, INT64_MAX, faults);
    if (faults->count > before)
        return;
    judge_small(config, "width", width, faults);
    judge_small(config, "height", height, faults);
    judge_large(config, "width", width, faults);
    judge_large(config, "height", height, faults);
    if (faults->count > before)
        return;
    head->width = (int32_t) width;
    head->height = (int32_t) height;
}

/* The third, top left, is square 0, as it is in a set-up that nothing was written to. */
void objectron_corners(struct objectron_setup *setup)
{
    setup->home[0] = (setup->height - 1) * setup->width;
    setup->home[1] = setup->width - 1;
    setup->home[3] = setup->height * setup->width - 1;
}

/* Returns how many starts there are; 0 if something is wrong. */
static int32_t read_place(struct objectron_setup *head, struct objectron_drawing *drawing,
                          const struct value *config, struct faults *faults)
{
    const struct value *grid = value_get(config, "grid");
    bool                sides = value_get(config, "width") || value_get(config, "height");
    uint32_t            before = faults->count;
    if (grid != NULL && sides) {
        fault(faults, grid, NULL, "is given beside width and height; must be one or the other");
        return 0;
    }
    if (grid == NULL) {
        head->drawn = 1;
        read_sides(head, config, faults);
        head->squares = head->width * head->height;
        objectron_corners(head);
        return faults->count > before ? 0 : GENERATED_STARTS;
    }
    int32_t starts = objectron_read_grid(drawing, grid, faults);
    head->width = drawing->width;
    head->height = drawing->height;
    head->squares = drawing->squares;
    memcpy(head->home, drawing->home, sizeof drawing->home);
    return starts;
}

static void read_players(struct objectron_setup *head, int32_t starts, const struct value *config,
                         struct faults *faults)
{
    uint32_t before = faults->count;
    int64_t  players = value_int(config, "players", INT32_MIN, INT32_MAX, faults);
    int32_t  most = head->mode == OBJECTRON_RACE ? 2 : starts != 0 ? starts : OBJECTRON_PLAYERS_MAX;
    head->players = (int32_t) players;
    if (players >= 2 && players <= most)
        return;
    if (faults->count == before)
        fault_numbers(faults, config, "players", "INVALID_PLAYER_COUNT: is ", players,
                      ", must be from 2 to ", most, "");
    head->players = players > most ? most : 2; /* Placements are judged by it. */
}

/* The digits of a text that are a number below 2 to the 64th, and nothing else; `number` is 0 before. */
static bool read_digits(const struct value *text, uint64_t *number)
{
    for (uint32_t i = 0; i < text->text_size; i++) {
        uint64_t digit = (uint64_t) (uint8_t) text->text[i] - '0';
        if (digit > 9 || *number > (UINT64_MAX - digit) / 10)
            return false;
        *number = *number * 10 + digit;
    }
    return text->text_size > 0;
}

/* A uint64: a whole number, or its decimal digits as text. */
static void read_seed(struct objectron_setup *head, const struct value *config,
                      struct faults *faults)
{
    const struct value *seed = value_get(config, "seed");
    bool                good = false;
    if (seed == NULL)
        return;
    if (seed->kind == VALUE_INT && !seed->beyond) {
        good = seed->number >= 0;
        head->seed = (uint64_t) seed->number;
    } else if (seed->kind == VALUE_INT || seed->kind == VALUE_STRING) {
        good = read_digits(seed, &head->seed);
    }
    if (!good)
        fault(faults, seed, NULL, "must be a whole number from 0, below 2 to the 64th");
    head->has_seed = good;
}

static int32_t number(const struct value *config, const char *key, int64_t least, int64_t most,
                      int64_t otherwise, struct faults *faults)
{
    return (int32_t) value_int_or(config, key, least, most, otherwise, faults);
}

/* Placements are judged by it, which are judged before it is: of what it cannot be, its default. */
static int32_t inventory_of(const struct value *config)
{
    const struct value *limit = value_get(config, "inventory_limit");
    bool                good = limit != NULL && limit->kind == VALUE_INT && limit->number >= 1 &&
                limit->number <= OBJECTRON_INVENTORY_MAX;
    return good ? (int32_t) limit->number : INVENTORY;
}

static void read_rest(struct objectron_setup *head, const struct value *config,
                      struct faults *faults)
{
    static const char *const keys[] = { "mode",
                                        "players",
                                        "width",
                                        "height",
                                        "grid",
                                        "actions_per_turn",
                                        "seed",
                                        "inventory_limit",
                                        "wall_percent",
                                        "grenade_percent",
                                        "disc_percent",
                                        "wall_length_percent",
                                        "charged_disc",
                                        "generator_percent",
                                        "placements",
                                        "teleporter_percent",
                                        "power_failure_bp",
                                        NULL };
    head->inventory =
        number(config, "inventory_limit", 1, OBJECTRON_INVENTORY_MAX, INVENTORY, faults);
    head->wall_percent = number(config, "wall_percent", 2, 20, 20, faults);
    head->wall_length = number(config, "wall_length_percent", 20, 50, 50, faults);
    head->grenade_percent = number(config, "grenade_percent", 0, 100, 2, faults);
    head->disc_percent = number(config, "disc_percent", 0, 100, 2, faults);
    head->teleporter_percent = number(config, "teleporter_percent", 0, 100, 3, faults);
    head->generator_percent = number(config, "generator_percent", 0, 100, 7, faults);
    head->charged = value_bool_or(config, "charged_disc", true, faults);
    head->failure_bp = number(config, "power_failure_bp", 0, 10000, 100, faults);
    read_seed(head, config, faults);
    value_only(config, keys, faults);
}

static void read_options(struct objectron_setup *head, const struct value *options,
                         struct faults *faults)
{
    static const char *const keys[] = { "failures", "fields",         "rigged",
                                        "players",  "power_failures", NULL };
    head->failures_most = OBJECTRON_SQUARES_MAX;
    head->fields_most = OBJECTRON_FIELDS_MAX;
    if (options == NULL || !value_as_object(options, faults))
        return;
    head->failures_most =
        number(options, "failures", 0, OBJECTRON_SQUARES_MAX, OBJECTRON_SQUARES_MAX, faults);
    head->fields_most =
        number(options, "fields", 0, OBJECTRON_FIELDS_MAX, OBJECTRON_FIELDS_MAX, faults);
    value_only(options, keys, faults);
}

/* Judged by the worst case, not by what the dice may give. */
static void judge_bounds(struct objectron_setup *head, const struct value *config,
                         struct faults *faults)
{
    int32_t failures = head->laid_failures + (head->failure_bp > 0 ? head->squares : 0);
    int32_t generators = objectron_generators_most(head), pairs = 12 * generators;
    if (generators * (generators - 1) / 2 < pairs)
        pairs = generators * (generators - 1) / 2;
    if (failures > head->failures_most)
        fault_numbers(faults, config, NULL, "may come to ", failures,
                      " power failures, must come to at most ", head->failures_most, "");
    if (pairs > head->fields_most)
        fault_numbers(faults, config, NULL, "may come to ", pairs,
                      " force fields, must come to at most ", head->fields_most, "");
    head->failures_most = failures;
    head->fields_most = pairs;
    if (faults->count > 0)
        return;
    struct bounds bounds;
    objectron_bounds(head, (uint32_t) head->players, &bounds);
    if (bounds.event_words > OBJECTRON_EVENT_WORDS_MAX)
        fault_numbers(faults, config, NULL, "may have to tell of ", bounds.event_words,
                      " numbers at once, must be at most ", OBJECTRON_EVENT_WORDS_MAX,
                      ": a smaller grid, or fewer power failures");
}

static size_t compile(const struct objectron_setup *head, const struct objectron_drawing *drawing,
                      const struct value *placements, void *block, size_t capacity,
                      struct faults *faults)
{
    struct objectron_setup *setup = block;
    size_t                  bytes = (size_t) head->bytes;
    if (setup == NULL || capacity < bytes)
        return bytes;
    *setup = *head;
    if (placements != NULL)
        objectron_read_placements(head, drawing->letters, placements,
                                  (struct objectron_placement *) (setup + 1), faults);
    if (!head->drawn)
        memcpy((struct objectron_placement *) (setup + 1) + head->placements, drawing->letters,
               (size_t) head->width * (size_t) head->height);
    return bytes;
}

size_t objectron_configure(const struct value *config, const struct value *options, void *setup,
                           size_t capacity, struct faults *faults)
{
    struct objectron_setup   head;
    struct objectron_drawing drawing;
    memset(&head, 0, sizeof head);
    read_options(&head, options, faults);
    if (config == NULL)
        fault(faults, NULL, NULL, "is no set-up");
    if (!value_as_object(config, faults))
        return 0;
    read_mode(&head, config, faults);
    int32_t starts = read_place(&head, &drawing, config, faults);
    read_players(&head, starts, config, faults);
    head.inventory = inventory_of(config);
    const struct value *placements = value_get(config, "placements");
    if (placements != NULL && head.drawn && placements->count > 0)
        fault(faults, placements, NULL,
              "PLACEMENT_INVALID: needs a grid; nobody knows where generated walls will stand");
    else if (placements != NULL && starts != 0) {
        head.placed = 1;
        head.placements =
            objectron_read_placements(&head, drawing.letters, placements, NULL, faults);
    }
    read_rest(&head, config, faults);
    if (faults->count == 0)
        objectron_read_laid(&head, head.drawn ? NULL : drawing.letters, options, faults);
    if (faults->count == 0)
        judge_bounds(&head, config, faults);
    head.bytes = (int32_t) (sizeof head) +
                 head.placements * (int32_t) sizeof(struct objectron_placement) +
                 (head.drawn ? 0 : (head.width * head.height + 7) / 8 * 8);
    return faults->count > 0 ? 0 : compile(&head, &drawing, placements, setup, capacity, faults);
}
