/* main.c: bus_bench: what a command, a delivery, a match and a recovery cost, beside raw libzmq.
 *
 * Raw and product take turns in the same run on the same machine. Each figure is the median of the
 * turns, and the ratio is judged. It prints a line for each goal and ends with 1 if one is
 * missed. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bus_bench.h"

#define TURNS 5
#define MIDDLE 20 /* So many moves are played before anything is measured. */
#define LONG 100
#define ROWS_BYTES 4096 /* What a small batch writes to the log, about. */
#define SYNCS 100
#define PLAYERS 500
#define MANY 100000u

static uint8_t big_ids[MANY][ID_SIZE];

struct run {
    struct raw     raw;
    struct house   house;
    struct scripts scripts;
    struct player *players; /* PLAYERS of them.                                                */
    uint32_t       missed;
};

static struct times times_of(double *memory, uint32_t capacity)
{
    return (struct times){ .ms = memory, .capacity = capacity };
}

static void judge(struct run *run, const char *what, double is, const char *goal, bool is_well)
{
    run->missed += !is_well;
    printf("%-8s %-58s %8.2f   %s\n", is_well ? "holds" : "MISSED", what, is, goal);
}

/* As many bytes in one write, and a sync: the least that keeping something takes. Written over, as a log is
 * once it has its size: a file that grows takes longer. */
static void sync_plainly(const struct run *run, struct times *times)
{
    char path[BUS_ADDRESS_MAX], bytes[ROWS_BYTES] = { 1 };
    (void) snprintf(path, sizeof path, "%s/plain", run->house.folder);
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    for (uint32_t i = 0; i < 2 * SYNCS && file >= 0; i++) {
        uint64_t begun = now_ns();
        if (pwrite(file, bytes, sizeof bytes, i % SYNCS * ROWS_BYTES) != (ssize_t) sizeof bytes ||
            fdatasync(file) != 0)
            break;
        if (i >= SYNCS)
            times_add(times, (double) (now_ns() - begun) / 1e6);
    }
    if (file >= 0)
        (void) close(file);
}

static bool one_client(struct run *run)
{
    static double memory[4][100000];
    double        curve[TURNS], plain[TURNS], synced[TURNS], command[TURNS], ratio[TURNS];
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        struct times trip = times_of(memory[0], 100000), bare = times_of(memory[1], 100000);
        struct times sync = times_of(memory[2], 100000), durable = times_of(memory[3], 100000);
        (void) raw_round_trips(&run->raw, true, 1, SECOND / 2, &trip);
        (void) raw_round_trips(&run->raw, false, 1, SECOND / 2, &bare);
        sync_plainly(run, &sync);
        if (!players_begin(&run->house, &run->scripts, run->players, 1, MIDDLE) ||
            players_play(run->players, 1, LONG, 5 * SECOND, &durable) == 0)
            return false;
        curve[turn] = times_at(&trip, 0.5);
        plain[turn] = times_at(&bare, 0.5);
        synced[turn] = times_at(&sync, 0.5);
        command[turn] = times_at(&durable, 0.5);
        ratio[turn] = command[turn] / (2 * curve[turn] + 2 * synced[turn]);
    }
    printf("one client, p50 ms: command %.3f, raw round trip %.3f (%.3f without CURVE), fdatasync "
           "%.3f\n",
           median(command, TURNS), median(curve, TURNS), median(plain, TURNS),
           median(synced, TURNS));
    double is = median(ratio, TURNS);
    judge(run, "(a) durable command / (2 raw round trips + 2 fdatasync)", is, "at most 1", is <= 1);
    return true;
}

static bool hundred_clients(struct run *run)
{
    static double memory[200000];
    double        curve[TURNS], plain[TURNS], command[TURNS], ratio[TURNS], p99[TURNS];
    double        engine[TURNS], echo[TURNS];
    struct times  none = { .capacity = 0 };
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        struct times durable = times_of(memory, 200000);
        if (!players_begin(&run->house, &run->scripts, run->players, 100, MIDDLE))
            return false;
        double echo_s = process_core_s(run->raw.echo[1]);
        curve[turn] = (double) raw_round_trips(&run->raw, true, 100, SECOND, &none);
        echo[turn] = (process_core_s(run->raw.echo[1]) - echo_s) * 1e6 / curve[turn];
        uint64_t begun = now_ns();
        double   core = process_core_s(run->house.process[ENGINE]);
        uint64_t moves = players_play(run->players, 100, LONG, SECOND, &durable);
        command[turn] = (double) moves * 1e9 / (double) (now_ns() - begun);
        engine[turn] = (process_core_s(run->house.process[ENGINE]) - core) * 1e6 / (double) moves;
        plain[turn] = (double) raw_round_trips(&run->raw, false, 100, SECOND, &none);
        ratio[turn] = command[turn] / curve[turn];
        p99[turn] = times_at(&durable, 0.99);
        if (moves == 0)
            return false;
    }
    printf("100 clients, each second: commands %.0f (p99 %.1f ms), raw round trips %.0f (%.0f "
           "without CURVE)\n",
           median(command, TURNS), median(p99, TURNS), median(curve, TURNS), median(plain, TURNS));
    printf("a core's time, us: the engine's for a command %.1f, raw libzmq's for an answer %.1f\n",
           median(engine, TURNS), median(echo, TURNS));
    double is = median(ratio, TURNS);
    judge(run, "(b) durable commands / raw round trips, 100 clients", is, "at least 0.4",
          is >= 0.4);
    return true;
}

static bool many_matches(struct run *run)
{
    static double    memory[200000];
    static uint8_t   ids[PLAYERS][ID_SIZE];
    struct times     durable = times_of(memory, 200000);
    struct listeners listeners;
    if (!players_begin(&run->house, &run->scripts, run->players, PLAYERS, MIDDLE))
        return false;
    for (uint32_t i = 0; i < PLAYERS; i++)
        memcpy(ids[i], run->players[i].match_id, ID_SIZE);
    if (!house_listen(&run->house, ids, PLAYERS, 0, &listeners))
        return false;
    sleep_ms(4000);
    uint64_t before = *listeners.heard, begun = now_ns();
    uint64_t moves = players_play(run->players, PLAYERS, LONG, 5 * SECOND, &durable);
    double   took = (double) (now_ns() - begun) / 1e9;
    sleep_ms(2000);
    uint64_t asked = 0, heard = *listeners.heard - before;
    for (uint32_t i = 0; i < PLAYERS; i++)
        asked += run->players[i].at - MIDDLE;
    printf("500 matches, each followed through one fanout: %.0f commands/s, p50 %.1f ms, p99 %.1f "
           "ms; %llu acts, %llu heard\n",
           (double) moves / took, times_at(&durable, 0.5), times_at(&durable, 0.99),
           (unsigned long long) asked, (unsigned long long) heard);
    judge(run, "(c) acts heard by subscribers / acts played, 500 matches",
          asked > 0 ? (double) heard / (double) asked : 0, "exactly 1", heard == asked);
    listeners_end(&listeners);
    return moves > 0;
}

/* Deliveries, and the seconds of a core that the publisher took for them. */
struct delivered {
    /* The last: of what everybody should have heard. */
    double each_second, each_core_second, share;
};

static bool deliver_raw(struct run *run, uint32_t readers, struct delivered *delivered)
{
    struct listeners listeners;
    if (!raw_listen(&run->raw, true, readers, &listeners))
        return false;
    run->raw.is_publishing[1] = 1;
    sleep_ms(readers > 100 ? 5000 : 1000);
    uint64_t before = *listeners.heard, begun = now_ns();
    double   core = process_core_s(run->raw.publisher[1]);
    sleep_ms(2000);
    double heard = (double) (*listeners.heard - before);
    delivered->each_second = heard * 1e9 / (double) (now_ns() - begun);
    core = process_core_s(run->raw.publisher[1]) - core;
    delivered->each_core_second = core > 0 ? heard / core : 0;
    run->raw.is_publishing[1] = 0;
    listeners_end(&listeners);
    return true;
}

/* So many matches are played as fast as they can; everybody follows all of them. */
static bool deliver(struct run *run, uint32_t readers, struct delivered *delivered)
{
    enum { MATCHES = 50 };
    static uint8_t   ids[MATCHES][ID_SIZE];
    struct listeners listeners;
    struct times     none = { .capacity = 0 };
    if (!players_begin(&run->house, &run->scripts, run->players, MATCHES, MIDDLE))
        return false;
    for (uint32_t i = 0; i < MATCHES; i++)
        memcpy(ids[i], run->players[i].match_id, ID_SIZE);
    if (!house_listen(&run->house, ids, readers, MATCHES, &listeners))
        return false;
    sleep_ms(readers > 100 ? 6000 : 2000);
    uint64_t before = *listeners.heard, begun = now_ns();
    double   core = process_core_s(run->house.process[FANOUT]);
    uint64_t moves = players_play(run->players, MATCHES, LONG, 3 * SECOND, &none);
    uint64_t wanted = 0, until = now_ns() + 20 * SECOND;
    for (uint32_t i = 0; i < MATCHES; i++)
        wanted += (uint64_t) (run->players[i].at - MIDDLE) * readers;
    while (*listeners.heard - before < wanted && now_ns() < until)
        sleep_ms(2);
    double heard = (double) (*listeners.heard - before);
    delivered->each_second = heard * 1e9 / (double) (now_ns() - begun);
    delivered->share = wanted > 0 ? heard / (double) wanted : 0;
    core = process_core_s(run->house.process[FANOUT]) - core;
    delivered->each_core_second = core > 0 ? heard / core : 0;
    double bytes = heard > 0 ? (double) listeners.heard[1] / (double) listeners.heard[0] : 0;
    listeners_end(&listeners);
    printf("         %llu moves to %u readers: %.0f of %llu heard, %.0f bytes each, %.0f/s, "
           "%.0f for a second of the fanout's core\n",
           (unsigned long long) moves, readers, heard, (unsigned long long) wanted, bytes,
           delivered->each_second, delivered->each_core_second);
    return moves > 0;
}

static bool fan_out(struct run *run, uint32_t readers, uint32_t turns)
{
    double ratio[TURNS], core[TURNS], share = 1;
    char   what[80];
    for (uint32_t turn = 0; turn < turns; turn++) {
        struct delivered raw, ours;
        if (!deliver_raw(run, readers, &raw) || !deliver(run, readers, &ours))
            return false;
        printf("         raw: %.0f/s, %.0f for a second of the publisher's core\n", raw.each_second,
               raw.each_core_second);
        ratio[turn] = ours.each_second / raw.each_second;
        core[turn] = ours.each_core_second / raw.each_core_second;
        if (ours.share < share || ours.share > 1)
            share = ours.share;
    }
    (void) snprintf(what, sizeof what, "(d) acts heard / acts played, %u subscribers", readers);
    judge(run, what, share, "exactly 1", !(share < 1) && !(share > 1));
    (void) snprintf(what, sizeof what, "(d) deliveries/s / raw PUB's, %u subscribers", readers);
    double is = median(ratio, turns);
    judge(run, what, is, "at least 0.5", is >= 0.5);
    printf("         the same for each second of the publisher's core: %.2f\n",
           median(core, turns));
    return true;
}

/* All matches of these ids answer again, one of each slot being asked. */
static double until_all_answer(struct run *run, uint64_t begun)
{
    bool               is_seen[SLOTS] = { false };
    struct bus_socket *socket = player_connect(&run->house);
    uint32_t           answered = 0;
    while (answered < SLOTS && now_ns() < begun + 60 * SECOND) {
        for (uint32_t i = 0; i < 20 * SLOTS; i++) {
            uint8_t slot = header_slot(big_ids[i]);
            if (is_seen[slot])
                continue;
            is_seen[slot] = match_answers(socket, big_ids[i], SECOND / 20);
            answered += is_seen[slot];
            if (!is_seen[slot])
                break;
        }
        (void) bus_mend(socket);
    }
    bus_close(&socket);
    return answered == SLOTS ? (double) (now_ns() - begun) / 1e9 : 1e9;
}

static bool many(struct run *run)
{
    uint64_t before = process_bytes(run->house.process[ENGINE]), begun = now_ns();
    if (!matches_begin(&run->house, &run->scripts, big_ids, MANY, MIDDLE))
        return false;
    printf("%u matches begun and brought to their move %d, %.0f matches/s\n", MANY, MIDDLE,
           MANY * 1e9 / (double) (now_ns() - begun));
    double bytes = (double) process_bytes(run->house.process[ENGINE]);
    double states = (double) run->scripts.state_bytes * MANY;
    printf("the engine has %.0f MiB (%.0f before), %.0f bytes a match; the states %.0f MiB\n",
           bytes / 1048576, (double) before / 1048576, (bytes - (double) before) / MANY,
           states / 1048576);
    double most = 2 * states + 1073741824.0;
    judge(run, "(e) memory of 100,000 matches / (2 states + 1 GiB)", bytes / most, "at most 1",
          bytes <= most);
    house_kill(&run->house, ENGINE);
    begun = now_ns();
    house_start(&run->house, ENGINE);
    double took = until_all_answer(run, begun);
    judge(run, "(f) seconds until 100,000 matches answer again", took, "under 10", took < 10);
    return true;
}

static bool outage(struct run *run)
{
    static double memory[OUTAGE_MATCHES];
    struct times  again = times_of(memory, OUTAGE_MATCHES);
    if (!matches_begin(&run->house, &run->scripts, big_ids, OUTAGE_MATCHES, 0) ||
        !outage_run(&run->house, &run->scripts, big_ids, &again))
        return false;
    double is = times_at(&again, 0.99) / 1000;
    printf("engine killed with 10,000 live matches: %u moves wanted meanwhile, played after %.2f s "
           "p50, %.2f s p99\n",
           again.count, times_at(&again, 0.5) / 1000, is);
    judge(run, "(g) seconds until players move again, p99", is, "at most 2",
          is <= 2 && again.count > 0);
    return true;
}

static bool is_wanted(int argc, char **argv, char letter)
{
    return argc < 2 || strchr(argv[1], letter) != NULL;
}

static bool run_all(struct run *run, int argc, char **argv)
{
    return (!is_wanted(argc, argv, 'a') || one_client(run)) &&
           (!is_wanted(argc, argv, 'b') || hundred_clients(run)) &&
           (!is_wanted(argc, argv, 'c') || many_matches(run)) &&
           (!is_wanted(argc, argv, 'd') || (fan_out(run, 100, 3) && fan_out(run, 1000, 1))) &&
           (!is_wanted(argc, argv, 'g') || outage(run)) &&
           (!is_wanted(argc, argv, 'e') || many(run));
}

int main(int argc, char **argv)
{
    static struct run run;
    char              programs[PATH_BYTES];
    const struct plan plan = { .matches_max = MANY + 20000 };
    bench_begin(programs);
    say_load();
    run.players = calloc(PLAYERS, sizeof *run.players);
    char folder[] = "/tmp/arbiter-bus-raw-XXXXXX";
    bool is_open = run.players != NULL && mkdtemp(folder) != NULL && raw_open(&run.raw, folder) &&
                   scripts_make(&run.scripts, 64, LONG) &&
                   house_open(&run.house, programs, &plan) &&
                   house_wait(&run.house, run.house.starter_bus) &&
                   house_wait(&run.house, run.house.player_bus);
    bool is_done = is_open && run_all(&run, argc, argv);
    for (uint32_t i = 0; i < PLAYERS && run.players != NULL; i++)
        if (run.players[i].socket != NULL)
            bus_close(&run.players[i].socket);
    house_close(&run.house);
    raw_close(&run.raw);
    scripts_free(&run.scripts);
    free(run.players);
    say_load();
    return is_done && run.missed == 0 ? 0 : 1;
}
