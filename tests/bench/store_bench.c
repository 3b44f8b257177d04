/* store_bench.c: how many rows and batches a second the embedded store commits, and what a sync costs here.
 *
 * A journal's acts - a match's id, a number, a body of 160 bytes - of a thousand matches in turn, in batches
 * of 1 to 512. In turns with each, a fifth of a second long, a plain file: the same bytes appended in one
 * write, and fdatasync. The log is moved into the file whenever it has 64 MiB; that time is counted, too. At
 * the end one match's acts are read, and all of them.
 *
 *     store_bench [FOLDER [SECONDS]]    what it makes in FOLDER it removes again */
#include <assert.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock/clock.h"
#include "store/store.h"

#define MATCHES 1000u
#define BODY_BYTES 160u
#define ID_BYTES 16u
#define BATCH_MAX 512u
#define LOG_BYTES_MAX (64u << 20)
#define SAMPLES_MAX (1u << 20)
#define TURN_US 200000u

static const struct column    acts_columns[] = { { .name = "match", .kind = CELL_BYTES },
                                                 { .name = "number", .kind = CELL_NUMBER },
                                                 { .name = "body", .kind = CELL_BYTES } };
static const struct row_table tables[] = {
    { .name = "acts", .columns = acts_columns, .column_count = 3, .key_count = 2, .since = 1 }
};
static const struct schema schema = {
    .name = "bench", .version = 1, .tables = tables, .table_count = 1, .fences = NO_FENCES
};

/* What one way of writing took, over all its turns. */
struct tally {
    uint32_t *samples;
    uint32_t  count;
    uint64_t  us, cpu_us, checkpoint_us;
};

struct bench {
    struct store *store;
    int           file; /* The plain one.                                                      */
    struct row   *rows[BATCH_MAX];
    uint8_t       ids[MATCHES][ID_BYTES];
    uint8_t       body[BODY_BYTES];
    uint8_t       bytes[BATCH_MAX * (ID_BYTES + 8 + BODY_BYTES)];
    uint64_t next; /* The act after the last one: match next % MATCHES, number next / MATCHES. */
    struct tally plain_tally, store_tally;
};

static void make(struct bench *bench)
{
    for (uint32_t i = 0; i < BATCH_MAX; i++) {
        bench->rows[i] = calloc(1, sizeof(struct row) + 3 * sizeof(struct cell));
        assert(bench->rows[i]);
        bench->rows[i]->op = ROW_ADD;
        bench->rows[i]->count = 3;
    }
    /* Ids are as good as random, as a match's are. */
    uint64_t word = 88172645463325252u;
    for (uint32_t i = 0; i < sizeof bench->ids; i++) {
        word ^= word << 13;
        word ^= word >> 7;
        word ^= word << 17;
        bench->ids[i / ID_BYTES][i % ID_BYTES] = (uint8_t) (word >> 32);
    }
    memset(bench->body, 'b', sizeof bench->body);
    bench->plain_tally.samples = calloc(SAMPLES_MAX, sizeof(uint32_t));
    bench->store_tally.samples = calloc(SAMPLES_MAX, sizeof(uint32_t));
    assert(bench->plain_tally.samples && bench->store_tally.samples);
}

static void commit(struct bench *bench, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, bench->next++) {
        struct cell *cells = bench->rows[i]->cells;
        uint8_t     *id = bench->ids[bench->next % MATCHES];
        cells[0] = (struct cell){ .kind = CELL_BYTES, .bytes = id, .size = ID_BYTES };
        cells[1] =
            (struct cell){ .kind = CELL_NUMBER, .number = (int64_t) (bench->next / MATCHES) };
        cells[2] = (struct cell){ .kind = CELL_BYTES, .bytes = bench->body, .size = BODY_BYTES };
    }
    enum store_outcome outcome =
        store_commit(bench->store, (const struct row *const *) bench->rows, count, NULL, 0);
    assert(outcome == STORE_COMMITTED);
    (void) outcome;
    if (store_facts(bench->store).wal_bytes < LOG_BYTES_MAX)
        return;
    uint64_t begin = clock_us();
    bool     moved = store_checkpoint(bench->store);
    assert(moved);
    (void) moved;
    bench->store_tally.checkpoint_us += clock_us() - begin;
}

static void append(struct bench *bench, uint32_t count)
{
    size_t  size = count * (ID_BYTES + 8 + BODY_BYTES);
    ssize_t written = write(bench->file, bench->bytes, size);
    assert(written == (ssize_t) size);
    int failed = fdatasync(bench->file);
    assert(!failed);
    (void) written, (void) failed;
}

/* The time this process has had a core, which a busy neighbour does not change. */
static uint64_t cpu_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t) now.tv_sec * 1000000u + (uint64_t) now.tv_nsec / 1000u;
}

static int by_size(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *) a, right = *(const uint32_t *) b;
    return (left > right) - (left < right);
}

static void take_turn(struct bench *bench, struct tally                         *tally,
                      void (*act)(struct bench *bench, uint32_t count), uint32_t count)
{
    uint64_t begin = clock_us(), now = begin, cpu = cpu_us();
    while (now - begin < TURN_US && tally->count < SAMPLES_MAX) {
        uint64_t before = now;
        act(bench, count);
        now = clock_us();
        tally->samples[tally->count++] = (uint32_t) (now - before);
    }
    tally->us += now - begin;
    tally->cpu_us += cpu_us() - cpu;
}

/* Prints a line, empties the tally, gives batches a second. */
static double report(const char *name, struct tally *tally, uint32_t rows)
{
    uint32_t taken = tally->count;
    double   rate = (double) taken * 1e6 / (double) tally->us;
    qsort(tally->samples, taken, sizeof *tally->samples, by_size);
    printf("%-6s %4u rows a batch: %8.0f batches/s %9.0f rows/s, p50 %5u us, p99 %6u us, "
           "core %5.1f us a row, checkpoints %2.0f %%\n",
           name, rows, rate, rate * rows, tally->samples[taken / 2],
           tally->samples[taken - 1 - taken / 100], (double) tally->cpu_us / taken / rows,
           (double) tally->checkpoint_us * 100 / (double) tally->us);
    *tally = (struct tally){ .samples = tally->samples };
    return rate;
}

static void compare(struct bench *bench, uint32_t rows, uint64_t seconds)
{
    for (uint64_t turn = 0; turn < seconds * 1000000u / TURN_US; turn++) {
        take_turn(bench, &bench->plain_tally, append, rows);
        take_turn(bench, &bench->store_tally, commit, rows);
    }
    double plain = report("plain", &bench->plain_tally, rows);
    double store = report("store", &bench->store_tally, rows);
    printf("                        store / plain = %.2f\n", store / plain);
}

static bool count_row(void *taker, const struct row *row)
{
    (void) row;
    ++*(uint64_t *) taker;
    return true;
}

static void measure_reads(struct bench *bench)
{
    struct query one = { .table = 0, .prefix_count = 1 };
    struct query all = { .table = 0 };
    uint64_t     count = 0;
    uint64_t     begin = clock_us();
    for (uint32_t i = 0; i < MATCHES; i++) {
        one.prefix[0] =
            (struct cell){ .kind = CELL_BYTES, .bytes = bench->ids[i], .size = ID_BYTES };
        bool done = store_read(bench->store, &one, count_row, &count);
        assert(done);
        (void) done;
    }
    uint64_t middle = clock_us();
    printf("read   match by match: %.0f rows/s of %" PRIu64 " rows, %.1f ms a match\n",
           (double) count * 1e6 / (double) (middle - begin), count,
           (double) (middle - begin) / 1e3 / MATCHES);
    count = 0;
    bool done = store_read(bench->store, &all, count_row, &count);
    assert(done && count == bench->next);
    (void) done;
    printf("read   in one go:      %.0f rows/s\n",
           (double) count * 1e6 / (double) (clock_us() - middle));
}

static void remove_files(const char *folder)
{
    static const char *const names[] = { "bench.db", "bench.db-wal", "bench.db-shm", "bench.lock",
                                         "bench.plain" };
    char                     path[4096];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
}

static bool begin(struct bench *bench, const char *folder)
{
    struct text fault;
    char        path[4096];
    bench->store = store_open(&schema, folder, &fault);
    if (!bench->store) {
        fprintf(stderr, "store_bench: %s\n", fault.bytes);
        return false;
    }
    snprintf(path, sizeof path, "%s/bench.plain", folder);
    bench->file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    if (bench->file < 0)
        perror("store_bench: bench.plain");
    return bench->file >= 0;
}

int main(int argc, char **argv)
{
    static const uint32_t sizes[] = { 1, 8, 64, 512 };
    static struct bench   bench;
    const char           *folder = argc > 1 ? argv[1] : "bench_store";
    uint64_t              seconds = argc > 2 ? strtoull(argv[2], NULL, 10) : 3;
    if (!begin(&bench, folder))
        return 1;
    make(&bench);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        compare(&bench, sizes[i], seconds);
    measure_reads(&bench);
    store_close(&bench.store);
    close(bench.file);
    remove_files(folder);
    rmdir(folder); /* If it was ours, it is empty now. */
    for (uint32_t i = 0; i < BATCH_MAX; i++)
        free(bench.rows[i]);
    free(bench.plain_tally.samples);
    free(bench.store_tally.samples);
    return 0;
}
