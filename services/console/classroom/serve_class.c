/* serve_class.c: a class: one house, and a process with a port of its own for each match.
 *
 * A door reads one frame, has it carried out and answers it before it reads the next one. So that
 * matches do not wait for each other, each door has a process. They share a page of memory with this
 * one, which keeps the original's time for all of them: the house has one clock more, not sixty. */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "services/console/classroom/serve_house.h"
#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/progress.h"
#include "services/console/command/scratch.h"

#define LOOK_US 20000

struct class_door {
    pid_t               pid; /* 0: it has ended. */
    struct serve_record record;
    enum serve_phase    phase; /* As it was last followed. */
    double              expired_s;
};

struct class
{
    const struct serve_terms *terms;
    struct cluster            cluster;
    struct impatience         clock;
    struct serve_share       *share; /* One for each door.                                      */
    struct class_door         door[SERVE_MATCHES_MAX];
    uint32_t                  opened, left;
    int                       code;
};

/* In a process of its own: the door of this match, until it is over. */
_Noreturn static void be_door(struct class *class, uint32_t number)
{
    static struct serve_door door;
    struct serve_table       table = *class->terms->table;
    char                     about[24];
    (void) prctl(PR_SET_PDEATHSIG, SIGTERM);
    (void) snprintf(about, sizeof about, "match %u", number + 1);
    console_speak_of(about);
    class->cluster.children.count = 0; /* They are another's. */
    table.seed = (int64_t) ((uint64_t) table.seed + number);
    door.number = number + 1;
    door.share = &class->share[number];
    door.record = class->terms->record != NULL ? &class->door[number].record : NULL;
    int code = CONSOLE_BAD_INPUT;
    if (serve_open_door(&door, class->terms, number)) {
        code = serve_play(&door, &class->cluster, class->terms, &table);
        serve_close(&door);
    }
    (void) fflush(stdout);
    _exit(code);
}

static bool open_doors(struct class *class)
{
    for (uint32_t i = 0; i < class->terms->matches; i++) {
        pid_t pid = fork();
        if (pid == 0)
            be_door(class, i);
        if (pid < 0) {
            complain("match %u has no process: %s.", i + 1, strerror(errno));
            return false;
        }
        class->door[i].pid = pid;
        class->left++;
    }
    return true;
}

/* Doors that have ended say how: the worst of it is the class's. */
static void gather(struct class *class)
{
    for (uint32_t i = 0; i < class->terms->matches; i++) {
        int status;
        if (class->door[i].pid <= 0 || waitpid(class->door[i].pid, &status, WNOHANG) <= 0)
            continue;
        int code = WIFEXITED(status) ? WEXITSTATUS(status) : CONSOLE_DISAGREES;
        if (!WIFEXITED(status))
            complain("match %u was killed by signal %d.", i + 1, WTERMSIG(status));
        class->door[i].pid = 0;
        class->left--;
        class->code = code > class->code ? code : class->code;
    }
}

/* Nobody of this match has said anything for so long. */
static void expire(struct class *class, uint32_t number)
{
    struct serve_share *share = &class->share[number];
    bool has_registration = class->terms->table->table->wire->game->registration != NULL;
    if (class->door[number].phase == SERVE_MATCH)
        impatience_expire_match_at(&class->clock, number);
    else if (has_registration)
        impatience_expire_table(&class->clock, share->table);
    else
        atomic_store(&share->is_late, true);
}

static void keep_time(struct class *class, uint32_t number, double now)
{
    struct serve_share *share = &class->share[number];
    struct class_door  *door = &class->door[number];
    enum serve_phase    phase = (enum serve_phase) atomic_load(&share->phase);
    if (door->pid == 0 || phase == SERVE_CLOSED)
        return;
    if (phase != door->phase) {
        door->phase = phase;
        door->expired_s = now;
        if (phase == SERVE_MATCH)
            impatience_follow_at(&class->clock, number, share->match_id);
    }
    double heard = (double) atomic_load(&share->heard_ms) / 1000;
    double since = heard > door->expired_s ? heard : door->expired_s;
    if (now - since < class->terms->patience_s)
        return;
    door->expired_s = now;
    expire(class, number);
}

static void watch_over(struct class *class)
{
    bool is_told = false;
    while (class->left > 0) {
        (void) children_tend(&class->cluster.children, seconds_now());
        gather(class);
        if (class->terms->patience_s > 0) {
            impatience_look(&class->clock, seconds_now());
            for (uint32_t i = 0; i < class->terms->matches; i++)
                keep_time(class, i, seconds_now());
        }
        for (uint32_t i = 0; interrupted() && !is_told && i < class->terms->matches; i++)
            if (class->door[i].pid > 0)
                (void) kill(class->door[i].pid, SIGTERM);
        is_told = interrupted();
        (void) usleep(LOOK_US);
    }
}

/* A key for each door, which the lobby lets in from the beginning. */
static bool add_keys(const struct home *home, uint32_t matches, struct text *fault)
{
    char  path[PATH_MAX], name[32], key[BUS_KEY_TEXT];
    FILE *admitted = home_path(home, path, "keys", "admitted", "") ? fopen(path, "a") : NULL;
    bool  made = admitted != NULL;
    for (uint32_t i = 1; made && i <= matches; i++) {
        (void) snprintf(name, sizeof name, SERVE_DOOR_NAME, i);
        made = home_path(home, path, "keys", name, ".key") &&
               home_key(path, "gateway", name, admitted, key, fault);
    }
    return admitted != NULL && fclose(admitted) == 0 && made;
}

static bool open_records(struct class *class, struct text *fault)
{
    const struct serve_terms *terms = class->terms;
    while (terms->record != NULL && class->opened < terms->matches)
        if (!serve_record_open(&class->door[class->opened++].record, terms->record, terms->table,
                               fault))
            return false;
    return true;
}

/* Keys first, then the doors' processes, and only then what has threads or sockets. */
static bool open_class(struct class *class, const char *folder, struct text *fault)
{
    static struct serve_lobby_words words;
    const struct serve_terms       *terms = class->terms;
    const struct cluster_ask        ask = { .home = folder, .tell = serve_tell_child };
    struct bus_keys                 keys;
    if (!open_records(class, fault) || !cluster_init(&class->cluster, &ask, fault))
        return false;
    text_clear(fault);
    text_put(fault, "the house does not take the keys of its doors");
    if (!add_keys(&class->cluster.home, terms->matches, fault) ||
        !serve_add_clock(&class->cluster.home, &keys))
        return false;
    serve_set_lobby(&class->cluster, terms, &words);
    return open_doors(class) &&
           (terms->patience_s == 0 ||
            impatience_open(&class->clock, &class->cluster.home, &keys, fault));
}

int serve_class(const struct serve_terms *terms)
{
    static struct class class;
    char        folder[SCRATCH_MAX];
    struct text fault;
    class.terms = terms;
    class.share = mmap(NULL, terms->matches * sizeof *class.share, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (class.share == MAP_FAILED || !scratch_make(folder))
        return CONSOLE_BAD_INPUT;
    if (!open_class(&class, folder, &fault)) {
        complain("%s.", fault.bytes);
        class.code = CONSOLE_BAD_INPUT;
        for (uint32_t i = 0; i < terms->matches; i++)
            if (class.door[i].pid > 0)
                (void) kill(class.door[i].pid, SIGTERM);
    }
    watch_over(&class);
    impatience_close(&class.clock);
    return serve_end_house(&class.cluster, folder, class.code);
}
