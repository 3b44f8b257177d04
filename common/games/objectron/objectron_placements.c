/* objectron_placements.c: reads the items that a set-up places itself, and judges them. */
#include <string.h>

#include "games/objectron/objectron_setup.h"

static const char *const kinds[] = { "light_grenade",
                                     "identity_disc",
                                     "charged_identity_disc",
                                     "teleporter",
                                     "force_field_generator",
                                     "flag",
                                     NULL };
static const char *const states[] = { "idle", "placed", "exploded", "active", NULL };

/* What goes before what is wrong with an item, whatever it is. */
struct invalid {
    struct faults  faults; /* First: `report` is handed its address. */
    struct faults *to;
};

struct reader {
    const struct objectron_setup *setup;
    const char                   *letters;
    const struct value           *list;
    struct faults                *faults;
    uint8_t  taken[OBJECTRON_KINDS][OBJECTRON_SQUARES_MAX]; /* By kind and square. */
    uint32_t flags;                                         /* Seats whose flag there is.  */
    uint32_t carried[OBJECTRON_PLAYERS_MAX];
    uint32_t flag_carriers;
};

static void invalid(const struct reader *reader, const struct value *at, const char *what)
{
    fault(reader->faults, at, NULL, what);
}

static void report_invalid(struct faults *faults, const struct value *at, const char *key,
                           const char *what)
{
    const struct invalid *prefixed = (const void *) faults;
    struct text           whole;
    text_clear(&whole);
    text_put(&whole, "PLACEMENT_INVALID: ");
    text_put(&whole, what);
    fault(prefixed->to, at, key, whole.bytes);
}

/* A place on the grid: [x, y]; -1 if there is none. */
static int32_t read_square(const struct reader *reader, const struct value *at)
{
    const struct objectron_setup *setup = reader->setup;
    if (at->kind != VALUE_LIST || at->count != 2) {
        invalid(reader, at, "must be a square, [x, y]");
        return -1;
    }
    uint32_t before = reader->faults->count;
    int64_t  x = value_as_int(at->first, 0, setup->width - 1, reader->faults);
    int64_t  y = value_as_int(at->first->next, 0, setup->height - 1, reader->faults);
    return reader->faults->count > before ? -1 : (int32_t) (y * setup->width + x);
}

static bool is_home(const struct reader *reader, int32_t square)
{
    for (int32_t seat = 0; seat < reader->setup->players; seat++)
        if (reader->setup->home[seat] == square)
            return true;
    return false;
}

static void judge_square(struct reader *reader, const struct value *value,
                         const struct objectron_placement *item)
{
    bool starts = value_bool_or(value, "allow_start", false, reader->faults);
    if (item->at < 0)
        return;
    if (reader->letters[item->at] != OBJECTRON_FREE)
        invalid(reader, value, "is on no free square");
    else if (is_home(reader, item->at) && item->kind != OBJECTRON_FLAG && !starts)
        invalid(reader, value, "is on a player's start; allow_start allows it");
    else if (reader->taken[item->kind][item->at]++)
        invalid(reader, value, "is the second of its kind on the square");
}

/* The list's members are read for their ids again and again: it is short. */
static const struct value *with_id(const struct reader *reader, int64_t id)
{
    for (const struct value *item = reader->list->first; item != NULL; item = item->next) {
        const struct value *other = value_get(item, "id");
        if (other != NULL && other->kind == VALUE_INT && other->number == id)
            return item;
    }
    return NULL;
}

static void read_grenade(const struct reader *reader, const struct value *value,
                         struct objectron_placement *item)
{
    const struct value *state = value_get(value, "state");
    const struct value *by = value_get(value, "by");
    if (by != NULL)
        item->by = (int32_t) value_as_int(by, 1, reader->setup->players, reader->faults) - 1;
    int which = state == NULL ? 0 : value_word(state, states, reader->faults);
    if (which < 0)
        return;
    item->state = which + 1;
    if (item->state == OBJECTRON_PLACED && by == NULL)
        invalid(reader, value, "a placed grenade needs by, who placed it");
    if (item->state != OBJECTRON_IDLE && item->holder >= 0)
        invalid(reader, value, "a grenade that is carried is idle");
}

static void read_teleporter(const struct reader *reader, const struct value *value,
                            struct objectron_placement *item)
{
    const struct value *dest = value_get(value, "dest");
    const struct value *other = NULL;
    if (dest != NULL && dest->kind == VALUE_INT)
        other = with_id(reader, dest->number);
    if (other == NULL || other == value || item->holder >= 0 ||
        !value_is(value_get(other, "kind"), "teleporter"))
        invalid(reader, value, "dest must be the id of another teleporter");
    else
        item->dest = (int32_t) dest->number;
}

static void read_flag(struct reader *reader, const struct value *value,
                      struct objectron_placement *item)
{
    uint32_t before = reader->faults->count;
    item->owner =
        (int32_t) value_int(value, "owner", 1, reader->setup->players, reader->faults) - 1;
    if (reader->faults->count > before)
        return;
    if (reader->flags >> item->owner & 1)
        invalid(reader, value, "its owner has a flag already");
    reader->flags |= 1u << item->owner;
    if (item->holder < 0)
        return;
    if (item->holder == item->owner || reader->flag_carriers >> item->holder & 1)
        invalid(reader, value, "nobody carries his own flag, or two");
    reader->flag_carriers |= 1u << item->holder;
}

/* Where it is: on the grid or in an inventory, and not both. */
static void read_place(struct reader *reader, const struct value *value,
                       struct objectron_placement *item)
{
    const struct value *at = value_get(value, "at"), *in = value_get(value, "in");
    if ((at == NULL) == (in == NULL)) {
        invalid(reader, value,
                "must be somewhere: at a square, or in a "
                "player's inventory");
        return;
    }
    if (at != NULL) {
        item->at = read_square(reader, at);
        return;
    }
    item->holder = (int32_t) value_as_int(in, 1, reader->setup->players, reader->faults) - 1;
    if (++reader->carried[item->holder] > (uint32_t) reader->setup->inventory)
        invalid(reader, in, "that is more than he can carry");
}

static void read_item(struct reader *reader, const struct value *value,
                      struct objectron_placement *item)
{
    static const char *const keys[] = { "id", "kind", "at",    "in",          "state",
                                        "by", "dest", "owner", "allow_start", NULL };
    *item = (struct objectron_placement){ .at = -1, .holder = -1, .by = -1, .owner = -1 };
    if (!value_as_object(value, reader->faults))
        return;
    uint32_t before = reader->faults->count;
    item->id = (int32_t) value_int(value, "id", 1, 1000000, reader->faults);
    if (reader->faults->count == before && with_id(reader, item->id) != value)
        invalid(reader, value, "its id is taken");
    int kind = value_word_of(value, "kind", kinds, reader->faults);
    if (kind < 0)
        return;
    item->kind = kind + 1;
    read_place(reader, value, item);
    judge_square(reader, value, item);
    if (item->kind == OBJECTRON_GRENADE)
        read_grenade(reader, value, item);
    if (item->kind == OBJECTRON_TELEPORTER)
        read_teleporter(reader, value, item);
    if (item->kind == OBJECTRON_FLAG)
        read_flag(reader, value, item);
    value_only(value, keys, reader->faults);
}

/* Capture the flag needs all flags: those that are missing lie at home. */
static int32_t add_flags(const struct reader *reader, struct objectron_placement *to, int32_t count)
{
    if (reader->setup->mode != OBJECTRON_CTF)
        return count;
    for (int32_t seat = 0; seat < reader->setup->players; seat++) {
        if (reader->flags >> seat & 1)
            continue;
        if (with_id(reader, 901 + seat) != NULL)
            invalid(reader, reader->list,
                    "ids from 901 are for the flags that "
                    "are missing");
        if (to != NULL)
            to[count] = (struct objectron_placement){ .id = 901 + seat,
                                                      .kind = OBJECTRON_FLAG,
                                                      .at = reader->setup->home[seat],
                                                      .holder = -1,
                                                      .by = -1,
                                                      .owner = seat };
        count++;
    }
    return count;
}

int32_t objectron_read_placements(const struct objectron_setup *setup, const char *letters,
                                  const struct value *list, struct objectron_placement *to,
                                  struct faults *faults)
{
    struct invalid prefixed = { .faults = { .report = report_invalid }, .to = faults };
    struct reader  reader = {
         .setup = setup, .letters = letters, .list = list, .faults = &prefixed.faults
    };
    int32_t count = 0;
    if (list->kind != VALUE_LIST || list->count > OBJECTRON_PLACEMENTS_MAX) {
        fault(faults, list, NULL, "must be a list of at most 1000 items");
        return count;
    }
    for (const struct value *value = list->first; value != NULL; value = value->next) {
        struct objectron_placement item;
        read_item(&reader, value, &item);
        if (to != NULL)
            to[count] = item;
        count++;
    }
    return add_flags(&reader, to, count);
}
