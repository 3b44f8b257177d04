/* porter.c: see porter.h. Everything here may be called by any thread, libzmq's among them. */

/* This file defines recv itself; FORTIFY brings an inline function of that name. */
#undef _FORTIFY_SOURCE
#include "bus/porter.h"

#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bus/blind.h"
#include "clock/clock.h"

#define SOURCES 4096u
#define TOKEN 1000u /* Tokens are counted in thousandths. */
/* A source floods when so many of its knocks were turned away, less some for each token that came back. A
 * class behind one address that finds no token knocks that often too, but not for long. */
#define FLOOD_KNOCKS (64u * TOKEN)
#define FORGIVEN_PER_TOKEN 4u
/* And so many more when it was barred. */
#define FLOOD_GOES_ON (4u * TOKEN)
/* Less than the second after which a kernel knocks again whose packet was dropped; and those who were
 * barred together do not come back together. */
#define BARRED_US 750000u
#define APART_US 25000u
#define APART 8u
/* A quiet peer's heartbeats are bytes without a message: 120 a second. */
#define QUIET_BYTES_PER_S 1024u

/* Who is connected: one for each descriptor. The kernel's cookie tells a socket from the next one that
 * gets its number, because libzmq closes without telling us. */
struct guest {
    uint64_t    cookie; /* 0: nobody.                                                             */
    const void *owner;
    uint64_t    heard_us;
    uint32_t    bucket;
    uint32_t    unheard;
    uint32_t    topics;
    uint32_t    misdeeds;
    bool        has_key, is_proven, is_unwelcome;
    uint8_t     key[BUS_KEY_SIZE];
};

/* Sources share buckets by a hash, so their number needs no bound. */
struct bucket {
    uint64_t at_us;   /* Until then tokens have come back.                                        */
    uint64_t spent;   /* Thousandths of tokens.                                                   */
    uint64_t refused; /* Thousandths of knocks that were turned away and are not forgiven.        */
};

static pthread_mutex_t        lock = PTHREAD_MUTEX_INITIALIZER;
static struct porter_limits   bounds;
static struct porter_counters counted;
static struct guest           guests[PORTER_FILES_MAX];
static struct bucket          buckets[SOURCES];
static int                    highest = -1;
static _Atomic uint64_t   tend_us;    /* When the blind doors want to be looked after; 0: never.  */
static _Thread_local bool is_opening; /* This thread is about to open a door.                 */
static _Thread_local int  blind = -1; /* The number of the blind door beside it.              */

static uint64_t cookie_of(int file)
{
    uint64_t  cookie = 0;
    socklen_t size = sizeof cookie;
    return getsockopt(file, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0 ? cookie : 0;
}

/* IPv4 looks like IPv6 at a door of both kinds (RFC 4291, 2.5.5.2). */
static struct source source_of(const struct sockaddr_storage *address)
{
    static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
    struct source        source = { 0 };
    const uint8_t       *bytes = NULL;
    if (address->ss_family == AF_INET) {
        bytes = (const void *) &((const struct sockaddr_in *) (const void *) address)->sin_addr;
        source.version = 4;
    } else if (address->ss_family == AF_INET6) {
        bytes = (const void *) &((const struct sockaddr_in6 *) (const void *) address)->sin6_addr;
        source.version = memcmp(bytes, mapped, sizeof mapped) == 0 ? 4 : 6;
        bytes += source.version == 4 ? sizeof mapped : 0;
    }
    for (uint32_t i = 0; bytes != NULL && i < (source.version == 4 ? 1 : 2); i++) {
        uint32_t word;
        memcpy(&word, bytes + i * sizeof word, sizeof word);
        source.words[i] = ntohl(word);
    }
    return source;
}

static uint32_t bucket_of(const struct source *source)
{
    uint64_t words = ((uint64_t) source->words[0] << 32 | source->words[1]) + source->version;
    return (uint32_t) (words * 11400714819323198485u >> 52) % SOURCES;
}

static void take_off(uint64_t *from, uint64_t number)
{
    *from -= *from < number ? *from : number;
}

/* What has come back since: nothing, if its moment is still to come. */
static void refill(struct bucket *bucket, uint64_t now_us)
{
    uint64_t since = now_us > bucket->at_us ? now_us - bucket->at_us : 0;
    uint64_t back = since * bounds.knocks_per_second / (1000000 / TOKEN);
    take_off(&bucket->spent, back);
    take_off(&bucket->refused, back * FORGIVEN_PER_TOKEN);
    bucket->at_us += since;
}

/* False: this source has knocked too often. */
static bool take_token(const struct source *source, struct bucket *bucket)
{
    refill(bucket, clock_us());
    if (bounds.knocks_burst == 0 || source->version == 0) /* A file's own rights say who knocks. */
        return true;
    if (bucket->spent + TOKEN > (uint64_t) bounds.knocks_burst * TOKEN)
        return false;
    bucket->spent += TOKEN;
    return true;
}

/* Nothing comes back to a source while it is barred. If it goes on then, a few knocks bar it again:
 * a flood has no token by then, a source that only knocks too often has one. */
static void bar(const struct source *source, struct bucket *bucket)
{
    uint64_t apart_us = (uint64_t) (bucket - buckets) % APART * APART_US;
    uint64_t until_us = clock_us() + BARRED_US + apart_us;
    if (!blind_bar(source, until_us))
        return;
    counted.barred++;
    bucket->refused = FLOOD_KNOCKS - FLOOD_GOES_ON;
    bucket->at_us = until_us;
    if (tend_us == 0 || tend_us > until_us)
        tend_us = until_us;
}

static void turn_away(const struct source *source, struct bucket *bucket)
{
    counted.turned_away++;
    bucket->refused += TOKEN;
    if (bucket->refused >= FLOOD_KNOCKS)
        bar(source, bucket);
}

static void give_token_back(uint32_t at)
{
    take_off(&buckets[at].spent, TOKEN);
}

static bool let_in(int file, const struct sockaddr_storage *address)
{
    struct source source = source_of(address);
    uint32_t      bucket = bucket_of(&source);
    if (bounds.connections_max != 0 && (uint32_t) file >= bounds.connections_max) {
        counted.turned_away++;
        counted.full++;
        return false;
    }
    if (!take_token(&source, &buckets[bucket])) {
        turn_away(&source, &buckets[bucket]);
        return false;
    }
    counted.let_in++;
    if ((uint32_t) file >= PORTER_FILES_MAX)
        return true;
    highest = file > highest ? file : highest;
    guests[file] =
        (struct guest){ .cookie = cookie_of(file), .bucket = bucket, .heard_us = clock_us() };
    return true;
}

/* The guest on a descriptor; NULL: nobody who came in by a door. The lock is the caller's. */
static struct guest *guest_of(int file)
{
    if (file < 0 || (uint32_t) file >= PORTER_FILES_MAX || guests[file].cookie == 0)
        return NULL;
    return &guests[file];
}

/* Ends a guest's connection; false: the guest had left, and the number is another's. */
static bool show_out(int file, struct guest *guest)
{
    bool is_there = cookie_of(file) == guest->cookie;
    guest->cookie = 0;
    if (is_there)
        (void) shutdown(file, SHUT_RDWR);
    return is_there;
}

int64_t porter_tend(void)
{
    uint64_t due_us = tend_us, now_us = clock_us();
    if (due_us != 0 && now_us >= due_us) {
        (void) pthread_mutex_lock(&lock);
        due_us = blind_tend(now_us);
        tend_us = due_us;
        (void) pthread_mutex_unlock(&lock);
    }
    return due_us == 0 ? -1 : (int64_t) (due_us - now_us) / 1000 + 1;
}

void porter_opens(void)
{
    (void) pthread_mutex_lock(&lock);
    is_opening = bounds.knocks_burst != 0;
    (void) pthread_mutex_unlock(&lock);
    blind = -1;
}

int porter_opened(void)
{
    is_opening = false;
    return blind;
}

void porter_closes(int number)
{
    (void) pthread_mutex_lock(&lock);
    blind_close(number);
    (void) pthread_mutex_unlock(&lock);
}

/* How libzmq opens a door. Others of this process may listen too: they have not said porter_opens. */
/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): the C library's are reserved. */
int listen(int file, int backlog)
{
    bool is_door = is_opening;
    is_opening = false;
    if (is_door)
        blind_prepare(file);
    if (syscall(SYS_listen, file, backlog) != 0)
        return -1;
    if (is_door) {
        (void) pthread_mutex_lock(&lock);
        blind = blind_open(file);
        (void) pthread_mutex_unlock(&lock);
    }
    return 0;
}

/* One who waits at a door, or the error's -1; `is_in`: the guest may come in. */
static int take(int door, struct sockaddr_storage *peer, socklen_t *room, int flags, bool *is_in)
{
    const struct linger at_once = { .l_onoff = 1 };
    int accepted = (int) syscall(SYS_accept4, door, (struct sockaddr *) peer, room, flags);
    if (accepted < 0)
        return -1;
    (void) pthread_mutex_lock(&lock);
    *is_in = let_in(accepted, peer);
    (void) pthread_mutex_unlock(&lock);
    if (*is_in)
        return accepted;
    (void) setsockopt(accepted, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    (void) close(accepted);
    errno = ECONNABORTED;
    return -1;
}

/* How libzmq takes a connection: refused ones are closed before it sees them, and nothing is owed. */
/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): the same. */
int accept4(int file, __SOCKADDR_ARG address, socklen_t *restrict size, int flags)
{
    struct sockaddr_storage peer = { 0 };
    socklen_t               room = sizeof peer;
    bool                    is_in = false;
    int                     accepted = take(file, &peer, &room, flags, &is_in);
    if (accepted >= 0 && address.__sockaddr__ != NULL && size != NULL) {
        memcpy(address.__sockaddr__, &peer, *size < room ? *size : room);
        *size = room;
    }
    return accepted;
}

/* False: the guest has sent too much. */
static bool bring(int file, size_t bytes)
{
    struct guest *guest = guest_of(file);
    if (guest == NULL || bounds.unheard_bytes == 0)
        return true;
    guest->unheard += (uint32_t) bytes;
    if (guest->unheard <= bounds.unheard_bytes)
        return true;
    uint64_t quiet = (clock_us() - guest->heard_us) * QUIET_BYTES_PER_S / 1000000;
    if (guest->unheard <= bounds.unheard_bytes + quiet || !show_out(file, guest))
        return true;
    counted.drowned++;
    return false;
}

/* How libzmq takes bytes: for a peer that drowns us the stream ends, as if it had left. */
/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): the same. */
ssize_t recv(int file, void *bytes, size_t size, int flags)
{
    ssize_t came = recvfrom(file, bytes, size, flags, NULL, NULL);
    if (came <= 0)
        return came;
    (void) pthread_mutex_lock(&lock);
    bool is_good = bring(file, (size_t) came);
    (void) pthread_mutex_unlock(&lock);
    return is_good ? came : 0;
}

void porter_set_limits(const struct porter_limits *limits)
{
    (void) pthread_mutex_lock(&lock);
    bounds = *limits;
    (void) pthread_mutex_unlock(&lock);
}

void porter_counts(struct porter_counters *counters)
{
    (void) pthread_mutex_lock(&lock);
    *counters = counted;
    counters->dropped = blind_dropped();
    (void) pthread_mutex_unlock(&lock);
}

uint32_t porter_files(void)
{
    int file = eventfd(0, EFD_CLOEXEC);
    if (file < 0)
        return porter_files_max();
    (void) close(file);
    return (uint32_t) file;
}

uint32_t porter_files_max(void)
{
    (void) pthread_mutex_lock(&lock);
    uint32_t most = bounds.connections_max;
    (void) pthread_mutex_unlock(&lock);
    return most;
}

void porter_heard(int file, const void *owner, const uint8_t *key)
{
    (void) pthread_mutex_lock(&lock);
    struct guest *guest = guest_of(file);
    if (guest != NULL) {
        guest->owner = owner;
        guest->unheard = 0;
        guest->heard_us = clock_us();
        guest->has_key = key != NULL;
        if (key != NULL)
            memcpy(guest->key, key, BUS_KEY_SIZE);
        if (key != NULL && !guest->is_proven)
            give_token_back(guest->bucket);
        guest->is_proven = true;
    }
    (void) pthread_mutex_unlock(&lock);
}

uint64_t porter_guest(int file)
{
    (void) pthread_mutex_lock(&lock);
    const struct guest *guest = guest_of(file);
    uint64_t            cookie = guest != NULL ? guest->cookie : 0;
    (void) pthread_mutex_unlock(&lock);
    return cookie;
}

uint32_t porter_topics(int file, int change)
{
    uint32_t topics = 0;
    (void) pthread_mutex_lock(&lock);
    struct guest *guest = guest_of(file);
    if (guest != NULL && change < 0)
        guest->topics -= guest->topics > 0;
    else if (guest != NULL)
        guest->topics += (uint32_t) change;
    if (guest != NULL)
        topics = guest->topics;
    (void) pthread_mutex_unlock(&lock);
    return topics;
}

void porter_misdeed(int file)
{
    (void) pthread_mutex_lock(&lock);
    struct guest *guest = guest_of(file);
    if (guest != NULL && ++guest->misdeeds >= PORTER_MISDEEDS_MAX && show_out(file, guest))
        counted.hung_up++;
    (void) pthread_mutex_unlock(&lock);
}

bool porter_hang_up(int file)
{
    (void) pthread_mutex_lock(&lock);
    struct guest *guest = guest_of(file);
    bool          was_there = guest != NULL && show_out(file, guest);
    counted.hung_up += was_there;
    (void) pthread_mutex_unlock(&lock);
    return was_there;
}

uint32_t porter_sweep(const void *owner,
                      bool (*is_unwelcome)(const void *owner, const uint8_t *key))
{
    uint32_t ended = 0;
    (void) pthread_mutex_lock(&lock);
    for (int file = 0; file <= highest; file++) {
        struct guest *guest = guest_of(file);
        if (guest == NULL || guest->owner != owner || !guest->has_key)
            continue;
        bool was_unwelcome = guest->is_unwelcome;
        guest->is_unwelcome = is_unwelcome(owner, guest->key);
        if (was_unwelcome && guest->is_unwelcome)
            ended += show_out(file, guest);
    }
    counted.hung_up += ended;
    (void) pthread_mutex_unlock(&lock);
    return ended;
}
