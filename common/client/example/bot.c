/* bot.c: a whole bot, outside the tree: it plays the dead against two of the house's, by luck.
 *
 *     cc bot.c -o bot $(pkg-config --cflags --libs arbiter-client)
 *     ./bot              # or ./bot DIR, if the house was started by arbiter up --home DIR
 *
 * It plays with the key in bot.key, which the house's operator has admitted (arbiter keygen,
 * arbiter admit), and prints the number of each act. Stop it and start it again, and it goes on
 * where it was. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "client/client.h"
#include "contract/lobby.pb-c.h"

enum { LEAVE = 5 }; /* The dead's command that gives up; dead.proto has them all. */

/* Our table wants players: two of the house's bots. */
static void call_bots(struct client *client, const Arbiter__Lobby__Table *table)
{
    if (table->phase == ARBITER__LOBBY__TABLE__PHASE__PHASE_OPEN)
        client_fill_with_bots(client, table->table.data, 0, NULL);
}

/* What the lobby answers. First come the tables at which we sit; without one, we open one. */
static void hear(struct client *client, const Arbiter__Lobby__Answer *answer)
{
    const struct client_table table = { .game = "dead", .setup_name = "intro", .seats = 3 };
    if (answer->verdict == ARBITER__LOBBY__VERDICT__VERDICT_NO_BOTS) {
        sleep(1); /* A house that was opened just now has none yet. */
        client_rejoin(client);
    } else if (answer->verdict != ARBITER__LOBBY__VERDICT__VERDICT_DONE) {
        fprintf(stderr, "%s\n", answer->sentence);
        exit(1);
    } else if (answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_TABLE) {
        call_bots(client, answer->table);
    } else if (answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_TABLES) {
        if (answer->tables->n_tables == 0)
            client_create_table(client, &table);
        for (size_t i = 0; i < answer->tables->n_tables; i++)
            call_bots(client, answer->tables->tables[i]);
    }
}

/* Any command of the list, each as likely as another, but not the one that gives up: it is never the only one. */
static void choose(const struct legal *may, struct command *command)
{
    static uint64_t luck =
        20171120; /* Knuth's generator; its upper half is good enough for a bot. */
    do {
        luck = luck * 6364136223846793005u + 1442695040888963407u;
        legal_pick(may, (luck >> 32) % legal_count(may), command);
    } while (command->kind == LEAVE);
}

/* One thing that happened. Whenever it may be our turn, we ask what we may do, and then do one of it. */
static void live(struct client *client, const struct client_event *event)
{
    struct legal   may;
    struct command command;
    if (event->kind == CLIENT_ANSWER)
        hear(client, (const Arbiter__Lobby__Answer *) client_message(client, event));
    if (event->kind == CLIENT_ACT) {
        printf("%llu\n", (unsigned long long) event->number);
        fflush(stdout);
    }
    if (event->kind == CLIENT_ATTACHED || event->kind == CLIENT_ACT || event->kind == CLIENT_REPLY)
        client_legal(client, event->match_id, event->seat, 0, false);
    if (event->kind == CLIENT_LEGAL && client_list(client, event, &may) && legal_count(&may) > 0) {
        choose(&may, &command);
        client_play(client, event->match_id, event->seat, &command);
    }
}

/* The file run/doors of a house says where it is: two addresses and its public key. */
static struct client *enter(const char *home, const char *below)
{
    char path[4096], lobby[256], stream[256], key[64], fault[512];
    snprintf(path, sizeof path, "%s%s/run/doors", home, below);
    FILE *doors = fopen(path, "r");
    if (doors == NULL || fscanf(doors, "%255s %255s %63s", lobby, stream, key) != 3) {
        fprintf(stderr, "%s: does a house run?\n", path);
        exit(1);
    }
    fclose(doors);
    const struct client_settings settings = {
        .lobby = lobby, .lobby_stream = stream, .lobby_key = key, .key_file = "bot.key"
    };
    struct client *client = client_open(&settings, fault, sizeof fault);
    if (client == NULL) {
        fprintf(stderr, "%s\n", fault);
        exit(1);
    }
    return client;
}

int main(int argc, char **argv)
{
    struct client *client =
        argc > 1 ? enter(argv[1], "") : enter(getenv("HOME"), "/.local/share/arbiter");
    struct client_event event;
    client_bind_name(client, "MyBot");
    client_rejoin(client); /* Which tables are mine? */
    while (client_next(client, -1, &event) && event.kind != CLIENT_OVER)
        live(client, &event);
    client_close(&client);
}
