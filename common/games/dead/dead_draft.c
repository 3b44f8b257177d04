/* dead_draft.c: what all readers of a set-up's parts share; see dead_draft.h. */
#include "games/dead/dead_draft.h"

const struct value *draft_list(struct draft *draft, const struct value *object, const char *key,
                               uint32_t most)
{
    const struct value *list = value_list(object, key, draft->faults);
    if (list != NULL && list->count > most)
        fault_numbers(draft->faults, list, NULL, "has ", list->count,
                      " entries, must have at most ", most,
                      ", which is all this server keeps room for");
    return list;
}

uint32_t draft_id(struct draft *draft, const struct value *object, const char *key)
{
    uint32_t before = draft->faults->count;
    uint32_t id = (uint32_t) value_int(object, key, 1, INT32_MAX, draft->faults);
    return draft->faults->count == before ? id : 0;
}

uint32_t draft_amount(struct draft *draft, const struct value *object, const char *key,
                      int64_t least)
{
    return (uint32_t) value_int(object, key, least, DEAD_AMOUNT_MAX, draft->faults);
}

uint32_t draft_find_place(const struct draft *draft, uint32_t id)
{
    for (uint32_t i = 0; i < draft->locations; i++)
        if (draft->location[i].is.id == id)
            return i;
    return DEAD_NONE;
}

uint32_t draft_place(struct draft *draft, const struct value *object, const char *key)
{
    uint32_t id = draft_id(draft, object, key);
    uint32_t place = draft_find_place(draft, id);
    if (id > 0 && place == DEAD_NONE && draft->place_ids_known)
        fault_numbers(draft->faults, value_get(object, key), NULL, "names location ", id,
                      ", must name one of the ", draft->locations, " that are in locations");
    return place;
}

const struct value *draft_other_choice(const struct value *member, const char *const *keys,
                                       int *which)
{
    for (member = member->next; member != NULL; member = member->next) {
        *which = value_key(member, keys);
        if (*which >= 0)
            return member;
    }
    return NULL;
}

void draft_repeats(struct draft *draft, const struct value *at, const char *key, int64_t number,
                   const struct value *first)
{
    const struct value *member = value_get(at, key);
    struct text         what, place;
    value_place(&place, first);
    text_clear(&what);
    text_put(&what, "is ");
    text_put_number(&what, number);
    text_put(&what, " as in ");
    text_put(&what, place.bytes);
    text_put(&what, ", must differ from every other");
    fault(draft->faults, member != NULL ? member : at, NULL, what.bytes);
}

void draft_put_row(struct dead_row *rows, uint32_t count, uint32_t id, uint32_t index)
{
    uint32_t at = dead_row_of(id, count);
    while (rows[at].id != 0 && rows[at].id != id)
        at = (at + 1) & (count - 1);
    if (rows[at].id == 0)
        rows[at] = (struct dead_row){ id, index };
}

const struct value *draft_name(struct draft *draft, const struct value *object)
{
    const struct value *name = value_string(object, "name", draft->faults);
    if (name == NULL || name->text_size <= DEAD_NAME_MAX)
        return name;
    fault_numbers(draft->faults, name, NULL, "has ", name->text_size, " bytes, must have at most ",
                  DEAD_NAME_MAX, "");
    return NULL;
}
