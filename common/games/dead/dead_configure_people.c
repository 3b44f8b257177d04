/* dead_configure_people.c: reads the characters of a set-up and what each of them can do. */
#include "games/dead/dead_draft.h"

/* By enum dead_ability_kind. */
static const char *const abilities[] = { "wound",     "heal",   "no_infection", "feed", "trash",
                                         "barricade", "search", "kill",         NULL };

/* By enum dead_injury. */
static const char *const injuries[] = { "wound", "frostBite", "bite", NULL };

static uint8_t read_injury(struct draft *draft, const struct value *object, const char *key)
{
    return (uint8_t) value_word_of(object, key, injuries, draft->faults);
}

/* A die shows six at most; what asks for less than one asks for no die. */
static int8_t read_die_value(struct draft *draft, const struct value *object)
{
    int64_t value = value_int(object, "dieValue", INT32_MIN, 6, draft->faults);
    return (int8_t) (value > 0 ? value : 0);
}

static void read_kill(struct draft *draft, struct dead_character *character,
                      const struct value *object)
{
    static const char *const keys[] = { "locationId",   "dieValue", "numZombies", "maxActivations",
                                        "infectionDie", "children", NULL };
    character->location = (uint16_t) draft_place(draft, object, "locationId");
    character->die_value = read_die_value(draft, object);
    character->amount = draft_amount(draft, object, "numZombies", 0);
    character->activations_max = draft_amount(draft, object, "maxActivations", 0);
    character->infection_die = value_bool_or(object, "infectionDie", false, draft->faults);
    character->children = value_bool_or(object, "children", false, draft->faults);
    value_only(object, keys, draft->faults);
}

static void read_search(struct draft *draft, struct dead_character *character,
                        const struct value *object)
{
    static const char *const keys[] = { "location", "numCards", "maxActivations", NULL };
    character->location = (uint16_t) draft_place(draft, object, "location");
    character->amount = draft_amount(draft, object, "numCards", 0);
    character->activations_max = draft_amount(draft, object, "maxActivations", 0);
    value_only(object, keys, draft->faults);
}

static void read_barricade(struct draft *draft, struct dead_character *character,
                           const struct value *object)
{
    static const char *const keys[] = { "numBarricades", "maxActivations", NULL };
    character->amount = draft_amount(draft, object, "numBarricades", 0);
    character->activations_max = draft_amount(draft, object, "maxActivations", 0);
    value_only(object, keys, draft->faults);
}

static void read_wound(struct draft *draft, struct dead_character *character,
                       const struct value *object)
{
    static const char *const keys[] = { "before", "after", NULL };
    character->before = read_injury(draft, object, "before");
    character->after = read_injury(draft, object, "after");
    value_only(object, keys, draft->faults);
}

/* An ability with one amount and nothing else. */
static void read_amount(struct draft *draft, struct dead_character *character,
                        const struct value *object, const char *key)
{
    const char *const keys[] = { key, NULL };
    character->amount = draft_amount(draft, object, key, 0);
    value_only(object, keys, draft->faults);
}

static void read_one_ability(struct draft *draft, struct dead_character *character, int kind,
                             const struct value *object)
{
    static const char *const none[] = { NULL };

    if (!value_as_object(object, draft->faults))
        return;
    character->ability = (uint8_t) kind;
    switch ((enum dead_ability_kind) kind) {
    case DEAD_ABILITY_WOUND: read_wound(draft, character, object); break;
    case DEAD_ABILITY_HEAL:
    case DEAD_ABILITY_NO_INFECTION: value_only(object, none, draft->faults); break;
    case DEAD_ABILITY_FEED: read_amount(draft, character, object, "numFood"); break;
    case DEAD_ABILITY_TRASH: read_amount(draft, character, object, "numCards"); break;
    case DEAD_ABILITY_BARRICADE: read_barricade(draft, character, object); break;
    case DEAD_ABILITY_SEARCH: read_search(draft, character, object); break;
    case DEAD_ABILITY_KILL: read_kill(draft, character, object); break;
    }
}

static void read_ability(struct draft *draft, struct dead_character *character,
                         const struct value *ability)
{
    int kind;
    for (const struct value *object = value_choice(ability, abilities, &kind, draft->faults);
         object != NULL; object = draft_other_choice(object, abilities, &kind))
        read_one_ability(draft, character, kind, object);
}

/* Neither identifier nor status may be another's. */
static void judge_character(struct draft *draft, uint32_t number)
{
    const struct dead_character *character = &draft->character[number];
    bool                         id_told = character->id == 0;
    bool                         status_told = !draft->status_known[number];

    for (uint32_t i = 0; i < number; i++) {
        const struct dead_character *other = &draft->character[i];
        if (!id_told && other->id == character->id) {
            draft_repeats(draft, draft->character_at[number], "identifier", character->id,
                          draft->character_at[i]);
            id_told = true;
        }
        if (!status_told && draft->status_known[i] && other->status == character->status) {
            draft_repeats(draft, draft->character_at[number], "status", character->status,
                          draft->character_at[i]);
            status_told = true;
        }
    }
}

static void read_character(struct draft *draft, const struct value *entry)
{
    static const char *const keys[] = { "identifier", "name",    "status", "attack",
                                        "search",     "ability", NULL };
    uint32_t                 number = draft->characters++;
    struct dead_character   *character = &draft->character[number];

    draft->character_at[number] = entry;
    character->location = DEAD_NONE;
    if (!value_as_object(entry, draft->faults))
        return;
    character->id = draft_id(draft, entry, "identifier");
    draft->character_name[number] = draft_name(draft, entry);
    uint32_t before = draft->faults->count;
    character->status = (int32_t) value_int(entry, "status", INT32_MIN, INT32_MAX, draft->faults);
    draft->status_known[number] = draft->faults->count == before;
    character->attack = (uint8_t) value_int(entry, "attack", 1, 6, draft->faults);
    character->search = (uint8_t) value_int(entry, "search", 1, 6, draft->faults);
    read_ability(draft, character, value_need(entry, "ability", "an object", draft->faults));
    value_only(entry, keys, draft->faults);
    judge_character(draft, number);
}

/* A rank is the number of characters with a lower status. */
static void rank_characters(struct draft *draft)
{
    for (uint32_t i = 0; i < draft->characters; i++) {
        uint16_t rank = 0;
        for (uint32_t k = 0; k < draft->characters; k++)
            if (draft->character[k].status < draft->character[i].status)
                rank++;
        draft->character[i].rank = rank;
        draft->by_rank[rank] = (uint16_t) i;
    }
}

void draft_read_characters(struct draft *draft, const struct value *config)
{
    const struct value *list = draft_list(draft, config, "characters", DEAD_CHARACTERS_MAX);
    if (list == NULL)
        return;
    draft->character_list = list;
    draft->characters_listed = list->count;
    for (const struct value *entry = list->first;
         entry != NULL && draft->characters < DEAD_CHARACTERS_MAX; entry = entry->next)
        read_character(draft, entry);
    rank_characters(draft);
}
