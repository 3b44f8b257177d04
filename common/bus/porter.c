/* porter.c: see porter.h. Everything here may be called by any thread, libzmq's among them. */
#include "bus/porter.h"

#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"

#define SOURCES 4096u
#define TOKEN 1000u /* Tokens are counted in thousandths. */
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
    uint64_t at_us;
    uint64_t spent; /* Thousandths of tokens.                                                     */
};

static pthread_mutex_t        lock = PTHREAD_MUTEX_INITIALIZER;
static struct porter_limits   bounds;
static struct porter_counters counted;
static struct guest           guests[PORTER_FILES_MAX];
static struct bucket          buckets[SOURCES];
static int                    highest = -1;

static uint64_t cookie_of(int file)
{
    uint64_t  cookie = 0;
    socklen_t size = sizeof cookie;
    return getsockopt(file, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0 ? cookie : 0;
}

/* An IPv4 address, the half of an IPv6 address that a customer is given, or 0: a file on this machine. */
static uint64_t source_of(const struct sockaddr_storage *address)
{
    uint64_t source = 0;
    if (address->ss_family == AF_INET) {
        const struct sockaddr_in *four = (const void *) address;
        source = 1 + (uint64_t) four->sin_addr.s_addr;
    } else if (address->ss_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const void *) address;
        memcpy(&source, &six->sin6_addr, sizeof source);
    }
    return source;
}

static uint32_t bucket_of(uint64_t source)
{
    return (uint32_t) (source * 11400714819323198485u >> 52) % SOURCES;
}

/* False: this source has knocked too often. */
static bool take_token(uint32_t at)
{
    struct bucket *bucket = &buckets[at];
    uint64_t       now = clock_us();
    uint64_t       back = (now - bucket->at_us) * bounds.knocks_per_second / (1000000 / TOKEN);
    bucket->spent = bucket->spent > back ? bucket->spent - back : 0;
    bucket->at_us = now;
    if (bounds.knocks_burst == 0 || at == bucket_of(0)) /* A file's own rights say who knocks. */
        return true;
    if (bucket->spent + TOKEN > (uint64_t) bounds.knocks_burst * TOKEN)
        return false;
    bucket->spent += TOKEN;
    return true;
}

static void give_token_back(uint32_t at)
{
    buckets[at].spent -= buckets[at].spent < TOKEN ? buckets[at].spent : TOKEN;
}

static bool let_in(int file, const struct sockaddr_storage *address)
{
    uint32_t bucket = bucket_of(source_of(address));
    bool     is_full = bounds.connections_max != 0 && (uint32_t) file >= bounds.connections_max;
    if (is_full || !take_token(bucket)) {
        counted.turned_away++;
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

/* Ends a guest's connection; false: he had left, and his number is another's. */
static bool show_out(int file, struct guest *guest)
{
    bool is_there = cookie_of(file) == guest->cookie;
    guest->cookie = 0;
    if (is_there)
        (void) shutdown(file, SHUT_RDWR);
    return is_there;
}

/* How libzmq takes a connection: refused ones are closed before it sees them, and nothing is owed. */
/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): the C library's are reserved. */
int accept4(int file, __SOCKADDR_ARG address, socklen_t *restrict size, int flags)
{
    struct sockaddr_storage peer = { 0 };
    const struct linger     at_once = { .l_onoff = 1 };
    socklen_t               room = sizeof peer;
    int accepted = (int) syscall(SYS_accept4, file, (struct sockaddr *) &peer, &room, flags);
    if (accepted < 0)
        return accepted;
    (void) pthread_mutex_lock(&lock);
    bool is_in = let_in(accepted, &peer);
    (void) pthread_mutex_unlock(&lock);
    if (!is_in) {
        (void) setsockopt(accepted, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        (void) close(accepted);
        errno = ECONNABORTED;
        return -1;
    }
    if (address.__sockaddr__ != NULL && size != NULL) {
        memcpy(address.__sockaddr__, &peer, *size < room ? *size : room);
        *size = room;
    }
    return accepted;
}

/* False: he has brought too much. */
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

/* How libzmq takes bytes: who drowns us is at his end, as if he had left. */
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
    (void) pthread_mutex_unlock(&lock);
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
