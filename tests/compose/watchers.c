/* watchers.c: many native spectators, each with a key and connections of its own (see
 * README.md).
 *
 *     watchers DOORS KEYS FIRST COUNT MATCH...
 *
 * DOORS is a home's run/doors; KEYS a folder of watcher-N.key. Watcher N watches MATCH number N modulo how
 * many there are, from its first act on. Each must be told acts 1, 2, 3, ..., and the end, once. One
 * line is printed when all are attached. Then comes one for each watcher when its match is over.
 * Each broken promise has a line at once. Ends with 0 if none was. SIGTERM: prints how far each has
 * come, and ends. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "client/client.h"
#include "wire/header.h"

#define WATCHERS_MAX 256u
#define ROUND_MS 20

struct watcher {
    struct client *client;
    const char    *match;
    uint64_t       told; /* The last act. */
    uint64_t       doubled, missed;
    bool           attached, over, broken;
};

static volatile sig_atomic_t is_told_to_stop;
static struct watcher        watchers[WATCHERS_MAX];
static uint32_t              first, count;

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

static bool read_id(const char *text, uint8_t id[CLIENT_ID_SIZE])
{
    if (strlen(text) != 2 * CLIENT_ID_SIZE)
        return false;
    for (size_t i = 0; i < CLIENT_ID_SIZE; i++) {
        char byte[3] = { text[2 * i], text[2 * i + 1], '\0' };
        id[i] = (uint8_t) strtoul(byte, NULL, 16);
    }
    return true;
}

static bool open_watcher(struct watcher *watcher, uint32_t number, char **argv, const char *match)
{
    char    lobby[256], stream[256], lobby_key[64], key[512], name[32], fault[256];
    uint8_t id[CLIENT_ID_SIZE];
    FILE   *doors = fopen(argv[1], "r");
    bool    is_read = doors != NULL && read_line(doors, lobby, sizeof lobby) &&
                   read_line(doors, stream, sizeof stream) &&
                   read_line(doors, lobby_key, sizeof lobby_key) && read_id(match, id);
    if (doors != NULL)
        (void) fclose(doors);
    if (!is_read)
        return false;
    (void) snprintf(name, sizeof name, "watcher-%u", number);
    (void) snprintf(key, sizeof key, "%s/%s.key", argv[2], name);
    const struct client_settings settings = { .lobby = lobby,
                                              .lobby_stream = stream,
                                              .lobby_key = lobby_key,
                                              .key_file = key,
                                              .name = name,
                                              .seats_max = 2,
                                              .from_start = true };
    watcher->match = match;
    watcher->client = client_open(&settings, fault, sizeof fault);
    if (watcher->client == NULL)
        fprintf(stderr, "watchers: %s\n", fault);
    return watcher->client != NULL && client_attach(watcher->client, id, NO_SEAT, NULL);
}

static void say(const struct watcher *watcher, const char *what)
{
    printf("%s watcher-%u %s acts %llu missed %llu doubled %llu\n", what,
           first + (uint32_t) (watcher - watchers), watcher->match,
           (unsigned long long) watcher->told, (unsigned long long) watcher->missed,
           (unsigned long long) watcher->doubled);
    (void) fflush(stdout);
}

static void break_promise(struct watcher *watcher, const char *what)
{
    watcher->broken = true;
    say(watcher, what);
}

static void hear_act(struct watcher *watcher, uint64_t number)
{
    if (number > watcher->told + 1) {
        watcher->missed += number - watcher->told - 1;
        break_promise(watcher, "missed");
    } else if (number <= watcher->told) {
        watcher->doubled++;
        break_promise(watcher, "doubled");
    }
    if (number > watcher->told)
        watcher->told = number;
}

static void hear(struct watcher *watcher, const struct client_event *event)
{
    switch (event->kind) {
    case CLIENT_ATTACHED: watcher->attached = true; break;
    case CLIENT_ACT: hear_act(watcher, event->number); break;
    case CLIENT_OVER:
        if (watcher->over)
            break_promise(watcher, "over-again");
        watcher->over = true;
        say(watcher, "over");
        break;
    case CLIENT_LOST: break_promise(watcher, "lost"); break;
    case CLIENT_FAULT: break_promise(watcher, "fault"); break;
    default: break;
    }
}

/* How many are where one asks. */
static uint32_t attached(void)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += watchers[i].attached;
    return found;
}

static uint32_t over(void)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += watchers[i].over || (watchers[i].broken && !watchers[i].attached);
    return found;
}

static void run(void)
{
    struct timespec pause = { .tv_nsec = ROUND_MS * 1000000L };
    bool            is_said = false;
    while (!is_told_to_stop && over() < count) {
        struct client_event event;
        for (uint32_t i = 0; i < count; i++)
            while (client_next(watchers[i].client, 0, &event))
                hear(&watchers[i], &event);
        if (!is_said && attached() == count) {
            is_said = true;
            printf("attached %u\n", count);
            (void) fflush(stdout);
        }
        (void) nanosleep(&pause, NULL);
    }
}

int main(int argc, char **argv)
{
    struct sigaction action = { .sa_handler = on_signal };
    uint32_t         broken = 0;
    if (argc < 6) {
        fputs("usage: watchers DOORS KEYS FIRST COUNT MATCH...\n", stderr);
        return 2;
    }
    first = (uint32_t) strtoul(argv[3], NULL, 10);
    count = (uint32_t) strtoul(argv[4], NULL, 10);
    (void) sigaction(SIGTERM, &action, NULL);
    if (count > WATCHERS_MAX)
        return 2;
    for (uint32_t i = 0; i < count; i++)
        if (!open_watcher(&watchers[i], first + i, argv,
                          argv[5 + (first + i) % (uint32_t) (argc - 5)]))
            return 2;
    run();
    for (uint32_t i = 0; i < count; i++) {
        if (!watchers[i].over)
            say(&watchers[i], "stopped");
        broken += watchers[i].broken || !watchers[i].over;
        client_close(&watchers[i].client);
    }
    return broken == 0 ? 0 : 1;
}
