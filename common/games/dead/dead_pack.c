/* dead_pack.c: lays a set-up that was read without a fault out as one flat block. */
#include <assert.h>
#include <string.h>

#include "games/dead/dead_draft.h"

/* What is compiled depends on no compiler: no struct has holes. */
static_assert(sizeof(struct dead_location) == 24, "holes in dead_location");
static_assert(sizeof(struct dead_card) == 12, "holes in dead_card");
static_assert(sizeof(struct dead_character) == 36, "holes in dead_character");
static_assert(sizeof(struct dead_crisis) == 16, "holes in dead_crisis");
static_assert(sizeof(struct dead_fate) == 28, "holes in dead_fate");
static_assert(sizeof(struct dead_setup) == 11 * 4 + 11 * sizeof(struct dead_array),
              "holes in dead_setup");

/* Two rows for each identifier at least, in a power of two. */
static uint32_t rows_for(uint32_t count)
{
    uint32_t rows = 2;
    while (rows < 2 * count)
        rows *= 2;
    return rows;
}

/* Gives an array its place behind those before it. Everything but the texts is counted in pieces of
 * 4 bytes or of 2, so whatever follows is rounded up to 4. */
static void lay(struct dead_setup *head, struct dead_array *array, uint32_t count, size_t size)
{
    array->at = head->bytes;
    array->count = count;
    head->bytes += (uint32_t) ((count * size + 3) / 4 * 4);
}

static uint32_t text_bytes(const struct value *name)
{
    return name != NULL ? name->text_size : 0;
}

static void lay_out(struct draft *draft)
{
    struct dead_setup *head = &draft->head;
    uint32_t           texts = 0;

    for (uint32_t i = 0; i < draft->locations; i++)
        texts += text_bytes(draft->location[i].name);
    for (uint32_t i = 0; i < draft->characters; i++)
        texts += text_bytes(draft->character_name[i]);
    head->bytes = sizeof *head;
    lay(head, &head->locations, draft->locations, sizeof(struct dead_location));
    lay(head, &head->cards, draft->cards, sizeof(struct dead_card));
    lay(head, &head->characters, draft->characters, sizeof(struct dead_character));
    lay(head, &head->crises, draft->crises, sizeof(struct dead_crisis));
    lay(head, &head->fates, draft->fates, sizeof(struct dead_fate));
    lay(head, &head->location_rows, rows_for(draft->locations), sizeof(struct dead_row));
    lay(head, &head->card_rows, rows_for(draft->cards), sizeof(struct dead_row));
    lay(head, &head->character_rows, rows_for(draft->characters), sizeof(struct dead_row));
    lay(head, &head->deck, draft->deck_count, sizeof(uint16_t));
    lay(head, &head->by_rank, draft->characters, sizeof(uint16_t));
    lay(head, &head->texts, texts, 1);
}

static void *place_of(void *setup, struct dead_array array)
{
    return (uint8_t *) setup + array.at;
}

static void copy(void *setup, struct dead_array array, const void *from, size_t size)
{
    memcpy(place_of(setup, array), from, array.count * size);
}

/* Copies a name behind those before it and says where it is. */
static uint16_t copy_name(struct dead_setup *setup, const struct value *name, uint32_t *at,
                          uint32_t *used)
{
    *at = *used;
    if (name == NULL || name->text_size == 0)
        return 0;
    memcpy((char *) place_of(setup, setup->texts) + *used, name->text, name->text_size);
    *used += name->text_size;
    return (uint16_t) name->text_size;
}

/* Locations were sorted after the cards' order in the file was fixed, so decks are laid here. */
static void write_locations(const struct draft *draft, struct dead_setup *setup, uint32_t *used)
{
    struct dead_location *to = place_of(setup, setup->locations);
    struct dead_row      *rows = place_of(setup, setup->location_rows);
    for (uint32_t i = 0; i < draft->locations; i++) {
        to[i] = draft->location[i].is;
        to[i].name_size = copy_name(setup, draft->location[i].name, &to[i].name_at, used);
        draft_put_row(rows, setup->location_rows.count, to[i].id, i);
    }
}

static void write_characters(const struct draft *draft, struct dead_setup *setup, uint32_t *used)
{
    struct dead_character *to = place_of(setup, setup->characters);
    struct dead_row       *rows = place_of(setup, setup->character_rows);
    for (uint32_t i = 0; i < draft->characters; i++) {
        to[i] = draft->character[i];
        to[i].name_size = copy_name(setup, draft->character_name[i], &to[i].name_at, used);
        draft_put_row(rows, setup->character_rows.count, to[i].id, i);
    }
}

size_t draft_pack(struct draft *draft, void *block, size_t capacity)
{
    struct dead_setup *setup = block;
    uint32_t           used = 0;

    lay_out(draft);
    if (setup == NULL || capacity < draft->head.bytes)
        return draft->head.bytes;
    memset(setup, 0, draft->head.bytes);
    *setup = draft->head;
    copy(setup, setup->cards, draft->card, sizeof *draft->card);
    copy(setup, setup->crises, draft->crisis, sizeof *draft->crisis);
    copy(setup, setup->fates, draft->fate, sizeof *draft->fate);
    copy(setup, setup->deck, draft->deck, sizeof *draft->deck);
    copy(setup, setup->by_rank, draft->by_rank, sizeof *draft->by_rank);
    struct dead_row *rows = place_of(setup, setup->card_rows);
    for (uint32_t i = 0; i < draft->cards; i++)
        draft_put_row(rows, setup->card_rows.count, draft->card[i].id, i);
    write_locations(draft, setup, &used);
    write_characters(draft, setup, &used);
    return setup->bytes;
}
