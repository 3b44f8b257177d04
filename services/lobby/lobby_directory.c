/* lobby_directory.c: who is there, who is let in, and our connections to engines and watchdogs. Pure.
 *
 * Nothing of this is stored: services say hello each second. The directory is published, and
 * connections are opened and closed, when a batch is settled, so that what it shows is committed. */
#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "services/lobby/lobby_parts.h"

#define DOORS 6

static bool is_door(uint32_t kind)
{
    return kind > 0 && kind < DOORS;
}

#define GREET_AGAIN_MS 5000u

/* What a hello says of the service, judged; false: it is none that could be listed. */
static bool read_service(const Arbiter__Directory__Hello *hello, const struct event *event,
                         struct service *service)
{
    const Arbiter__Directory__Service *from = hello->service;
    memset(service, 0, sizeof *service);
    if (from->name == NULL || !text_copy(service->name, sizeof service->name, from->name) ||
        from->n_doors > DOORS ||
        !text_copy(service->software, sizeof service->software, from->software))
        return false;
    service->used = true;
    service->role = event->caller.role;
    service->load = from->has_load && from->load <= 100 ? from->load : 0;
    service->draining = from->has_draining && from->draining;
    service->started_ms = from->has_started_ms ? from->started_ms : 0;
    memcpy(service->key, event->caller.key, CALLER_KEY_SIZE);
    for (size_t i = 0; i < from->n_doors; i++)
        if (!from->doors[i]->has_kind || !is_door((uint32_t) from->doors[i]->kind) ||
            !text_copy(service->door[from->doors[i]->kind], LOBBY_ADDRESS_MAX,
                       from->doors[i]->address) ||
            !text_copy(service->outside[from->doors[i]->kind], LOBBY_ADDRESS_MAX,
                       from->doors[i]->outside))
            return false;
    for (size_t i = 0; i < from->n_slots; i++) {
        const Arbiter__Directory__Slots *run = from->slots[i];
        if (!run->has_first || !run->has_last || !run->has_epoch || run->last >= SLOTS)
            return false;
        for (uint32_t slot = run->first; slot <= run->last; slot++)
            service->epoch[slot] = run->epoch;
    }
    return true;
}

/* Its place, or one for it; NOBODY: there is none. A name belongs to one key: its process started
 * anew takes it over, and another key gets it only when the first is gone. */
static uint32_t place_of(const struct lobby *lobby, const struct service *found)
{
    uint32_t free_place = NOBODY;
    for (uint32_t i = 0; i < lobby->settings.services_max; i++) {
        const struct service *service = &lobby->services[i];
        if (service->used && service->role == found->role &&
            text_is(service->name, text_length(service->name), found->name))
            return memcmp(service->key, found->key, CALLER_KEY_SIZE) == 0 ? i : NOBODY;
        if (!service->used && !service->connected && free_place == NOBODY)
            free_place = i;
    }
    return free_place;
}

static bool is_directory_full(const struct lobby *lobby)
{
    for (uint32_t i = 0; i < lobby->settings.services_max; i++)
        if (!lobby->services[i].used && !lobby->services[i].connected)
            return false;
    return true;
}

static bool is_same(const struct service *one, const struct service *other)
{
    return one->used && one->started_ms == other->started_ms && one->draining == other->draining &&
           memcmp(one->door, other->door, sizeof one->door) == 0 &&
           memcmp(one->outside, other->outside, sizeof one->outside) == 0 &&
           memcmp(one->epoch, other->epoch, sizeof one->epoch) == 0 &&
           memcmp(one->software, other->software, sizeof one->software) == 0;
}

/* False: it cannot be listed, and was told so. */
static bool take_service(struct lobby *lobby, const Arbiter__Directory__Hello *hello,
                         const struct event *event, struct outbox *out)
{
    struct service found;
    if (!read_service(hello, event, &found)) {
        outbox_refuse(out, event, REFUSAL(MALFORMED),
                      "This service cannot be listed: its name, "
                      "doors or slots are not what they may be.");
        return false;
    }
    uint32_t place = place_of(lobby, &found);
    if (place == NOBODY) {
        outbox_refuse(out, event, REFUSAL(FULL),
                      "Another service has this name, or the directory is full.");
        if (is_directory_full(lobby))
            outbox_full(out, BOUND_SERVICES);
        return false;
    }
    struct service *service = &lobby->services[place];
    if (!is_same(service, &found))
        lobby->is_news = true;
    if (found.role == ROLE(BOT) && (!service->used || service->started_ms != found.started_ms))
        lobby_bots_begin_anew(lobby, found.key, out);
    found.connected = service->connected;
    found.welcome = service->welcome && service->started_ms == found.started_ms;
    found.greeted_ms = found.welcome ? service->greeted_ms : 0;
    memcpy(found.connected_to, service->connected_to, sizeof found.connected_to);
    memcpy(found.connected_key, service->connected_key, sizeof found.connected_key);
    found.hello_ms = lobby->now_ms;
    found.route = event->caller.route;
    found.protocol = hello->protocol;
    *service = found;
    return true;
}

void lobby_directory_forget_silent(struct lobby *lobby)
{
    for (uint32_t i = 0; i < lobby->settings.services_max; i++) {
        struct service *service = &lobby->services[i];
        if (service->used &&
            lobby->now_ms - service->hello_ms >= lobby->settings.service_silent_ms) {
            service->used = false;
            lobby->is_news = true;
        }
    }
}

uint32_t lobby_engine_of(const struct lobby *lobby, uint8_t slot)
{
    uint32_t found = NOBODY;
    uint64_t epoch = 0;
    for (uint32_t i = 0; i < lobby->settings.services_max; i++) {
        const struct service *service = &lobby->services[i];
        if (service->used && service->connected && service->role == ROLE(ENGINE) &&
            service->epoch[slot] > epoch) {
            epoch = service->epoch[slot];
            found = i;
        }
    }
    return found;
}

static void put_door(Arbiter__Directory__Service *to, int kind, const char *address,
                     const char *outside, struct outbox *out)
{
    if (address[0] == '\0')
        return;
    Arbiter__Directory__Door *door = MAKE(out, directory, door);
    SET(door, kind, (Arbiter__Directory__Door__Kind) kind);
    door->address = lobby_string_in(out, address);
    if (outside[0] != '\0')
        door->outside = lobby_string_in(out, outside);
    to->doors[to->n_doors++] = door;
}

static void put_slots(Arbiter__Directory__Service *to, const uint64_t *epoch, struct outbox *out)
{
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        bool goes_on = slot > 0 && epoch[slot] == epoch[slot - 1];
        if (epoch[slot] != 0 && !goes_on) {
            to->slots[to->n_slots] = MAKE(out, directory, slots);
            SET(to->slots[to->n_slots], first, slot);
            SET(to->slots[to->n_slots], epoch, epoch[slot]);
            to->n_slots++;
        }
        if (epoch[slot] != 0)
            SET(to->slots[to->n_slots - 1], last, slot);
    }
}

static uint32_t runs(const uint64_t *epoch)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        count += epoch[slot] != 0 && (slot == 0 || epoch[slot] != epoch[slot - 1]);
    return count;
}

/* By the operator, who wants its slots at others'. */
static bool is_drained(const struct lobby *lobby, const struct service *service)
{
    uint32_t key = lobby_find_key(lobby, service->key);
    return key != NOBODY && service->started_ms != 0 &&
           key_of(lobby, key)->drained_ms == service->started_ms;
}

static Arbiter__Directory__Service *service_message(const struct lobby   *lobby,
                                                    const struct service *service,
                                                    struct outbox        *out)
{
    Arbiter__Directory__Service *to = MAKE(out, directory, service);
    SET(to, role, (Arbiter__Directory__Role) service->role);
    to->name = lobby_string_in(out, service->name);
    to->software = lobby_string_in(out, service->software);
    SET_BYTES(to, key, outbox_copy(out, service->key, CALLER_KEY_SIZE), CALLER_KEY_SIZE);
    SET(to, load, service->load);
    SET(to, draining, service->draining || is_drained(lobby, service));
    SET(to, started_ms, service->started_ms);
    to->doors = outbox_take(out, DOORS * sizeof to->doors[0]);
    for (int kind = 1; kind < DOORS; kind++)
        put_door(to, kind, service->door[kind], service->outside[kind], out);
    to->slots = outbox_take(out, runs(service->epoch) * sizeof to->slots[0]);
    put_slots(to, service->epoch, out);
    return to;
}

/* The lobby stands in its own directory, as everybody else. */
static Arbiter__Directory__Service *own_message(const struct lobby *lobby, struct outbox *out)
{
    const struct lobby_settings *settings = &lobby->settings;
    Arbiter__Directory__Service *to = MAKE(out, directory, service);
    SET(to, role, ROLE(LOBBY));
    SET(to, started_ms, lobby->started_ms);
    to->name = lobby_string_in(out, settings->name);
    to->software = lobby_string_in(out, settings->software);
    SET_BYTES(to, key, outbox_copy(out, settings->key, CALLER_KEY_SIZE), CALLER_KEY_SIZE);
    to->doors = outbox_take(out, DOORS * sizeof to->doors[0]);
    put_door(to, DOOR_REQUESTS, settings->requests_address, settings->requests_outside, out);
    put_door(to, DOOR_STREAM, settings->stream_address, settings->stream_outside, out);
    return to;
}

static void put_services(const struct lobby *lobby, Arbiter__Directory__Directory *to,
                         struct outbox *out)
{
    uint32_t max = lobby->settings.services_max;
    to->services = outbox_take(out, (max + 1) * sizeof to->services[0]);
    to->services[to->n_services++] = own_message(lobby, out);
    for (uint32_t i = 0; i < max; i++)
        if (lobby->services[i].used)
            to->services[to->n_services++] = service_message(lobby, &lobby->services[i], out);
}

static void put_games(const struct lobby *lobby, Arbiter__Directory__Directory *to,
                      struct outbox *out)
{
    to->games = outbox_take(out, lobby->settings.game_count * sizeof to->games[0]);
    for (uint32_t i = 0; i < lobby->settings.game_count; i++) {
        const struct lobby_game       *game = &lobby->settings.games[i];
        Arbiter__Directory__GameFacts *facts = MAKE(out, directory, game_facts);
        facts->name = lobby_string_in(out, game->game->name);
        facts->title = lobby_string_in(out, game->game->title);
        SET(facts, rules_version, game->game->version);
        SET(facts, seats_min, game->game->seats_min);
        SET(facts, seats_max, game->game->seats_max);
        facts->setups = outbox_take(out, game->setup_count * sizeof facts->setups[0]);
        for (uint32_t k = 0; k < game->setup_count; k++) {
            Arbiter__Directory__SetupFacts *setup = MAKE(out, directory, setup_facts);
            setup->name = lobby_string_in(out, game->setups[k].name);
            setup->title = lobby_string_in(out, game->setups[k].title);
            facts->setups[facts->n_setups++] = setup;
        }
        to->games[to->n_games++] = facts;
    }
}

static void put_bytes(ProtobufCBinaryData *to, const uint8_t *bytes, size_t size,
                      struct outbox *out)
{
    *to = (ProtobufCBinaryData){ .len = size, .data = outbox_copy(out, bytes, size) };
}

/* A ban of a player also bans the key. For a gateway's player it bans the id, since the key is the
 * gateway's. */
static void put_bans(const struct lobby *lobby, Arbiter__Directory__Directory *to,
                     struct outbox *out)
{
    uint32_t max = lobby->settings.bans_max;
    to->bans = outbox_take(out, max * sizeof to->bans[0]);
    to->banned_players = outbox_take(out, max * sizeof to->banned_players[0]);
    for (uint32_t i = 0; i < lobby->settings.players_max; i++) {
        const struct player *player = player_of(lobby, i);
        if (!player->used || !player->banned || to->n_bans + to->n_banned_players == max)
            continue;
        if (player->guest)
            put_bytes(&to->banned_players[to->n_banned_players++], player->id, ID_SIZE, out);
        else if (player->key != NOBODY)
            put_bytes(&to->bans[to->n_bans++], key_of(lobby, player->key)->key, CALLER_KEY_SIZE,
                      out);
    }
}

static bool is_banned(const struct lobby *lobby, const struct key *key)
{
    return key->player != NOBODY && player_of(lobby, key->player)->banned;
}

static void put_admissions(const struct lobby *lobby, Arbiter__Directory__Directory *to,
                           struct outbox *out)
{
    uint32_t max = lobby->settings.keys_max;
    to->admissions = outbox_take(out, max * sizeof to->admissions[0]);
    for (uint32_t i = 0; i < max; i++) {
        const struct key *key = key_of(lobby, i);
        if (!key->used || !key->admitted || is_banned(lobby, key))
            continue;
        Arbiter__Directory__Admission *admission = MAKE(out, directory, admission);
        put_bytes(&admission->key, key->key, CALLER_KEY_SIZE, out);
        admission->has_key = true;
        SET(admission, role, (Arbiter__Directory__Role) key->role);
        to->admissions[to->n_admissions++] = admission;
    }
}

static Arbiter__Directory__Directory *directory_message(const struct lobby *lobby,
                                                        struct outbox      *out)
{
    Arbiter__Directory__Directory *to = MAKE(out, directory, directory);
    SET(to, number, lobby->directory);
    put_services(lobby, to, out);
    put_games(lobby, to, out);
    put_bans(lobby, to, out);
    to->has_ticket_key = true;
    put_bytes(&to->ticket_key, lobby->settings.ticket_key, 32, out);
    return to;
}

/* The same with admissions: for services, and for our own door. */
static Arbiter__Directory__Directory *with_admissions(const struct lobby                  *lobby,
                                                      const Arbiter__Directory__Directory *open,
                                                      struct outbox                       *out)
{
    Arbiter__Directory__Directory *to =
        (Arbiter__Directory__Directory *) (void *) outbox_copy(out, open, sizeof *open);
    put_admissions(lobby, to, out);
    return to;
}

static bool is_service(uint32_t role)
{
    return role != ROLE(CLIENT) && role != ROLE(CONSOLE);
}

/* To all by the stream; to services where they said hello, with admissions. */
static void publish(struct lobby *lobby, struct outbox *out)
{
    bool has_changed = lobby->is_news;
    if (has_changed)
        lobby->directory++;
    lobby->is_news = false;
    lobby->published_ms = lobby->now_ms;
    Arbiter__Directory__Directory *open = directory_message(lobby, out);
    Arbiter__Directory__Directory *whole = with_admissions(lobby, open, out);
    struct header                  header;
    header_init(&header, KIND(DIRECTORY), NULL);
    header.number = lobby->directory;
    if (has_changed)
        outbox_admit(out, whole);
    outbox_publish(out, &header, open);
    for (uint32_t i = 0; i < lobby->settings.services_max; i++) {
        uint32_t key =
            lobby->services[i].used ? lobby_find_key(lobby, lobby->services[i].key) : NOBODY;
        if (key != NOBODY && lobby->routes[key].is_known && key_of(lobby, key)->admitted)
            outbox_send(out, lobby->routes[key].door, lobby->routes[key].route, &header, whole);
    }
}

static bool must_connect(const struct service *service)
{
    return service->used && (service->role == ROLE(ENGINE) || service->role == ROLE(WATCHDOG)) &&
           service->door[DOOR_REQUESTS][0] != '\0';
}

static void connect_and_disconnect(struct lobby *lobby, struct outbox *out)
{
    for (uint32_t i = 0; i < lobby->settings.services_max; i++) {
        struct service *service = &lobby->services[i];
        bool            is_right = memcmp(service->connected_to, service->door[DOOR_REQUESTS],
                                          sizeof service->connected_to) == 0 &&
                        memcmp(service->connected_key, service->key, CALLER_KEY_SIZE) == 0;
        if (service->connected && (!must_connect(service) || !is_right)) {
            outbox_disconnect(out, i);
            service->connected = service->welcome = false;
        }
        if (!must_connect(service) || service->connected)
            continue;
        outbox_connect(out, i, DOOR_REQUESTS, service->door[DOOR_REQUESTS], service->key);
        memcpy(service->connected_to, service->door[DOOR_REQUESTS], sizeof service->connected_to);
        memcpy(service->connected_key, service->key, CALLER_KEY_SIZE);
        service->connected = true;
        service->greeted_ms = 0;
    }
    lobby_directory_greet(lobby, out);
}

/* A peer that has not answered our hello is told again. Others are told now and then. What they say
 * unasked goes where our last hello came from, and the connection may have been made anew beneath
 * us. */
void lobby_directory_greet(struct lobby *lobby, struct outbox *out)
{
    struct header header;
    header_init(&header, KIND(HELLO), NULL);
    for (uint32_t i = 0; i < lobby->settings.services_max; i++) {
        struct service *service = &lobby->services[i];
        uint64_t        patience_ms = service->welcome ? GREET_AGAIN_MS : lobby->settings.again_ms;
        bool            is_due =
            service->greeted_ms == 0 || lobby->now_ms - service->greeted_ms >= patience_ms;
        if (!service->connected || !is_due)
            continue;
        Arbiter__Directory__Hello *hello = MAKE(out, directory, hello);
        SET(hello, role, ROLE(LOBBY));
        SET(hello, protocol, PROTOCOL_NEWEST);
        hello->name = lobby_string_in(out, lobby->settings.name);
        hello->software = lobby_string_in(out, lobby->settings.software);
        outbox_send(out, DOOR_PEER, i, &header, hello);
        service->greeted_ms = lobby->now_ms;
    }
}

void lobby_directory_settle(struct lobby *lobby, struct outbox *out)
{
    connect_and_disconnect(lobby, out);
    bool is_due = lobby->now_ms - lobby->published_ms >= lobby->settings.directory_ms;
    if (lobby->is_news || is_due || lobby->published_ms == 0)
        publish(lobby, out);
}

/* An engine that starts anew may have missed what was asked of it: it is asked again at once. */
void lobby_on_welcome(struct lobby *lobby, const struct event *event, struct outbox *out)
{
    struct service *service = &lobby->services[event->caller.route];
    bool            is_first = !service->welcome;
    service->welcome = true;
    if (is_first && service->role == ROLE(ENGINE))
        for (uint32_t i = 0; i < lobby->settings.tables_max; i++)
            lobby->clocks[i].again_ms = 0;
    outbox_wake(out, lobby->now_ms);
}

/* Of this key's own and of all for whom it speaks. A service that begins anew counts on behind it.
 * If it reused a number of a guest's last ask, it would get the answer to that ask. */
static uint32_t last_request(const struct lobby *lobby, uint32_t key)
{
    uint32_t last = key_of(lobby, key)->kept.request;
    for (uint32_t i = 0; i < lobby->settings.players_max; i++) {
        const struct player *player = player_of(lobby, i);
        if (player->used && player->guest && player->key == key && player->kept.request > last)
            last = player->kept.request;
    }
    return last;
}

void lobby_on_hello(struct lobby *lobby, const struct event *event, struct outbox *out)
{
    const Arbiter__Directory__Hello *hello = BODY(Arbiter__Directory__Hello, event);
    uint32_t                         key = lobby_key_of_caller(lobby, event, out);
    if (key == NOBODY)
        return;
    if (!hello->has_role || hello->role != event->caller.role) {
        outbox_refuse(out, event, REFUSAL(NOT_YOURS), "This key is admitted as something else.");
        return;
    }
    if (!hello->has_protocol || hello->protocol < PROTOCOL_FIRST) {
        outbox_refuse(out, event, REFUSAL(VERSION),
                      "Versions 1 and 2 of the protocol are spoken here.");
        return;
    }
    lobby->routes[key].protocol = header_spoken(hello->protocol);
    if (hello->service != NULL && is_service(event->caller.role) &&
        !take_service(lobby, hello, event, out))
        return;
    Arbiter__Directory__Welcome *welcome = MAKE(out, directory, welcome);
    SET(welcome, protocol, header_spoken(hello->protocol));
    SET(welcome, role, (Arbiter__Directory__Role) event->caller.role);
    SET(welcome, now_ms, lobby->wall_ms);
    SET(welcome, request, last_request(lobby, key));
    if (key_of(lobby, key)->player != NOBODY) {
        welcome->has_player = true;
        put_bytes(&welcome->player, player_of(lobby, key_of(lobby, key)->player)->id, ID_SIZE, out);
    }
    if (hello->service ==
        NULL) /* Who is listed gets it, with admissions, where the batch is settled. */
        welcome->directory = directory_message(lobby, out);
    struct event asked = *event;
    asked.header.version = (uint8_t) welcome->protocol;
    outbox_answer(out, &asked, KIND(WELCOME), welcome);
}
