/* beat.c: see beat.h. */
#include "shell/beat.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock/clock.h"
#include "contract/envelope.pb-c.h"
#include "shell/supervisor.h"
#include "wire/header.h"
#include "wire/names.h"

/* Who is silent for a second is suspect: so four in a row must be lost. */
#define BEAT_MS 250

/* A watchdog, and the thread's own connection to it. */
struct line {
    struct beat_target target;
    struct bus_socket *socket;
};

/* Resident bytes, as the kernel counts them; 0: it does not say. */
static uint64_t memory_bytes(void)
{
    char          text[128] = "";
    unsigned long whole = 0;
    unsigned long resident = 0;
    FILE         *file = fopen("/proc/self/statm", "re");
    if (file == NULL)
        return 0;
    if (fgets(text, sizeof text, file) != NULL)
        /* NOLINTNEXTLINE(cert-err34-c): the kernel writes these numbers. */
        (void) sscanf(text, "%lu %lu", &whole, &resident);
    (void) fclose(file);
    return (uint64_t) resident * (uint64_t) sysconf(_SC_PAGESIZE);
}

void beat_show(struct beat *beat, const struct figures *figures)
{
#define SHOW(name, ...) atomic_store(&beat->figures.name, figures->name);
    FIGURES(SHOW)
}

static void fill(struct beat *beat, Arbiter__Watchdog__Beat *message)
{
    struct figures figures;
    uint64_t       now_ms = clock_ms();
    uint64_t       turned_ms = atomic_load(&beat->turned_ms);
    uint64_t       commit_ms = atomic_load(&beat->commit_ms);
#define LOAD(name, ...) figures.name = atomic_load(&beat->figures.name);
    FIGURES(LOAD)
    figures.loop_age_ms = now_ms > turned_ms ? now_ms - turned_ms : 0;
    figures.memory_bytes = memory_bytes();
    arbiter__watchdog__beat__init(message);
    figures_put(&figures, message);
    message->has_role = message->has_started_ms = message->has_beat = true;
    message->role = (Arbiter__Directory__Role) beat->settings.role;
    message->name = (char *) beat->settings.name;
    message->started_ms = atomic_load(&beat->started_ms);
    message->beat = atomic_fetch_add(&beat->beats, 1) + 1;
    message->has_commit_ms = commit_ms != 0;
    message->commit_ms = commit_ms != 0 && now_ms > commit_ms ? now_ms - commit_ms : 0;
}

static void send(struct bus_socket *socket, uint16_t kind, const ProtobufCMessage *message)
{
    struct header header;
    size_t        size = protobuf_c_message_get_packed_size(message);
    uint8_t      *frame = bus_compose(socket, HEADER_SIZE + size);
    header_init(&header, kind, NULL);
    header_encode(frame, &header);
    (void) protobuf_c_message_pack(message, frame + HEADER_SIZE);
    (void) bus_send(socket, 0);
}

/* A message of its own: a watchdog of the build before refuses it, and nothing else. */
static void send_slow(const struct beat *beat, struct bus_socket *socket, struct trace *traces,
                      uint32_t count)
{
    Arbiter__Watchdog__Slow        slow = ARBITER__WATCHDOG__SLOW__INIT;
    Arbiter__Watchdog__SlowCommand commands[BEAT_SLOW_MAX], *list[BEAT_SLOW_MAX];
    Arbiter__Wire__Took            took[BEAT_SLOW_MAX];
    for (uint32_t i = 0; i < count; i++) {
        arbiter__watchdog__slow_command__init(&commands[i]);
        arbiter__wire__took__init(&took[i]);
        trace_put(traces[i].us, &took[i]);
        list[i] = &commands[i];
        commands[i].has_id = commands[i].has_match_id = commands[i].has_seat = true;
        commands[i].id = (ProtobufCBinaryData){ sizeof traces[i].id, traces[i].id };
        commands[i].match_id =
            (ProtobufCBinaryData){ sizeof traces[i].match_id, traces[i].match_id };
        commands[i].seat = traces[i].seat;
        commands[i].has_number = traces[i].number > 0;
        commands[i].number = traces[i].number;
        commands[i].has_at_ms = true;
        commands[i].at_ms = traces[i].at_ms;
        commands[i].took = &took[i];
    }
    slow.name = (char *) beat->settings.name;
    slow.commands = list;
    slow.n_commands = count;
    send(socket, KIND(SLOW), &slow.base);
}

/* Opens and closes until there is one connection for each target; answers are thrown away. */
static void aim_lines(struct beat *beat, struct line lines[BEAT_TARGETS_MAX],
                      const struct beat_target *targets, uint32_t count)
{
    for (uint32_t i = 0; i < BEAT_TARGETS_MAX; i++) {
        struct line *line = &lines[i];
        bool         is_aimed = i < count;
        if (line->socket != NULL &&
            (!is_aimed || memcmp(&line->target, &targets[i], sizeof line->target) != 0))
            bus_close(&line->socket);
        if (is_aimed && line->socket == NULL) {
            struct text fault;
            line->target = targets[i];
            struct bus_place place = { .kind = BUS_DEALER,
                                       .address = line->target.address,
                                       .key = line->target.key };
            line->socket = bus_open(beat->settings.bus, &place, &fault);
        }
    }
}

static void beat_once(struct beat *beat, struct line lines[BEAT_TARGETS_MAX], struct trace *slow,
                      uint32_t slow_count, bool is_last)
{
    Arbiter__Watchdog__Beat message;
    uint64_t                steps[FIGURE_STEPS], turns[FIGURE_STEPS], bounds[BOUND_NUMBERS];
    struct bus_message      answer;
    if (atomic_load(&beat->started_ms) == 0)
        return;
    fill(beat, &message);
    message.has_stopped = message.stopped = is_last;
    for (uint32_t i = 0; i < FIGURE_STEPS; i++) {
        steps[i] = atomic_load(&beat->commit_steps[i]);
        turns[i] = atomic_load(&beat->loop_steps[i]);
    }
    for (size_t i = 0; i < BOUND_NUMBERS; i++) {
        bounds[i] = atomic_load(&beat->bounds[i]);
        message.n_bounds = bounds[i] != 0 ? i + 1 : message.n_bounds;
    }
    message.bounds = bounds;
    message.loop_steps = turns;
    message.n_loop_steps = FIGURE_STEPS;
    message.commit_steps = steps;
    message.n_commit_steps = message.commits > 0 ? FIGURE_STEPS : 0;
    for (uint32_t i = 0; i < BEAT_TARGETS_MAX; i++) {
        if (lines[i].socket == NULL)
            continue;
        (void) bus_mend(lines[i].socket);
        while (bus_receive(lines[i].socket, &answer) != BUS_NOTHING)
            ;
        send(lines[i].socket, KIND(BEAT), &message.base);
        if (slow_count > 0)
            send_slow(beat, lines[i].socket, slow, slow_count);
    }
}

/* Once a beat. A loop that moves, or waits for the store, is vouched for. A loop that stands still
 * for too long ends the process. Its supervisor starts it again, and what was acknowledged is in
 * the store. */
static void judge(struct beat *beat)
{
    uint64_t moves = atomic_load(&beat->moves);
    if (moves != beat->moves_seen || atomic_load(&beat->commit_ms) != 0 ||
        atomic_load(&beat->is_reading)) {
        beat->moves_seen = moves;
        beat->still_ms = 0;
        if (atomic_load(&beat->is_ready))
            supervisor_say(beat->settings.supervisor, SUPERVISOR_ALIVE);
        return;
    }
    beat->still_ms += BEAT_MS;
    if (beat->settings.stuck_ms == 0 || beat->still_ms < beat->settings.stuck_ms)
        return;
    log_print(beat->settings.log, SAY_ERROR,
              "the loop has stood still for %" PRIu64 " ms: this process ends, to be started again",
              beat->still_ms);
    abort();
}

static struct timespec next_beat(void)
{
    struct timespec then;
    (void) clock_gettime(CLOCK_MONOTONIC, &then);
    then.tv_nsec += BEAT_MS * 1000000L;
    then.tv_sec += then.tv_nsec / 1000000000;
    then.tv_nsec %= 1000000000;
    return then;
}

/* While no watchdog is there to hear of them, they are kept. */
static uint32_t take_slow(struct beat *beat, struct trace slow[BEAT_SLOW_MAX])
{
    uint32_t count = beat->target_count > 0 ? beat->slow_count : 0;
    if (count == 0)
        return 0;
    memcpy(slow, beat->slow, count * sizeof *slow);
    beat->slow_count = 0;
    return count;
}

static void *run(void *argument)
{
    struct beat       *beat = argument;
    struct line        lines[BEAT_TARGETS_MAX] = { 0 };
    struct beat_target targets[BEAT_TARGETS_MAX];
    struct trace       slow[BEAT_SLOW_MAX];
    (void) pthread_mutex_lock(&beat->lock);
    while (!beat->is_stopped) {
        uint32_t count = beat->target_count;
        memcpy(targets, beat->targets, sizeof targets);
        uint32_t slow_count = take_slow(beat, slow);
        (void) pthread_mutex_unlock(&beat->lock);
        aim_lines(beat, lines, targets, count);
        beat_once(beat, lines, slow, slow_count, false);
        judge(beat);
        (void) pthread_mutex_lock(&beat->lock);
        struct timespec then = next_beat();
        while (!beat->is_stopped && pthread_cond_timedwait(&beat->stopped, &beat->lock, &then) == 0)
            ;
    }
    if (beat->says_goodbye)
        beat_once(beat, lines, slow, take_slow(beat, slow), true);
    (void) pthread_mutex_unlock(&beat->lock);
    aim_lines(beat, lines, targets, 0);
    return NULL;
}

bool beat_start(struct beat *beat, const struct beat_settings *settings)
{
    pthread_condattr_t attributes;
    memset(beat, 0, sizeof *beat);
    beat->settings = *settings;
    (void) pthread_mutex_init(&beat->lock, NULL);
    (void) pthread_condattr_init(&attributes);
    (void) pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void) pthread_cond_init(&beat->stopped, &attributes);
    (void) pthread_condattr_destroy(&attributes);
    return pthread_create(&beat->thread, NULL, run, beat) == 0;
}

void beat_stop(struct beat *beat, bool is_asked)
{
    (void) pthread_mutex_lock(&beat->lock);
    beat->is_stopped = true;
    beat->says_goodbye = is_asked;
    (void) pthread_cond_signal(&beat->stopped);
    (void) pthread_mutex_unlock(&beat->lock);
    (void) pthread_join(beat->thread, NULL);
    (void) pthread_cond_destroy(&beat->stopped);
    (void) pthread_mutex_destroy(&beat->lock);
}

void beat_slow(struct beat *beat, const struct trace *trace)
{
    (void) pthread_mutex_lock(&beat->lock);
    if (beat->slow_count < BEAT_SLOW_MAX)
        beat->slow[beat->slow_count++] = *trace;
    (void) pthread_mutex_unlock(&beat->lock);
}

void beat_aim(struct beat *beat, const struct beat_target *targets, uint32_t count)
{
    count = count < BEAT_TARGETS_MAX ? count : BEAT_TARGETS_MAX;
    (void) pthread_mutex_lock(&beat->lock);
    memset(beat->targets, 0, sizeof beat->targets);
    if (count > 0)
        memcpy(beat->targets, targets, count * sizeof *targets);
    beat->target_count = count;
    (void) pthread_mutex_unlock(&beat->lock);
}
