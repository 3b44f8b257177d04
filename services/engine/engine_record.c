/* engine_record.c: tables and lines that a game keeps of its own, in the transaction of the act. Pure.
 *
 * Matches that are recorded are numbered 1, 2, 3, ... An engine that owns all slots counts in the
 * row of slot 0. With several engines each slot counts for itself, and numbers are 256 apart. So no
 * two ever give the same number. Both are under the fence of the slot that counts. Persons are
 * numbered by the lobby, for all engines. */
#include <string.h>

#include "dice/kinds.h"
#include "services/engine/engine_parts.h"

/* The slot that counts for this one. */
static uint32_t counting(const struct engine *engine, uint32_t slot)
{
    return engine->settings.takes_all_slots ? 0 : slot;
}

bool engine_record_counts(const struct engine *engine, const struct game *game, uint32_t slot)
{
    return game->record == NULL || engine->slots[counting(engine, slot)].state == SLOT_OURS;
}

void engine_record_number(struct engine *engine, struct hosted *hosted, struct outbox *out)
{
    uint32_t     index = counting(engine, hosted->slot);
    struct slot *slot = &engine->slots[index];
    if (hosted->setup->game->game->record == NULL)
        return;
    engine_undo_keep(&engine->undo, &slot->recorded, sizeof slot->recorded);
    slot->recorded++;
    hosted->recorded = engine->settings.takes_all_slots
                           ? slot->recorded
                           : (slot->recorded - 1) * SLOTS + hosted->slot + 1;
    struct row *row = outbox_row(out, ROW_PUT, JOURNAL_SLOTS, SLOTS_COLUMNS);
    row_number(row, SLOTS_SLOT, index);
    row_number(row, SLOTS_EPOCH, slot->epoch);
    row_number(row, SLOTS_RECORDED, slot->recorded);
    outbox_fence(out, index, slot->epoch);
}

/* Who takes what a game says. */
struct taking {
    const struct engine_game *game;
    struct outbox            *out;
};

static void put_as(enum row_op op, const struct taking *taking, uint32_t table,
                   const struct record_cell *cells)
{
    const struct record_table *of = &taking->game->game->record->tables[table];
    struct row                *row =
        outbox_row(taking->out, op, taking->game->first_table + table, of->column_count);
    for (uint32_t i = 0; i < of->column_count; i++)
        if (cells[i].text != NULL)
            row_text(row, i, (const char *) outbox_copy(taking->out, cells[i].text, cells[i].size),
                     cells[i].size);
        else if (cells[i].number != ABSENT)
            row_number(row, i, (uint64_t) cells[i].number);
}

static void put(void *owner, uint32_t table, const struct record_cell *cells)
{
    put_as(ROW_PUT, owner, table, cells);
}

/* A row that is there stays: a match of this person has written it, and knows more than a
 * registration. */
static void put_new(void *owner, uint32_t table, const struct record_cell *cells)
{
    put_as(ROW_KEEP, owner, table, cells);
}

static void say(void *owner, enum record_level level, const struct text *line)
{
    const struct taking *taking = owner;
    outbox_say(taking->out,
               level == RECORD_WARNING ? SAY_WARNING
               : level == RECORD_DEBUG ? SAY_DEBUG
                                       : SAY_INFO,
               line);
}

/* What the dice are made from, as text: hosted ones are a secret until the match is over. */
static const char *put_secret(const struct hosted *hosted, struct text *text)
{
    static const char digits[] = "0123456789abcdef";
    uint8_t           key[DICE_KEY_BYTES];
    text_clear(text);
    if (!is_hosted_dice(hosted)) {
        text_put_number(text, hosted->seed);
        return text->bytes;
    }
    if (match_to_act(hosted->match) != 0)
        return NULL;
    dice_chacha_key(&hosted->match->dice, key);
    for (uint32_t i = 0; i < sizeof key; i++) {
        text_put_bytes(text, &digits[key[i] >> 4], 1);
        text_put_bytes(text, &digits[key[i] & 15], 1);
    }
    return text->bytes;
}

static void put_seats(const struct hosted *hosted, struct record_seat *seats)
{
    for (uint32_t i = 0; i < hosted->seats_held; i++) {
        const struct seat *seat = &hosted->seats[i];
        bool               has_person = seat->person_size > 0;
        seats[i].number = seat->number;
        seats[i].player = seat->player;
        seats[i].person = has_person ? seat->person : seat->name;
        seats[i].person_size = has_person ? seat->person_size : seat->name_size;
    }
}

void engine_record_act(const struct engine *engine, const struct hosted *hosted,
                       const struct match_act *act, struct outbox *out)
{
    const struct engine_game *game = hosted->setup->game;
    struct taking             taking = { game, out };
    const struct recorder     to = { &taking, put, say };
    struct record_seat        seats[SEATS_MAX];
    struct text               secret;
    if (game->game->record == NULL || hosted->recorded == 0 || act->actor == ACTOR_SAY)
        return;
    put_seats(hosted, seats);
    const struct record_facts facts = {
        .number = hosted->recorded,
        .beginning_ms = hosted->created_ms,
        .now_ms = engine->wall_ms,
        .dice = hosted->dice,
        .secret = put_secret(hosted, &secret),
        .config = hosted->setup->text.setup,
        .config_size = hosted->setup->text.setup_size,
        .seats = seats,
    };
    const struct record_deed deed = { engine->heard_of, engine->heard, act->actor == ACTOR_START };
    game->game->record->tell(hosted->setup->terms.setup, hosted->match->state, &facts, &deed, &to);
}

static void answer_registered(const struct engine *engine, const struct event *event,
                              uint32_t number, struct outbox *out)
{
    Arbiter__Engine__Registered *registered =
        outbox_message(out, &arbiter__engine__registered__descriptor);
    registered->has_number = true;
    registered->number = number;
    engine_answer(engine, event, KIND(REGISTERED), 0, registered, out);
}

/* A person with a number from the lobby has a row from then on, even without ever playing. */
void engine_on_register(struct engine *engine, const struct event *event, struct outbox *out)
{
    const Arbiter__Engine__Register *ask = BODY(Arbiter__Engine__Register, event);
    size_t                           size = ask->person != NULL ? text_length(ask->person) : 0;
    const struct engine_game        *game =
        ask->game != NULL ? engine_game_find(engine, ask->game, text_length(ask->game), 0) : NULL;
    const struct record_seat who = { .number = ask->number,
                                     .player = ask->player.data,
                                     .person = ask->person != NULL ? ask->person : "",
                                     .person_size = size };
    struct taking            taking = { game, out };
    const struct recorder    to = { &taking, put_new, say };
    if (!engine_is_from(engine, event, ROLE(LOBBY))) {
        engine_refuse(engine, event, REFUSAL(NOT_YOURS), 0, "Only the lobby says this.", out);
    } else if (game == NULL || game->game->record == NULL || game->game->record->enter == NULL ||
               ask->number == 0 || ask->number > RECORD_NUMBER_MAX ||
               ask->player.len != PLAYER_SIZE || size > SEAT_PERSON_MAX) {
        engine_refuse(engine, event, REFUSAL(MALFORMED), 0,
                      "The game keeps no persons here, or this is none.", out);
    } else if (engine_is_slot_here(engine, event, out) && engine_may_write(engine, event, out)) {
        game->game->record->enter(&who, &to);
        answer_registered(engine, event, ask->number, out);
    }
}
