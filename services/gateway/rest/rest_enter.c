/* rest_enter.c: from NewPlayer to a place at a table. Pure.
 *
 * Players are paired in the order in which they came, so one registers at a time. Three things are
 * needed. The first is a player of the lobby's: a new one, or one that nobody uses any more. The
 * second is a table: one whose only guest waits, or a new one. The third is the game's own
 * Register. */
#include <assert.h>
#include <string.h>

#include "contract/lobby.pb-c.h"
#include "services/gateway/rest/rest_parts.h"
#include "services/gateway/rest/rest_rows.h"

/* Nobody waits for an id because the house is slow to begin a match. */
#define ANSWER_MS 2000u
/* A client that closed its side may only have said all it had to say. One without an answer so long
 * after it has gone. */
#define MUTE_MS 1000u
/* Nobody is forgotten sooner after the game, even if the place is wanted. */
#define KNOWN_MS_LEAST 60000u

static uint32_t nobody(const struct rest *rest)
{
    return rest->settings.players_max;
}

/* Whether the game has been over for so long that somebody else may have the place. */
static bool may_go(const struct rest_turn *turn, const struct rest_player *player)
{
    uint64_t known_ms = turn->rest->settings.retention_ms;
    return player->state == REST_OVER && !player->wants_out && player->ask == 0 &&
           player->command == 0 && player->until_ms + KNOWN_MS_LEAST < turn->now_ms + known_ms;
}

/* When all places are taken, the player whose game has been over longest makes room. Otherwise a
 * client that registers and goes, again and again, could shut the door for as long as ids are
 * known. */
static struct rest_player *free_place(const struct rest_turn *turn)
{
    struct rest        *rest = turn->rest;
    struct rest_player *oldest = NULL;
    for (uint32_t i = 0; i < rest->settings.players_max; i++) {
        struct rest_player *player = &rest->players[i];
        if (player->state == REST_FREE)
            return player;
        if (may_go(turn, player) && (oldest == NULL || player->until_ms < oldest->until_ms))
            oldest = player;
    }
    if (oldest != NULL)
        rest_free(turn, oldest);
    return oldest;
}

/* All but the memory that belongs to the place for good. */
static void clear(struct rest_player *player)
{
    char    *half = player->half, *sent = player->sent;
    uint8_t *field = player->field;
    memset(player, 0, sizeof *player);
    player->half = half;
    player->sent = sent;
    player->field = field;
}

void rest_changed(const struct rest_turn *turn, struct rest_player *player)
{
    if (player->state == REST_OVER && player->id == 0)
        return; /* This player has no id. */
    player->is_kept = player->is_changed = turn->rest->has_changes = true;
}

void rest_free(const struct rest_turn *turn, struct rest_player *player)
{
    struct rest *rest = turn->rest;
    rest_rows_drop(rest, player, turn->out);
    if (player->is_named && rest->spare_count < rest->settings.players_max)
        memcpy(rest->spares[rest->spare_count++], player->player, CLIENT_ID_SIZE);
    clear(player);
}

void rest_enter(const struct rest_turn *turn, uint64_t route, const Arbiter__Gateway__RestAsk *ask)
{
    struct rest *rest = turn->rest;
    size_t       size = ask->person == NULL ? 0 : text_length(ask->person);
    if (ask->malformed || size == 0 || size > REST_PERSON_MAX) {
        rest_answer_stranger(turn, route, ask, false);
        return;
    }
    bool                is_too_many = rest_is_too_many(rest, ask);
    struct rest_player *player = is_too_many ? NULL : free_place(turn);
    if (player == NULL) {
        outbox_full(turn->out, is_too_many ? BOUND_PLAYERS_OF_ONE : BOUND_PLAYERS);
        rest_answer_stranger(turn, route, ask, true);
        return;
    }
    clear(player);
    player->state = REST_QUEUED;
    player->order = rest->orders++;
    rest_is_from(player, ask);
    player->is_impl = ask->has_impl && ask->impl;
    player->route = route;
    memcpy(player->person, ask->person, size);
    player->person_size = (uint32_t) size;
    rest_enter_next(turn);
}

static struct rest_player *first_in_queue(struct rest *rest)
{
    struct rest_player *first = NULL;
    for (uint32_t i = 0; i < rest->settings.players_max; i++) {
        struct rest_player *player = &rest->players[i];
        if (player->state == REST_QUEUED && (first == NULL || player->order < first->order))
            first = player;
    }
    return first;
}

static void ask_lobby(const struct rest_turn *turn, struct rest_player *player, uint8_t *bytes,
                      size_t size)
{
    size = rest_ask_from(bytes, size, player, turn->rest->client);
    player->ask = client_core_ask(turn->rest->client, bytes, size, turn->now_ms, turn->out);
    player->retry_ms = turn->now_ms + 100; /* No room for it: later. */
}

static void sit_down(const struct rest_turn *turn, struct rest_player *player)
{
    struct rest                *rest = turn->rest;
    const struct rest_settings *settings = &rest->settings;
    size_t                      size = REST_ASK_MAX + text_length(settings->setup);
    uint8_t                    *bytes = outbox_take(turn->out, size);
    player->state = REST_SITTING;
    player->is_second = rest->has_open;
    if (rest->has_open)
        ask_lobby(turn, player, bytes,
                  rest_ask_join(bytes, player->player, rest->open, rest->code));
    else
        ask_lobby(turn, player, bytes, rest_ask_create(bytes, player->player, settings));
}

static void get_a_name(const struct rest_turn *turn, struct rest_player *player)
{
    struct rest *rest = turn->rest;
    uint8_t      bytes[REST_ASK_MAX];
    if (rest->spare_count > 0) {
        memcpy(player->player, rest->spares[--rest->spare_count], CLIENT_ID_SIZE);
        player->is_named = player->is_spare = true;
        sit_down(turn, player);
        return;
    }
    player->state = REST_NAMING;
    player->is_spare = false;
    memcpy(player->player, turn->entropy, CLIENT_ID_SIZE);
    ask_lobby(turn, player, bytes, rest_ask_bind(bytes, player->player));
}

static void say_register(const struct rest_turn *turn, struct rest_player *player)
{
    uint8_t command[REST_PERSON_MAX + 16], bytes[REST_ASK_MAX + sizeof command];
    size_t  size = rest_command_register(command, player);
    player->state = REST_ENTERING;
    ask_lobby(turn, player, bytes, rest_ask_register(bytes, turn->rest, player, command, size));
}

/* Asks what the player's state needs, and asks again if there was no room for it. */
static void go_on(const struct rest_turn *turn, struct rest_player *player)
{
    switch (player->state) {
    case REST_QUEUED:
    case REST_NAMING: get_a_name(turn, player); break;
    case REST_SITTING: sit_down(turn, player); break;
    case REST_ENTERING: say_register(turn, player); break;
    default: break;
    }
}

/* Finds an earlier player for a program that registers again. Its match began, but the process
 * ended before it could tell the program its id. */
static bool claim(const struct rest_turn *turn, struct rest_player *newcomer)
{
    for (uint32_t i = 0; i < turn->rest->settings.players_max; i++) {
        struct rest_player *player = &turn->rest->players[i];
        if (!player->is_back || player->was_told || player->state < REST_ENTERED ||
            player->id == 0 || player->person_size != newcomer->person_size ||
            memcmp(player->person, newcomer->person, player->person_size) != 0)
            continue;
        player->is_impl = newcomer->is_impl;
        player->route = newcomer->route;
        rest_answer_id(turn, player);
        rest_free(turn, newcomer);
        return true;
    }
    return false;
}

void rest_enter_next(const struct rest_turn *turn)
{
    struct rest        *rest = turn->rest;
    struct rest_player *player;
    if (rest->registering != nobody(rest)) {
        player = &rest->players[rest->registering];
        if (player->ask == 0 && turn->now_ms >= player->retry_ms)
            go_on(turn, player);
        return;
    }
    player = first_in_queue(rest);
    if (player == NULL || rest->rejoining > 0)
        return;
    if (claim(turn, player))
        return;
    rest->registering = (uint32_t) (player - rest->players);
    go_on(turn, player);
}

/* The program never heard its id, so the player goes. `is_at_table`: the player must leave the
 * table. */
static void forget(const struct rest_turn *turn, struct rest_player *player, bool is_at_table)
{
    player->state = REST_OVER;
    player->route = 0;
    rest_rows_drop(turn->rest, player, turn->out);
    player->id = 0;
    player->wants_out = is_at_table;
    player->until_ms = turn->now_ms;
}

static void answer_without_id(const struct rest_turn *turn, const struct rest_player *player,
                              bool is_busy)
{
    const Arbiter__Gateway__RestAsk ask = { .has_impl = true, .impl = player->is_impl };
    if (player->route != 0)
        rest_answer_stranger(turn, player->route, &ask, is_busy);
}

/* Nobody is to be paired with somebody who has gone. */
static void withdraw(const struct rest_turn *turn, struct rest_player *player, bool is_at_table)
{
    answer_without_id(turn, player, true);
    if (is_at_table)
        forget(turn, player, true);
    else
        rest_free(turn, player);
}

/* Whether the program left before it was told its id. It has hung up, or was mute so long that it
 * counts as gone. */
static bool has_left(const struct rest_turn *turn, const struct rest_player *player)
{
    return player->gone_ms != 0 &&
           (player->route == 0 || turn->now_ms >= player->gone_ms + MUTE_MS);
}

/* A player in the queue is nobody yet and goes at once. During registration, what is under way
 * comes to its end first. */
void rest_leave(const struct rest_turn *turn, struct rest_player *player, bool is_half)
{
    if (!is_half)
        player->route = 0;
    if (player->gone_ms == 0)
        player->gone_ms = turn->now_ms;
    rest_leave_queue(turn, player);
}

void rest_leave_queue(const struct rest_turn *turn, struct rest_player *player)
{
    if (player->state == REST_QUEUED && has_left(turn, player))
        withdraw(turn, player, false);
}

/* The program had gone before it was told its id. If another player is about to sit down at the
 * table, this one stays, and the clock decides. */
void rest_unheard(const struct rest_turn *turn, struct rest_player *player)
{
    player->told = 0;
    if (!rest_is_alone(turn, player))
        return;
    turn->rest->has_open = false;
    forget(turn, player, true);
    rest_pump(turn, player);
}

static void wait_for_another(const struct rest_turn *turn, struct rest_player *player)
{
    turn->rest->has_open = !player->has_match;
    memcpy(turn->rest->open, player->table, CLIENT_ID_SIZE);
    player->alone_ms = player->heard_ms = turn->now_ms;
}

/* Until a player has an id, the row stands under another key. */
static void take_id(const struct rest_turn *turn, struct rest_player *player, int32_t id)
{
    if (player->id == 0)
        rest_rows_drop(turn->rest, player, turn->out);
    player->id = id;
    rest_changed(turn, player);
}

/* The opponent has no game without this player, so the clock decides. */
static void is_in(const struct rest_turn *turn, struct rest_player *player, int32_t id)
{
    struct rest *rest = turn->rest;
    player->state = REST_ENTERED;
    take_id(turn, player, id);
    if (player->is_second) { /* Answered once the match asks for the half: both clocks start. */
        rest->has_open = false;
        rest->games++;
        player->retry_ms = turn->now_ms + ANSWER_MS;
        return;
    }
    if (has_left(turn, player)) {
        withdraw(turn, player, true);
        return;
    }
    wait_for_another(turn, player);
    rest_answer_id(turn, player);
}

/* The operator is told why the lobby refuses somebody something. */
static void say_why(const struct rest_turn *turn, const char *what,
                    const struct client_event *event)
{
    struct rest_news news = { 0 };
    struct text      line;
    if (event->kind == CLIENT_ANSWER)
        rest_read_answer(event->bytes, event->size, &news);
    text_clear(&line);
    text_put(&line, what);
    if (news.sentence != NULL)
        text_put_bytes(&line, news.sentence, news.sentence_size);
    else if (news.is_done)
        text_put(&line, "the lobby gives no numbers; is it of an older build?");
    else
        text_put(&line, "the lobby refuses to hear");
    outbox_say(turn->out, SAY_WARNING, &line);
}

static void turn_away(const struct rest_turn *turn, struct rest_player *player,
                      const struct client_event *event)
{
    say_why(turn, "a player of 2017 was turned away: ", event);
    bool is_refused = player->state == REST_ENTERING; /* By the rules: the name or number. */
    answer_without_id(turn, player, !is_refused);
    forget(turn, player, is_refused);
}

static void take_table(struct rest *rest, struct rest_player *player, const struct rest_news *news)
{
    memcpy(player->table, news->table, CLIENT_ID_SIZE);
    if (rest->has_open)
        return;
    memset(rest->code, 0, sizeof rest->code); /* It is a new one, and others get in by this. */
    if (news->code_size < sizeof rest->code && news->code_size > 0)
        memcpy(rest->code, news->code, news->code_size);
}

/* Whether the table at which somebody waited is none any more that another one may join. */
static bool is_table_gone(uint32_t verdict)
{
    switch (verdict) {
    case ARBITER__LOBBY__VERDICT__VERDICT_NO_SUCH_TABLE:
    case ARBITER__LOBBY__VERDICT__VERDICT_WRONG_CODE:
    case ARBITER__LOBBY__VERDICT__VERDICT_TABLE_FULL:
    case ARBITER__LOBBY__VERDICT__VERDICT_BEGUN: return true;
    default: return false;
    }
}

/* Whether it clings to a name that somebody had before; under another name the player is
 * welcome. */
static bool is_name_spoilt(const struct rest_player *player, uint32_t verdict)
{
    return player->is_spare && (verdict == ARBITER__LOBBY__VERDICT__VERDICT_NO_NAME ||
                                verdict == ARBITER__LOBBY__VERDICT__VERDICT_SEATED_ELSEWHERE ||
                                verdict == ARBITER__LOBBY__VERDICT__VERDICT_BANNED);
}

/* A player who waits at the open table goes on waiting there, unless the table itself cannot be
 * had. To forget the table would leave that player alone, and put the next one at another table. */
static void after_refusal(const struct rest_turn *turn, struct rest_player *player,
                          const struct client_event *event)
{
    struct rest     *rest = turn->rest;
    struct rest_news news;
    rest_read_answer(event->bytes, event->size, &news);
    if (rest->has_open && is_table_gone(news.verdict)) {
        rest->has_open = false;
        sit_down(turn, player);
    } else if (is_name_spoilt(player, news.verdict)) {
        say_why(turn, "a name of the 2017 door is given up: ", event);
        player->is_named = false;
        get_a_name(turn, player);
    } else {
        turn_away(turn, player, event);
    }
}

static void after_table(const struct rest_turn *turn, struct rest_player *player, bool is_done,
                        const struct client_event *event)
{
    struct rest_news news = { 0 };
    if (is_done)
        rest_read_answer(event->bytes, event->size, &news);
    if (news.table != NULL)
        take_table(turn->rest, player, &news);
    if (news.table != NULL && has_left(turn, player)) {
        withdraw(turn, player, true);
    } else if (news.table != NULL) {
        rest_changed(turn, player);
        say_register(turn, player);
    } else if (!is_done && event->kind == CLIENT_ANSWER) {
        after_refusal(turn, player, event);
    } else if (turn->rest->has_open && !is_done) {
        /* It is unknown whether the player sits there. If so, the lobby will show the table. */
        player->retry_ms = turn->now_ms + 100;
    } else {
        turn_away(turn, player, event);
    }
}

/* The player's new id; 0: none. */
static int32_t number_in(const struct client_event *event)
{
    struct rest_news news;
    rest_read_answer(event->bytes, event->size, &news);
    return news.number;
}

void rest_entered(const struct rest_turn *turn, struct rest_player *player, bool is_done,
                  const struct client_event *event)
{
    struct rest *rest = turn->rest;
    if (player->state == REST_NAMING && is_done) {
        player->is_named = true;
        if (!has_left(turn, player)) {
            sit_down(turn, player);
            return;
        }
        withdraw(turn, player, false);
    } else if (player->state == REST_SITTING) {
        after_table(turn, player, is_done, event);
        if (player->state != REST_OVER)
            return;
    } else if (player->state == REST_ENTERING && is_done && number_in(event) != 0) {
        is_in(turn, player, number_in(event));
    } else {
        turn_away(turn, player, event);
    }
    rest->registering = nobody(rest);
    rest_enter_next(turn);
    rest_pump(turn, player);
}

/* Who is at the table already is there once more, and hears what is said at it. */
void rest_rejoin(const struct rest_turn *turn, struct rest_player *player)
{
    uint8_t *bytes = outbox_take(turn->out, REST_ASK_MAX);
    player->said = REST_REJOIN;
    ask_lobby(turn, player, bytes, rest_ask_join(bytes, player->player, player->table, ""));
}

void rest_rejoined(const struct rest_turn *turn, struct rest_player *player,
                   const struct client_event *event)
{
    struct rest           *rest = turn->rest;
    struct rest_news       news = { 0 };
    struct rest_table_news now = { 0 };
    if (event->kind == CLIENT_ANSWER)
        rest_read_answer(event->bytes, event->size, &news);
    if (event->kind != CLIENT_ANSWER) { /* Nobody knows what became of the question. */
        player->retry_ms = turn->now_ms + 100;
        return;
    }
    player->must_rejoin = false;
    rest->rejoining--;
    if (news.is_done && news.table != NULL)
        rest_read_table_now(news.table_bytes, news.table_size, player->player, &now);
    if (player->id == 0 && now.number != 0)
        take_id(turn, player, now.number);
    if (now.kind == REST_TABLE_BEGINS && player->id != 0) {
        rest_begins(turn, player, &now);
    } else if (!player->was_told) { /* Nobody uses this player, and nobody was paired with it. */
        rest_rows_drop(rest, player, turn->out);
        player->id = 0;
        player->has_match = false;
        player->state = REST_OVER;
        player->wants_out = true;
        player->until_ms = turn->now_ms;
    } else if (now.is_seated) {
        rest->has_open = false;
        take_table(rest, player, &news);
        wait_for_another(turn, player);
    } else { /* Nobody came in time, and the table is no more. */
        player->has_ended = true;
    }
    rest_pump(turn, player);
}
