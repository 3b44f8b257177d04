/* live_account.c: one client of the live house: asks, answers, and everything it is told. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/directory.pb-c.h"
#include "contract/engine.pb-c.h"
#include "contract/lobby.pb-c.h"
#include "services/console/command/progress.h"
#include "services/console/trial/live_parts.h"
#include "wire/header.h"

#define EVENT_WORDS_MAX 4096
#define PUMP_MS 2

static struct heard *hear(struct account *account)
{
    if (account->heard_count == account->heard_capacity) {
        account->heard_capacity = account->heard_capacity * 2 + 16;
        account->heard = realloc(account->heard, account->heard_capacity * sizeof *account->heard);
    }
    struct heard *heard = &account->heard[account->heard_count++];
    *heard = (struct heard){ NULL, NULL, NULL, NULL };
    return heard;
}

void account_refused(struct account *account)
{
    hear(account)->refused = strdup(account->sentence[0] != '\0' ? account->sentence : "Refused.");
}

static void hear_event(struct live *live, struct account *account, uint32_t kind, bool is_private,
                       const word *fields, uint32_t count)
{
    struct heard *heard = hear(account);
    audience      to = is_private ? TO_SEAT(account->seat & 0xff) : TO_ALL;
    heard->event = calloc(1 + count, sizeof(word));
    heard->event[0] = (word) kind | (word) to << 16 | (word) count << 32;
    if (count > 0)
        memcpy(heard->event + 1, fields, count * sizeof(word));
    if (count > 0 && fields[0] >= 0 && fields[0] < SEATS_MAX)
        heard->name = strdup(live->names[fields[0]]);
}

/* An Event of the game, as bytes. */
static void hear_bytes(struct live *live, struct account *account, bool is_private,
                       const uint8_t *bytes, size_t size)
{
    static uint8_t memory[1u << 16];
    static word    words[EVENT_WORDS_MAX];
    struct arena   arena;
    uint32_t       count = 0;
    arena_init(&arena, memory, sizeof memory);
    if (plan_decode(live->events, bytes, size, &arena, words, EVENT_WORDS_MAX, &count) && count > 0)
        hear_event(live, account, (uint32_t) words[0], is_private, words + 1, count - 1);
}

static void hear_said(struct live *live, struct account *account, const Arbiter__Lobby__Said *said)
{
    if (said->setup != NULL)
        hear(account)->setup = strdup(said->setup);
    else if (said->has_event)
        hear_bytes(live, account, said->has_private_ && said->private_, said->event.data,
                   said->event.len);
}

/* Somebody who asks the lobby may know of the match before its table is told: so the seat itself
 * says so. */
static void on_attached(struct live *live, struct account *account,
                        const struct client_event *event)
{
    const Arbiter__Engine__Attached *attached =
        (const Arbiter__Engine__Attached *) (const void *) client_message(account->client, event);
    const Arbiter__Engine__MatchFacts *facts = attached == NULL ? NULL : attached->match;
    if (facts == NULL || facts->table.len != CLIENT_ID_SIZE ||
        memcmp(facts->table.data, live->table, CLIENT_ID_SIZE) != 0)
        return;
    if (memcmp(live->match_id, event->match_id, CLIENT_ID_SIZE) != 0)
        impatience_follow(&live->clock, event->match_id);
    live->has_begun = true;
    memcpy(live->match_id, event->match_id, CLIENT_ID_SIZE);
    account->seat = event->seat == NO_SEAT ? NO_SEAT_HERE : event->seat;
    for (size_t i = 0; i < facts->n_seat; i++)
        if (facts->seat[i]->seat < SEATS_MAX)
            (void) snprintf(live->names[facts->seat[i]->seat], LIVE_NAME_MAX, "%.32s",
                            facts->seat[i]->name ? facts->seat[i]->name : "");
}

static void keep_view(struct account *account, const word *words, uint32_t count)
{
    word *view = calloc(count + 1, sizeof(word));
    if (view == NULL)
        return;
    free(account->view);
    account->view = memcpy(view, words, count * sizeof(word));
    account->view_count = count;
}

/* The last thing before a match that is over is told to its end again. */
static void on_back(struct live *live, struct account *account, const struct client_event *event)
{
    uint32_t    count = 0;
    const word *words = client_view(account->client, event, &count);
    if (words != NULL)
        keep_view(account, words, count);
    if (account->unsaid != NULL && account->seat != NO_SEAT_HERE)
        account->awaited = account_play(live, account, account->unsaid);
}

static void on_table_event(struct live *live, struct account *account,
                           const struct client_event *event)
{
    const Arbiter__Lobby__TableEvent *told =
        (const Arbiter__Lobby__TableEvent *) (const void *) client_message(account->client, event);
    if (told == NULL)
        return;
    switch (told->kind_case) {
    case ARBITER__LOBBY__TABLE_EVENT__KIND_SAID: hear_said(live, account, told->said); break;
    case ARBITER__LOBBY__TABLE_EVENT__KIND_MATCH_BEGINS: live->has_begun = true; break;
    case ARBITER__LOBBY__TABLE_EVENT__KIND_TABLE_CLOSED: account->is_closed = true; break;
    default: break;
    }
}

static void on_answer(struct live *live, struct account *account, const struct client_event *event)
{
    const Arbiter__Lobby__Answer *answer =
        (const Arbiter__Lobby__Answer *) (const void *) client_message(account->client, event);
    if (answer == NULL || event->request != account->awaited)
        return;
    account->is_answered = true;
    account->verdict = answer->verdict;
    account->is_done = answer->verdict == ARBITER__LOBBY__VERDICT__VERDICT_DONE;
    (void) snprintf(account->sentence, sizeof account->sentence, "%s",
                    answer->sentence ? answer->sentence : "");
    if (answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_PLAYER &&
        answer->player->player.len == CLIENT_ID_SIZE)
        memcpy(account->player, answer->player->player.data, CLIENT_ID_SIZE);
    if (answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_TABLES)
        for (size_t i = 0; i < answer->tables->n_tables; i++) {
            const Arbiter__Lobby__Table *table = answer->tables->tables[i];
            account->is_playing |= table->phase == ARBITER__LOBBY__TABLE__PHASE__PHASE_PLAYING &&
                                   memcmp(table->table.data, live->table, CLIENT_ID_SIZE) == 0;
        }
    if (answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_TABLE &&
        account == live->operator_account) {
        memcpy(live->table, answer->table->table.data, CLIENT_ID_SIZE);
        (void) snprintf(live->code, sizeof live->code, "%s",
                        answer->table->code ? answer->table->code : "");
    }
}

static void on_reply(struct live *live, struct account *account, const struct client_event *event)
{
    const Arbiter__Engine__Reply *reply =
        (const Arbiter__Engine__Reply *) (const void *) client_message(account->client, event);
    if (event->request != account->awaited)
        return;
    account->is_answered = true;
    account->is_done = event->outcome == CLIENT_ACCEPTED;
    account->number = event->number;
    if (event->outcome == CLIENT_ACCEPTED || reply == NULL)
        return;
    hear(account)->refused = strdup(reply->sentence ? reply->sentence : "Refused.");
    for (size_t i = 0; event->outcome == CLIENT_NOT_ACCEPTED && i < reply->n_asks; i++)
        hear_bytes(live, account, false, reply->asks[i].data, reply->asks[i].len);
}

static void on_act(struct live *live, struct account *account, const struct client_event *event)
{
    struct client_act       act = client_read_act(account->client, event);
    struct client_happening happening;
    if (event->number <= account->acts)
        return; /* A player who comes back to a match that is over is told it anew. */
    account->acts = event->number;
    /* Clients that did not register may watch, but the recordings' strangers hear nothing. */
    while (account->seat != NO_SEAT_HERE && client_happening(account->client, &act, &happening))
        if (!happening.is_house && happening.kind != 0)
            hear_event(live, account, happening.kind, happening.is_private, happening.words,
                       happening.count);
}

static void on_view(struct account *account, const struct client_event *event)
{
    uint32_t    count = 0;
    const word *words = client_view(account->client, event, &count);
    if (words == NULL || event->request != account->awaited)
        return;
    keep_view(account, words, count);
    account->is_answered = account->is_done = true;
}

/* The last table and its match may have something to say still. */
static bool is_of_another_table(const struct live *live, const struct client_event *event)
{
    if (event->kind == CLIENT_ACT || event->kind == CLIENT_OVER)
        return memcmp(event->match_id, live->match_id, CLIENT_ID_SIZE) != 0;
    if (event->kind == CLIENT_TABLE || event->kind == CLIENT_TABLE_LOST)
        return memcmp(event->table, live->table, CLIENT_ID_SIZE) != 0;
    return false;
}

static void take(struct live *live, struct account *account, const struct client_event *event)
{
    if (is_of_another_table(live, event))
        return;
    switch (event->kind) {
    case CLIENT_CONNECTED: account->is_connected = true; break;
    case CLIENT_ANSWER: on_answer(live, account, event); break;
    case CLIENT_REFUSED:
        if (event->request == account->awaited) {
            account->is_answered = true;
            account->is_done = false;
            (void) snprintf(account->sentence, sizeof account->sentence, "refusal %u",
                            event->refusal);
        }
        break;
    case CLIENT_TABLE: on_table_event(live, account, event); break;
    case CLIENT_TABLE_LOST: account->is_closed = true; break;
    case CLIENT_ATTACHED:
        on_attached(live, account, event);
        on_back(live, account, event);
        break;
    case CLIENT_ACT: on_act(live, account, event); break;
    case CLIENT_VIEW: on_view(account, event); break;
    case CLIENT_REPLY: on_reply(live, account, event); break;
    case CLIENT_OVER: account->is_over = true; break;
    case CLIENT_FAULT:
        (void) fprintf(stderr, "%s: the house broke promise %d at act %llu\n", account->name,
                       (int) event->fault, (unsigned long long) event->number);
        break;
    default: break;
    }
}

void accounts_pump(struct live *live)
{
    struct client_event event;
    clock_look(live);
    for (uint32_t i = 0; i < live->account_count; i++)
        while (client_next(live->accounts[i].client, 0, &event))
            take(live, &live->accounts[i], &event);
}

bool live_is_too_long(struct live *live, double since_s)
{
    if (live->is_silent || seconds_now() - since_s <= live->patience_s)
        return live->is_silent;
    live->is_silent = true;
    (void) fprintf(live->complaints != NULL ? live->complaints : stderr,
                   "the house has kept silent for %.0f s: nothing more is asked of it\n",
                   live->patience_s);
    return true;
}

bool live_until(struct live *live, bool (*is_so)(const struct live *live, const void *what),
                const void  *what)
{
    double begun = seconds_now();
    for (;;) {
        accounts_pump(live);
        if (is_so(live, what))
            return true;
        if (live_is_too_long(live, begun))
            return false;
        client_wait(live->operator_account->client, NULL, 0, PUMP_MS);
    }
}

uint32_t account_play(struct live *live, struct account *account, const struct command *command)
{
    uint32_t request = client_play(account->client, live->match_id, account->seat, command);
    if (request == 0) /* What no message can hold is said as one that holds nothing. */
        request = client_play_bytes(account->client, live->match_id, account->seat,
                                    (const uint8_t *) "", 0);
    return request;
}

static bool is_answered(const struct live *live, const void *what)
{
    const struct account *account = what;
    (void) live;
    return account->is_answered;
}

static bool is_connected(const struct live *live, const void *what)
{
    const struct account *account = what;
    (void) live;
    return account->is_connected;
}

bool account_await(struct live *live, struct account *account, uint32_t request)
{
    account->awaited = request;
    account->is_answered = account->is_done = false;
    account->sentence[0] = '\0';
    if (request == 0)
        return false;
    return live_until(live, is_answered, account);
}

bool live_make_key(struct live *live, const char *path, const char *name, uint32_t role,
                   struct text *fault)
{
    struct bus_keys       keys;
    Arbiter__Lobby__Ask   ask = ARBITER__LOBBY__ASK__INIT;
    Arbiter__Lobby__Admit admit = ARBITER__LOBBY__ADMIT__INIT;
    (void) unlink(path); /* Of an earlier run. */
    bus_keys_make(&keys, name);
    if (!bus_keys_save(&keys, path, fault))
        return false;
    admit.has_key = admit.has_role = true;
    admit.key = (ProtobufCBinaryData){ .len = BUS_KEY_SIZE, .data = keys.public_key };
    admit.role = (Arbiter__Directory__Role) role;
    admit.name = (char *) name;
    ask.kind_case = ARBITER__LOBBY__ASK__KIND_ADMIT;
    ask.admit = &admit;
    uint32_t request = client_ask(live->operator_account->client, &ask.base);
    if (account_await(live, live->operator_account, request) && live->operator_account->is_done)
        return true;
    text_clear(fault);
    text_put(fault, "the lobby did not admit a key: ");
    text_put(fault, live->operator_account->sentence);
    return false;
}

static bool open_client(struct live *live, struct account *account, const char *key_file,
                        uint32_t role, struct text *fault)
{
    char                         sentence[256] = "";
    const struct client_settings settings = { .lobby = live->home.lobby,
                                              .lobby_stream = live->home.lobby_stream,
                                              .lobby_key = live->home.lobby_key,
                                              .key_file = key_file,
                                              .name = account->name,
                                              .role = role,
                                              .from_start = true };
    account->client = client_open(&settings, sentence, sizeof sentence);
    text_clear(fault);
    text_put(fault, account->client == NULL ? sentence : "the lobby does not answer");
    if (account->client == NULL)
        return false;
    live->account_count++;
    return live_until(live, is_connected, account);
}

/* A player of this home keeps name and key from run to run. */
static bool find_key(struct live *live, const struct account *account, uint32_t role,
                     char path[PATH_MAX], struct text *fault)
{
    static const char prefix[] = "conform-";
    char              file[sizeof prefix + 2 * LIVE_NAME_MAX];
    memcpy(file, prefix, sizeof prefix);
    (void) sodium_bin2hex(file + sizeof prefix - 1, sizeof file - sizeof prefix,
                          (const unsigned char *) account->name, strlen(account->name));
    if (!home_path(&live->home, path, "keys", file, ".key"))
        return false;
    return access(path, F_OK) == 0 || live_make_key(live, path, "client", role, fault);
}

struct account *account_open(struct live *live, const char *name, uint32_t role, struct text *fault)
{
    char            path[PATH_MAX];
    struct account *account = &live->accounts[live->account_count];
    bool            is_operator = live->account_count == 0;
    text_clear(fault);
    text_put(fault, "too many accounts");
    if (live->account_count == LIVE_ACCOUNTS_MAX)
        return NULL;
    memset(account, 0, sizeof *account);
    (void) snprintf(account->name, sizeof account->name, "%.32s", name);
    if (is_operator)
        live->operator_account = account;
    if (is_operator && !home_path(&live->home, path, "keys", "console", ".key"))
        return NULL;
    if (!is_operator && !find_key(live, account, role, path, fault))
        return NULL;
    if (!open_client(live, account, path, role, fault))
        return NULL;
    bool bound = account_await(live, account, client_bind_name(account->client, account->name));
    if (bound && account->is_done)
        return account;
    text_clear(fault);
    text_put(fault, "the lobby refuses the name ");
    text_put(fault, account->name);
    text_put(fault, ": ");
    text_put(fault, account->sentence);
    return NULL;
}

void account_clear(struct account *account)
{
    for (uint32_t i = 0; i < account->heard_count; i++) {
        free(account->heard[i].event);
        free(account->heard[i].refused);
        free(account->heard[i].setup);
        free(account->heard[i].name);
    }
    free(account->heard);
    free(account->view);
    account->heard = NULL;
    account->view = NULL;
    account->heard_count = account->heard_capacity = account->heard_next = 0;
    account->has_joined = account->is_closed = account->is_playing = account->is_over = false;
    account->seat = NO_SEAT_HERE;
    account->acts = 0;
}

void account_close(struct account *account)
{
    account_clear(account);
    client_close(&account->client);
}
