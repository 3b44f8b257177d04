/* engine_lobby.c: the lobby begins matches, gives seats to others, and ends matches. Pure. */
#include <string.h>

#include "contract/directory.pb-c.h"
#include "services/engine/engine_parts.h"
#include "wire/order.h"

#define OPENING_MAX (60u << 10)

static bool is_lobby(struct engine *engine, const struct event *event, struct outbox *out)
{
    if (engine_is_from(engine, event, ROLE(LOBBY)))
        return true;
    engine_refuse(engine, event, REFUSAL(NOT_YOURS), 0, "Only the lobby says this.", out);
    return false;
}

/* A lobby of the build before knows no such field, but no such match either. */
static void put_protocol(const struct hosted *hosted, Arbiter__Engine__MatchStarted *started)
{
    started->has_protocol = hosted != NULL && hosted->protocol > PROTOCOL_FIRST;
    started->protocol = started->has_protocol ? hosted->protocol : 0;
}

static void answer_started(struct engine *engine, const struct event *event,
                           const struct hosted *hosted, const struct text *fault,
                           struct outbox *out)
{
    Arbiter__Engine__MatchStarted *started =
        outbox_message(out, &arbiter__engine__match_started__descriptor);
    uint64_t number = hosted != NULL ? hosted->match->number : 0;
    started->has_number = hosted != NULL;
    started->number = number;
    put_protocol(hosted, started);
    if (fault != NULL)
        started->fault = (char *) outbox_copy(out, fault->bytes, fault->size + 1);
    engine_answer(engine, event, KIND(MATCH_STARTED), number, started, out);
}

void engine_tell_started(const struct engine *engine, struct hosted *hosted, struct outbox *out)
{
    Arbiter__Engine__MatchStarted *started =
        outbox_message(out, &arbiter__engine__match_started__descriptor);
    struct header header;
    started->has_number = true;
    started->number = hosted->match->number;
    put_protocol(hosted, started);
    header_init(&header, KIND(MATCH_STARTED), hosted->id);
    header.epoch = hosted->match->epoch;
    header.number = hosted->match->number;
    outbox_send(out, engine->lobby_door, engine->lobby_route, &header, started);
}

/* What is asked for, looked at before anything is made. */
struct start {
    const Arbiter__Engine__StartMatch *ask;
    const Arbiter__Engine__MatchFacts *facts;
    const struct engine_game          *game;
    const struct dice_kind            *kind; /* Of the dice.                                    */
    struct dice                        dice; /* Open ones.                                      */
    size_t                             opening_size;
};

static const char *judge_holder(const struct start *start, size_t index)
{
    const Arbiter__Engine__Holder *holder = start->ask->holders[index];
    if (!holder->has_seat || holder->seat != index)
        return "/holders: they are not in the order of their seats";
    if (holder->player.len != PLAYER_SIZE ||
        (holder->has_key && holder->key.len != CALLER_KEY_SIZE))
        return "/holders: a player's id has 16 bytes, a key 32";
    return NULL;
}

static const char *judge_dice(struct start *start)
{
    const Arbiter__Engine__MatchFacts *facts = start->facts;
    start->kind = dice_kind_find(facts->dice != NULL ? facts->dice : dice_kind_chacha.name);
    if (start->kind == NULL)
        return "/dice: there are no such dice; java, splitmix and chacha are known";
    if (start->kind == &dice_kind_chacha)
        return facts->has_seed ? "/seed: hosted dice have none" : NULL;
    if (!facts->has_seed || !dice_open(&start->dice, start->kind->name, (uint64_t) facts->seed))
        return "/seed: open dice need one";
    return NULL;
}

static const char *judge_openings(struct start *start)
{
    for (size_t i = 0; i < start->ask->n_opening; i++) {
        const Arbiter__Engine__Opening *opening = start->ask->opening[i];
        if (!opening->has_seat || opening->seat >= start->facts->seats || !opening->has_command)
            return "/opening: a command or its seat is missing";
        start->opening_size += 5 + opening->command.len;
    }
    return start->opening_size > OPENING_MAX ? "/opening: it is too long" : NULL;
}

static const char *judge_facts(const struct engine *engine, struct start *start)
{
    const Arbiter__Engine__MatchFacts *facts = start->facts;
    const char                        *fault = NULL;
    if (facts == NULL || facts->game == NULL || facts->setup == NULL || !facts->has_seats)
        return "/match: game, set-up or number of seats is missing";
    start->game = engine_game_find(engine, facts->game, text_length(facts->game),
                                   facts->has_rules_version ? facts->rules_version : 0);
    if (start->game == NULL)
        return "/game: this engine has no such game or version of its rules";
    if (facts->seats == 0 || facts->seats > SEATS_MAX || start->ask->n_holders != facts->seats)
        return "/holders: there must be one for each seat";
    if ((facts->has_table && facts->table.len != TABLE_SIZE) || start->ask->code.len > CODE_MAX)
        return "/table: it has 16 bytes, and a code at most 32";
    for (size_t i = 0; i < facts->seats && fault == NULL; i++)
        fault = judge_holder(start, i);
    if (fault == NULL)
        fault = judge_dice(start);
    if (fault == NULL)
        fault = engine_judge_contributors(start->ask, start->kind == &dice_kind_chacha);
    return fault != NULL ? fault : judge_openings(start);
}

static void seat_take(struct seat *seat, const Arbiter__Engine__Holder *holder, const char *name)
{
    size_t size = name != NULL ? text_length(name) : 0;
    memcpy(seat->player, holder->player.data, sizeof seat->player);
    seat->has_key = holder->has_key;
    memset(seat->key, 0, sizeof seat->key);
    if (holder->has_key)
        memcpy(seat->key, holder->key.data, sizeof seat->key);
    seat->bot = holder->has_bot && holder->bot;
    memset(seat->name, 0, sizeof seat->name);
    seat->name_size = (uint8_t) (size < SEAT_NAME_MAX ? size : 0);
    memcpy(seat->name, name != NULL ? name : "", seat->name_size);
}

/* A player of whom the game keeps a record, by what was registered. A later holder plays in the
 * first one's place. */
static void take_person(struct seat *seat, const Arbiter__Engine__Holder *holder)
{
    size_t size = holder->person != NULL ? text_length(holder->person) : 0;
    seat->person_size = (uint32_t) (size <= SEAT_PERSON_MAX ? size : 0);
    if (seat->person_size > 0)
        memcpy(seat->person, holder->person, seat->person_size);
    seat->number = holder->has_number ? holder->number : 0;
}

static const char *name_of(const Arbiter__Engine__MatchFacts *facts, uint32_t seat)
{
    for (size_t i = 0; i < facts->n_seat; i++)
        if (facts->seat[i]->has_seat && facts->seat[i]->seat == seat)
            return facts->seat[i]->name;
    return NULL;
}

static bool keep_openings(struct engine *engine, struct hosted *hosted, const struct start *start)
{
    if (start->opening_size == 0)
        return true;
    uint8_t *at = slab_take(&engine->slab, &engine->undo, start->opening_size);
    if (at == NULL)
        return false;
    hosted->opening = at;
    hosted->opening_size = start->opening_size;
    for (size_t i = 0; i < start->ask->n_opening; i++) {
        const Arbiter__Engine__Opening *opening = start->ask->opening[i];
        at = order_put(order_put(at, opening->seat, 1), opening->command.len, 4);
        if (opening->command.len > 0)
            memcpy(at, opening->command.data, opening->command.len);
        at += opening->command.len;
    }
    return true;
}

static void take_facts(const struct engine *engine, struct hosted *hosted,
                       const struct start *start)
{
    const Arbiter__Engine__MatchFacts *facts = start->facts;
    const Arbiter__Engine__StartMatch *ask = start->ask;
    hosted->dice = start->kind->name;
    hosted->seed = facts->has_seed ? facts->seed : 0;
    engine_take_contributors(hosted, facts);
    hosted->turn_ms = facts->has_turn_ms ? facts->turn_ms : 0;
    hosted->spectators = !ask->has_spectators || ask->spectators;
    hosted->created_ms = engine->wall_ms;
    hosted->moved_ms = engine->now_ms;
    hosted->has_table = facts->has_table;
    if (facts->has_table)
        memcpy(hosted->table, facts->table.data, TABLE_SIZE);
    hosted->code_size = ask->has_code ? (uint8_t) ask->code.len : 0;
    if (hosted->code_size > 0)
        memcpy(hosted->code, ask->code.data, hosted->code_size);
    for (uint32_t seat = 0; seat < facts->seats; seat++) {
        seat_take(&hosted->seats[seat], ask->holders[seat], name_of(facts, seat));
        take_person(&hosted->seats[seat], ask->holders[seat]);
    }
}

/* The match's own secrets come out of entropy that nobody has seen. */
static bool make_match(struct engine *engine, struct hosted *hosted, const struct start *start,
                       const struct event *event)
{
    struct dice        none;
    const struct dice *dice = &start->dice;
    if (start->kind == &dice_kind_chacha) {
        const struct piece secret = { event->entropy + MATCH_SECRET_SIZE, SECRET_BYTES };
        memcpy(hosted->dice_secret, secret.bytes, SECRET_BYTES);
        engine->settings.helpers.crypto->hash(hosted->commitment, &secret, 1);
        dice_chacha(&none, hosted->commitment); /* Never drawn from: the key comes later. */
        dice = &none;
        /* Without room there is no match: dice of the house's alone would be no hosted dice. */
        hosted->contributions =
            slab_take(&engine->slab, &engine->undo, sizeof *hosted->contributions);
        if (hosted->contributions == NULL)
            return false;
    }
    if (!engine_table_place_match(engine, hosted, event->entropy, dice))
        return false;
    engine_table_begin_chain(engine, hosted);
    return true;
}

static struct hosted *add_match(struct engine *engine, const struct start *start,
                                const struct event *event, struct text *fault, bool *is_new)
{
    const struct engine_setup_text text = {
        .setup = start->facts->setup,
        .setup_size = text_length(start->facts->setup),
        .options = start->facts->options,
        .options_size = start->facts->options != NULL ? text_length(start->facts->options) : 0,
    };
    struct setup *setup =
        engine_setup_find(engine, start->game, start->facts->seats, &text, fault, is_new);
    if (setup == NULL)
        return NULL;
    struct hosted *hosted = engine_table_add(engine, event->header.match_id, setup);
    if (hosted == NULL) {
        if (setup->users == 0)
            engine_setup_leave(engine, setup);
        return NULL;
    }
    take_facts(engine, hosted, start);
    if (make_match(engine, hosted, start, event) && keep_openings(engine, hosted, start))
        return hosted;
    engine_table_drop(engine, hosted);
    return NULL;
}

static void begin_match(struct engine *engine, struct hosted *hosted, bool is_new,
                        const struct event *event, struct outbox *out)
{
    hosted->told_ms = engine->now_ms;
    engine_record_number(engine, hosted, out);
    if (is_new)
        engine_row_of_setup(hosted->setup, out);
    engine_row_of_match(hosted, JOURNAL_MATCHES, out);
    engine_row_of_match(hosted, JOURNAL_LIVE, out);
    for (uint32_t seat = 0; seat < hosted->seats_held; seat++)
        engine_row_of_seat(hosted, seat, 1, out);
    if (is_hosted_dice(hosted))
        engine_dice_open_round(engine, hosted, out);
    else
        engine_match_begins(engine, hosted, out);
    answer_started(engine, event, hosted, NULL, out);
}

static void start_new(struct engine *engine, const struct event *event, struct outbox *out)
{
    struct start start = { .ask = BODY(Arbiter__Engine__StartMatch, event) };
    struct text  fault;
    bool         is_new = false;
    text_clear(&fault);
    start.facts = start.ask->match;
    const char *wrong = judge_facts(engine, &start);
    if (wrong != NULL)
        text_put(&fault, wrong);
    else if (!engine_record_counts(engine, start.game->game, event->header.slot)) {
        engine_refuse(engine, event, REFUSAL(AGAIN), 1000, "Matches cannot be numbered yet.", out);
        return;
    }
    struct hosted *hosted =
        wrong == NULL ? add_match(engine, &start, event, &fault, &is_new) : NULL;
    if (hosted != NULL)
        begin_match(engine, hosted, is_new, event, out);
    else if (fault.size > 0)
        answer_started(engine, event, NULL, &fault, out);
    else
        engine_refuse(engine, event, REFUSAL(FULL), 1000,
                      "This engine holds as many matches as it has room for.", out);
    if (hosted == NULL && fault.size == 0)
        engine_say_full(engine, out);
}

void engine_on_start_match(struct engine *engine, const struct event *event, struct outbox *out)
{
    static const uint8_t none[MATCH_ID_SIZE];
    if (!is_lobby(engine, event, out) || !engine_is_slot_here(engine, event, out))
        return;
    const struct hosted *hosted = engine_table_find(engine, event->header.match_id);
    if (hosted != NULL && hosted->quarantined == NULL)
        answer_started(engine, event, hosted, NULL, out);
    else if (hosted != NULL)
        engine_refuse(engine, event, REFUSAL(QUARANTINED), 0,
                      "The match is held for inspection; the operator has been told.", out);
    else if (memcmp(event->header.match_id, none, sizeof none) == 0)
        engine_refuse(engine, event, REFUSAL(MALFORMED), 0, "The header names no match.", out);
    else if (engine->stopping)
        engine_refuse(engine, event, REFUSAL(DRAINING), 0,
                      "This engine is stopping; it begins nothing new.", out);
    else if (engine_unread_refused(engine, event, out))
        return; /* It has begun long ago, and is not to be begun again. */
    else if (engine_awaits_marks(engine, event->header.slot))
        engine_refuse_early(engine, event, out); /* It may have begun, and be lost. */
    else if (engine_may_write(engine, event, out))
        start_new(engine, event, out);
}

static void answer_house(struct engine *engine, const struct event *event,
                         const struct hosted *hosted, const char *sentence, struct outbox *out)
{
    Arbiter__Engine__HouseReply *reply =
        outbox_message(out, &arbiter__engine__house_reply__descriptor);
    reply->has_done = reply->has_number = true;
    reply->done = sentence == NULL;
    reply->number = hosted->match->number;
    if (sentence != NULL)
        reply->sentence = (char *) outbox_copy(out, sentence, text_length(sentence) + 1);
    engine_answer(engine, event, KIND(HOUSE_REPLY), hosted->match->number, reply, out);
}

static void change_seat(struct engine *engine, struct hosted *hosted, const struct event *event,
                        struct outbox *out)
{
    const Arbiter__Engine__ChangeSeat *change = BODY(Arbiter__Engine__ChangeSeat, event);
    uint32_t                           index = change->holder->seat;
    struct seat                       *seat = &hosted->seats[index];
    struct house_said                  said;
    house_seat_changed(&said, index, change->generation,
                       change->holder->has_bot && change->holder->bot);
    engine_act_say(engine, hosted, &said, NULL, out);
    while (seat->sessions != NULL)
        engine_session_close(engine, hosted, index, seat->sessions,
                             ARBITER__ENGINE__CLOSED__WHY__WHY_CHANGED, out);
    seat_take(seat, change->holder, change->name);
    match_set_generation(hosted->match, index, change->generation);
    engine_row_of_seat(hosted, index, hosted->match->number + 1, out);
}

void engine_on_change_seat(struct engine *engine, const struct event *event, struct outbox *out)
{
    const Arbiter__Engine__ChangeSeat *change = BODY(Arbiter__Engine__ChangeSeat, event);
    const Arbiter__Engine__Holder     *holder = change->holder;
    struct hosted                     *hosted = NULL;
    if (is_lobby(engine, event, out))
        hosted = engine_match_asked(engine, event, out);
    if (hosted == NULL)
        return;
    if (holder == NULL || holder->seat >= hosted->seats_held || holder->player.len != PLAYER_SIZE ||
        (holder->has_key && holder->key.len != CALLER_KEY_SIZE))
        answer_house(engine, event, hosted, "There is no such seat, or no such holder.", out);
    else if (!engine_may_go_on(engine, hosted, event, out))
        return;
    else if (change->generation <= hosted->match->generation[holder->seat])
        answer_house(engine, event, hosted, NULL, out);
    else if (change->generation != hosted->match->generation[holder->seat] + 1)
        answer_house(engine, event, hosted, "A generation was skipped.", out);
    else if (hosted->phase == PHASE_OVER)
        answer_house(engine, event, hosted, "The match is over.", out);
    else if (engine_may_write(engine, event, out)) {
        change_seat(engine, hosted, event, out);
        answer_house(engine, event, hosted, NULL, out);
    }
}

/* A game that can be ended by the house says so in its own words; another one just stops. */
static bool abort_match(struct engine *engine, struct hosted *hosted, const char *reason,
                        struct outbox *out)
{
    const struct game *game = hosted->setup->game->game;
    struct house_said  said;
    struct match_act   act;
    house_match_aborted(&said, reason);
    engine_touch(engine, hosted);
    hosted->aborted = true;
    if (hosted->phase == PHASE_PLAYED && game->annul != NULL) {
        engine_act_begin(engine, hosted);
        engine->room.said = (struct match_house){ said.bytes, said.size };
        if (!match_annul(hosted->match, &engine->room, &act)) {
            hosted->aborted = false;
            return false;
        }
        engine_act_done(engine, hosted, &act, NULL, out);
    } else {
        engine_act_say(engine, hosted, &said, NULL, out);
    }
    if (hosted->phase != PHASE_OVER)
        engine_match_is_over(engine, hosted, out);
    engine_clock_follow(engine, hosted, out);
    return true;
}

/* A match that is held because the store was set back: it can be accepted or ended. NULL: it is not. */
static struct hosted *held_match(struct engine *engine, const struct event *event)
{
    struct hosted *hosted = engine_table_find(engine, event->header.match_id);
    return hosted != NULL && hosted->held_to > 0 ? hosted : NULL;
}

/* The operator ends a match that vanished from the journal, or cannot be read: its table hears that it is over. */
static void end_lost(struct engine *engine, const struct event *event, struct outbox *out)
{
    Arbiter__Engine__MatchOver *over =
        outbox_message(out, &arbiter__engine__match_over__descriptor);
    over->has_number = over->has_aborted = over->aborted = true;
    engine_answer(engine, event, KIND(MATCH_OVER), 0, over, out);
}

void engine_on_accept_match(struct engine *engine, const struct event *event, struct outbox *out)
{
    if (!is_lobby(engine, event, out) || !engine_is_slot_here(engine, event, out))
        return;
    struct hosted *hosted = held_match(engine, event);
    if (hosted == NULL || !engine_may_write(engine, event, out))
        return;
    engine_release(engine, hosted, out);
    answer_house(engine, event, hosted, NULL, out);
}

void engine_on_abort_match(struct engine *engine, const struct event *event, struct outbox *out)
{
    const Arbiter__Engine__AbortMatch *ask = BODY(Arbiter__Engine__AbortMatch, event);
    struct hosted                     *hosted = NULL;
    if (!is_lobby(engine, event, out) || !engine_is_slot_here(engine, event, out))
        return;
    if (ask->held && engine_unread_is_lost(engine, event->header.match_id)) {
        end_lost(engine, event, out);
        return;
    }
    hosted = held_match(engine, event);
    if (ask->held && hosted != NULL && engine_may_write(engine, event, out))
        engine_release(engine, hosted, out);
    hosted = engine_match_here(engine, event, out);
    if (hosted == NULL || !engine_may_go_on(engine, hosted, event, out))
        return;
    if (hosted->phase == PHASE_OVER)
        answer_house(engine, event, hosted, hosted->aborted ? NULL : "The match is over.", out);
    else if (ask->has_idle_ms && engine->now_ms - hosted->moved_ms < ask->idle_ms)
        answer_house(engine, event, hosted, "Somebody has played meanwhile.", out);
    else if (engine_may_write(engine, event, out)) {
        const char *reason = ask->reason != NULL ? ask->reason : "The operator ended the match.";
        bool        done = abort_match(engine, hosted, reason, out);
        answer_house(engine, event, hosted, done ? NULL : "The rules cannot end it now.", out);
    }
}
