/* dead_configure_places.c: reads the locations of a set-up, the colony among them. */
#include "games/dead/dead_draft.h"

/* 0 if it cannot be known. */
static uint16_t read_entrances(struct draft *draft, const struct value *object)
{
    uint32_t before = draft->faults->count;
    int64_t  entrances = value_int(object, "entrances", 1, DEAD_ENTRANCES_MAX, draft->faults);
    return draft->faults->count > before ? 0 : (uint16_t) entrances;
}

static void read_colony(struct draft *draft, struct draft_location *location,
                        const struct value *entry)
{
    static const char *const outer[] = { "colony", NULL };
    static const char *const keys[] = { "identifier", "entrances", "startCards", NULL };
    const struct value      *colony = value_object(entry, "colony", draft->faults);

    value_only(entry, outer, draft->faults);
    location->is_colony = true;
    if (colony == NULL)
        return;
    location->at = colony;
    location->is.id = draft_id(draft, colony, "identifier");
    location->is.entrances = read_entrances(draft, colony);
    location->deck = draft_list(draft, colony, "startCards", DEAD_CARDS_MAX);
    value_only(colony, keys, draft->faults);
}

static void read_place(struct draft *draft, struct draft_location *location,
                       const struct value *entry)
{
    static const char *const keys[] = { "name",           "identifier", "entrances",
                                        "survivorSpaces", "cards",      NULL };
    location->name = draft_name(draft, entry);
    location->is.id = draft_id(draft, entry, "identifier");
    location->is.entrances = read_entrances(draft, entry);
    location->is.spaces = draft_amount(draft, entry, "survivorSpaces", 1);
    location->deck = draft_list(draft, entry, "cards", DEAD_CARDS_MAX);
    value_only(entry, keys, draft->faults);
}

static void read_location(struct draft *draft, const struct value *entry)
{
    struct draft_location *location = &draft->location[draft->locations];
    uint32_t               first;

    location->at = entry;
    if (!value_as_object(entry, draft->faults)) {
        draft->place_ids_known = false;
        draft->locations++;
        return;
    }
    if (value_get(entry, "colony") != NULL)
        read_colony(draft, location, entry);
    else
        read_place(draft, location, entry);
    first = location->is.id > 0 ? draft_find_place(draft, location->is.id) : DEAD_NONE;
    if (location->is.id == 0)
        draft->place_ids_known = false;
    if (first != DEAD_NONE)
        draft_repeats(draft, location->at, "identifier", location->is.id,
                      draft->location[first].at);
    draft->locations++;
}

static void judge_colonies(struct draft *draft, const struct value *list)
{
    const struct value *first = NULL;
    for (uint32_t i = 0; i < draft->locations; i++) {
        if (!draft->location[i].is_colony)
            continue;
        if (first != NULL)
            fault(draft->faults, draft->location[i].at, NULL,
                  "is a second colony, must be the only one");
        else
            first = draft->location[i].at;
    }
    if (first != NULL)
        return;
    draft->locations_known = draft->place_ids_known = false;
    fault(draft->faults, list, NULL, "has no colony, must have exactly one");
}

/* By insertion: there are 64 at most, and equal identifiers have been reported. */
static void sort_locations(struct draft *draft)
{
    for (uint32_t i = 1; i < draft->locations; i++) {
        struct draft_location moved = draft->location[i];
        uint32_t              at = i;
        for (; at > 0 && draft->location[at - 1].is.id > moved.is.id; at--)
            draft->location[at] = draft->location[at - 1];
        draft->location[at] = moved;
    }
    for (uint32_t i = 0; i < draft->locations; i++) {
        struct dead_location *location = &draft->location[i].is;
        if (draft->location[i].is_colony)
            draft->head.colony = i;
        location->entrance_first = (uint16_t) draft->head.entrances;
        draft->head.entrances += location->entrances;
    }
}

void draft_read_locations(struct draft *draft, const struct value *config)
{
    const struct value *list = draft_list(draft, config, "locations", DEAD_LOCATIONS_MAX);
    if (list == NULL)
        return;
    draft->locations_known = draft->place_ids_known = list->count <= DEAD_LOCATIONS_MAX;
    for (const struct value *entry = list->first;
         entry != NULL && draft->locations < DEAD_LOCATIONS_MAX; entry = entry->next)
        read_location(draft, entry);
    judge_colonies(draft, list);
    sort_locations(draft);
}
