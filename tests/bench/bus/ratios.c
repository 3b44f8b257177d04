/* ratios.c: ratio_bench: what a database, more fanouts, and CURVE make of the figures, as ratios in one run.
 *
 *     ratio_bench [rscf]    PostgreSQL against SQLite: r: rows, s: commands; c: with CURVE and without; f: one, two, four fanouts
 *
 * Both sides of a ratio take turns on the same machine, so what else it does bears on both. It prints, and judges only
 * that nothing was lost: each act was heard by each who listened. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bus_bench.h"
#include "store/store.h"

#define TURNS 5
#define PLAYERS 100
#define LISTENERS 96
#define MATCHES 50
#define MIDDLE 20
#define LONG 100
#define MATCHES_MAX 20000
#define SETTLE_TRIES 30

/* It knows as whom a server may run. */
#define SERVER ARBITER_SOURCE "/tests/unit/common/store/postgres_trial"

/* A PostgreSQL server of the bench's own, which syncs as one does that is trusted. */
struct server {
    char  folder[PATH_BYTES], place[PATH_BYTES];
    pid_t process;
};

struct bench {
    char           programs[PATH_BYTES];
    struct raw     raw;
    struct scripts scripts;
    uint32_t       lost;
};

/* The house's players, who sit down anew in each turn. */
struct side {
    struct house  house;
    struct player players[PLAYERS];
};

static bool run(const char *const *words)
{
    pid_t child = fork();
    int   status = -1;
    if (child == 0) {
        (void) execv(words[0], (char *const *) words);
        _exit(127);
    }
    (void) waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool server_open(struct server *server)
{
    const char *const make[] = { SERVER, "make", server->folder, NULL };
    (void) snprintf(server->folder, sizeof server->folder, "%s/arbiter-ratio-XXXXXX",
                    getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
    if (mkdtemp(server->folder) == NULL || !run(make))
        return false;
    int size = snprintf(server->place, sizeof server->place,
                        "postgresql:///postgres?host=%.150s&user=arbiter", server->folder);
    server->process = fork();
    if (server->process == 0) {
        (void) prctl(PR_SET_PDEATHSIG, SIGINT);
        (void) execl(SERVER, SERVER, "run", server->folder, "-c", "fsync=on", (char *) NULL);
        _exit(127);
    }
    return size < (int) sizeof server->place;
}

static void server_close(struct server *server)
{
    if (server->process > 0) {
        (void) kill(server->process, SIGINT);
        (void) waitpid(server->process, NULL, 0);
    }
    if (server->folder[0] != '\0')
        remove_folder(server->folder);
}

#define ROWS 100u /* A batch.                                                                  */
#define ACT_BYTES 160u

static const struct column    act_columns[] = { { .name = "match", .kind = CELL_BYTES },
                                                { .name = "number", .kind = CELL_NUMBER },
                                                { .name = "body", .kind = CELL_BYTES } };
static const struct row_table act_tables[] = {
    { .name = "acts", .columns = act_columns, .column_count = 3, .key_count = 2, .since = 1 }
};
static const struct schema act_schema = {
    .name = "bench", .version = 1, .tables = act_tables, .table_count = 1, .fences = NO_FENCES
};

/* Acts of as many matches as there are rows, batch after batch, over one connection; rows a second, 0: it failed. */
static double write_rows(struct store *store, uint64_t *number)
{
    static uint8_t ids[ROWS][ID_SIZE], body[ACT_BYTES];
    struct row    *rows[ROWS] = { NULL };
    uint64_t       begun = now_ns(), written = 0;
    bool           is_well = true;
    for (uint32_t i = 0; i < ROWS && is_well; i++) {
        memset(ids[i], (int) i, ID_SIZE);
        rows[i] = calloc(1, sizeof(struct row) + 3 * sizeof(struct cell));
        is_well = rows[i] != NULL;
    }
    while (is_well && now_ns() - begun < SECOND) {
        ++*number;
        for (uint32_t i = 0; i < ROWS; i++) {
            rows[i]->op = ROW_ADD;
            rows[i]->count = 3;
            rows[i]->cells[0] = (struct cell){ CELL_BYTES, .bytes = ids[i], .size = ID_SIZE };
            rows[i]->cells[1] = (struct cell){ CELL_NUMBER, .number = (int64_t) *number };
            rows[i]->cells[2] = (struct cell){ CELL_BYTES, .bytes = body, .size = ACT_BYTES };
        }
        is_well =
            store_commit(store, (const struct row *const *) rows, ROWS, NULL, 0) == STORE_COMMITTED;
        written += ROWS;
        if (store_facts(store).wal_bytes > (64u << 20))
            is_well = store_checkpoint(store) && is_well;
    }
    double each_second = (double) written * 1e9 / (double) (now_ns() - begun);
    for (uint32_t i = 0; i < ROWS; i++)
        free(rows[i]);
    return is_well ? each_second : 0;
}

static bool compare_rows(struct store *files, struct store *shared)
{
    double   rows[2][TURNS], ratio[TURNS];
    uint64_t number[2] = { 0 };
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        rows[0][turn] = write_rows(files, &number[0]);
        rows[1][turn] = write_rows(shared, &number[1]);
        ratio[turn] = rows[1][turn] / rows[0][turn];
        if (rows[0][turn] <= 0 || rows[1][turn] <= 0)
            return false;
    }
    printf("rows/s, %u a batch, one connection: SQLite %.0f, PostgreSQL %.0f; PostgreSQL / SQLite "
           "%.2f\n",
           ROWS, median(rows[0], TURNS), median(rows[1], TURNS), median(ratio, TURNS));
    return true;
}

static bool server_answers(const struct server *server, struct store **store)
{
    struct text fault;
    for (uint32_t i = 0; i < SETTLE_TRIES * 10 && *store == NULL; i++) {
        *store = store_open(&act_schema, server->place, &fault);
        if (*store == NULL)
            sleep_ms(100);
    }
    return *store != NULL;
}

static bool ratio_rows(struct bench *bench)
{
    char          folder[] = "/tmp/arbiter-ratio-rows-XXXXXX";
    struct text   fault;
    struct server server = { .process = 0 };
    struct store *files = NULL, *shared = NULL;
    (void) bench;
    bool is_open = mkdtemp(folder) != NULL &&
                   (files = store_open(&act_schema, folder, &fault)) != NULL &&
                   server_open(&server) && server_answers(&server, &shared);
    bool is_done = is_open && compare_rows(files, shared);
    store_close(&shared);
    store_close(&files);
    server_close(&server);
    remove_folder(folder);
    return is_done;
}

/* With a database slots come by the watchdog's leases, some seconds behind the start. */
static bool side_open(struct bench *bench, struct side *side, const struct plan *plan)
{
    static uint8_t ids[4 * 256][ID_SIZE];
    if (!house_open(&side->house, bench->programs, plan) ||
        !house_wait(&side->house, side->house.starter_bus) ||
        !house_wait(&side->house, side->house.player_bus))
        return false;
    if (plan->place == NULL)
        return true;
    for (uint32_t i = 0; i < SETTLE_TRIES; i++) {
        sleep_ms(2000);
        if (matches_begin(&side->house, &bench->scripts, ids, 4 * 256, 0))
            return true;
    }
    return false;
}

static void side_close(struct side *side)
{
    for (uint32_t i = 0; i < PLAYERS; i++)
        if (side->players[i].socket != NULL)
            bus_close(&side->players[i].socket);
    if (side->house.folder[0] != '\0')
        house_close(&side->house);
}

/* Durable commands a second of as many clients; and of each how long it took, and how much of the engine's core. */
static bool command(struct bench *bench, struct side *side, uint32_t clients, double figure[3])
{
    static double memory[400000];
    struct times  took = { .ms = memory, .capacity = 400000 };
    if (!players_begin(&side->house, &bench->scripts, side->players, clients, MIDDLE))
        return false;
    uint64_t begun = now_ns();
    double   core = process_core_s(side->house.process[ENGINE]);
    uint64_t moves = players_play(side->players, clients, LONG, 2 * SECOND, &took);
    figure[0] = (double) moves * 1e9 / (double) (now_ns() - begun);
    figure[1] = times_at(&took, 0.5);
    figure[2] = (process_core_s(side->house.process[ENGINE]) - core) * 1e6 /
                (double) (moves > 0 ? moves : 1);
    return moves > 0;
}

static bool compare_stores(struct bench *bench, struct side *files, struct side *shared,
                           uint32_t clients)
{
    double ratio[TURNS], figures[2][3][TURNS], figure[3];
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        for (uint32_t at = 0; at < 2; at++) {
            if (!command(bench, at == 0 ? files : shared, clients, figure))
                return false;
            for (uint32_t i = 0; i < 3; i++)
                figures[at][i][turn] = figure[i];
        }
        ratio[turn] = figures[1][0][turn] / figures[0][0][turn];
    }
    for (uint32_t at = 0; at < 2; at++)
        printf("%-10s %4u clients: %8.0f commands/s, p50 %7.2f ms, engine's core %5.1f us each\n",
               at == 0 ? "SQLite" : "PostgreSQL", clients, median(figures[at][0], TURNS),
               median(figures[at][1], TURNS), median(figures[at][2], TURNS));
    printf("commands/s on PostgreSQL / on SQLite, %u clients: %.2f\n", clients,
           median(ratio, TURNS));
    return true;
}

static bool ratio_stores(struct bench *bench)
{
    static struct side files, shared;
    struct server      server = { .process = 0 };
    const struct plan  on_files = { .matches_max = MATCHES_MAX };
    bool               is_open = server_open(&server) && side_open(bench, &files, &on_files) &&
                   side_open(bench, &shared,
                             &(struct plan){ .matches_max = MATCHES_MAX, .place = server.place });
    bool is_done = is_open && compare_stores(bench, &files, &shared, 1) &&
                   compare_stores(bench, &files, &shared, PLAYERS);
    side_close(&shared);
    side_close(&files);
    server_close(&server);
    return is_done;
}

static double deliver_raw(struct bench *bench, bool has_curve, double *core_s)
{
    struct listeners listeners;
    if (!raw_listen(&bench->raw, has_curve, LISTENERS, &listeners))
        return 0;
    bench->raw.is_publishing[has_curve] = 1;
    sleep_ms(1000);
    uint64_t before = *listeners.heard, begun = now_ns();
    double   core = process_core_s(bench->raw.publisher[has_curve]);
    sleep_ms(2000);
    double heard = (double) (*listeners.heard - before);
    double each_second = heard * 1e9 / (double) (now_ns() - begun);
    *core_s = heard / (process_core_s(bench->raw.publisher[has_curve]) - core);
    bench->raw.is_publishing[has_curve] = 0;
    listeners_end(&listeners);
    return each_second;
}

/* libzmq's own: ours cannot be opened without. */
static bool ratio_curve(struct bench *bench)
{
    double       trips[2][TURNS], news[2][TURNS], core[2][TURNS];
    double       trip_ratio[TURNS], news_ratio[TURNS], core_ratio[TURNS];
    struct times none = { .capacity = 0 };
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        for (uint32_t at = 0; at < 2; at++) {
            trips[at][turn] =
                (double) raw_round_trips(&bench->raw, at == 1, PLAYERS, SECOND, &none);
            news[at][turn] = deliver_raw(bench, at == 1, &core[at][turn]);
            if (trips[at][turn] <= 0 || news[at][turn] <= 0)
                return false;
        }
        trip_ratio[turn] = trips[1][turn] / trips[0][turn];
        news_ratio[turn] = news[1][turn] / news[0][turn];
        core_ratio[turn] = core[1][turn] / core[0][turn];
    }
    for (uint32_t at = 0; at < 2; at++)
        printf(
            "%-13s %8.0f round trips/s of %u clients, %9.0f deliveries/s to %u (%.0f for a second "
            "of the publisher's core)\n",
            at == 0 ? "without CURVE" : "with CURVE", median(trips[at], TURNS), PLAYERS,
            median(news[at], TURNS), LISTENERS, median(core[at], TURNS));
    printf(
        "with CURVE / without: round trips %.2f, deliveries %.2f, deliveries for a second of the "
        "core %.2f\n",
        median(trip_ratio, TURNS), median(news_ratio, TURNS), median(core_ratio, TURNS));
    return true;
}

static double core_of_fanouts(const struct house *house)
{
    double core = process_core_s(house->process[FANOUT]);
    for (uint32_t i = 1; i < house->fanouts; i++)
        core += process_core_s(house->fanout[i]);
    return core;
}

/* The same matches, and as many who listen, at the first so many fanouts. */
static bool deliver(struct bench *bench, struct side *side, uint32_t fanouts, double figure[2])
{
    static uint8_t   ids[MATCHES][ID_SIZE];
    struct listeners listeners;
    struct times     none = { .capacity = 0 };
    if (!players_begin(&side->house, &bench->scripts, side->players, MATCHES, MIDDLE))
        return false;
    for (uint32_t i = 0; i < MATCHES; i++)
        memcpy(ids[i], side->players[i].match_id, ID_SIZE);
    if (!house_listen_at(&side->house, fanouts, ids, LISTENERS, MATCHES, &listeners))
        return false;
    sleep_ms(3000);
    uint64_t before = *listeners.heard, begun = now_ns(), wanted = 0;
    double   core = core_of_fanouts(&side->house);
    uint64_t moves = players_play(side->players, MATCHES, LONG, 3 * SECOND, &none);
    for (uint32_t i = 0; i < MATCHES; i++)
        wanted += (uint64_t) (side->players[i].at - MIDDLE) * LISTENERS;
    for (uint64_t until = now_ns() + 20 * SECOND;
         *listeners.heard - before < wanted && now_ns() < until;)
        sleep_ms(2);
    uint64_t heard = *listeners.heard - before;
    figure[0] = (double) heard * 1e9 / (double) (now_ns() - begun);
    figure[1] = (double) heard / (core_of_fanouts(&side->house) - core);
    listeners_end(&listeners);
    bench->lost += heard != wanted;
    if (heard != wanted)
        printf("MISSED: %llu acts heard of %llu\n", (unsigned long long) heard,
               (unsigned long long) wanted);
    return moves > 0;
}

static bool ratio_fanouts(struct bench *bench)
{
    static const uint32_t counts[] = { 1, 2, 4 };
    static struct side    side;
    double                figures[3][2][TURNS], ratio[3][2][TURNS], figure[2] = { 0 };
    const struct plan     plan = { .matches_max = MATCHES_MAX, .fanouts = FANOUTS_MAX };
    bool                  is_well = side_open(bench, &side, &plan);
    for (uint32_t turn = 0; turn < TURNS && is_well; turn++)
        for (uint32_t i = 0; i < 3 && is_well; i++) {
            is_well = deliver(bench, &side, counts[i], figure);
            for (uint32_t k = 0; k < 2; k++) {
                figures[i][k][turn] = figure[k];
                ratio[i][k][turn] = figure[k] / figures[0][k][turn];
            }
        }
    for (uint32_t i = 0; i < 3 && is_well; i++)
        printf("%u fanouts read of 4: %9.0f deliveries/s (%.2f of one's), %9.0f for a second of "
               "their cores (%.2f)\n",
               counts[i], median(figures[i][0], TURNS), median(ratio[i][0], TURNS),
               median(figures[i][1], TURNS), median(ratio[i][1], TURNS));
    side_close(&side);
    return is_well;
}

static bool is_wanted(int argc, char **argv, char letter)
{
    return argc < 2 || strchr(argv[1], letter) != NULL;
}

int main(int argc, char **argv)
{
    static struct bench bench;
    char                folder[] = "/tmp/arbiter-bus-raw-XXXXXX";
    bench_begin(bench.programs);
    say_load();
    bool is_done = mkdtemp(folder) != NULL && raw_open(&bench.raw, folder) &&
                   scripts_make(&bench.scripts, 64, LONG) &&
                   (!is_wanted(argc, argv, 'r') || ratio_rows(&bench)) &&
                   (!is_wanted(argc, argv, 's') || ratio_stores(&bench)) &&
                   (!is_wanted(argc, argv, 'c') || ratio_curve(&bench)) &&
                   (!is_wanted(argc, argv, 'f') || ratio_fanouts(&bench));
    raw_close(&bench.raw);
    scripts_free(&bench.scripts);
    say_load();
    return is_done && bench.lost == 0 ? 0 : 1;
}
