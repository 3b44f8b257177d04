/* engine_table.c: the matches in memory: found by id, linked by slot, copied before they change. Pure. */
#include <assert.h>
#include <string.h>

#include "services/engine/engine_parts.h"
#include "wire/order.h"

static struct hosted **bucket_of(const struct engine *engine, const uint8_t *id)
{
    const uint8_t *at = id; /* Ids are random: any four bytes spread them. */
    return &engine->buckets[order_get(&at, 4) & engine->bucket_mask];
}

struct hosted *engine_table_find(const struct engine *engine, const uint8_t *id)
{
    struct hosted *hosted = *bucket_of(engine, id);
    while (hosted != NULL && memcmp(hosted->id, id, MATCH_ID_SIZE) != 0)
        hosted = hosted->next;
    return hosted;
}

size_t engine_hosted_bytes(uint32_t seats)
{
    return sizeof(struct hosted) + seats * sizeof(struct seat);
}

void engine_touch(struct engine *engine, struct hosted *hosted)
{
    memcpy(engine->batch_match, hosted->id, MATCH_ID_SIZE);
    if (hosted->batch == engine->batch)
        return;
    engine_undo_keep(&engine->undo, hosted, engine_hosted_bytes(hosted->seats_held));
    if (hosted->match != NULL)
        engine_undo_keep(&engine->undo, hosted->match, match_bytes(&hosted->setup->terms));
    if (hosted->contributions != NULL)
        engine_undo_keep(&engine->undo, hosted->contributions, sizeof *hosted->contributions);
    hosted->batch = engine->batch;
    engine->changed = true;
}

/* Neighbours in a list change one pointer; they are not copied whole for that. */
static void set_link(struct engine *engine, struct hosted **link, struct hosted *to)
{
    engine_undo_keep(&engine->undo, link, sizeof(struct hosted *));
    *link = to;
}

static void slot_leave(struct engine *engine, struct hosted *hosted)
{
    struct slot *slot = &engine->slots[hosted->slot];
    set_link(engine, hosted->newer != NULL ? &hosted->newer->older : &slot->newest, hosted->older);
    set_link(engine, hosted->older != NULL ? &hosted->older->newer : &slot->oldest, hosted->newer);
}

static void slot_enter(struct engine *engine, struct hosted *hosted)
{
    struct slot *slot = &engine->slots[hosted->slot];
    set_link(engine, &hosted->newer, NULL);
    set_link(engine, &hosted->older, slot->newest);
    set_link(engine, slot->newest != NULL ? &slot->newest->newer : &slot->oldest, hosted);
    set_link(engine, &slot->newest, hosted);
}

void engine_table_moved(struct engine *engine, struct hosted *hosted)
{
    struct slot *slot = &engine->slots[hosted->slot];
    engine_undo_keep(&engine->undo, &slot->count, sizeof slot->count);
    hosted->slot_count = ++slot->count;
    slot_leave(engine, hosted);
    slot_enter(engine, hosted);
}

static void list_enter(struct engine *engine, struct hosted *hosted)
{
    hosted->index = engine->list_count;
    engine_undo_keep(&engine->undo, &engine->list[hosted->index], sizeof engine->list[0]);
    engine_undo_keep(&engine->undo, &engine->list_count, sizeof engine->list_count);
    engine->list[engine->list_count++] = hosted;
}

static void list_leave(struct engine *engine, struct hosted *hosted)
{
    struct hosted **last = &engine->list[engine->list_count - 1];
    engine_undo_keep(&engine->undo, &engine->list_count, sizeof engine->list_count);
    engine_undo_keep(&engine->undo, &(*last)->index, sizeof(*last)->index);
    engine_undo_keep(&engine->undo, &engine->list[hosted->index], sizeof engine->list[0]);
    (*last)->index = hosted->index;
    engine->list[hosted->index] = *last;
    engine_undo_keep(&engine->undo, last, sizeof *last);
    *last = NULL;
    engine->list_count--;
}

struct hosted *engine_table_add(struct engine *engine, const uint8_t *id, struct setup *setup)
{
    uint32_t seats = setup->terms.seats;
    if (engine->list_count == engine->settings.matches_max)
        return NULL;
    struct hosted *hosted = slab_take(&engine->slab, &engine->undo, engine_hosted_bytes(seats));
    if (hosted == NULL)
        return NULL;
    memcpy(hosted->id, id, MATCH_ID_SIZE);
    hosted->slot = header_slot(id);
    hosted->setup = setup;
    hosted->seats_held = seats;
    hosted->batch = engine->batch; /* It is undone with its memory. */
    struct hosted **bucket = bucket_of(engine, id);
    hosted->next = *bucket;
    set_link(engine, bucket, hosted);
    slot_enter(engine, hosted);
    struct slot *slot = &engine->slots[hosted->slot];
    engine_undo_keep(&engine->undo, &slot->matches, sizeof slot->matches);
    slot->matches++;
    engine_undo_keep(&engine->undo, &setup->users, sizeof setup->users);
    setup->users++;
    list_enter(engine, hosted);
    memcpy(engine->batch_match, id, MATCH_ID_SIZE);
    engine->changed = true;
    return hosted;
}

bool engine_table_place_match(struct engine *engine, struct hosted *hosted, const uint8_t *secret,
                              const struct dice *dice)
{
    const struct setup *setup = hosted->setup;
    struct match_begin  begin = { .epoch = engine->slots[hosted->slot].epoch, .dice = dice };
    void *memory = slab_take(&engine->slab, &engine->undo, match_bytes(&setup->terms));
    if (memory == NULL)
        return false;
    memcpy(begin.id, hosted->id, sizeof begin.id);
    memcpy(begin.secret, secret, sizeof begin.secret);
    hosted->match = match_prepare(memory, &setup->terms, &begin);
    return true;
}

/* For a set-up of ten thousand bytes the hash takes longer than everything else about a match that
 * is read back. A match with a snapshot does not need it. */
void engine_table_begin_chain(const struct engine *engine, struct hosted *hosted)
{
    const struct setup *setup = hosted->setup;
    uint8_t             seed[8];
    struct chain_header header = { .protocol = hosted->protocol,
                                   .rules_version = setup->game->game->version,
                                   .seats = setup->terms.seats,
                                   .game = setup->game->game->name,
                                   .game_size = text_length(setup->game->game->name),
                                   .setup = setup->text.setup,
                                   .setup_size = setup->text.setup_size,
                                   .options = setup->text.options,
                                   .options_size = setup->text.options_size,
                                   .dice = hosted->dice,
                                   .dice_size = text_length(hosted->dice),
                                   .commitment = seed,
                                   .commitment_size = sizeof seed,
                                   .contributors = hosted->contributors,
                                   .contributors_size = hosted->contributors_size };
    order_put(seed, (uint64_t) hosted->seed, 8);
    if (is_hosted_dice(hosted)) {
        header.commitment = hosted->commitment;
        header.commitment_size = sizeof hosted->commitment;
    }
    memcpy(header.match_id, hosted->id, sizeof header.match_id);
    chain_begin(hosted->match->chain, engine->settings.helpers.crypto, &header);
}

static void bucket_leave(struct engine *engine, struct hosted *hosted)
{
    struct hosted **link = bucket_of(engine, hosted->id);
    while (*link != hosted)
        link = &(*link)->next;
    set_link(engine, link, hosted->next);
}

void engine_table_drop(struct engine *engine, struct hosted *hosted)
{
    struct slot *slot = &engine->slots[hosted->slot];
    uint32_t     seats = hosted->seats_held;
    engine_touch(engine, hosted);
    if (hosted->quarantined != NULL)
        engine_held(engine, hosted, NULL);
    bucket_leave(engine, hosted);
    slot_leave(engine, hosted);
    list_leave(engine, hosted);
    engine_undo_keep(&engine->undo, &slot->matches, sizeof slot->matches);
    slot->matches--;
    for (uint32_t seat = 0; seat < seats; seat++)
        engine_sessions_free(engine, &hosted->seats[seat]);
    if (hosted->opening != NULL)
        slab_give(&engine->slab, &engine->undo, hosted->opening, hosted->opening_size);
    if (hosted->contributions != NULL)
        slab_give(&engine->slab, &engine->undo, hosted->contributions,
                  sizeof *hosted->contributions);
    if (hosted->match != NULL)
        slab_give(&engine->slab, &engine->undo, hosted->match, match_bytes(&hosted->setup->terms));
    engine_setup_leave(engine, hosted->setup);
    slab_give(&engine->slab, &engine->undo, hosted, engine_hosted_bytes(seats));
}

void engine_put_id(struct text *text, const uint8_t *id)
{
    static const char digits[] = "0123456789abcdef";
    for (uint32_t i = 0; i < MATCH_ID_SIZE; i++) {
        text_put_bytes(text, &digits[id[i] >> 4], 1);
        text_put_bytes(text, &digits[id[i] & 15], 1);
    }
}

void engine_held(struct engine *engine, struct hosted *hosted, const char *why)
{
    engine_undo_keep(&engine->undo, &engine->held, sizeof engine->held);
    engine->held += why != NULL ? 1u : UINT32_MAX;
    engine->facts.quarantined += why != NULL;
    hosted->quarantined = why;
}

void engine_table_quarantine(struct engine *engine, struct hosted *hosted, const char *why,
                             struct outbox *out)
{
    struct text text;
    if (hosted->quarantined != NULL)
        return;
    engine_touch(engine, hosted);
    engine_held(engine, hosted, why);
    text_clear(&text);
    text_put(&text, "match ");
    engine_put_id(&text, hosted->id);
    text_put(&text, " is held for inspection at act ");
    text_put_number(&text, hosted->match != NULL ? (int64_t) hosted->match->number : 0);
    text_put(&text, ": ");
    text_put(&text, why);
    outbox_say(out, SAY_ERROR, &text);
}
