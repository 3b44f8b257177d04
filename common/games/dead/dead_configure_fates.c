/* dead_configure_fates.c: reads what befalls the colony: the crises and the fate cards. */
#include <string.h>

#include "games/dead/dead_draft.h"

/* By enum dead_card_kind, of which these are the first. */
static const char *const crisis_kinds[] = { "food", "stuff", "medicine", "fuel", NULL };

/* By enum dead_trigger. */
static const char *const triggers[] = { "barricaded", "moved",        "searched",
                                        "equip",      "wasteChanged", NULL };

/* By enum dead_consequence_kind, and a fifth that is no consequence itself but a choice of two. */
static const char *const consequences[] = { "changeFood",   "changeMoral", "spawnSurvivors",
                                            "spawnZombies", "choice",      NULL };

/* Without the choice: there is none inside a choice. */
static const char *const simple[] = { "changeFood", "changeMoral", "spawnSurvivors", "spawnZombies",
                                      NULL };

enum { CHOICE = 4 };

/* Two crises may share an identifier, but not everything. */
static void judge_crisis(struct draft *draft, uint32_t number)
{
    for (uint32_t i = 0; i < number; i++) {
        if (draft->crisis_at[i] == NULL ||
            memcmp(&draft->crisis[i], &draft->crisis[number], sizeof draft->crisis[i]) != 0)
            continue;
        struct text what, place;
        value_place(&place, draft->crisis_at[i]);
        text_clear(&what);
        text_put(&what, "is wholly the same as ");
        text_put(&what, place.bytes);
        text_put(&what, ", must differ in something");
        fault(draft->faults, draft->crisis_at[number], NULL, what.bytes);
        return;
    }
}

static void read_crisis_fields(struct draft *draft, struct dead_crisis *crisis, int kind,
                               const struct value *object)
{
    static const char *const keys[] = { "identifier", "moralChange", "requiredCards", NULL };
    if (!value_as_object(object, draft->faults))
        return;
    crisis->kind = (uint32_t) kind;
    crisis->id = (int32_t) value_int(object, "identifier", INT32_MIN, INT32_MAX, draft->faults);
    crisis->moral_loss = draft_amount(draft, object, "moralChange", 1);
    crisis->required = draft_amount(draft, object, "requiredCards", 1);
    value_only(object, keys, draft->faults);
}

static void read_crisis(struct draft *draft, const struct value *entry)
{
    uint32_t            number = draft->crises++;
    struct dead_crisis *crisis = &draft->crisis[number];
    uint32_t            before = draft->faults->count;
    int                 kind;

    for (const struct value *object = value_choice(entry, crisis_kinds, &kind, draft->faults);
         object != NULL; object = draft_other_choice(object, crisis_kinds, &kind))
        read_crisis_fields(draft, crisis, kind, object);
    if (draft->faults->count > before)
        return;
    draft->crisis_at[number] = entry;
    judge_crisis(draft, number);
}

void draft_read_crises(struct draft *draft, const struct value *config)
{
    const struct value *list = draft_list(draft, config, "crises", DEAD_CRISES_MAX);
    if (list == NULL)
        return;
    draft->crisis_list = list;
    draft->crises_listed = list->count;
    for (const struct value *entry = list->first; entry != NULL && draft->crises < DEAD_CRISES_MAX;
         entry = entry->next)
        read_crisis(draft, entry);
}

/* Consequences. */

/* An amount of either sign. */
static int32_t read_change(struct draft *draft, const struct value *object)
{
    return (int32_t) value_int(object, "amount", -DEAD_AMOUNT_MAX, DEAD_AMOUNT_MAX, draft->faults);
}

static uint16_t read_place_or_none(struct draft *draft, const struct value *object)
{
    if (value_get(object, "locationId") == NULL)
        return DEAD_NONE;
    return (uint16_t) draft_place(draft, object, "locationId");
}

static void read_consequence(struct draft *draft, struct dead_consequence *outcome, int kind,
                             const struct value *object)
{
    static const char *const change[] = { "amount", NULL };
    static const char *const survivors[] = { "amount", "children", NULL };
    static const char *const zombies[] = { "amount", "locationId", NULL };
    const char *const       *keys = change;

    outcome->kind = (uint8_t) kind;
    if (!value_as_object(object, draft->faults))
        return;
    if (kind == DEAD_SPAWN_SURVIVORS) {
        keys = survivors;
        outcome->amount = (int32_t) draft_amount(draft, object, "amount", 0);
        outcome->children = value_bool_or(object, "children", false, draft->faults);
    } else if (kind == DEAD_SPAWN_ZOMBIES) {
        keys = zombies;
        outcome->amount = (int32_t) value_int(object, "amount", 0, DEAD_SPAWN_MAX, draft->faults);
        outcome->location = read_place_or_none(draft, object);
    } else {
        outcome->amount = read_change(draft, object);
    }
    value_only(object, keys, draft->faults);
}

static void read_choice(struct draft *draft, struct dead_fate *fate, const struct value *choice)
{
    static const char *const keys[] = { "consequence1", "consequence2", NULL };
    fate->is_choice = 1;
    if (!value_as_object(choice, draft->faults))
        return;
    for (int i = 0; i < 2; i++) {
        const struct value *one = value_need(choice, keys[i], "an object", draft->faults);
        int                 kind;
        for (const struct value *object = value_choice(one, simple, &kind, draft->faults);
             object != NULL; object = draft_other_choice(object, simple, &kind))
            read_consequence(draft, &fate->outcome[i], kind, object);
    }
    value_only(choice, keys, draft->faults);
}

static void read_outcome(struct draft *draft, struct dead_fate *fate, const struct value *fields)
{
    const struct value *one = value_need(fields, "consequence", "an object", draft->faults);
    int                 kind;
    for (const struct value *object = value_choice(one, consequences, &kind, draft->faults);
         object != NULL; object = draft_other_choice(object, consequences, &kind)) {
        if (kind == CHOICE)
            read_choice(draft, fate, object);
        else
            read_consequence(draft, &fate->outcome[0], kind, object);
    }
}

/* Fate cards. */

static void judge_fate(struct draft *draft, uint32_t number)
{
    for (uint32_t i = 0; i < number; i++)
        if (draft->fate[i].id == draft->fate[number].id) {
            draft_repeats(draft, draft->fate_at[number], "identifier", draft->fate[number].id,
                          draft->fate_at[i]);
            return;
        }
}

static void read_fate_fields(struct draft *draft, struct dead_fate *fate,
                             const struct value *object)
{
    static const char *const plain[] = { "identifier", "consequence", NULL };
    static const char *const placed[] = { "identifier", "locationId", "consequence", NULL };
    static const char *const waste[] = { "identifier", "amount", "consequence", NULL };
    const char *const       *keys = placed;

    fate->id = draft_id(draft, object, "identifier");
    if (fate->trigger == DEAD_ON_EQUIP) {
        keys = plain;
    } else if (fate->trigger == DEAD_ON_WASTE_CHANGED) {
        keys = waste;
        fate->amount = read_change(draft, object);
    } else {
        fate->location = read_place_or_none(draft, object);
    }
    read_outcome(draft, fate, object);
    value_only(object, keys, draft->faults);
}

static void read_fate(struct draft *draft, const struct value *entry)
{
    uint32_t            number = draft->fates++;
    struct dead_fate   *fate = &draft->fate[number];
    int                 trigger;
    const struct value *object = value_choice(entry, triggers, &trigger, draft->faults);

    fate->location = DEAD_NONE;
    fate->outcome[0].location = fate->outcome[1].location = DEAD_NONE;
    draft->fate_at[number] = entry;
    for (; object != NULL; object = draft_other_choice(object, triggers, &trigger)) {
        draft->fate_at[number] = object;
        if (!value_as_object(object, draft->faults))
            continue;
        fate->trigger = (uint8_t) trigger;
        read_fate_fields(draft, fate, object);
        if (fate->id > 0)
            judge_fate(draft, number);
    }
}

void draft_read_fates(struct draft *draft, const struct value *config)
{
    const struct value *list = draft_list(draft, config, "crossroads", DEAD_FATES_MAX);
    if (list == NULL)
        return;
    draft->fate_list = list;
    draft->fates_listed = list->count;
    for (const struct value *entry = list->first; entry != NULL && draft->fates < DEAD_FATES_MAX;
         entry = entry->next)
        read_fate(draft, entry);
}
