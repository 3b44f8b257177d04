/* live.c: the house of real processes: tables, what is said at them, and the barrier between lines. */
#include "services/console/trial/live.h"

#include <stdlib.h>
#include <string.h>

#include "contract/directory.pb-c.h"
#include "contract/lobby.pb-c.h"
#include "services/console/command/progress.h"
#include "services/console/trial/live_parts.h"
#include "wire/names.h"

/* Time that nobody lets run out: the recording says when it does. */
#define TURN_MS 86400000u

static struct live *of(struct house *house)
{
    return (struct live *) house;
}

static struct account *account_of(struct live *live, uint32_t client)
{
    return live->client[client] == NO_SEAT_HERE ? NULL : &live->accounts[live->client[client]];
}

/* Waiting. */

/* The player there has been told of everything up to this act. */
static bool all_have_heard(const struct live *live, const void *what)
{
    const uint64_t *number = what;
    for (uint32_t i = 1; i < live->account_count; i++) {
        const struct account *account = &live->accounts[i];
        if (account->seat != NO_SEAT_HERE && account->acts < *number && !account->is_over)
            return false;
    }
    return true;
}

uint64_t live_last_act(const struct live *live)
{
    uint64_t last = 0;
    for (uint32_t i = 1; i < live->account_count; i++)
        last = live->accounts[i].acts > last ? live->accounts[i].acts : last;
    return last;
}

static bool match_goes_on(const struct live *live, const void *what)
{
    const struct account *account = what;
    (void) live;
    return account->is_closed || account->acts > 0;
}

static bool all_are_closed(const struct live *live, const void *what)
{
    (void) what;
    for (uint32_t i = 0; i < live->account_count; i++)
        if (live->accounts[i].has_joined && !live->accounts[i].is_closed)
            return false;
    return true;
}

/* The lobby says everything to one client in one order: what came before this answer is here. */
static bool all_at_the_table_are_level(struct live *live)
{
    for (uint32_t i = 0; i < live->account_count; i++) {
        struct account *account = &live->accounts[i];
        if (account->has_joined && !account->is_closed &&
            !account_await(live, account, client_rejoin(account->client)))
            return false;
    }
    return true;
}

/* Whose match the lobby has begun must have seen its first act before the next line. */
static bool everybody_knows(struct live *live)
{
    if (!all_at_the_table_are_level(live))
        return false;
    for (uint32_t i = 1; i < live->account_count; i++) {
        const struct account *account = &live->accounts[i];
        if (!account->has_joined || !account->is_playing ||
            live_until(live, match_goes_on, account))
            continue;
        (void) fprintf(live->complaints,
                       "%s was told that a match begins, and hears nothing of it\n", account->name);
        return false;
    }
    return true;
}

/* Speaking. */

static bool join(struct live *live, struct account *account)
{
    double begun = seconds_now();
    do {
        uint32_t request = client_join_table(account->client, NULL, live->code);
        if (!account_await(live, account, request))
            return false;
        account->has_joined = account->is_done;
        /* The end of the player's last match may not have reached the lobby yet. */
    } while (!account->has_joined &&
             account->verdict == ARBITER__LOBBY__VERDICT__VERDICT_SEATED_ELSEWHERE &&
             !live_is_too_long(live, begun));
    return account->has_joined;
}

/* The client's account: the one of this name, or a new one. */
static struct account *meet(struct live *live, uint32_t client)
{
    char        made_up[LIVE_NAME_MAX];
    struct text fault;
    const char *name = live->name != NULL ? live->name(live->asked, client) : NULL;
    (void) snprintf(made_up, sizeof made_up, "client %u", client);
    name = name != NULL ? name : made_up;
    for (uint32_t i = 1; i < live->account_count; i++)
        if (strcmp(live->accounts[i].name, name) == 0) {
            live->client[client] = i;
            return &live->accounts[i];
        }
    struct account *account = account_open(live, name, ROLE(CLIENT), &fault);
    if (account == NULL) {
        (void) fprintf(live->complaints, "client %u: %s\n", client, fault.bytes);
        return NULL;
    }
    account_clear(account);
    live->client[client] = (uint32_t) (account - live->accounts);
    return account;
}

static bool say_at_table(struct live *live, struct account *account, const struct command *command)
{
    uint32_t request = client_say(account->client, live->table, live->wire->game->name, command);
    if (!account_await(live, account, request))
        return false;
    if (account->is_done)
        return everybody_knows(live);
    if (account->verdict == ARBITER__LOBBY__VERDICT__VERDICT_RULES) {
        account_refused(account);
        return everybody_knows(live);
    }
    (void) fprintf(live->complaints, "%s: the lobby does not let this client speak: %s\n",
                   account->name, account->sentence);
    return false;
}

static bool say_in_match(struct live *live, struct account *account, const struct command *command)
{
    uint32_t request = account->is_over ? 0 : account_play(live, account, command);
    if (request == 0)
        return live_come_back(live, account, command);
    if (!account_await(live, account, request))
        return false;
    return !account->is_done || live_until(live, all_have_heard, &account->number);
}

static bool say(struct house *house, uint32_t client, const struct command *command)
{
    struct live    *live = of(house);
    struct account *account = client < LIVE_CLIENTS_MAX ? account_of(live, client) : NULL;
    if (account == NULL && client < LIVE_CLIENTS_MAX)
        account = meet(live, client);
    if (account == NULL)
        return false;
    if (account->is_closed || (live->has_begun && account->seat == NO_SEAT_HERE))
        return true;
    if (live->has_begun)
        return say_in_match(live, account, command);
    if (!account->has_joined && !join(live, account)) {
        (void) fprintf(live->complaints, "client %u cannot join: %s\n", client, account->sentence);
        return false;
    }
    return say_at_table(live, account, command);
}

static bool expire(struct house *house)
{
    struct live *live = of(house);
    if (live->operator_account->is_closed)
        return true;
    if (!live->has_begun) {
        clock_expire_table(live);
        return live_until(live, all_are_closed, NULL);
    }
    if (!clock_expire_match(live))
        return false;
    uint64_t number = live_last_act(live);
    return live_until(live, all_have_heard, &number);
}

static bool expire_idle(struct house *house, uint32_t client)
{
    struct live *live = of(house);
    return live->has_begun && clock_expire_idle(live, account_of(live, client)->seat);
}

static bool look(struct house *house, uint32_t client, const word **words, uint32_t *count)
{
    struct live    *live = of(house);
    struct account *account = account_of(live, client);
    if (account == NULL || !live->has_begun)
        return false;
    if (!live_look(live, account))
        return false;
    *words = account->view;
    *count = account->view_count;
    return true;
}

static bool next(struct house *house, uint32_t client, struct house_heard *heard)
{
    struct live    *live = of(house);
    struct account *account = account_of(live, client);
    if (account == NULL || account->heard_next == account->heard_count)
        return false;
    const struct heard *told = &account->heard[account->heard_next++];
    *heard = (struct house_heard){
        .event = told->event, .refused = told->refused, .setup = told->setup, .name = told->name
    };
    return true;
}

static uint32_t seat(struct house *house, uint32_t client)
{
    const struct account *account = account_of(of(house), client);
    return account == NULL ? NO_SEAT_HERE : account->seat;
}

/* Tables. */

/* All have a seat of the match and have heard its first act. */
static bool all_play(const struct live *live, const void *what)
{
    const uint32_t *count = what;
    for (uint32_t i = 0; i < *count; i++) {
        const struct account *account = &live->accounts[live->client[i]];
        if (account->seat == NO_SEAT_HERE || account->acts == 0)
            return false;
    }
    return true;
}

/* So many clients sit down, each at the first free seat, and play. */
static bool seat_all(struct live *live, uint32_t count, FILE *complaints)
{
    for (uint32_t i = 0; i < count; i++) {
        struct account *account = meet(live, i);
        if (account == NULL || !join(live, account)) {
            (void) fprintf(complaints, "client %u cannot sit down: %s\n", i,
                           account != NULL ? account->sentence : "there is none");
            return false;
        }
    }
    /* A full table begins by itself. */
    if (live_until(live, all_play, &count))
        return true;
    (void) fputs("a table is full, and its match does not begin\n", complaints);
    return false;
}

static bool open_table(struct house *house, const struct house_table *table, FILE *complaints)
{
    struct live *live = of(house);
    if (live->is_silent)
        return false;
    Arbiter__Lobby__Ask         ask = ARBITER__LOBBY__ASK__INIT;
    Arbiter__Lobby__CreateTable create = ARBITER__LOBBY__CREATE_TABLE__INIT;
    for (uint32_t i = 0; i < live->account_count; i++)
        account_clear(&live->accounts[i]);
    for (uint32_t i = 0; i < LIVE_CLIENTS_MAX; i++)
        live->client[i] = NO_SEAT_HERE;
    live->has_begun = false;
    memset(live->match_id, 0, sizeof live->match_id);
    memset(live->table, 0, sizeof live->table);
    live->name = table->name;
    live->asked = table->asked;
    live->complaints = complaints;
    create.game = (char *) live->wire->game->name;
    create.setup = (char *) table->setup;
    create.options = (char *) table->options;
    create.has_private_table = create.private_table = true;
    create.has_turn_ms = create.has_seed = true;
    create.turn_ms = TURN_MS;
    create.seed = table->seed;
    create.has_seated = true; /* false: the operator does not play. */
    create.has_registration = true;
    create.registration = table->seats == 0;
    create.has_seats = table->seats > 0;
    create.seats = table->seats;
    ask.kind_case = ARBITER__LOBBY__ASK__KIND_CREATE_TABLE;
    ask.create_table = &create;
    struct account *host = live->operator_account;
    if (account_await(live, host, client_ask(host->client, &ask.base)) && host->is_done) {
        host->has_joined = true;
        return table->seats == 0 || seat_all(live, table->seats, complaints);
    }
    (void) fprintf(complaints, "the lobby opens no table: %s\n", host->sentence);
    return false;
}

/* Players who are still there get up, so that they can sit down elsewhere. */
static void close_table(struct house *house)
{
    struct live *live = of(house);
    for (uint32_t i = live->account_count; i-- > 0;) {
        struct account *account = &live->accounts[i];
        if (account->has_joined && !account->is_closed)
            (void) account_await(live, account, client_leave_table(account->client, live->table));
    }
}

bool live_house_is_silent(const struct house *house)
{
    return ((const struct live *) (const void *) house)->is_silent;
}

struct house *live_house_open(const struct home *home, const struct game_wire *wire,
                              double patience_s, struct text *fault)
{
    struct live *live = calloc(1, sizeof *live);
    if (live == NULL)
        return NULL;
    live->house = (struct house){ .open = open_table,
                                  .say = say,
                                  .expire = expire,
                                  .expire_idle = expire_idle,
                                  .look = look,
                                  .next = next,
                                  .seat = seat,
                                  .close = close_table };
    live->home = *home;
    live->patience_s = patience_s;
    live->wire = wire;
    live->events = plan_new(wire->event);
    struct house *house = &live->house;
    if (account_open(live, "conform", ROLE(CONSOLE), fault) != NULL && clock_open(live, fault))
        return house;
    live_house_close(&house);
    return NULL;
}

void live_house_close(struct house **house)
{
    struct live *live = of(*house);
    for (uint32_t i = 0; i < live->account_count; i++)
        account_close(&live->accounts[i]);
    clock_close(live);
    plan_destroy(&live->events);
    free(live);
    *house = NULL;
}
