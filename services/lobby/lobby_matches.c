/* lobby_matches.c: a match is begun once, its seats change hands, and it ends, at an engine. Pure.
 *
 * The match id is stored with the table before StartMatch is sent. This lobby, or the one after it,
 * sends the same StartMatch until an engine says MatchStarted. Whatever else the engine is asked
 * for is also kept with the table, and asked again until it is answered. */
#include <assert.h>
#include <string.h>

#include "services/lobby/lobby_parts.h"

/* Seats that are free are no seats of the match. */
static uint32_t close_up(struct table *table)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < table->seat_count; i++) {
        uint32_t player = table->seat[i].player, number = table->seat[i].number;
        table->seat[i].player = NOBODY;
        table->seat[i].number = 0;
        if (player == NOBODY)
            continue;
        table->seat[count].player = player;
        table->seat[count++].number = number;
    }
    return count;
}

void lobby_begin_match(struct lobby *lobby, uint32_t place, struct outbox *out)
{
    struct table *table = touch_table(lobby, place);
    assert(table->phase == PHASE(OPEN) && table->stage == STAGE_NONE);
    for (uint32_t i = 0; i < table->seat_count; i++)
        lobby_withdraw_promise(lobby, place, i);
    table->match_seats = close_up(table);
    for (uint32_t i = 0; i < table->match_seats; i++) {
        table->seat[i].generation = 1;
        table->seat[i].vacant = table->seat[i].changing = 0;
    }
    lobby_number_all(lobby, place, out);
    table->protocol = lobby_protocol_of(lobby, table);
    table->phase = PHASE(PLAYING);
    table->stage = STAGE_STARTING;
    table->abort = table->is_rematch = 0;
    lobby_draw_id(lobby, table->match_id);
    lobby_remember_table(lobby, place);
    lobby_clock_begin(lobby, place);
    lobby_send_start(lobby, place, out);
}

/* To whoever owns the match's slot; if nobody does, later. */
static void send_about_match(const struct lobby *lobby, const uint8_t *match_id, uint16_t kind,
                             uint32_t seat, const void *body, struct outbox *out)
{
    uint32_t      engine = lobby_engine_of(lobby, header_slot(match_id));
    struct header header;
    if (engine == NOBODY)
        return;
    header_init(&header, kind, match_id);
    header.seat = seat;
    outbox_send(out, DOOR_PEER, engine, &header, body);
}

static void send_to_engine(struct lobby *lobby, uint32_t place, uint16_t kind, uint32_t seat,
                           const void *body, struct outbox *out)
{
    lobby->clocks[place].again_ms = lobby->now_ms + lobby->settings.again_ms;
    send_about_match(lobby, table_of(lobby, place)->match_id, kind, seat, body, out);
}

/* A player who connects directly is known by the key; a gateway's player by its ticket. */
static Arbiter__Engine__Holder *holder_message(const struct lobby *lobby, const struct seat *seat,
                                               uint32_t at, struct outbox *out)
{
    const struct player     *player = player_of(lobby, seat->player);
    Arbiter__Engine__Holder *to = MAKE(out, engine, holder);
    SET(to, seat, at);
    SET_BYTES(to, player, outbox_copy(out, player->id, ID_SIZE), ID_SIZE);
    if (player->key != NOBODY && (!player->guest || player->bot))
        SET_BYTES(to, key, outbox_copy(out, key_of(lobby, player->key)->key, CALLER_KEY_SIZE),
                  CALLER_KEY_SIZE);
    if (player->bot)
        SET(to, bot, true);
    return to;
}

static Arbiter__Engine__SeatFacts *seat_facts(const struct lobby *lobby, const struct seat *seat,
                                              uint32_t at, struct outbox *out)
{
    const struct player        *player = player_of(lobby, seat->player);
    Arbiter__Engine__SeatFacts *to = MAKE(out, engine, seat_facts);
    SET(to, seat, at);
    if (player->name[0] != '\0')
        to->name = lobby_string_in(out, player->name);
    if (player->bot)
        SET(to, bot, true);
    return to;
}

static Arbiter__Engine__MatchFacts *match_facts(const struct lobby *lobby,
                                                const struct table *table, struct outbox *out)
{
    const struct game           *game = game_of(lobby, table)->game;
    Arbiter__Engine__MatchFacts *to = MAKE(out, engine, match_facts);
    to->game = lobby_string_in(out, game->name);
    SET(to, rules_version, game->version);
    to->setup = (char *) lobby_setup_text(lobby, table);
    to->options = (char *) lobby_setup_options(lobby, table);
    SET(to, seats, table->match_seats);
    to->dice = (char *) (table->has_seed ? game->open_dice : "chacha");
    if (table->has_seed)
        SET(to, seed, (int64_t) table->seed);
    if (table->turn_ms > 0)
        SET(to, turn_ms, table->turn_ms);
    SET_BYTES(to, table, outbox_copy(out, table->id, ID_SIZE), ID_SIZE);
    to->seat = outbox_take(out, table->match_seats * sizeof to->seat[0]);
    for (uint32_t i = 0; i < table->match_seats; i++)
        to->seat[to->n_seat++] = seat_facts(lobby, &table->seat[i], i, out);
    lobby_put_protocol(lobby, table, to, out);
    return to;
}

void lobby_send_start(struct lobby *lobby, uint32_t place, struct outbox *out)
{
    const struct table *table = table_of(lobby, place);
    if (table->protocol != 0 && !lobby_services_are_new(lobby))
        touch_table(lobby, place)->protocol = 0;
    Arbiter__Engine__StartMatch *start = MAKE(out, engine, start_match);
    start->match = match_facts(lobby, table, out);
    start->holders = outbox_take(out, table->match_seats * sizeof start->holders[0]);
    for (uint32_t i = 0; i < table->match_seats; i++)
        start->holders[start->n_holders++] = holder_message(lobby, &table->seat[i], i, out);
    for (uint32_t i = 0; i < table->match_seats; i++)
        start->holders[i]->person = lobby_desk_person(lobby, place, i, out);
    for (uint32_t i = 0; i < table->match_seats; i++)
        if (table->seat[i].number != 0)
            SET(start->holders[i], number, table->seat[i].number);
    bool anyone = table->watchers && (!table->is_private || table->is_shown);
    SET(start, spectators, anyone);
    if (!anyone && table->watchers)
        SET_BYTES(start, code, outbox_copy(out, table->code, CODE_SIZE), CODE_SIZE);
    start->n_opening = lobby_desk_opening(lobby, place, out, &start->opening);
    send_to_engine(lobby, place, KIND(START_MATCH), NO_SEAT, start, out);
}

void lobby_send_changes(struct lobby *lobby, uint32_t place, struct outbox *out)
{
    const struct table *table = table_of(lobby, place);
    for (uint32_t i = 0; i < table->match_seats && table->stage == STAGE_STARTED; i++) {
        const struct seat *seat = &table->seat[i];
        if (!seat->changing)
            continue;
        Arbiter__Engine__ChangeSeat *change = MAKE(out, engine, change_seat);
        change->holder = holder_message(lobby, seat, i, out);
        SET(change, generation, seat->generation);
        if (player_of(lobby, seat->player)->name[0] != '\0')
            change->name = lobby_string_in(out, player_of(lobby, seat->player)->name);
        send_to_engine(lobby, place, KIND(CHANGE_SEAT), i, change, out);
    }
}

void lobby_send_abort(struct lobby *lobby, uint32_t place, struct outbox *out)
{
    const struct table *table = table_of(lobby, place);
    if (table->stage != STAGE_STARTED)
        return; /* It has to begin first, so that it can be said how it ended.                    */
    Arbiter__Engine__AbortMatch *abort = MAKE(out, engine, abort_match);
    abort->reason = lobby_string_in(out, table->abort_reason);
    if (table->abort == ABORT_HELD)
        SET(abort, held, true);
    send_to_engine(lobby, place, KIND(ABORT_MATCH), NO_SEAT, abort, out);
}

void lobby_send_accept(struct lobby *lobby, const uint8_t *match_id, struct outbox *out)
{
    send_about_match(lobby, match_id, KIND(ACCEPT_MATCH), NO_SEAT, MAKE(out, engine, accept_match),
                     out);
}

void lobby_send_abort_if_idle(struct lobby *lobby, uint32_t place, uint64_t idle_ms,
                              struct outbox *out)
{
    Arbiter__Engine__AbortMatch *abort = MAKE(out, engine, abort_match);
    abort->reason =
        lobby_string_in(out, "Nobody has played here for long, and others wait for a table.");
    SET(abort, idle_ms, idle_ms);
    send_about_match(lobby, table_of(lobby, place)->match_id, KIND(ABORT_MATCH), NO_SEAT, abort,
                     out);
}

/* The old holder is back, and is it still; or there is another one, of the next generation. */
void lobby_take_over(struct lobby *lobby, uint32_t place, uint32_t at, uint32_t player,
                     struct outbox *out)
{
    struct table *table = touch_table(lobby, place);
    struct seat  *seat = &table->seat[at];
    bool          is_back = seat->player == player;
    lobby_withdraw_promise(lobby, place, at);
    seat->vacant = 0;
    memset(table->ballot[at], 0, sizeof table->ballot[at]);
    lobby->clocks[place].vote_ms[at] = NO_WAKE;
    touch_player(lobby, player)->table = place;
    if (!is_back) {
        seat->player = player;
        seat->generation++;
        seat->changing = 1;
        lobby_send_changes(lobby, place, out);
        return;
    }
    struct table_event *event = lobby_add_event(lobby, place, EVENT(SEAT_GIVEN));
    event->seat = at;
    event->player = player;
    event->choice = seat->generation;
    lobby_send_event(lobby, place, event, out);
}

static void tell_begins(struct lobby *lobby, uint32_t place, struct outbox *out)
{
    touch_table(lobby, place)->stage = STAGE_STARTED;
    struct table_event *event = lobby_add_event(lobby, place, EVENT(MATCH_BEGINS));
    event->size = ID_SIZE;
    memcpy(event->text, table_of(lobby, place)->match_id, ID_SIZE);
    lobby_send_event(lobby, place, event, out);
}

static void say_unwanted(struct lobby *lobby, struct unwanted *unwanted, struct outbox *out)
{
    Arbiter__Engine__AbortMatch *abort = MAKE(out, engine, abort_match);
    abort->reason = lobby_string_in(out, "Its table was closed before it began.");
    send_about_match(lobby, unwanted->match_id, KIND(ABORT_MATCH), NO_SEAT, abort, out);
    lobby->unwanted_ms = lobby->now_ms + lobby->settings.again_ms;
    unwanted->tries++;
}

static struct unwanted *find_unwanted(struct lobby *lobby, const uint8_t *match_id)
{
    for (uint32_t i = 0; i < UNWANTED_MAX; i++)
        if (lobby->unwanted[i].tries > 0 && lobby_same_id(lobby->unwanted[i].match_id, match_id))
            return &lobby->unwanted[i];
    return NULL;
}

/* A copy of StartMatch came late to an engine of a newer build, which can play what another one
 * could not. The match's table is closed, and nobody would ever sit down there. */
static void abort_unwanted(struct lobby *lobby, const uint8_t *match_id, struct outbox *out)
{
    struct unwanted *unwanted = find_unwanted(lobby, match_id);
    if (unwanted == NULL) {
        unwanted = &lobby->unwanted[lobby->unwanted_next++ % UNWANTED_MAX];
        memset(unwanted, 0, sizeof *unwanted);
        memcpy(unwanted->match_id, match_id, ID_SIZE);
    }
    say_unwanted(lobby, unwanted, out);
}

void lobby_unwanted_again(struct lobby *lobby, struct outbox *out)
{
    if (lobby->unwanted_ms > lobby->now_ms)
        return;
    for (uint32_t i = 0; i < UNWANTED_MAX; i++)
        if (lobby->unwanted[i].tries > 0 && lobby->unwanted[i].tries < UNWANTED_TRIES)
            say_unwanted(lobby, &lobby->unwanted[i], out);
}

void lobby_on_match_started(struct lobby *lobby, const struct event *event, struct outbox *out)
{
    const Arbiter__Engine__MatchStarted *started = BODY(Arbiter__Engine__MatchStarted, event);
    uint32_t                             place = lobby_find_match(lobby, event->header.match_id);
    if (place == NOBODY && started->fault == NULL)
        abort_unwanted(lobby, event->header.match_id, out);
    if (place == NOBODY || table_of(lobby, place)->stage != STAGE_STARTING)
        return;
    if (started->fault != NULL) {
        struct text sentence;
        text_clear(&sentence);
        text_put(&sentence, "The match could not begin: ");
        text_put(&sentence, started->fault);
        lobby_close_table(lobby, place, sentence.bytes, out);
        return;
    }
    /* The engine's word: another copy of the question may have begun it. */
    touch_table(lobby, place)->protocol = started->has_protocol ? started->protocol : 0;
    tell_begins(lobby, place, out);
    lobby_send_changes(lobby, place, out);
    if (table_of(lobby, place)->abort)
        lobby_send_abort(lobby, place, out);
}

/* The reply repeats the seat of the question; an abort has none, and shows itself by the match's end. */
void lobby_on_house_reply(struct lobby *lobby, const struct event *event, struct outbox *out)
{
    const Arbiter__Engine__HouseReply *reply = BODY(Arbiter__Engine__HouseReply, event);
    uint32_t                           place = lobby_find_match(lobby, event->header.match_id);
    uint32_t                           at = event->header.seat;
    if (place == NOBODY || at >= table_of(lobby, place)->match_seats ||
        !table_of(lobby, place)->seat[at].changing)
        return;
    struct table *table = touch_table(lobby, place);
    table->seat[at].changing = 0;
    if (!reply->has_done || !reply->done)
        return;
    struct table_event *given = lobby_add_event(lobby, place, EVENT(SEAT_GIVEN));
    given->seat = at;
    given->player = table->seat[at].player;
    given->choice = table->seat[at].generation;
    lobby_send_event(lobby, place, given, out);
}

static void end_match(struct lobby *lobby, uint32_t place, const Arbiter__Engine__MatchOver *over,
                      struct outbox *out)
{
    struct table *table = touch_table(lobby, place);
    if (table->stage == STAGE_STARTING)
        tell_begins(lobby, place, out); /* Its answer was lost on the way.                        */
    table->phase = PHASE(OVER);
    table->result = lobby_keep_result(lobby, table, over);
    table->abort = 0;
    for (uint32_t i = 0; i < table->seat_count; i++) {
        uint32_t player = table->seat[i].player;
        lobby_withdraw_promise(lobby, place, i);
        table->seat[i].changing = 0;
        if (player != NOBODY && player_of(lobby, player)->table == place)
            touch_player(lobby, player)->table = NOBODY;
    }
    memset(table->ballot, 0, sizeof table->ballot);
    lobby_clock_begin(lobby, place);
    struct table_event *event = lobby_add_event(lobby, place, EVENT(MATCH_ENDED));
    event->figure = table->result;
    lobby_send_event(lobby, place, event, out);
}

/* Is any person still at this table? A bot alone waits for no rematch. */
static bool is_deserted(const struct lobby *lobby, const struct table *table)
{
    for (uint32_t i = 0; i < MEMBERS_MAX; i++)
        if (table->member[i].player != NOBODY && !player_of(lobby, table->member[i].player)->bot)
            return false;
    return true;
}

/* Heard is said when it is stored; what was stored before is heard again. */
void lobby_on_match_over(struct lobby *lobby, const struct event *event, struct outbox *out)
{
    const Arbiter__Engine__MatchOver *over = BODY(Arbiter__Engine__MatchOver, event);
    uint32_t                          place = lobby_find_match(lobby, event->header.match_id);
    if (place != NOBODY && table_of(lobby, place)->phase == PHASE(PLAYING)) {
        end_match(lobby, place, over, out);
        if (is_deserted(lobby, table_of(lobby, place)))
            lobby_close_table(lobby, place, "Everybody has left.", out);
    }
    struct unwanted *unwanted = find_unwanted(lobby, event->header.match_id);
    if (unwanted != NULL)
        unwanted->tries = 0;
    outbox_answer(out, event, KIND(MATCH_OVER_HEARD), MAKE(out, engine, match_over_heard));
}
