/* sqlite_log.c: see sqlite_log.h; the format is at https://www.sqlite.org/fileformat.html#the_write_ahead_log.
 *
 * A frame's checksum goes on from that of the frame before. Behind a broken frame, each one is therefore asked
 * whether it goes on from what the frame before says of itself. Frames of an older use of the file bear other salts,
 * and count for nothing. */
#include "store/sqlite_log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/files.h"
#include "store/store_private.h"

#define HEAD_BYTES 32u
#define FRAME_BYTES 24u   /* Before each page. */
#define MAGIC 0x377f0682u /* Its last bit: checksums of words whose first byte is the highest. */
#define PAGE_LEAST 512u
#define PAGE_MOST 65536u
/* While the owner writes, what looks broken may be on its way: it is believed when it stays. */
#define LOOKS 3
#define LOOK_AGAIN_US 50000

struct sum {
    uint32_t a, b;
};

struct reading {
    int      file;
    uint64_t bytes;
    uint8_t  head[HEAD_BYTES];
    bool     is_big;   /* How its checksums read words.                                     */
    bool     has_head; /* The head's own checksum holds.                                    */
    uint32_t page_bytes;
    uint8_t *frame; /* The one at hand, with its page; ...                               */
    uint8_t  before[FRAME_BYTES]; /* ... what the one before says of itself.                      */
};

static uint32_t big(const uint8_t *bytes)
{
    return (uint32_t) bytes[0] << 24 | (uint32_t) bytes[1] << 16 | (uint32_t) bytes[2] << 8 |
           bytes[3];
}

static uint32_t word(const struct reading *reading, const uint8_t *bytes)
{
    if (reading->is_big)
        return big(bytes);
    return (uint32_t) bytes[3] << 24 | (uint32_t) bytes[2] << 16 | (uint32_t) bytes[1] << 8 |
           bytes[0];
}

static struct sum add(const struct reading *reading, struct sum sum, const uint8_t *bytes,
                      uint32_t size)
{
    for (uint32_t i = 0; i < size; i += 8) {
        sum.a += word(reading, bytes + i) + sum.b;
        sum.b += word(reading, bytes + i + 4) + sum.a;
    }
    return sum;
}

/* Two words, as they stand in heads. */
static struct sum said(const uint8_t *bytes)
{
    return (struct sum){ big(bytes), big(bytes + 4) };
}

static bool is_same(struct sum one, struct sum other)
{
    return one.a == other.a && one.b == other.b;
}

static uint64_t salts_of(const uint8_t *bytes)
{
    return (uint64_t) big(bytes) << 32 | big(bytes + 4);
}

static uint64_t place_of(const struct reading *reading, uint64_t index)
{
    return HEAD_BYTES + index * (FRAME_BYTES + reading->page_bytes);
}

static bool load(const struct reading *reading, uint64_t index)
{
    size_t size = FRAME_BYTES + reading->page_bytes;
    return pread(reading->file, reading->frame, size, (off_t) place_of(reading, index)) ==
           (ssize_t) size;
}

/* Whether the frame at hand goes on from this checksum. */
static bool follows(const struct reading *reading, struct sum sum, uint64_t salts)
{
    sum = add(reading, sum, reading->frame, 8);
    sum = add(reading, sum, reading->frame + FRAME_BYTES, reading->page_bytes);
    return big(reading->frame) != 0 && salts_of(reading->frame + 8) == salts &&
           is_same(sum, said(reading->frame + 16));
}

/* It says so, whether its bytes hold or not. */
static bool is_commit(const struct reading *reading, uint64_t salts)
{
    return salts_of(reading->frame + 8) == salts && big(reading->frame + 4) != 0;
}

/* From the broken frame on: what is whole behind the end of its transaction. Without a head whose salts can be
 * believed, that of the frame before counts. */
static void look_behind(struct reading *reading, uint64_t first, struct sqlite_log *log)
{
    bool is_ended = !reading->has_head;
    for (uint64_t i = first; load(reading, i); i++) {
        uint64_t salts = reading->has_head ? log->newest : salts_of(reading->before + 8);
        bool     is_whole = i > first && follows(reading, said(reading->before + 16), salts);
        if (is_ended && is_whole) {
            log->behind++;
            log->commits += is_commit(reading, salts);
        }
        is_ended = is_ended || is_commit(reading, salts);
        memcpy(reading->before, reading->frame, sizeof reading->before);
    }
}

/* The log was to be used anew, and a crash cut its new head short. That head counts one use more than the frames,
 * and they, all moved into the file by then, go on from the head before. */
static bool is_being_renewed(struct reading *reading)
{
    uint8_t  head[HEAD_BYTES];
    uint32_t uses = big(reading->head + 12) - 1;
    if (reading->has_head || !load(reading, 0))
        return false;
    memcpy(head, reading->head, 12);
    for (uint32_t i = 0; i < 4; i++)
        head[12 + i] = (uint8_t) (uses >> (24 - 8 * i));
    memcpy(head + 16, reading->frame + 8, 8);
    return follows(reading, add(reading, (struct sum){ 0, 0 }, head, 24), salts_of(head + 16));
}

static void read_frames(struct reading *reading, struct sqlite_log *log)
{
    struct sum sum = said(reading->head + 24);
    while (reading->has_head && load(reading, log->frames) && follows(reading, sum, log->newest)) {
        sum = said(reading->frame + 16);
        log->frames++;
    }
    log->offset = log->frames > 0 || reading->has_head ? place_of(reading, log->frames) : 0;
    if (!is_being_renewed(reading))
        look_behind(reading, log->frames, log);
}

static bool is_page_size(uint32_t bytes)
{
    return bytes >= PAGE_LEAST && bytes <= PAGE_MOST && (bytes & (bytes - 1)) == 0;
}

/* The head is broken: what the file beside it says of its pages. */
static uint32_t page_bytes_of(const char *folder, const char *name)
{
    char        path[PATH_BYTES];
    uint8_t     head[18] = { 0 };
    struct text unsaid;
    int         file = -1;
    if (path_in(path, folder, name, ".db", &unsaid))
        file = open(path, O_RDONLY | O_CLOEXEC);
    bool is_read = file >= 0 && pread(file, head, sizeof head, 0) == (ssize_t) sizeof head;
    if (file >= 0)
        close(file);
    uint32_t bytes = (uint32_t) head[16] << 8 | head[17];
    return is_read ? (bytes == 1 ? PAGE_MOST : bytes) : 0;
}

static void read_head(struct reading *reading, const char *folder, const char *name)
{
    reading->is_big = (reading->head[3] & 1) != 0;
    reading->page_bytes = big(reading->head + 8);
    reading->has_head =
        (big(reading->head) & ~1u) == MAGIC && is_page_size(reading->page_bytes) &&
        is_same(add(reading, (struct sum){ 0, 0 }, reading->head, 24), said(reading->head + 24));
    if (!reading->has_head)
        reading->page_bytes = page_bytes_of(folder, name);
}

static bool is_short(const struct reading *reading)
{
    return reading->bytes < HEAD_BYTES ||
           pread(reading->file, (void *) reading->head, HEAD_BYTES, 0) != (ssize_t) HEAD_BYTES;
}

static bool blame(const char *what, const char *path, struct text *fault)
{
    sentence(fault, path, " cannot be ", what, ": ", strerror(errno));
    return false;
}

static bool open_log(const char *path, int flags, struct reading *reading, struct text *fault)
{
    struct stat facts;
    reading->file = open(path, flags | O_CLOEXEC);
    if (reading->file < 0)
        return errno == ENOENT || blame("opened", path, fault);
    if (fstat(reading->file, &facts) == 0)
        reading->bytes = (uint64_t) facts.st_size;
    return true;
}

bool sqlite_log_read(const char *folder, const char *name, struct sqlite_log *log,
                     struct text *fault)
{
    char           path[PATH_BYTES];
    struct reading reading = { .file = -1 };
    memset(log, 0, sizeof *log);
    if (!path_in(path, folder, name, ".db-wal", fault) ||
        !open_log(path, O_RDONLY, &reading, fault))
        return false;
    bool is_read = true;
    if (reading.file >= 0 && !is_short(&reading)) {
        read_head(&reading, folder, name);
        log->newest = salts_of(reading.head + 16);
        reading.frame = malloc(FRAME_BYTES + PAGE_MOST);
        is_read = reading.frame != NULL || blame("read", path, fault);
        if (is_read && is_page_size(reading.page_bytes))
            read_frames(&reading, log);
    }
    free(reading.frame);
    if (reading.file >= 0)
        close(reading.file);
    return is_read;
}

static const char remedy[] =
    " whole frames stand behind it. Restore a backup; or give them up with "
    "\"arbiter store cut\" and this path";

static bool complain(const char *folder, const char *name, const struct sqlite_log *log,
                     struct text *fault)
{
    char offset[24], behind[24];
    (void) snprintf(offset, sizeof offset, "%" PRIu64, log->offset);
    (void) snprintf(behind, sizeof behind, "%" PRIu64, log->behind);
    sentence(fault, folder, "/", name, ".db-wal is damaged at byte ", offset, ": ", behind, remedy);
    return false;
}

bool sqlite_log_is_whole(const char *folder, const char *name, bool is_in_use, struct text *fault)
{
    struct sqlite_log log, again;
    if (!sqlite_log_read(folder, name, &log, fault))
        return false;
    for (int look = 1; log.behind > 0 && is_in_use && look < LOOKS; look++) {
        usleep(LOOK_AGAIN_US);
        if (!sqlite_log_read(folder, name, &again, fault))
            return false;
        if (again.behind == 0 || again.offset != log.offset || again.newest != log.newest)
            return true;
    }
    return log.behind == 0 || complain(folder, name, &log, fault);
}

/* The whole of it is kept first, and synced. */
static bool keep_copy(int from, uint64_t bytes, const char *path, const char *folder,
                      struct text *fault)
{
    static uint8_t buffer[PAGE_MOST];
    int            to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (to < 0)
        return blame("made", path, fault);
    bool is_kept = true;
    for (uint64_t at = 0; at < bytes && is_kept;) {
        ssize_t got = pread(from, buffer, sizeof buffer, (off_t) at);
        is_kept = got > 0 && write(to, buffer, (size_t) got) == got;
        at += got > 0 ? (uint64_t) got : 0;
    }
    is_kept = is_kept && fsync(to) == 0;
    if (!is_kept)
        blame("written", path, fault);
    close(to);
    return is_kept && folder_sync(folder, fault);
}

static bool cut_file(const char *folder, const char *name, const struct sqlite_log *log,
                     struct text *fault)
{
    char           path[PATH_BYTES], kept[PATH_BYTES];
    struct reading reading = { .file = -1 };
    if (!path_in(path, folder, name, ".db-wal", fault) ||
        !path_in(kept, folder, name, ".db-wal.damaged", fault) ||
        !open_log(path, O_RDWR, &reading, fault))
        return false;
    bool is_cut = keep_copy(reading.file, reading.bytes, kept, folder, fault);
    if (is_cut && (ftruncate(reading.file, (off_t) log->offset) != 0 || fsync(reading.file) != 0))
        is_cut = blame("cut", path, fault);
    close(reading.file);
    return is_cut;
}

bool sqlite_log_cut(const char *folder, const char *name, struct sqlite_log *log,
                    struct text *fault)
{
    int lock = lock_take(folder, name, fault);
    if (lock < 0)
        return false;
    bool is_cut = sqlite_log_read(folder, name, log, fault);
    if (is_cut && log->behind == 0) {
        sentence(fault, folder, "/", name, ".db-wal is not damaged: nothing was cut");
        is_cut = false;
    }
    is_cut = is_cut && cut_file(folder, name, log, fault);
    close(lock);
    return is_cut;
}
