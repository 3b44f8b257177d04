/* feed.c: two players on the bus who take one counter after the other, as fast as they are answered.
 *
 *     socket_feed DOORS KEY KEY MOVES
 *
 * DOORS is the file that `arbiter up` writes: the lobby's two addresses and its key. Says "match ID NUMBER" when the
 * match has begun (NUMBER: its last act), waits for a line, plays MOVES moves of nim, and says "played". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "client/client.h"
#include "contract/lobby.pb-c.h"

#define HEAP 1000u /* Counters in each of the largest set-up's. */
#define PATIENCE_MS 120000

static struct client *players[2];
static uint8_t        match_id[CLIENT_ID_SIZE], table[CLIENT_ID_SIZE];
static uint32_t       attached;
static uint64_t       last;

static void give_up(const char *why)
{
    fprintf(stderr, "socket_feed: %s\n", why);
    exit(1);
}

/* The table that an answer is about. */
static void read_table(const struct client_event *event)
{
    const Arbiter__Lobby__Answer *answer =
        (const Arbiter__Lobby__Answer *) (const void *) client_message(players[0], event);
    if (answer != NULL && answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_TABLE &&
        answer->table->table.len == CLIENT_ID_SIZE)
        memcpy(table, answer->table->table.data, CLIENT_ID_SIZE);
}

/* The next event of a player. CLIENT_NOTHING: none in that time. */
static enum client_event_kind hear(uint32_t player, int wait_ms, struct client_event *event)
{
    if (!client_next(players[player], wait_ms, event))
        return CLIENT_NOTHING;
    if (event->kind == CLIENT_ATTACHED) {
        memcpy(match_id, event->match_id, CLIENT_ID_SIZE);
        last = event->number;
        attached++;
    } else if (event->kind == CLIENT_ACT && player == 0) {
        last = event->number;
    }
    return event->kind;
}

static void wait_for(uint32_t player, enum client_event_kind kind)
{
    struct client_event    event;
    enum client_event_kind got;
    do {
        got = hear(player, PATIENCE_MS, &event);
        if (got == CLIENT_NOTHING || got == CLIENT_REFUSED || got == CLIENT_LOST)
            give_up("the house does not do what it is asked");
    } while (got != kind);
    if (kind == CLIENT_ANSWER && player == 0)
        read_table(&event);
    if (kind == CLIENT_REPLY && event.outcome != CLIENT_ACCEPTED)
        give_up("a move is refused");
}

static void sit_down(void)
{
    static const int64_t      seed = 7;
    const struct client_table wish = {
        .game = "nim", .setup_name = "largest", .seats = 2, .seed = &seed
    };
    for (uint32_t player = 0; player < 2; player++) {
        char name[32];
        (void) snprintf(name, sizeof name, "Taker %u", randombytes_random());
        wait_for(player, CLIENT_CONNECTED);
        (void) client_bind_name(players[player], name);
        wait_for(player, CLIENT_ANSWER);
    }
    (void) client_create_table(players[0], &wish);
    wait_for(0, CLIENT_ANSWER);
    (void) client_join_table(players[1], table, NULL);
    while (attached < 1)
        wait_for(0, CLIENT_ATTACHED);
    wait_for(1, CLIENT_ATTACHED);
}

static void play(uint32_t moves)
{
    struct client_event event;
    for (uint32_t i = 0; i < moves; i++) {
        uint8_t       heap = (uint8_t) (i / HEAP);
        /* Command.take of this heap, and one counter. */
        const uint8_t command[] = { 0x0a, 4, 0x08, heap, 0x10, 1 };
        if (client_play_bytes(players[i % 2], match_id, i % 2, command, sizeof command) == 0)
            give_up("a move cannot be said");
        wait_for(i % 2, CLIENT_REPLY);
        while (hear(1 - i % 2, 0, &event) != CLIENT_NOTHING)
            ;
    }
}

static struct client *enter(char **lines, const char *key)
{
    char                         fault[256];
    const struct client_settings settings = {
        .lobby = lines[0], .lobby_stream = lines[1], .lobby_key = lines[2], .key_file = key
    };
    struct client *client = client_open(&settings, fault, sizeof fault);
    if (client == NULL)
        give_up(fault);
    return client;
}

int main(int argc, char **argv)
{
    static char text[3][256];
    char       *lines[3] = { text[0], text[1], text[2] }, go[16];
    FILE       *doors = argc == 5 ? fopen(argv[1], "r") : NULL;
    if (doors == NULL || sodium_init() < 0) {
        fputs("usage: socket_feed DOORS KEY KEY MOVES\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < 3; i++)
        if (fgets(text[i], sizeof text[i], doors) != NULL)
            text[i][strcspn(text[i], "\n")] = '\0';
    (void) fclose(doors);
    for (size_t i = 0; i < 2; i++)
        players[i] = enter(lines, argv[2 + i]);
    sit_down();
    printf("match ");
    for (size_t i = 0; i < CLIENT_ID_SIZE; i++)
        printf("%02x", match_id[i]);
    printf(" %llu\n", (unsigned long long) last);
    (void) fflush(stdout);
    if (fgets(go, sizeof go, stdin) == NULL)
        return 1;
    play((uint32_t) strtoul(argv[4], NULL, 10));
    printf("played\n");
    for (size_t i = 0; i < 2; i++)
        client_close(&players[i]);
    return 0;
}
