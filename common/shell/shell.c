/* shell.c: a shell from its doors to its end. */
#include "shell/shell.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock/clock.h"
#include "contract/envelope.pb-c.h"
#include "core/rights.h"
#include "shell/shell_private.h"
#include "shell/supervisor.h"
#include "wire/names.h"
#include "wire/validate.h"

#define OUTBOX_BYTES (16u << 20)
#define DRAIN_MAX 4096
#define BUSY_MS 2000
/* The loop turns so often whatever happens, so that its age means something. */
#define TURN_MS 250
#define TEND_MS 250
#define PATIENT_TIMES 12
/* One socket's share before the next has its turn. */
#define SHARE 32

int shell_signals(void)
{
    sigset_t signals;
    (void) sigemptyset(&signals);
    (void) sigaddset(&signals, SIGTERM);
    (void) sigaddset(&signals, SIGINT);
    (void) sigaddset(&signals, SIGUSR1);
    (void) sigaddset(&signals, SIGHUP);
    (void) signal(SIGPIPE, SIG_IGN); /* NOLINT(cert-sig34-c,bugprone-signal-handler) */
    if (pthread_sigmask(SIG_BLOCK, &signals, NULL) != 0)
        return -1;
    return signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
}

static bool may_subscribe(void *asked, const uint8_t key[BUS_KEY_SIZE], const uint8_t *topic,
                          size_t size)
{
    const struct shell *shell = asked;
    (void) topic;
    return rights_may_subscribe(shell_role_of(shell, key), size);
}

static uint32_t topics_max(void *asked, const uint8_t key[BUS_KEY_SIZE])
{
    const struct shell *shell = asked;
    return shell_role_of(shell, key) == SHELL_ROLE_CLIENT ? shell->settings.client_topics_max : 0;
}

static bool open_doors(struct shell *shell, struct text *fault)
{
    for (uint32_t door = 0; door < PEERS_DOORS; door++) {
        const char      *address = shell->settings.listen[door];
        struct bus_place place = { .kind = door == DOOR_STREAM ? BUS_XPUB : BUS_ROUTER,
                                   .address = address,
                                   .may_subscribe = may_subscribe,
                                   .topics_max = topics_max,
                                   .asked = shell };
        if (address == NULL || address[0] == '\0')
            continue;
        shell->doors[door] = bus_open(shell->settings.bus, &place, fault);
        if (shell->doors[door] == NULL || !bus_prove(shell->doors[door], fault))
            return false;
    }
    return true;
}

/* Its time says to whoever looks from outside that the loop turns. */
static bool open_pulse(struct shell *shell, struct text *fault)
{
    const char *pulse = shell->settings.pulse;
    if (pulse == NULL || pulse[0] == '\0')
        return true;
    shell->pulse = open(pulse, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (shell->pulse >= 0)
        return true;
    text_put(fault, pulse);
    text_put(fault, ": ");
    text_put(fault, strerror(errno));
    return false;
}

static void set_defaults(struct shell_settings *settings)
{
    if (settings->outbox_bytes == 0)
        settings->outbox_bytes = OUTBOX_BYTES;
    if (settings->drain_max == 0)
        settings->drain_max = DRAIN_MAX;
    if (settings->busy_ms == 0)
        settings->busy_ms = BUSY_MS;
}

struct shell *shell_open(const struct shell_settings *settings, struct text *fault)
{
    text_clear(fault);
    struct shell *shell = calloc(1, sizeof *shell);
    if (shell == NULL)
        goto no_memory;
    shell->settings = *settings;
    set_defaults(&shell->settings);
    shell->pace.limits = settings->pace;
    (void) pthread_mutex_init(&shell->wish_lock, NULL);
    shell->supervisor = supervisor_open(settings->supervisor);
    shell->entropy_used = SHELL_ENTROPY_EVENTS;
    shell->is_repoll = true;
    shell->bell = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    shell->outbox_memory = malloc(shell->settings.outbox_bytes);
    shell->arena_memory = malloc(VALIDATE_ARENA_BYTES);
    shell->files = shell->settings.side != NULL ? epoll_create1(EPOLL_CLOEXEC) : 0;
    if (shell->bell < 0 || shell->files < 0 || shell->outbox_memory == NULL ||
        shell->arena_memory == NULL)
        goto no_memory;
    outbox_init(&shell->out, shell->outbox_memory, shell->settings.outbox_bytes);
    arena_init(&shell->arena, shell->arena_memory, VALIDATE_ARENA_BYTES);
    shell_admit(shell, NULL);
    shell->slow.since_us = clock_us();
    if (open_pulse(shell, fault) && open_doors(shell, fault))
        return shell;
    shell_close(&shell);
    return NULL;

no_memory:
    text_put(fault, "no memory for a shell");
    shell_close(&shell);
    return NULL;
}

void shell_close(struct shell **shell)
{
    if (*shell == NULL)
        return;
    for (uint32_t i = 0; i < SHELL_CONNECTIONS_MAX; i++)
        bus_close(&(*shell)->connections[i].socket);
    for (uint32_t door = 0; door < PEERS_DOORS; door++)
        bus_close(&(*shell)->doors[door]);
    shell_forget_queries(*shell);
    if ((*shell)->bell > 0)
        (void) close((*shell)->bell);
    if ((*shell)->files > 0)
        (void) close((*shell)->files);
    if ((*shell)->pulse > 0)
        (void) close((*shell)->pulse);
    if ((*shell)->supervisor > 0)
        (void) close((*shell)->supervisor);
    (void) pthread_mutex_destroy(&(*shell)->wish_lock);
    free((*shell)->outbox_memory);
    free((*shell)->arena_memory);
    free(*shell);
    *shell = NULL;
}

const char *shell_address(const struct shell *shell, uint32_t door)
{
    return door < PEERS_DOORS && shell->doors[door] != NULL ? bus_address(shell->doors[door]) : "";
}

const struct shell_counters *shell_counters(const struct shell *shell)
{
    return &shell->counters;
}

void shell_stop(struct shell *shell)
{
    uint64_t one = 1;
    while (write(shell->bell, &one, sizeof one) < 0 && errno == EINTR)
        ;
}

static void add(struct bus_counters *sum, const struct bus_counters *one)
{
    sum->received += one->received;
    sum->sent += one->sent;
    sum->more_frames += one->more_frames;
    sum->foreign_routes += one->foreign_routes;
    sum->nameless += one->nameless;
    sum->too_large += one->too_large;
    sum->gone += one->gone;
    sum->full += one->full;
    sum->ignored += one->ignored;
    sum->refused_topics += one->refused_topics;
    sum->cut_off += one->cut_off;
}

static void say_doors(const struct shell *shell, enum say_level level)
{
    struct door_counters counters = { 0 };
    char                 line[LOG_LINE_MAX / 2];
    for (uint32_t door = 0; door < PEERS_DOORS; door++)
        if (shell->doors[door] != NULL)
            add(&counters.bus, bus_counters(shell->doors[door]));
    porter_counts(&counters.porter);
    bus_handshakes(shell->settings.bus, &counters.keys_admitted, &counters.keys_refused);
    counters_print_doors(&counters, line, sizeof line);
    log_say(shell->settings.log, level, line);
}

static void say_counters(struct shell *shell, enum say_level level)
{
    char line[LOG_LINE_MAX / 2];
    if (!log_says(shell->settings.log, level))
        return;
    say_doors(shell, level);
    counters_print(&shell->counters, line, sizeof line);
    log_say(shell->settings.log, level, line);
}

static void stop_once(struct shell *shell)
{
    if (++shell->stops > 1) {
        log_say(shell->settings.log, SAY_WARNING, "asked twice to stop: stopping at once");
        shell->is_over = true;
        shell->end = SHELL_AT_ONCE;
        return;
    }
    log_say(shell->settings.log, SAY_INFO, "stopping");
    supervisor_say(shell->supervisor, SUPERVISOR_STOPPING);
    struct event event = shell_event(shell, EVENT_STOP);
    shell_step(shell, &event);
}

static void hear_signals(struct shell *shell)
{
    struct signalfd_siginfo signal;
    uint64_t                rings = 0;
    while (shell->settings.signals >= 0 && !shell->is_over &&
           read(shell->settings.signals, &signal, sizeof signal) == (ssize_t) sizeof signal) {
        if (signal.ssi_signo == SIGUSR1)
            say_counters(shell, SAY_INFO);
        else if (signal.ssi_signo == SIGHUP)
            shell_read_again(shell);
        else
            stop_once(shell);
    }
    if (read(shell->bell, &rings, sizeof rings) != (ssize_t) sizeof rings)
        return;
    for (; rings > 0 && !shell->is_over; rings--)
        stop_once(shell);
}

/* One file for all there is to wait for; what is in it already stays. */
static void gather_files(struct shell *shell)
{
    struct epoll_event any = { .events = EPOLLIN };
    for (size_t i = 0; i < shell->polled_count; i++)
        (void) epoll_ctl(shell->files, EPOLL_CTL_ADD, bus_file(shell->polled[i]), &any);
    (void) epoll_ctl(shell->files, EPOLL_CTL_ADD, shell->bell, &any);
    if (shell->settings.signals >= 0)
        (void) epoll_ctl(shell->files, EPOLL_CTL_ADD, shell->settings.signals, &any);
}

/* All open sockets in one list: doors first, so that the index says which. */
static void list_sockets(struct shell *shell)
{
    size_t count = 0;
    for (uint32_t door = 0; door < PEERS_DOORS; door++)
        if (shell->doors[door] != NULL) {
            shell->polled[count] = shell->doors[door];
            shell->route_of[count++] = door;
        }
    shell->door_count = (uint32_t) count;
    for (uint32_t i = 0; i < SHELL_CONNECTIONS_MAX; i++)
        if (shell->connections[i].socket != NULL) {
            shell->polled[count] = shell->connections[i].socket;
            shell->route_of[count++] = i;
        }
    shell->polled_count = count;
    shell->is_repoll = false;
    if (shell->settings.side != NULL)
        gather_files(shell);
}

/* A socket's file says only once that something came. So wait for it only after a look that found
 * nothing, and look again behind the wait. */
static void wait_aside(struct shell *shell, const int *files, size_t count, bool is_ready,
                       int64_t wait_ms)
{
    const struct shell_side *side = shell->settings.side;
    side->wait(side->asked, shell->files, is_ready ? 0 : wait_ms);
    if (!is_ready)
        (void) bus_wait(shell->polled, shell->polled_count, files, count, 0);
}

/* True: something had come before it was waited for. */
static bool wait_for_something(struct shell *shell)
{
    int      files[2] = { shell->bell, shell->settings.signals };
    size_t   count = shell->settings.signals >= 0 ? 2 : 1;
    uint64_t now_ms = clock_ms();
    uint64_t wait_ms = TURN_MS;
    if (shell->out.wake_ms <= now_ms)
        wait_ms = 0;
    else if (shell->out.wake_ms - now_ms < wait_ms)
        wait_ms = shell->out.wake_ms - now_ms;
    bool is_ready = bus_wait(shell->polled, shell->polled_count, files, count, 0);
    if (shell->settings.side != NULL)
        wait_aside(shell, files, count, is_ready, (int64_t) wait_ms);
    else if (!is_ready && wait_ms > 0)
        (void) bus_wait(shell->polled, shell->polled_count, files, count, (int64_t) wait_ms);
    return is_ready;
}

/* Steps what has arrived, each socket's share in turn, until nothing waits or it is enough for one
 * batch; how much it was. */
static uint32_t drain(struct shell *shell)
{
    uint64_t looked_us = shell->slow.since_us;
    uint32_t taken = 0;
    bool     is_more = true;
    while (is_more && taken < shell->settings.drain_max && !shell->is_over) {
        is_more = false;
        looked_us = clock_us();
        for (size_t i = 0; i < shell->polled_count && !shell->is_repoll; i++) {
            if (!bus_has(shell->polled[i]))
                continue;
            uint32_t door = i < shell->door_count ? (uint32_t) shell->route_of[i] : DOOR_PEER;
            uint32_t share = shell_take(shell, shell->polled[i], door, shell->route_of[i], SHARE);
            is_more = is_more || share == SHARE;
            taken += share;
        }
        is_more = is_more && !shell->is_repoll;
    }
    /* What the next turn finds was not there yet, unless something was left behind. */
    if (!is_more && !shell->is_repoll)
        shell->slow.since_us = looked_us;
    return taken;
}

/* What came in beside the sockets. */
static uint32_t drain_aside(struct shell *shell)
{
    const struct shell_side *side = shell->settings.side;
    uint32_t                 taken = 0;
    while (side != NULL && taken < shell->settings.drain_max && !shell->is_over) {
        struct event event = shell_event(shell, EVENT_MESSAGE);
        event.caller.door = DOOR_SIDE;
        if (!side->next(side->asked, &event))
            break;
        shell_step(shell, &event);
        taken++;
    }
    return taken;
}

static void tell_time(struct shell *shell)
{
    if (shell->out.wake_ms > clock_ms() || shell->is_over)
        return;
    shell->out.wake_ms = NO_WAKE;
    struct event event = shell_event(shell, EVENT_TIME);
    shell_step(shell, &event);
}

/* Watchdogs are told by the beat's thread: those we are connected to, by their keys' role. */
static void aim_beats(struct shell *shell)
{
    struct beat_target targets[BEAT_TARGETS_MAX] = { 0 };
    uint32_t           count = 0;
    for (uint32_t i = 0; i < SHELL_CONNECTIONS_MAX && count < BEAT_TARGETS_MAX; i++) {
        const struct connection *connection = &shell->connections[i];
        if (connection->socket == NULL || connection->door != DOOR_REQUESTS ||
            shell_role_of(shell, connection->key) != SHELL_ROLE_WATCHDOG)
            continue;
        const char *address = bus_address(connection->socket);
        memcpy(targets[count].key, connection->key, sizeof connection->key);
        memcpy(targets[count++].address, address, strlen(address));
    }
    beat_aim(&shell->beat, targets, count);
}

/* A connection: turned away, it is tried anew; lost, that is news for the core. True: it was told. */
static bool look_after(struct shell *shell, uint32_t number)
{
    struct bus_socket *socket = shell->connections[number].socket;
    if (bus_mend(socket)) {
        shell->counters.mended++;
        /* At a start it takes a second until everybody has heard of everybody. */
        uint64_t times = bus_counters(socket)->turned_away;
        log_print(shell->settings.log, times % PATIENT_TIMES == 0 ? SAY_WARNING : SAY_DEBUG,
                  "%s does not admit this key yet (arbiter admit); trying again",
                  bus_address(socket));
    }
    if (!bus_was_cut(socket))
        return false;
    struct event cut = shell_event(shell, EVENT_CUT);
    cut.caller.door = DOOR_PEER;
    cut.caller.route = number;
    shell_step(shell, &cut);
    return true;
}

/* Four times a second: the pulse, connections that were turned away, and who is to hear that we live. */
static void tend(struct shell *shell, bool is_idle)
{
    uint64_t now_ms = clock_ms();
    if (shell->settings.keeper.rest != NULL) {
        atomic_store(&shell->beat.is_reading, true);
        shell->settings.keeper.rest(shell->settings.keeper.store, is_idle);
        atomic_store(&shell->beat.is_reading, false);
    }
    if (now_ms - shell->tended_ms < TEND_MS)
        return;
    shell->tended_ms = now_ms;
    if (shell->pulse > 0)
        (void) futimens(shell->pulse, NULL);
    (void) bus_sweep(shell->settings.bus);
    bool is_cut = false;
    for (uint32_t i = 0; i < SHELL_CONNECTIONS_MAX; i++)
        if (shell->connections[i].socket != NULL && look_after(shell, i))
            is_cut = true;
    if (is_cut)
        shell_settle(shell);
    if (shell->is_beating)
        aim_beats(shell);
}

static void turn(struct shell *shell)
{
    if (shell->is_repoll)
        list_sockets(shell);
    shell_show(shell);
    (void) atomic_fetch_add(&shell->beat.moves, 1);
    atomic_store(&shell->beat.turned_ms, clock_ms());
    bool     was_ready = wait_for_something(shell);
    uint64_t began_us = clock_us();
    if (!was_ready)
        shell->slow.since_us = began_us;
    atomic_store(&shell->beat.turned_ms, began_us / 1000);
    hear_signals(shell);
    shell_grant_wish(shell);
    /* Who has hung up beside the sockets is not played for by what they bring. */
    uint32_t taken = drain_aside(shell);
    taken += drain(shell);
    tell_time(shell);
    if (shell->is_over && shell->end != SHELL_DONE)
        return;
    shell_settle(shell);
    if (!shell->is_over)
        tend(shell, taken == 0);
    counters_turn(&shell->counters, clock_us() - began_us);
}

static bool start_beating(struct shell *shell)
{
    const struct beat_settings settings = { .bus = shell->settings.bus,
                                            .name = shell->settings.name,
                                            .role = shell->settings.role,
                                            .log = shell->settings.log,
                                            .stuck_ms = shell->settings.stuck_ms,
                                            .supervisor = shell->supervisor };
    return shell->settings.beats && beat_start(&shell->beat, &settings);
}

int shell_run(struct shell *shell, void *core, const struct core_ops *ops)
{
    shell->core = core;
    shell->ops = ops;
    shell->is_over = false;
    shell->end = SHELL_DONE;
    shell->is_beating = start_beating(shell);
    struct event started = shell_event(shell, EVENT_STARTED);
    atomic_store(&shell->beat.started_ms, started.wall_ms);
    atomic_store(&shell->beat.turned_ms, started.now_ms);
    shell_step(shell, &started);
    shell_settle(shell);
    /* What it keeps has been read, and its doors have been open for a while. */
    supervisor_say(shell->supervisor, SUPERVISOR_READY);
    atomic_store(&shell->beat.is_ready, true);
    while (!shell->is_over)
        turn(shell);
    if (shell->is_beating)
        beat_stop(&shell->beat, shell->end == SHELL_DONE);
    say_counters(shell, SAY_DEBUG);
    return shell->end;
}
