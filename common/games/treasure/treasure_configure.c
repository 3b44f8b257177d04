/* treasure_configure.c: reading a set-up: section 10 of the rules, with its profiles. */
#include "games/treasure/treasure_rules.h"

#define COUNT_MAX 1000000000
#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static uint32_t number(const struct value *part, const char *key, int64_t least, int64_t most,
                       int64_t otherwise, struct faults *faults)
{
    return (uint32_t) value_int_or(part, key, least, most, otherwise, faults);
}

/* The index of the word under `key`; `otherwise` if it is left out. */
static uint32_t choice(const struct value *part, const char *key, const char *const *words,
                       uint32_t otherwise, struct faults *faults)
{
    const struct value *found = value_get(part, key);
    int                 index = found != NULL ? value_word(found, words, faults) : (int) otherwise;
    return index < 0 ? otherwise : (uint32_t) index;
}

/* A section of the set-up; it may be left out, but not be anything else than an object. */
static const struct value *section(const struct value *config, const char *key,
                                   struct faults *faults)
{
    const struct value *part = value_get(config, key);
    return part != NULL && value_as_object(part, faults) ? part : NULL;
}

static uint32_t edge(const struct value *map, const char *key, uint32_t fields,
                     struct faults *faults)
{
    const struct value *found = value_get(map, key);
    if (found == NULL || found->kind == VALUE_NULL)
        return (fields - 1) / 2;
    return (uint32_t) value_as_int(found, 0, TREASURE_SIDE_MAX, faults);
}

static void read_counts(struct treasure_setup *setup, const struct value *map, bool course,
                        struct faults *faults)
{
    setup->min_mountain = number(map, "min_mountain", 0, TREASURE_FIELDS_MAX, 3, faults);
    setup->min_grass = number(map, "min_grass", 2, TREASURE_FIELDS_MAX, course ? 15 : 5, faults);
    setup->min_water = number(map, "min_water", 0, TREASURE_FIELDS_MAX, 4, faults);
    uint32_t least = setup->min_mountain + setup->min_grass + setup->min_water;
    if (least > treasure_half_size(setup))
        fault_numbers(faults, map, NULL, "asks for ", least, " fields in a half of ",
                      treasure_half_size(setup), ": lower the minimums or enlarge it");
}

static void read_map(struct treasure_setup *setup, const struct value *config, bool course,
                     struct faults *faults)
{
    const struct value *map = section(config, "map", faults);
    setup->width = number(map, "half_width", 2, TREASURE_SIDE_MAX, 8, faults);
    setup->height = number(map, "half_height", 2, TREASURE_SIDE_MAX, 4, faults);
    bool     wide = setup->width >= setup->height;
    uint32_t long_edge = wide ? setup->width : setup->height;
    uint32_t short_edge = wide ? setup->height : setup->width;
    read_counts(setup, map, course, faults);
    setup->edge_long = edge(map, "edge_water_max_long", long_edge, faults);
    setup->edge_short = edge(map, "edge_water_max_short", short_edge, faults);
    setup->layout = choice(map, "layout", WORDS("stack", "side_by_side", "random"),
                           course ? TREASURE_RANDOM_LAYOUT : TREASURE_STACK, faults);
    setup->order_random = choice(map, "order", WORDS("player_order", "random"), course, faults);
    setup->castle_random =
        choice(map, "castle_missing", WORDS("reject", "server_random"), 0, faults);
    setup->treasure_distance = number(map, "treasure_min_distance", 1, 8, 1, faults);
    if (map != NULL)
        value_only(map,
                   WORDS("half_width", "half_height", "min_mountain", "min_grass", "min_water",
                         "edge_water_max_long", "edge_water_max_short", "layout", "order",
                         "castle_missing", "treasure_min_distance"),
                   faults);
}

/* The least costs allowed, 0 to leave and 1 to enter, begin a countdown at 0: none is below. */
static void read_movement(struct treasure_setup *setup, const struct value *config, bool course,
                          struct faults *faults)
{
    const struct value *movement = section(config, "movement", faults);
    const struct value *enter = section(movement, "enter_cost", faults);
    const struct value *leave = section(movement, "leave_cost", faults);
    setup->exact_cost =
        choice(movement, "countdown", WORDS("until_zero", "exact_cost"), course, faults);
    setup->enter_cost[TREASURE_GRASS] = number(enter, "grass", 1, 9, 1, faults);
    setup->enter_cost[TREASURE_MOUNTAIN] = number(enter, "mountain", 1, 9, 2, faults);
    setup->enter_cost[TREASURE_WATER] = number(enter, "water", 1, 9, 1, faults);
    setup->enter_cost[TREASURE_OUTSIDE] = setup->enter_cost[TREASURE_WATER];
    setup->leave_cost[0] = number(leave, "grass", 0, 9, 1, faults);
    setup->leave_cost[1] = number(leave, "mountain", 0, 9, 2, faults);
    if (enter != NULL)
        value_only(enter, WORDS("grass", "mountain", "water"), faults);
    if (leave != NULL)
        value_only(leave, WORDS("grass", "mountain"), faults);
    if (movement != NULL)
        value_only(movement, WORDS("countdown", "enter_cost", "leave_cost"), faults);
}

static void read_limits(struct treasure_setup *setup, const struct value *config, bool course,
                        struct faults *faults)
{
    const struct value *limits = section(config, "limits", faults);
    setup->max_actions = number(limits, "max_actions", 2, 100000, 200, faults);
    if (setup->max_actions % 2 != 0)
        fault(faults, value_get(limits, "max_actions"), NULL,
              "must be even: both players have as many actions");
    setup->mover_loses =
        choice(limits, "limit_result", WORDS("both_lose", "player_to_move"), course, faults);
    setup->think_ms = number(limits, "think_ms", 0, COUNT_MAX, 3000, faults);
    setup->reject_out_of_turn = choice(limits, "out_of_turn", WORDS("lose", "reject"), 0, faults);
    setup->registration_ms = number(limits, "registration_ms", 0, COUNT_MAX, 600000, faults);
    if (limits != NULL)
        value_only(
            limits,
            WORDS("max_actions", "limit_result", "think_ms", "out_of_turn", "registration_ms"),
            faults);
}

static void read_visibility(struct treasure_setup *setup, const struct value *config,
                            struct faults *faults)
{
    const struct value *see = section(config, "visibility", faults);
    setup->mask_actions = number(see, "mask_actions", 0, COUNT_MAX, 10, faults);
    setup->mountain_radius = number(see, "mountain_radius", 1, 3, 1, faults);
    setup->watch_all = choice(see, "spectators", WORDS("common_knowledge", "all"), 0, faults);
    setup->delay = number(see, "spectator_delay_actions", 0, TREASURE_DELAY_MAX, 0, faults);
    uint32_t kept = (setup->delay + 1) * 2 * treasure_half_size(setup);
    if (setup->watch_all && kept > TREASURE_DELAYED_MAX)
        fault_numbers(faults, see, "spectator_delay_actions", "keeps ", kept,
                      " fields for spectators, may keep at most ", TREASURE_DELAYED_MAX,
                      ": shorten the delay or the map");
    if (see != NULL)
        value_only(
            see, WORDS("mask_actions", "mountain_radius", "spectators", "spectator_delay_actions"),
            faults);
}

size_t treasure_configure(const struct value *config, const struct value *options, void *setup,
                          size_t capacity, struct faults *faults)
{
    struct treasure_setup read = { 0 };

    value_as_object(config, faults);
    value_as_object(options, faults);
    (void) value_word_of(config, "game", WORDS("treasure"), faults);
    bool course =
        choice(config, "profile", WORDS("seed2017", "course2020", "custom"), 0, faults) == 1;
    read_map(&read, config, course, faults);
    read_movement(&read, config, course, faults);
    read_limits(&read, config, course, faults);
    read_visibility(&read, config, faults);
    treasure_read_rest(section(config, "rest", faults), faults);
    value_only(config, WORDS("game", "profile", "map", "movement", "limits", "visibility", "rest"),
               faults);
    value_only(options, (const char *const[]){ NULL }, faults);
    if (faults->count > 0)
        return 0;
    if (setup != NULL && capacity >= sizeof read)
        memcpy(setup, &read, sizeof read);
    return sizeof read;
}
