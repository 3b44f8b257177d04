/* fleet.c: one process that plays many seats and writes down what it was promised (see README.md).
 *
 *     fleet DOORS KEY RECORD NAME bots|person GAME SETUP SEATS TABLES THINK_MS TURN_MS SEED
 *
 * DOORS is the file that `arbiter up` writes: the lobby's two addresses and its key. SIGTERM:
 * nothing new is begun or played. The process ends with 0 when everything asked has been answered
 * and every match it was in is over. If that does not happen in a minute, it ends with 1. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "contract/directory.pb-c.h"
#include "crowd.h"
#include "record.h"
#include "wire/names.h"

#define TICK_MS 10
#define FLUSH_MS 200
#define PATIENCE_MS 60000

static volatile sig_atomic_t is_told_to_stop;

static void on_signal(int number)
{
    (void) number;
    is_told_to_stop = 1;
}

static bool read_line(FILE *file, char *line, size_t size)
{
    if (fgets(line, (int) size, file) == NULL)
        return false;
    line[strcspn(line, "\n")] = '\0';
    return true;
}

static struct client *open_client(char **argv, const struct crowd *crowd)
{
    static char lobby[256], stream[256], key[64];
    char        fault[256] = "it cannot be read";
    FILE       *doors = fopen(argv[1], "r");
    bool        is_read = doors != NULL && read_line(doors, lobby, sizeof lobby) &&
                   read_line(doors, stream, sizeof stream) && read_line(doors, key, sizeof key);
    if (doors != NULL)
        (void) fclose(doors);
    struct client_settings settings = { .lobby = lobby,
                                        .lobby_stream = stream,
                                        .lobby_key = key,
                                        .key_file = argv[2],
                                        .name = argv[4],
                                        .role = crowd->is_bots ? ROLE(BOT) : ROLE(CLIENT),
                                        .seats_max = 2 * crowd->benches * crowd->seats,
                                        .from_start = true };
    struct client         *client = is_read ? client_open(&settings, fault, sizeof fault) : NULL;
    if (client == NULL)
        fprintf(stderr, "fleet: %s: %s\n", argv[1], fault);
    return client;
}

static uint32_t number_of(const char *text, uint32_t most)
{
    unsigned long number = strtoul(text, NULL, 10);
    return number < most ? (uint32_t) number : most;
}

/* False: there is no such game, or no room. */
static bool fill(struct crowd *crowd, char **argv)
{
    *crowd = (struct crowd){ .name = argv[4],
                             .is_bots = strcmp(argv[5], "bots") == 0,
                             .game = registry_find(argv[6], 0),
                             .setup = argv[7],
                             .seats = number_of(argv[8], CROWD_SEATS_MAX),
                             .benches = number_of(argv[9], 1000),
                             .think_ms = number_of(argv[10], 60000),
                             .turn_ms = number_of(argv[11], 3600000),
                             .luck = strtoull(argv[12], NULL, 10) };
    if (crowd->game == NULL || crowd->seats == 0 || crowd->benches == 0)
        return false;
    crowd->commands = plan_new(crowd->game->command);
    crowd->bench = calloc(crowd->benches, sizeof *crowd->bench);
    for (uint32_t i = 0; i < crowd->benches && crowd->bench != NULL; i++)
        randombytes_buf(crowd->bench[i].player, sizeof crowd->bench[i].player);
    return crowd->bench != NULL;
}

/* Until it is told to stop, and then until nothing is under way. */
static bool run(struct crowd *crowd)
{
    struct client_event event;
    uint64_t            tick_ms = 0, flush_ms = 0, end_ms = UINT64_MAX;
    while (!(crowd->is_stopping && crowd_is_done(crowd))) {
        if (client_next(crowd->client, TICK_MS, &event))
            crowd_hear(crowd, &event);
        uint64_t now_ms = record_now_ms();
        if (is_told_to_stop && !crowd->is_stopping) {
            crowd->is_stopping = true;
            end_ms = now_ms + PATIENCE_MS;
        }
        if (now_ms >= tick_ms + TICK_MS) {
            crowd_tick(crowd);
            tick_ms = now_ms;
        }
        if (now_ms >= flush_ms + FLUSH_MS) {
            record_flush();
            flush_ms = now_ms;
        }
        if (now_ms >= end_ms)
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct crowd     crowd;
    struct sigaction action = { .sa_handler = on_signal };
    if (argc != 13 || sodium_init() < 0 || !fill(&crowd, argv) || !record_open(argv[3])) {
        fputs("usage: fleet DOORS KEY RECORD NAME bots|person GAME SETUP SEATS TABLES THINK_MS "
              "TURN_MS SEED\n",
              stderr);
        return 2;
    }
    (void) sigaction(SIGTERM, &action, NULL);
    crowd.client = open_client(argv, &crowd);
    if (crowd.client == NULL)
        return 2;
    bool is_done = run(&crowd);
    record_say("%s", is_done ? "done" : "not-done");
    client_close(&crowd.client);
    plan_destroy(&crowd.commands);
    free(crowd.bench);
    return record_close() && is_done ? 0 : 1;
}
