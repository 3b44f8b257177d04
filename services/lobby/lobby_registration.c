/* lobby_registration.c: the game's own conversation at the table, before the match. Pure.
 *
 * Its clients are the table's seats, in order. The lobby registers a player who sits down under
 * their name. Where the table was opened so, players register themselves by Say. When somebody gets
 * up the registration is gone through again with those who stay, because rules know no way back. */
#include <assert.h>
#include <string.h>

#include "contract/lobby_fields.h"
#include "services/lobby/lobby_parts.h"

/* One table's registration, ready to be spoken to. */
struct desk {
    struct lobby              *lobby;
    uint32_t                   place;
    const struct game         *game;
    const struct registration *rules;
    const void                *setup;
    void                      *state;
    struct sink                sink;
};

bool lobby_has_desk(const struct lobby *lobby, const struct table *table)
{
    return game_of(lobby, table)->game->registration != NULL;
}

static uint32_t command_named(const struct game *game, const char *name)
{
    for (uint32_t kind = 1; kind < game->command_kinds; kind++)
        if (text_is(name, text_length(name), game->commands[kind].name))
            return kind;
    return 0;
}

static struct command command_of(uint32_t kind, const char *text)
{
    struct command command = { .kind = kind };
    command.text = (const uint8_t *) text;
    command.text_size = text == NULL ? 0 : (uint32_t) text_length(text);
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command.arg[i] = ABSENT;
    return command;
}

/* False: the set-up, which was good once, is not any more. */
static bool open_up(struct lobby *lobby, uint32_t place, struct desk *desk)
{
    const struct table *table = table_of(lobby, place);
    *desk = (struct desk){ .lobby = lobby,
                           .place = place,
                           .game = game_of(lobby, table)->game,
                           .setup = lobby_setup_of(lobby, place) };
    desk->rules = desk->game->registration;
    if (desk->setup == NULL || desk->rules->state_bytes > lobby->settings.desk_bytes)
        return false;
    desk->state = lobby_touch(lobby, RECORD_DESK, place);
    desk->sink = (struct sink){ .words = lobby->words, .capacity = SINK_WORDS };
    return true;
}

static void go_on(const struct desk *desk)
{
    struct bounds bounds;
    memset(&bounds, 0, sizeof bounds);
    struct lobby *lobby = desk->lobby;
    struct table *table = touch_table(lobby, desk->place);
    desk->game->bounds(desk->setup, table->seat_count, &bounds);
    uint64_t patience =
        bounds.registration_ms == 0 ? lobby->settings.registration_ms : bounds.registration_ms;
    table->patience_ms = bounds.registration_ms == NO_TIME_LIMIT ? NO_WAKE : patience;
    lobby->clocks[desk->place].silent_ms =
        table->patience_ms == NO_WAKE ? NO_WAKE : lobby->now_ms + patience;
}

/* From the beginning, with all who sit there, in order; nobody is told, because nothing is new. */
static void start_over(struct desk *desk)
{
    struct table *table = touch_table(desk->lobby, desk->place);
    struct sink   nowhere = { .words = NULL };
    uint32_t      kind = command_named(desk->game, "register");
    memset(desk->state, 0, desk->lobby->settings.desk_bytes);
    desk->rules->open(desk->setup, desk->state);
    table->desk_size = desk->rules->state_bytes;
    for (uint32_t i = 0; i < table->seat_count; i++) {
        uint32_t player = table->seat[i].player;
        if (player == NOBODY)
            continue;
        struct command command = command_of(kind, player_of(desk->lobby, player)->name);
        desk->rules->apply(desk->setup, desk->state, i, &command, &nowhere);
    }
    go_on(desk);
}

/* The same, and the state is of these rules' layout. */
static bool begin_to_speak(struct lobby *lobby, uint32_t place, struct desk *desk)
{
    if (!open_up(lobby, place, desk))
        return false;
    if (table_of(lobby, place)->desk_size != desk->rules->state_bytes)
        start_over(desk);
    return true;
}

void lobby_desk_open(struct lobby *lobby, uint32_t place)
{
    lobby_desk_rebuild(lobby, place);
}

void lobby_desk_rebuild(struct lobby *lobby, uint32_t place)
{
    struct desk desk;
    if (open_up(lobby, place, &desk))
        start_over(&desk);
}

/* The members who have registered, or the one at this seat. */
static uint32_t listeners(const struct table *table, uint32_t seat, uint32_t speaker)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < table->seat_count; i++) {
        uint32_t member = lobby_member_of(table, table->seat[i].player);
        if (member != NOBODY && (seat == NOBODY || seat == i))
            mask |= 1u << member;
    }
    if (mask == 0 && seat != NOBODY && lobby_member_of(table, speaker) != NOBODY)
        mask = 1u << lobby_member_of(table, speaker);
    return mask;
}

static void tell(struct desk *desk, const word *event, uint32_t speaker, struct outbox *out)
{
    struct lobby       *lobby = desk->lobby;
    const struct table *table = table_of(lobby, desk->place);
    audience            to = event_to(event);
    bool                is_private = (to & 0xf00u) == 0x100u;
    uint8_t             bytes[EVENT_TEXT_MAX];
    size_t              size = plan_encode_kind(game_of(lobby, table)->events, event_kind(event),
                                                event_fields(event), event_length(event), bytes, sizeof bytes);
    uint32_t            mask = listeners(table, is_private ? to & 0xffu : NOBODY, speaker);
    if (size == 0)
        return; /* Longer than anything a registration says.                                      */
    struct table_event *said = lobby_add_event(lobby, desk->place, EVENT(SAID));
    said->to = mask;
    said->choice = is_private;
    said->size = (uint32_t) size;
    memcpy(said->text, bytes, size);
    lobby_send_event(lobby, desk->place, said, out);
}

static void tell_all(struct desk *desk, uint32_t speaker, struct outbox *out)
{
    for (const word *event = sink_first(&desk->sink); event != NULL;
         event = sink_next(&desk->sink, event))
        tell(desk, event, speaker, out);
}

/* Who has registered gets the set-up, as it was written. */
static void tell_setup(struct lobby *lobby, uint32_t place, uint32_t player, struct outbox *out)
{
    const struct lobby_game *game = game_of(lobby, table_of(lobby, place));
    const word               left_out = ABSENT;
    struct table_event      *said = lobby_add_event(lobby, place, EVENT(SAID));
    said->to = 1u << lobby_member_of(table_of(lobby, place), player);
    said->choice = said->with_setup = 1;
    for (uint32_t kind = 1; kind < game->game->event_kinds; kind++)
        if (text_is("config", 6, game->game->events[kind].name))
            said->size = (uint32_t) plan_encode_kind(game->events, kind, &left_out, 1, said->text,
                                                     EVENT_TEXT_MAX);
    lobby_send_event(lobby, place, said, out);
}

static bool refuse_by_rules(struct lobby *lobby, uint32_t place, struct asking *asking,
                            uint32_t reason)
{
    asking->detail = reason;
    asking->game = table_of(lobby, place)->game;
    lobby_refuse(asking, VERDICT(RULES));
    return false;
}

bool lobby_desk_register(struct lobby *lobby, uint32_t place, uint32_t seat, uint32_t player,
                         struct asking *asking, struct outbox *out)
{
    struct desk desk;
    if (!begin_to_speak(lobby, place, &desk))
        return refuse_by_rules(lobby, place, asking, 0);
    uint32_t       kind = command_named(desk.game, "register");
    struct command command = command_of(kind, player_of(lobby, player)->name);
    uint32_t       reason = desk.rules->apply(desk.setup, desk.state, seat, &command, &desk.sink);
    if (reason != 0)
        return refuse_by_rules(lobby, place, asking, reason);
    go_on(&desk);
    tell_all(&desk, player, out);
    tell_setup(lobby, place, player, out);
    return true;
}

/* The rules number seats as they like: whoever registered as clients[i] gets seat i. */
static void order_seats(struct desk *desk)
{
    struct table *table = touch_table(desk->lobby, desk->place);
    uint32_t      clients[SEATS_MAX];
    struct seat   seats[SEATS_MAX];
    uint32_t      count = desk->rules->seats(desk->setup, desk->state, clients);
    memcpy(seats, table->seat, sizeof seats);
    for (uint32_t i = 0; i < count; i++) {
        assert(clients[i] < table->seat_count);
        table->seat[i].player = seats[clients[i]].player;
        table->seat[i].number = seats[clients[i]].number;
    }
}

/* What has become of the registration; true: it is over, one way or the other. */
bool lobby_desk_look(struct lobby *lobby, uint32_t place, struct outbox *out)
{
    struct desk desk;
    if (!begin_to_speak(lobby, place, &desk)) {
        lobby_close_table(lobby, place, "The set-up cannot be read any more.", out);
        return true;
    }
    switch (desk.rules->status(desk.setup, desk.state)) {
    case REGISTRATION_BEGINS:
        order_seats(&desk);
        lobby_begin_match(lobby, place, out);
        return true;
    case REGISTRATION_ABORTED:
        lobby_close_table(lobby, place, "The registration was broken off.", out);
        return true;
    case REGISTRATION_OPEN: break;
    }
    return false;
}

bool lobby_desk_start(struct lobby *lobby, uint32_t place, struct outbox *out)
{
    struct desk desk;
    if (!begin_to_speak(lobby, place, &desk))
        return false;
    struct command command = command_of(command_named(desk.game, "start_game"), NULL);
    if (command.kind == 0 ||
        desk.rules->apply(desk.setup, desk.state, 0, &command, &desk.sink) != 0)
        return false;
    tell_all(&desk, table_of(lobby, place)->seat[0].player, out);
    return lobby_desk_look(lobby, place, out);
}

void lobby_desk_expire(struct lobby *lobby, uint32_t place, struct outbox *out)
{
    struct desk desk;
    if (begin_to_speak(lobby, place, &desk)) {
        desk.rules->expire(desk.setup, desk.state, &desk.sink);
        tell_all(&desk, NOBODY, out);
        go_on(&desk);
    }
    lobby_desk_look(lobby, place, out);
}

static bool is_registered(const struct desk *desk, uint32_t client)
{
    uint32_t clients[SEATS_MAX];
    uint32_t count = desk->rules->seats(desk->setup, desk->state, clients);
    for (uint32_t i = 0; i < count; i++)
        if (clients[i] == client)
            return true;
    return false;
}

/* A gateway is told by which number its player is known from now on. */
static void take_number(struct lobby *lobby, struct asking *asking, uint32_t place, uint32_t seat)
{
    const Arbiter__Lobby__Say *ask = asking->ask->say;
    bool                       is_gateways = asking->event->caller.role == ROLE(GATEWAY);
    const struct numbering     how = { .is_unguessable = ask->has_unguessable && ask->unguessable,
                                       .above = is_gateways && ask->has_above ? ask->above : 0 };
    uint32_t                   number = lobby_number_seat(lobby, place, seat, &how, asking->out);
    if (number == 0 || !is_gateways)
        return;
    asking->answer = FIELD_LOBBY_ANSWER_NUMBER;
    asking->number = number;
}

/* Says the command; who has registered by it sits down. */
static void speak(struct lobby *lobby, struct asking *asking, uint32_t place,
                  const struct command *command)
{
    struct desk         desk;
    const struct table *table = table_of(lobby, place);
    uint32_t            player = asking->player, seat = lobby_seat_of(table, player);
    bool                was_seated = seat != NOBODY;
    if (!was_seated)
        seat = lobby_taken_seats(table);
    if (!begin_to_speak(lobby, place, &desk)) {
        refuse_by_rules(lobby, place, asking, 0);
        return;
    }
    uint32_t reason = desk.rules->apply(desk.setup, desk.state, seat, command, &desk.sink);
    if (reason != 0) {
        refuse_by_rules(lobby, place, asking, reason);
        return;
    }
    go_on(&desk);
    bool has_registered = !was_seated && is_registered(&desk, seat);
    tell_all(&desk, player, asking->out);
    if (has_registered) {
        tell_setup(lobby, place, player, asking->out);
        lobby_sit_down(lobby, place, seat, player, asking->out);
        take_number(lobby, asking, place, seat);
    }
    if (!lobby_desk_look(lobby, place, asking->out) && has_registered)
        lobby_begin_if_full(lobby, place, asking->out);
}

void lobby_on_say(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__Say *ask = asking->ask->say;
    struct command             command;
    uint32_t                   place = lobby_own_table(lobby, asking, ask->has_table, &ask->table);
    if (place == NOBODY)
        return;
    const struct table *table = table_of(lobby, place);
    uint32_t            elsewhere = player_of(lobby, asking->player)->table;
    lobby_setup_of(lobby, place); /* Now, since it is read where the command will be. */
    arena_reset(&lobby->arena[1]);
    if (table->phase != PHASE(OPEN) || !lobby_has_desk(lobby, table))
        lobby_refuse(asking, table->phase == PHASE(OPEN) ? VERDICT(RULES) : VERDICT(BEGUN));
    else if (!ask->has_command ||
             !plan_decode_command(game_of(lobby, table)->commands, ask->command.data,
                                  ask->command.len, &lobby->arena[1], &command))
        lobby_malformed(asking, "This is no command of the game.");
    else if (elsewhere != NOBODY && elsewhere != place)
        lobby_refuse(asking, VERDICT(SEATED_ELSEWHERE));
    else if (lobby_seat_of(table, asking->player) == NOBODY &&
             lobby_taken_seats(table) == table->seat_count)
        lobby_refuse(asking, VERDICT(TABLE_FULL));
    else if (lobby_seat_of(table, asking->player) == NOBODY && !lobby_has_number(lobby, table))
        lobby_refuse(asking, VERDICT(LOBBY_FULL));
    else
        speak(lobby, asking, place, &command);
}

/* The commands that were said here and belong to the match; 0: none. */
size_t lobby_desk_opening(struct lobby *lobby, uint32_t place, struct outbox *out,
                          Arbiter__Engine__Opening ***opening)
{
    struct desk              desk;
    struct command           command;
    uint32_t                 clients[SEATS_MAX], client, size = 0;
    const struct lobby_game *game = game_of(lobby, table_of(lobby, place));
    if (game->game->registration == NULL || game->game->registration->opening == NULL ||
        !begin_to_speak(lobby, place, &desk))
        return 0;
    uint32_t seats = desk.rules->seats(desk.setup, desk.state, clients);
    while (desk.rules->opening(desk.setup, desk.state, size, &client, &command))
        size++;
    *opening = outbox_take(out, size * sizeof **opening);
    for (uint32_t i = 0; i < size; i++) {
        desk.rules->opening(desk.setup, desk.state, i, &client, &command);
        Arbiter__Engine__Opening *to = MAKE(out, engine, opening);
        size_t                    room = command.text_size + 128;
        uint8_t                  *bytes = outbox_take(out, room);
        size_t written = plan_encode_command(game->commands, &command, bytes, room);
        SET_BYTES(to, command, bytes, written);
        for (uint32_t seat = 0; seat < seats; seat++)
            if (clients[seat] == client)
                SET(to, seat, seat);
        (*opening)[i] = to;
    }
    return size;
}

/* NULL: the game does not ask for more than a name. */
static bool open_persons(struct lobby *lobby, uint32_t place, struct desk *desk)
{
    const struct lobby_game *game = game_of(lobby, table_of(lobby, place));
    return game->game->registration != NULL && game->game->registration->person != NULL &&
           begin_to_speak(lobby, place, desk);
}

static char *person_at(const struct desk *desk, uint32_t client, struct outbox *out)
{
    uint32_t       size = 0;
    const uint8_t *text = NULL;
    if (!desk->rules->person(desk->setup, desk->state, client, &text, &size))
        return NULL;
    char *person = outbox_take(out, (size_t) size + 1);
    memcpy(person, text, size);
    return person;
}

char *lobby_desk_person(struct lobby *lobby, uint32_t place, uint32_t seat, struct outbox *out)
{
    struct desk desk;
    uint32_t    clients[SEATS_MAX];
    if (!open_persons(lobby, place, &desk) ||
        seat >= desk.rules->seats(desk.setup, desk.state, clients))
        return NULL;
    return person_at(&desk, clients[seat], out);
}

char *lobby_desk_said(struct lobby *lobby, uint32_t place, uint32_t client, struct outbox *out)
{
    struct desk desk;
    return open_persons(lobby, place, &desk) ? person_at(&desk, client, out) : NULL;
}
