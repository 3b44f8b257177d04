/* service.c: see service.h. */
#include "shell/service.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/build.h"
#include "shell/service_private.h"

static const char *const door_names[PEERS_DOORS] = {
    [DOOR_REQUESTS] = "requests",
    [DOOR_STREAM] = "stream",
    [DOOR_HISTORY] = "history",
};

static bool load_key(struct service *service, struct text *fault)
{
    return service->keyring.is_ring
               ? bus_keys_pick(&service->keys, service->key, service->keyring.name,
                               service->program, fault)
               : bus_keys_load(&service->keys, service->key, service->program, fault);
}

/* A first start: a key of its own, if that is wanted. */
bool service_make_key(struct service *service, struct text *fault)
{
    if (!service->make_key || access(service->key, F_OK) == 0)
        return true;
    bus_keys_make(&service->keys, service->program);
    return bus_keys_save(&service->keys, service->key, fault);
}

static bool give_up(const struct service *service, const char *sentence)
{
    log_say(&service->log, SAY_ERROR, sentence);
    return false;
}

/* The lobby's second door, if nobody says where it is. */
static void find_lobby_stream(struct service *service)
{
    const char *colon = strrchr(service->lobby, ':');
    if (service->lobby_stream[0] != '\0' || colon == NULL)
        return;
    if (strncmp(service->lobby, "ipc://", 6) == 0) {
        (void) snprintf(service->lobby_stream, sizeof service->lobby_stream, "%.*s.stream",
                        (int) (sizeof service->lobby_stream - sizeof ".stream"), service->lobby);
        return;
    }
    unsigned long port = strtoul(colon + 1, NULL, 10);
    (void) snprintf(service->lobby_stream, sizeof service->lobby_stream, "%.*s:%lu",
                    (int) (colon - service->lobby), service->lobby, port + 1);
}

/* Each with a store of its own, two would own the same slots, and neither know the other's matches.
 * If the folder is not there, making the store in it fails and says so. On a file system without
 * such locks nothing is known. */
static bool hold_data(struct service *service, struct text *fault)
{
    if (!service->is_only_one || service->data[0] == '\0' || service->place[0] != '\0')
        return true;
    service->hold = open(service->data, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (service->hold < 0 || flock(service->hold, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return true;
    text_clear(fault);
    text_put(fault, service->data);
    text_put(fault, ": another process keeps something in it, and with files there is one alone; "
                    "several share a database (--store)");
    return false;
}

/* One key of a folder, and with it a name; what it keeps is the name's, not the process'. */
static bool take_key(struct service *service, struct text *fault)
{
    size_t size = strlen(service->data);
    if (service->key_folder[0] == '\0')
        return true;
    if (!hold_data(service, fault) || !keyring_take(&service->keyring, service->key_folder, fault))
        return false;
    memcpy(service->key, service->keyring.path, sizeof service->key);
    service_set_text(service->name, sizeof service->name, service->keyring.name);
    if (size > 0)
        (void) snprintf(service->data + size, sizeof service->data - size, "/%s", service->name);
    return service->role == SERVICE_ROLE_LOBBY || service->lobby_key[0] != '\0' ||
           keyring_lobby(&service->keyring, service->lobby_key, service->key_folder, fault);
}

/* All but the lobby must know it. */
static bool know_lobby(struct service *service)
{
    uint8_t key[BUS_KEY_SIZE];
    if (service->role == SERVICE_ROLE_LOBBY)
        return true;
    if (service->lobby[0] == '\0')
        return give_up(service, "where is the lobby? say --lobby ADDRESS");
    if (!bus_key_read(key, service->lobby_key))
        return give_up(service, "what is the lobby's key? say --lobby-key and 40 characters");
    find_lobby_stream(service);
    return true;
}

const char *service_place(const struct service *service)
{
    return service->place[0] != '\0' ? service->place : service->data;
}

static bool keeps(const struct service *service)
{
    if (service->may_keep_nothing && service_place(service)[0] == '\0')
        return false;
    return service->schema != NULL &&
           (!service->keeps_in_database || store_is_database(service_place(service)));
}

/* What is wrong with where it keeps what it keeps; NULL: nothing. */
static const char *judge_place(const struct service *service)
{
    if (service_place(service)[0] == '\0')
        return "where is what this service keeps? say --data FOLDER, or --store postgresql://...";
    if (service->place[0] != '\0' && !store_is_database(service->place))
        return "--store names a database, postgresql://HOST/NAME; a folder is named by --data";
    return NULL;
}

static bool open_store(struct service *service, struct text *fault)
{
    if (!keeps(service))
        return true;
    const char *wrong = judge_place(service);
    if (wrong != NULL) {
        text_clear(fault);
        text_put(fault, wrong);
        return false;
    }
    service->store = store_open(service->schema, service_place(service), fault);
    if (service->store != NULL)
        service->reader = store_open_reader(service->schema, service_place(service), fault);
    return service->store != NULL && service->reader != NULL;
}

/* As many files as the kernel lets us have: each connection is one. */
static void raise_limits(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        (void) setrlimit(RLIMIT_NOFILE, &files);
    }
}

void service_shell(const struct service *service, struct shell_settings *settings)
{
    *settings = (struct shell_settings){ .bus = service->bus,
                                         .log = &service->log,
                                         .keeper = keeps(service)
                                                       ? keeper_of(service->store, service->reader)
                                                       : keeper_of_nothing(),
                                         .name = service->name,
                                         .role = service->role,
                                         .pace = service->pace,
                                         .client_topics_max = service->client_topics_max,
                                         .beats = true,
                                         .stuck_ms = service->stuck_ms,
                                         .slow_ms = service->slow_ms,
                                         .signals = service->signals };
    if (service->role != SERVICE_ROLE_LOBBY)
        (void) bus_key_read(settings->lobby_key, service->lobby_key);
}

static bool open_all(struct service *service, struct text *fault)
{
    struct shell_settings settings;
    struct bus_settings   bus = { .io_threads = service->io_threads, .porter = service->porter };
    if (!service_make_key(service, fault) || !load_key(service, fault) ||
        !open_store(service, fault))
        return false;
    bus.keys = service->keys;
    service->bus = bus_start(&bus, fault);
    sodium_memzero(&bus.keys, sizeof bus.keys);
    if (service->bus == NULL)
        return false;
    service_shell(service, &settings);
    settings.side = service->side;
    settings.pulse = service->pulse;
    settings.again = service_again;
    settings.asked = service;
    settings.supervisor = getenv("NOTIFY_SOCKET"); /* NOLINT(concurrency-mt-unsafe) */
    for (uint32_t door = 1; door < PEERS_DOORS; door++)
        settings.listen[door] =
            service->has_door[door] && (door != DOOR_HISTORY || !service->has_own_history)
                ? service->listen[door]
                : NULL;
    service->shell = shell_open(&settings, fault);
    return service->shell != NULL && service_find_host(service, fault);
}

static void say_where(const struct service *service)
{
    char key[BUS_KEY_TEXT];
    bus_key_write(key, service->keys.public_key);
    log_print(&service->log, SAY_INFO, "arbiter-%s %s, public key %s", service->program,
              arbiter_build.name, key);
    for (uint32_t door = 1; door < PEERS_DOORS; door++)
        if (shell_address(service->shell, door)[0] != '\0')
            log_print(&service->log, SAY_INFO, "%s at %s", door_names[door],
                      shell_address(service->shell, door));
}

static void forget_settings(struct service *service)
{
    settings_free(&service->defaults);
    settings_free(&service->read);
}

static bool begin(struct service *service, int argc, char **argv, int *end)
{
    struct text fault;
    if (!service_read_settings(service, argc, argv, end))
        return false;
    service->log = (struct log){ .file = STDERR_FILENO,
                                 .level = (enum say_level) log_level_of(service->log_level),
                                 .is_json = service->log_json,
                                 .service = service->name };
    service->signals = shell_signals(); /* Before any thread is started. */
    raise_limits();
    if (sodium_init() < 0 || service->signals < 0) {
        (void) give_up(service, "this machine gives neither entropy nor signals");
        return false;
    }
    if (!take_key(service, &fault)) {
        service_set_text(service->name, sizeof service->name, service->program);
        return give_up(service, fault.bytes);
    }
    service_set_text(service->name, sizeof service->name, service->program);
    if (!know_lobby(service))
        return false;
    if (!open_all(service, &fault)) {
        (void) give_up(service, fault.bytes);
        service_finish(service);
        return false;
    }
    say_where(service);
    return true;
}

bool service_begin(struct service *service, int argc, char **argv, int *end)
{
    if (begin(service, argc, argv, end))
        return true;
    forget_settings(service);
    return false;
}

void service_address(const struct service *service, uint32_t door, char address[PEER_ADDRESS_MAX])
{
    char                found[BUS_ADDRESS_MAX];
    const struct shell *shell =
        door == DOOR_HISTORY && service->history != NULL ? service->history : service->shell;
    const char *open_at = shell_address(shell, door);
    if (service->public_address[door][0] != '\0')
        open_at = service->public_address[door];
    if (service->host[0] == '\0' || !reach_door(found, open_at, service->host))
        (void) snprintf(found, sizeof found, "%s", open_at);
    (void) snprintf(address, PEER_ADDRESS_MAX, "%.*s", PEER_ADDRESS_MAX - 1, found);
}

void service_peers(const struct service *service, struct peers_settings *peers)
{
    memset(peers, 0, sizeof *peers);
    peers->role = service->role;
    memcpy(peers->name, service->name, sizeof peers->name);
    (void) snprintf(peers->software, sizeof peers->software, "arbiter %s", arbiter_build.name);
    for (uint32_t door = 1; door < PEERS_DOORS; door++) {
        service_address(service, door, peers->doors.address[door]);
        service_outside(service, door, peers->outside.address[door]);
    }
    memcpy(peers->lobby.address[DOOR_REQUESTS], service->lobby, PEER_ADDRESS_MAX);
    memcpy(peers->lobby.address[DOOR_STREAM], service->lobby_stream, PEER_ADDRESS_MAX);
    (void) bus_key_read(peers->lobby_key, service->lobby_key);
}

void *service_memory(struct service *service, size_t bytes, const char *wrong)
{
    if (wrong != NULL) {
        log_say(&service->log, SAY_ERROR, wrong);
        return NULL;
    }
    assert(service->memories < SERVICE_MEMORIES);
    void *memory = calloc(1, bytes);
    service->memory[service->memories++] = memory;
    log_print(&service->log, memory != NULL ? SAY_INFO : SAY_ERROR,
              "%zu MiB of memory for all it will ever hold%s", (bytes >> 20) + 1,
              memory != NULL ? "" : ": this machine has not got that");
    return memory;
}

int service_run(struct service *service, void *core, const struct core_ops *ops)
{
    int end = core != NULL ? shell_run(service->shell, core, ops) : SHELL_NO_START;
    log_print(&service->log, SAY_INFO, "ended with %d", end);
    return end;
}

void service_finish(struct service *service)
{
    shell_close(&service->shell);
    bus_stop(&service->bus);
    store_close(&service->reader);
    store_close(&service->store);
    if (service->signals > 0)
        (void) close(service->signals);
    keyring_give_back(&service->keyring);
    forget_settings(service);
    while (service->memories > 0)
        free(service->memory[--service->memories]);
    sodium_memzero(&service->keys, sizeof service->keys);
}
