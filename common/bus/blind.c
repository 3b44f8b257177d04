/* blind.c: see blind.h. */
#include "bus/blind.h"

#include <assert.h>
#include <linux/filter.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What the program answers: the number of a socket in its group, in the order in which they began to listen. */
#define THE_DOOR 0
#define THE_BLIND_ONE 1
/* Where the first byte of an IP header is, and in it the sources (RFC 791, RFC 8200). */
#define HEADER ((uint32_t) SKF_NET_OFF)
#define SOURCE_4 (HEADER + 12)
#define SOURCE_6 (HEADER + 8)
/* The version: two; who has IPv4: two for each; who has IPv6: five for each; and the ends. */
#define INSTRUCTIONS_MAX (8 + 5 * BLIND_SOURCES_MAX)
/* A program that could not be attached is tried again after this time. By then a client that was on
 * its way to a blind door when the last bar fell stands there. */
#define AGAIN_US 250000u

struct blind {
    int      file, sink; /* The door's, which is not ours, and the blind one's.                   */
    uint32_t dropped;    /* As the kernel counted at the last look.                               */
    bool     is_open;
};

static struct blind doors[BLIND_DOORS_MAX];
static struct barred {
    struct source source;
    uint64_t      until_us;
} barred[BLIND_SOURCES_MAX];
static uint32_t barred_count;
static bool     is_late; /* A door does not have the program that it should.                      */
static uint64_t dropped;

struct program {
    struct sock_filter code[INSTRUCTIONS_MAX];
    uint16_t           size;
};

static void put(struct program *program, uint16_t what, uint32_t number, uint8_t skip_if,
                uint8_t skip_unless)
{
    assert(program->size < INSTRUCTIONS_MAX);
    program->code[program->size++] =
        (struct sock_filter){ .code = what, .jt = skip_if, .jf = skip_unless, .k = number };
}

static void put_answer(struct program *program, uint32_t answer)
{
    put(program, BPF_RET | BPF_K, answer, 0, 0);
}

static void put_four(struct program *program)
{
    put(program, BPF_LD | BPF_W | BPF_ABS, SOURCE_4, 0, 0);
    for (uint32_t i = 0; i < barred_count; i++)
        if (barred[i].source.version == 4) {
            put(program, BPF_JMP | BPF_JEQ | BPF_K, barred[i].source.words[0], 0, 1);
            put_answer(program, THE_BLIND_ONE);
        }
    put_answer(program, THE_DOOR);
}

static void put_six(struct program *program)
{
    for (uint32_t i = 0; i < barred_count; i++)
        if (barred[i].source.version == 6) {
            put(program, BPF_LD | BPF_W | BPF_ABS, SOURCE_6, 0, 0);
            put(program, BPF_JMP | BPF_JEQ | BPF_K, barred[i].source.words[0], 0, 3);
            put(program, BPF_LD | BPF_W | BPF_ABS, SOURCE_6 + 4, 0, 0);
            put(program, BPF_JMP | BPF_JEQ | BPF_K, barred[i].source.words[1], 0, 1);
            put_answer(program, THE_BLIND_ONE);
        }
    put_answer(program, THE_DOOR);
}

/* One program for all doors: a door of both kinds takes IPv4 too, so each packet is asked what it is. */
static void compile(struct program *program)
{
    uint32_t fours = 0;
    for (uint32_t i = 0; i < barred_count; i++)
        fours += barred[i].source.version == 4;
    program->size = 0;
    put(program, BPF_LD | BPF_B | BPF_ABS, HEADER, 0, 0);
    put(program, BPF_ALU | BPF_AND | BPF_K, 0xf0, 0, 0);
    put(program, BPF_JMP | BPF_JEQ | BPF_K, 0x40, 0, (uint8_t) (2 + 2 * fours));
    put_four(program);
    put_six(program);
}

static bool attach(int file, struct program *program)
{
    const struct sock_fprog whole = { .len = program->size, .filter = program->code };
    return setsockopt(file, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &whole, sizeof whole) == 0;
}

/* Tells the kernel who is barred now. What fails (no memory) is done again at the next blind_tend. */
static void tell(void)
{
    struct program program;
    compile(&program);
    is_late = false;
    for (uint32_t i = 0; i < BLIND_DOORS_MAX; i++)
        if (doors[i].is_open && !attach(doors[i].file, &program))
            is_late = true;
}

void blind_prepare(int file)
{
    const int yes = 1;
    (void) setsockopt(file, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes);
}

/* A socket that listens where the door does; -1: it cannot. */
static int listen_beside(int file)
{
    struct sockaddr_storage at = { 0 };
    const int               yes = 1;
    int                     only_six = 0;
    socklen_t               size = sizeof at, only_size = sizeof only_six;
    if (getsockname(file, (struct sockaddr *) &at, &size) != 0 ||
        (at.ss_family != AF_INET && at.ss_family != AF_INET6))
        return -1;
    int  sink = socket(at.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool is_good = sink >= 0 && setsockopt(sink, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes) == 0;
    if (is_good && at.ss_family == AF_INET6)
        is_good = getsockopt(file, IPPROTO_IPV6, IPV6_V6ONLY, &only_six, &only_size) == 0 &&
                  setsockopt(sink, IPPROTO_IPV6, IPV6_V6ONLY, &only_six, sizeof only_six) == 0;
    is_good = is_good && bind(sink, (const struct sockaddr *) &at, size) == 0;
    if (is_good && listen(sink, 0) == 0)
        return sink;
    if (sink >= 0)
        (void) close(sink);
    return -1;
}

int blind_open(int file)
{
    struct program program;
    uint32_t       number = 0;
    while (number < BLIND_DOORS_MAX && doors[number].is_open)
        number++;
    compile(&program);
    /* Before the blind one listens: without a program the kernel would deal the callers out by lot. */
    if (number == BLIND_DOORS_MAX || !attach(file, &program))
        return -1;
    int sink = listen_beside(file);
    if (sink < 0)
        return -1;
    doors[number] = (struct blind){ .file = file, .sink = sink, .is_open = true };
    return (int) number;
}

static void count(struct blind *door)
{
    uint32_t  facts[SK_MEMINFO_VARS] = { 0 };
    socklen_t size = sizeof facts;
    if (getsockopt(door->sink, SOL_SOCKET, SO_MEMINFO, facts, &size) != 0)
        return;
    dropped += facts[SK_MEMINFO_DROPS] - door->dropped;
    door->dropped = facts[SK_MEMINFO_DROPS];
}

void blind_close(int number)
{
    if (number < 0)
        return;
    struct blind *door = &doors[number];
    count(door);
    (void) close(door->sink);
    door->is_open = false;
}

bool blind_bar(const struct source *source, uint64_t until_us)
{
    bool is_any = false;
    for (uint32_t i = 0; i < BLIND_DOORS_MAX; i++)
        is_any = is_any || doors[i].is_open;
    if (!is_any || source->version == 0 || barred_count == BLIND_SOURCES_MAX)
        return false;
    for (uint32_t i = 0; i < barred_count; i++) /* One of those who stood in the queue before. */
        if (memcmp(&barred[i].source, source, sizeof *source) == 0)
            return false;
    barred[barred_count++] = (struct barred){ .source = *source, .until_us = until_us };
    tell();
    return true;
}

/* Whoever found room at a blind door is told that nobody opens. Not before nobody is barred: a
 * client that stands there keeps the others out. */
static void hang_up(void)
{
    const struct linger at_once = { .l_onoff = 1 };
    int                 file;
    for (uint32_t i = 0; i < BLIND_DOORS_MAX; i++)
        while (doors[i].is_open &&
               (file = (int) syscall(SYS_accept4, doors[i].sink, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
            (void) setsockopt(file, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
            (void) close(file);
        }
}

/* True: there were some. */
static bool let_go(uint64_t now_us)
{
    uint32_t kept = 0, before = barred_count;
    for (uint32_t i = 0; i < before; i++)
        if (barred[i].until_us > now_us)
            barred[kept++] = barred[i];
    barred_count = kept;
    return kept < before;
}

uint64_t blind_tend(uint64_t now_us)
{
    uint64_t next_us = now_us + AGAIN_US;
    bool     has_changed = let_go(now_us) || is_late;
    if (has_changed)
        tell();
    if (barred_count == 0 && !is_late)
        hang_up();
    for (uint32_t i = 0; i < barred_count; i++)
        next_us = barred[i].until_us < next_us ? barred[i].until_us : next_us;
    return barred_count > 0 || has_changed || is_late ? next_us : 0;
}

uint64_t blind_dropped(void)
{
    for (uint32_t i = 0; i < BLIND_DOORS_MAX; i++)
        if (doors[i].is_open)
            count(&doors[i]);
    return dropped;
}
