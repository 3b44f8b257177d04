/* replay.c: the second walk over a match file: every act hashed, played and compared. */
#include "match/replay.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "match/replay_private.h"
#include "wire/chain.h"
#include "wire/order.h"

/* What one command or event may unpack to. */
#define DECODED_BYTES ((size_t) 1 << 18)

/* What one record may unpack to: it is no longer than its file. */
static size_t reader_bytes(size_t file_size)
{
    size_t longest = file_size < MATCH_RECORD_MAX ? file_size : MATCH_RECORD_MAX;
    return 3 * longest + 4096;
}

static bool make_match(struct replay *replay)
{
    struct match_begin begin = { .epoch = 0, .dice = &replay->dice };
    replay->commands = plan_new(replay->wire->command);
    replay->events = plan_new(replay->wire->event);
    replay->form = (struct match_form){ replay->commands, replay->events, &crypto_sodium };
    match_terms_init(&replay->terms, replay->wire->game, replay->setup, replay->seats, MATCH_SEALED,
                     &replay->form);
    replay->memory[2] = calloc(1, match_bytes(&replay->terms));
    replay->memory[3] = calloc(1, match_room_bytes(&replay->terms));
    if (replay->memory[2] == NULL || replay->memory[3] == NULL)
        return match_file_fault(&replay->file, "there is not enough memory to play it");
    match_room_init(&replay->room, &replay->terms, replay->memory[3]);
    memcpy(begin.id, replay->id, sizeof begin.id);
    memcpy(begin.secret, replay->end.sealing_secret, sizeof begin.secret);
    replay->match = match_prepare(replay->memory[2], &replay->terms, &begin);
    return true;
}

bool replay_open(struct replay *replay, const uint8_t *bytes, size_t size, FILE *complaints)
{
    memset(replay, 0, sizeof *replay);
    match_file_open(&replay->file, bytes, size, &replay->arena);
    replay->memory[0] = malloc(reader_bytes(size));
    replay->memory[1] = malloc(DECODED_BYTES);
    replay->memory[4] = calloc(REPLAY_HOLDERS_MAX, sizeof *replay->holders);
    replay->memory[5] = calloc(1, sizeof *replay->heard);
    replay->holders = replay->memory[4];
    replay->heard = replay->memory[5];
    if (replay->memory[0] == NULL || replay->memory[1] == NULL || replay->memory[4] == NULL ||
        replay->memory[5] == NULL)
        return match_file_fault(&replay->file, "there is not enough memory to read it");
    arena_init(&replay->arena, replay->memory[0], reader_bytes(size));
    arena_init(&replay->decoded, replay->memory[1], DECODED_BYTES);
    if (!replay_scan(replay, complaints))
        return false;
    match_file_open(&replay->file, bytes, size, &replay->arena);
    return replay->wire == NULL || make_match(replay);
}

void replay_close(struct replay *replay)
{
    for (uint32_t i = 0; i < 6; i++)
        free(replay->memory[i]);
    free(replay->setup);
    if (replay->commands != NULL)
        plan_destroy(&replay->commands);
    if (replay->events != NULL)
        plan_destroy(&replay->events);
    memset(replay, 0, sizeof *replay);
}

const char *replay_name(const struct replay *replay, uint32_t seat)
{
    const char *name = NULL;
    for (uint32_t i = 0; i < replay->holder_count; i++)
        if (replay->holders[i].seat == seat && replay->holders[i].since <= replay->number)
            name = replay->holders[i].name;
    return name != NULL && name[0] != '\0' ? name : NULL;
}

/* The stored chain is to be the one over the stored bytes. */
static bool check_chain(struct replay *replay, const Arbiter__Match__Act *act)
{
    uint8_t hash[CRYPTO_HASH_SIZE];
    chain_command(hash, &crypto_sodium, replay->end.sealing_secret, act->command.data,
                  act->command.len);
    chain_next(replay->chain, &crypto_sodium, act->number, act->actor, hash, act->body.data,
               act->body.len);
    replay->number = act->number;
    if (memcmp(replay->chain, act->chain.data, sizeof replay->chain) == 0)
        return true;
    return match_file_fault(&replay->file,
                            "the chain does not hold: header, command or body are not "
                            "what was published");
}

/* Hands that changed before this act seal with another key from here on. */
static void take_hands(struct replay *replay, uint64_t number)
{
    for (uint32_t i = 0; i < replay->holder_count; i++)
        if (replay->holders[i].since == number)
            match_set_generation(replay->match, replay->holders[i].seat,
                                 replay->holders[i].generation);
}

static bool refused(struct replay *replay, verdict judged)
{
    const struct game *game = replay->wire->game;
    struct text        what;
    text_clear(&what);
    text_put(&what, "the rules refuse this command: ");
    text_put(&what, judged < game->reason_kinds ? game->reasons[judged].name : "no reason given");
    return match_file_fault(&replay->file, what.bytes);
}

static bool play_seat(struct replay *replay, const Arbiter__Match__Act *act)
{
    arena_reset(&replay->decoded);
    if (!plan_decode_command(replay->commands, act->command.data, act->command.len,
                             &replay->decoded, &replay->command) ||
        replay->command.text_size > MATCH_TEXT_MAX)
        return match_file_fault(&replay->file, "its command is none of this game");
    verdict judged =
        match_play(replay->match, act->actor, &replay->command, &replay->room, &replay->act);
    if (judged != ACCEPTED)
        return refused(replay, judged);
    /* One command, one spelling: what the rules took was written down by this very encoder. */
    return (replay->act.command_size == act->command.len &&
            memcmp(replay->act.command, act->command.data, act->command.len) == 0) ||
           match_file_fault(&replay->file, "its command is spelled otherwise than it is kept");
}

/* What the house said plays nothing and was heard already: it only has its number. */
static bool number_saying(struct replay *replay, const Arbiter__Match__Act *act)
{
    if (act->command.len > MATCH_TEXT_MAX)
        return match_file_fault(&replay->file, "its command is of the wrong size");
    match_say(replay->match, act->command.data, act->command.len, &replay->room, &replay->act);
    return true;
}

/* Acts of no seat: their command is a number of four bytes, or nothing. */
static bool play_house(struct replay *replay, const Arbiter__Match__Act *act)
{
    const uint8_t *at = act->command.data;
    size_t         expected = act->actor == ACTOR_TIME || act->actor == ACTOR_HOUSE ? 4 : 0;
    bool           played = false;
    if (act->command.len != expected)
        return match_file_fault(&replay->file, "its command is of the wrong size");
    uint32_t number = expected == 4 ? (uint32_t) order_get(&at, 4) : 0;
    if (act->actor == ACTOR_START) {
        played = !replay->begun;
        replay->begun = true;
        if (played)
            match_first(replay->match, &replay->room, &replay->act);
    } else if (act->actor == ACTOR_TIME && number >> replay->seats == 0) {
        played = match_expire(replay->match, number, &replay->room, &replay->act);
    } else if (act->actor == ACTOR_HOUSE && number < replay->seats) {
        played = match_leave(replay->match, number, &replay->room, &replay->act);
    } else if (act->actor == ACTOR_ANNUL) {
        played = match_annul(replay->match, &replay->room, &replay->act);
        replay->annulled = true;
    }
    return played || match_file_fault(&replay->file, "by the rules nothing happens here");
}

static bool play_act(struct replay *replay, const Arbiter__Match__Act *act)
{
    take_hands(replay, act->number);
    replay->match->epoch = act->epoch;
    if (act->actor == ACTOR_SAY)
        return number_saying(replay, act);
    if (!replay->begun && act->actor != ACTOR_START)
        return match_file_fault(&replay->file, "the first act is not the start");
    bool played = act->actor < replay->seats ? play_seat(replay, act) : play_house(replay, act);
    return played && replay_compare(replay, act->body.data, act->body.len);
}

static bool check_result(struct replay *replay)
{
    const struct replay_end *end = &replay->end;
    uint8_t                  digest[MATCH_HASH_SIZE];
    int32_t                  outcome[SEATS_MAX] = { 0 };
    bool over = match_to_act(replay->match) == 0 && !replay->annulled; /* Then nobody won. */
    match_digest(replay->match, digest);
    if (over != end->finished)
        return match_file_fault(&replay->file, over ? "by the rules the match is finished"
                                                    : "by the rules the match is not finished");
    if (over)
        match_outcome(replay->match, outcome);
    if (memcmp(outcome, end->outcome, end->outcomes * sizeof outcome[0]) != 0)
        return match_file_fault(&replay->file, "by the rules the outcome is another");
    if (memcmp(digest, end->digest, sizeof digest) != 0)
        return match_file_fault(&replay->file, "the final state is another than was recorded");
    return true;
}

static bool check_end(struct replay *replay)
{
    if (memcmp(replay->chain, replay->end.chain, sizeof replay->chain) != 0)
        return match_file_fault(&replay->file, "the end names another chain");
    if (replay->number == 0)
        return match_file_fault(&replay->file, "the match has not even begun");
    if (!replay_heard_all(replay))
        return false;
    if (replay->wire == NULL)
        return true;
    if (!replay->begun && replay->end.finished)
        return match_file_fault(&replay->file, "a match that has not begun has no result");
    return !replay->begun || check_result(replay);
}

enum replay_step replay_next(struct replay *replay)
{
    while (match_file_next(&replay->file) == MATCH_FILE_RECORD) {
        const Arbiter__Match__Record *record = replay->file.record;
        if (record->kind_case == ARBITER__MATCH__RECORD__KIND_END)
            return check_end(replay) ? REPLAY_DONE : REPLAY_BAD;
        if (record->kind_case != ARBITER__MATCH__RECORD__KIND_ACT)
            continue;
        if (!check_chain(replay, record->act) || !replay_hear(replay, record->act) ||
            (replay->wire != NULL && !play_act(replay, record->act)))
            return REPLAY_BAD;
        replay->act.number = record->act->number;
        replay->act.actor = record->act->actor;
        memcpy(replay->act.chain, replay->chain, sizeof replay->act.chain);
        return REPLAY_ACT;
    }
    return REPLAY_BAD;
}
