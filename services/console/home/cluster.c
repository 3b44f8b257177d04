/* cluster.c: the command lines of the services of one machine. */
#include "services/console/home/cluster.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "bus/port.h"
#include "services/console/command/console.h"
#include "services/console/command/progress.h"
#include "json/config_file.h"

/* A UNIX socket's path may have so many bytes. */
#define SOCKET_PATH_MAX 107
#define PATIENCE_S 10

/* What each process listens at; the ports are counted from the lobby's. */
static const struct {
    const char *program, *name;
    const char *doors[4]; /* NULL behind the last. */
    bool        keeps;    /* It has a store. */
} services[] = {
    { "lobby", "lobby", { "requests", "stream" }, true },
    { "engine", "engine-1", { "requests", "stream", "history" }, true },
    { "fanout", "fanout-1", { "stream", "history" }, false },
    { "watchdog", "watchdog-1", { "requests", "stream" }, true },
    { "gateway", "gateway-1", { NULL }, true }, /* These two may be left out. */
    { "bot", "bot-1", { NULL }, false },
};

#define OPTIONAL 2
#define PORTS 9u /* As many doors as stand above. */

#define SERVICES (sizeof services / sizeof services[0])

static bool too_long(struct text *fault, const char *path)
{
    text_clear(fault);
    text_put(fault, "the path is too long for a socket: ");
    text_put(fault, path);
    text_put(fault, "; choose a shorter --home, or --port N");
    return false;
}

/* Nothing runs yet, so somebody else listens there. */
static bool is_free(uint32_t port, struct text *fault)
{
    char sentence[128];
    if (port_free(port, 1) != 0)
        return true;
    (void) snprintf(sentence, sizeof sentence,
                    "something else listens at port %u of this machine; --port takes the first of "
                    "%u free ones",
                    port, PORTS);
    text_clear(fault);
    text_put(fault, sentence);
    return false;
}

/* Keeps a copy of a word for the command lines. */
static const char *keep(struct cluster *cluster, const char *said)
{
    char *copy = strdup(said);
    if (copy != NULL)
        cluster->words[cluster->word_count++] = copy;
    return copy;
}

static bool add_word(struct cluster *cluster, struct child *child, const char *said)
{
    uint32_t at = 0;
    while (child->words[at] != NULL)
        at++;
    if (at + 1 >= CHILD_WORDS_MAX)
        return false;
    child->words[at] = keep(cluster, said);
    return child->words[at] != NULL;
}

static bool add_option(struct cluster *cluster, struct child *child, const char *option,
                       const char *value)
{
    return add_word(cluster, child, option) && add_word(cluster, child, value);
}

/* The program beside this one. */
static bool find_program(char path[PATH_MAX], const char *program)
{
    char folder[PATH_MAX];
    if (!config_program(folder))
        return false;
    int length = snprintf(path, PATH_MAX, "%s/arbiter-%s", folder, program);
    return length > 0 && length < PATH_MAX && access(path, X_OK) == 0;
}

static bool door_address(const struct cluster *cluster, char address[HOME_ADDRESS_MAX],
                         const char *name, const char *door, uint32_t port, struct text *fault)
{
    char path[PATH_MAX];
    if (port != 0) {
        (void) snprintf(address, HOME_ADDRESS_MAX, "tcp://127.0.0.1:%u", port);
        return is_free(port, fault);
    }
    char ending[32];
    (void) snprintf(ending, sizeof ending, ".%s", door);
    if (!home_path(&cluster->home, path, "run", name, ending) || strlen(path) > SOCKET_PATH_MAX)
        return too_long(fault, cluster->home.folder);
    int size = snprintf(address, HOME_ADDRESS_MAX, "ipc://%s", path);
    return size < HOME_ADDRESS_MAX || too_long(fault, path);
}

static bool add_doors(struct cluster *cluster, struct child *child, size_t service, uint32_t *port,
                      struct text *fault)
{
    for (uint32_t i = 0; i < 4 && services[service].doors[i] != NULL; i++) {
        char        address[HOME_ADDRESS_MAX], option[48];
        const char *door = services[service].doors[i];
        if (!door_address(cluster, address, services[service].name, door, *port, fault))
            return false;
        *port += *port != 0;
        (void) snprintf(option, sizeof option, "--listen-%s", door);
        if (!add_option(cluster, child, option, address))
            return false;
    }
    return true;
}

/* Where settings may lie that somebody wants other than they are. */
static bool config_folder(const struct home *home, char path[PATH_MAX])
{
    int size = snprintf(path, PATH_MAX, "%s/config", home->folder);
    return size > 0 && size < PATH_MAX;
}

/* The words each service is started with; its doors apart. */
static bool add_common(struct cluster *cluster, struct child *child, size_t service,
                       struct text *fault)
{
    const struct home *home = &cluster->home;
    char               path[PATH_MAX];
    text_clear(fault);
    text_put(fault, "the program is not beside this one: arbiter-");
    text_put(fault, services[service].program);
    if (!find_program(path, services[service].program) || !add_word(cluster, child, path) ||
        !home_path(home, path, "keys", services[service].program, ".key"))
        return false;
    if (!add_option(cluster, child, "--name", services[service].name) ||
        !add_option(cluster, child, "--key", path) || !config_folder(home, path) ||
        !add_option(cluster, child, "--config", path))
        return false;
    if (services[service].keeps && (!home_path(home, path, "data", services[service].program, "") ||
                                    !add_option(cluster, child, "--data", path)))
        return false;
    if (service == 0)
        return home_path(home, path, "keys", "admitted", "") &&
               add_option(cluster, child, "--admitted", path);
    return add_option(cluster, child, "--lobby", home->lobby) &&
           add_option(cluster, child, "--lobby-stream", home->lobby_stream) &&
           add_option(cluster, child, "--lobby-key", home->lobby_key);
}

static bool add_service(struct cluster *cluster, size_t service, uint32_t *port, struct text *fault)
{
    struct child *child = &cluster->children.child[cluster->children.count++];
    char          path[PATH_MAX];
    child->name = services[service].name;
    if (!add_common(cluster, child, service, fault) ||
        !add_doors(cluster, child, service, port, fault) ||
        !home_path(&cluster->home, path, "log", services[service].name, ".log"))
        return false;
    child->log = keep(cluster, path);
    return child->log != NULL;
}

/* Two of them in one home would fight for its doors and its store. */
static bool take_home(struct cluster *cluster, struct text *fault)
{
    char path[PATH_MAX];
    bool is_path = home_path(&cluster->home, path, "run", "lock", "");
    cluster->lock = is_path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : 0;
    if (cluster->lock > 0 && flock(cluster->lock, LOCK_EX | LOCK_NB) == 0) {
        /* `arbiter reload` finds our children by it. */
        (void) !ftruncate(cluster->lock, 0);
        (void) dprintf(cluster->lock, "%d\n", (int) getpid());
        return true;
    }
    bool is_taken = cluster->lock > 0 && errno == EWOULDBLOCK;
    text_clear(fault);
    text_put(fault, is_taken ? "an Arbiter runs already in " : "cannot take the lock of ");
    text_put(fault, cluster->home.folder);
    text_put(fault, is_taken ? "; stop it, or name another folder with --home" : ": ");
    if (!is_taken)
        text_put(fault, strerror(errno));
    return false;
}

/* To everybody who knew the house by its key it is another one now. */
static void warn_of_lost_key(const struct home *home)
{
    char path[PATH_MAX];
    if (home_has_lost_its_key(home, path))
        complain("%s is gone: a new one is made, and who named the house by its key (--lobby-key) "
                 "does not find it any more. If there is a copy, stop, and put it back.",
                 path);
}

/* Nobody else is at home when keys are made and the list of them is written. */
static bool make_home(struct cluster *cluster, const char *asked, struct text *fault)
{
    if (!home_find(&cluster->home, asked, fault) || !home_make_folders(&cluster->home, fault) ||
        !take_home(cluster, fault))
        return false;
    warn_of_lost_key(&cluster->home);
    return home_make(&cluster->home, fault);
}

/* The lobby is the first of them. */
static bool add_rigging(struct cluster *cluster, const struct cluster_ask *ask)
{
    return !ask->allow_rigged || add_word(cluster, &cluster->children.child[0], "--allow-rigged");
}

/* Where its door is, and what it wants of whoever looks at the house's figures. */
static bool add_gateway(struct cluster *cluster, struct child *child, const char *http,
                        struct text *fault)
{
    char path[PATH_MAX], token[HOME_TOKEN_MAX];
    return add_option(cluster, child, "--listen-http", http) &&
           home_token(&cluster->home, path, token, fault) &&
           add_option(cluster, child, "--operator-token", path);
}

/* What somebody wants of this child. */
static bool add_settings(struct cluster *cluster, struct child *child, const char *service,
                         const struct cluster_ask *ask)
{
    for (uint32_t i = 0; i < CLUSTER_SETTINGS_MAX; i++) {
        const struct cluster_setting *setting = &ask->settings[i];
        char                          option[48];
        if (setting->value == NULL || strcmp(setting->service, service) != 0)
            continue;
        (void) snprintf(option, sizeof option, "--%s", setting->name);
        if (!add_option(cluster, child, option, setting->value))
            return false;
    }
    return true;
}

bool cluster_init(struct cluster *cluster, const struct cluster_ask *ask, struct text *fault)
{
    uint32_t port = ask->port;
    memset(cluster, 0, sizeof *cluster);
    cluster->children.tell = ask->tell;
    if (!make_home(cluster, ask->home, fault) ||
        !door_address(cluster, cluster->home.lobby, "lobby", "requests", port, fault) ||
        !door_address(cluster, cluster->home.lobby_stream, "lobby", "stream",
                      port == 0 ? 0 : port + 1, fault) ||
        !home_write_doors(&cluster->home, fault))
        return false;
    size_t count = ask->http == NULL ? SERVICES - OPTIONAL : SERVICES;
    for (size_t service = 0; service < count; service++) {
        struct child *child = &cluster->children.child[cluster->children.count];
        if (!add_service(cluster, service, &port, fault) ||
            !add_settings(cluster, child, services[service].program, ask))
            return false;
        if (strcmp(services[service].program, "gateway") == 0 &&
            !add_gateway(cluster, child, ask->http, fault))
            return false;
    }
    return add_rigging(cluster, ask);
}

bool cluster_stop(struct cluster *cluster)
{
    char path[PATH_MAX];
    bool well = children_stop(&cluster->children, PATIENCE_S);
    if (cluster->word_count > 0 && home_path(&cluster->home, path, "run", "doors", ""))
        (void) unlink(path);
    if (cluster->lock > 0)
        (void) close(cluster->lock);
    cluster->lock = 0;
    for (uint32_t i = 0; i < cluster->word_count; i++)
        free(cluster->words[i]);
    cluster->word_count = 0;
    return well;
}
