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

#include "wire/header.h"

static const char *const door_names[PEERS_DOORS] = {
    [DOOR_REQUESTS] = "requests",
    [DOOR_STREAM] = "stream",
    [DOOR_HISTORY] = "history",
};

#define COMMON_MAX 48

/* Those of the doors it has. */
static uint32_t list_doors(struct service *service, struct setting *list)
{
    static const char *const listen_names[] = { "", "listen_requests", "listen_stream",
                                                "listen_history" };
    static const char *const public_names[] = { "", "public_requests", "public_stream",
                                                "public_history" };
    uint32_t                 count = 0;
    for (uint32_t door = 1; door < PEERS_DOORS; door++) {
        if (!service->has_door[door])
            continue;
        list[count++] = (struct setting){ listen_names[door],
                                          SETTING_TEXT,
                                          service->listen[door],
                                          0,
                                          PEER_ADDRESS_MAX,
                                          "Where this door opens, as tcp://ADDRESS:PORT or "
                                          "ipc://PATH." };
        list[count++] =
            (struct setting){ public_names[door],
                              SETTING_TEXT,
                              service->public_address[door],
                              0,
                              PEER_ADDRESS_MAX,
                              "Where others find this door; empty: the same, or for a "
                              "door at 0.0.0.0 the address from which the lobby is reached." };
    }
    if (count > 0)
        list[count++] = (struct setting){
            "advertise",
            SETTING_TEXT,
            service->advertise,
            0,
            PEER_ADDRESS_MAX,
            "Where clients outside find its doors, HOST:PORT (the next doors at the next ports) or "
            "HOST:PORT,PORT for each; the lobby's must be said, too. Empty, or without HOST: "
            "nowhere."
        };
    return count;
}

/* A list of the settings every service has; those of doors it has not are left out. */
static uint32_t list_common(struct service *service, struct setting list[COMMON_MAX])
{
    const struct setting always[] = {
        { "name", SETTING_TEXT, service->name, 0, sizeof service->name,
          "What this process is called; unique among its like." },
        { "key", SETTING_TEXT, service->key, 0, sizeof service->key,
          "The file with its key (arbiter keygen); only its owner may read it." },
        { "keys", SETTING_TEXT, service->key_folder, 0, sizeof service->key_folder,
          "A folder of keys, as arbiter keys makes it: this process takes one that no other has, "
          "is "
          "called like it, keeps what it keeps in a folder of that name below --data, and reads "
          "the "
          "lobby's key there. Or a file of all keys of a role (arbiter keys --secrets): this "
          "process takes the one that is called like this machine." },
        { "lobby", SETTING_TEXT, service->lobby, 0, sizeof service->lobby,
          "The lobby's door for requests." },
        { "lobby_stream", SETTING_TEXT, service->lobby_stream, 0, sizeof service->lobby_stream,
          "The lobby's door for news; empty: one port further, or PATH.stream." },
        { "lobby_key", SETTING_TEXT, service->lobby_key, 0, sizeof service->lobby_key,
          "The lobby's public key, 40 characters." },
        { "data", SETTING_TEXT, service->data, 0, sizeof service->data,
          "The folder of what it keeps." },
        { "store", SETTING_TEXT, service->place, 0, sizeof service->place,
          "The database of what it keeps, instead of that folder: postgresql://HOST1,HOST2/NAME." },
        { "pulse", SETTING_TEXT, service->pulse, 0, sizeof service->pulse,
          "A file that is touched four times a second while all is well (arbiter alive)." },
        { "log_level", SETTING_TEXT, service->log_level, 0, sizeof service->log_level,
          "debug, info, warning or error." },
        { "log_json", SETTING_FLAG, &service->log_json, 0, 0, "Log in JSON, not in logfmt." },
        { "make_key", SETTING_FLAG, &service->make_key, 0, 0,
          "If the file of the key is not there yet, make it." },
        { "check", SETTING_FLAG, &service->check, 0, 0,
          "Read the settings, say what is wrong with them, and end; with --make-key the key is "
          "made." },
        { "io_threads", SETTING_NUMBER32, &service->io_threads, 1, 8,
          "Threads that encrypt and carry; one does for a gigabit." },
        { "connections_max", SETTING_NUMBER32, &service->porter.connections_max, 64,
          PORTER_FILES_MAX, "Files open at once, above which nobody new may connect." },
        { "knocks_burst", SETTING_NUMBER32, &service->porter.knocks_burst, 1, 1u << 20,
          "Connections of one address at once that have not proved an admitted key." },
        { "knocks_per_second", SETTING_NUMBER32, &service->porter.knocks_per_second, 1, 1u << 20,
          "So many more of those each second." },
        { "unheard_bytes", SETTING_NUMBER32, &service->porter.unheard_bytes, 1u << 18, 1u << 30,
          "Bytes that may come over a connection without a whole message." },
        { "client_frames_per_second", SETTING_NUMBER32, &service->pace.frames_per_second, 0,
          1u << 20, "Messages of one client, 512 bytes each; more end his connection. 0: any." },
        { "client_asks_per_second", SETTING_NUMBER32, &service->pace.asks_per_second, 0, 1u << 20,
          "Questions and wishes of one client, commands and pings aside. 0: any." },
        { "client_asks_burst", SETTING_NUMBER32, &service->pace.asks_burst, 1, 1u << 20,
          "So many of them at once." },
        { "client_topics_max", SETTING_NUMBER32, &service->client_topics_max, 0, 1u << 20,
          "Topics one connection of a client may subscribe to. 0: any number." },
    };
    uint32_t count = 0;
    for (; count < sizeof always / sizeof *always; count++)
        list[count] = always[count];
    return count + list_doors(service, list + count);
}

static bool has_word(int argc, char **argv, const char *word)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], word) == 0)
            return true;
    return false;
}

static const char *word_behind(int argc, char **argv, const char *word)
{
    size_t size = strlen(word);
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], word, size) == 0 && argv[i][size] == '=')
            return argv[i] + size + 1;
        if (strcmp(argv[i], word) == 0 && i + 1 < argc)
            return argv[i + 1];
    }
    return NULL;
}

static void set_text(char *to, size_t capacity, const char *text)
{
    if (to[0] == '\0')
        (void) snprintf(to, capacity, "%s", text);
}

static void set_defaults(struct service *service)
{
    set_text(service->log_level, sizeof service->log_level, "info");
    if (service->io_threads == 0)
        service->io_threads = 1;
    service->porter = (struct porter_limits){ .connections_max = 8192,
                                              .knocks_burst = 64,
                                              .knocks_per_second = 16,
                                              .unheard_bytes = 4u << 20 };
    service->pace =
        (struct pace_limits){ .frames_per_second = 5000, .asks_per_second = 50, .asks_burst = 200 };
    service->client_topics_max = 1024;
    for (uint32_t door = 1; door < PEERS_DOORS; door++)
        set_text(service->listen[door], PEER_ADDRESS_MAX, "tcp://127.0.0.1:*");
}

static bool load_key(struct service *service, struct text *fault)
{
    return service->keyring.is_ring
               ? bus_keys_pick(&service->keys, service->key, service->keyring.name,
                               service->program, fault)
               : bus_keys_load(&service->keys, service->key, service->program, fault);
}

/* A first start: a key of its own, if that is wanted. */
static bool make_key(struct service *service, struct text *fault)
{
    if (!service->make_key || access(service->key, F_OK) == 0)
        return true;
    bus_keys_make(&service->keys, service->program);
    return bus_keys_save(&service->keys, service->key, fault);
}

static void put_versions(const struct service *service)
{
    printf("arbiter-%s %s, protocol %d", service->program, ARBITER_VERSION, HEADER_VERSION);
    if (service->put_rules != NULL) {
        fputs(", rules: ", stdout);
        service->put_rules(stdout);
    }
    putchar('\n');
}

/* True: go on. False: end the process with *end. */
static bool read_settings(struct service *service, int argc, char **argv, int *end)
{
    struct setting             common[COMMON_MAX];
    const struct settings_list lists[] = { { common, list_common(service, common) }, service->own };
    const char                *config = word_behind(argc, argv, "--config");
    *end = SHELL_DONE;
    set_defaults(service);
    if (has_word(argc, argv, "--version")) {
        put_versions(service);
        return false;
    }
    if (has_word(argc, argv, "--help")) {
        printf("arbiter-%s: %s\n\nusage: arbiter-%s [--config FILE] [OPTION VALUE]...\n\n",
               service->program, service->about, service->program);
        settings_help(lists, 2, stdout);
        puts(
            "  --help, --version\n        Show this; the versions of product, protocol and rules.");
        return false;
    }
    *end = SHELL_NO_START;
    bool is_good = config == NULL || settings_file(lists, 2, config, stderr);
    is_good = settings_options(lists, 2, argc, argv, stderr) && is_good;
    if (is_good && log_level_of(service->log_level) < 0) {
        fprintf(stderr, "log_level: \"%s\" is none of debug, info, warning, error\n",
                service->log_level);
        is_good = false;
    }
    is_good = service_judge_outside(service) && is_good;
    is_good = (service->judge == NULL || service->judge()) && is_good;
    if (!is_good || !service->check)
        return is_good;
    struct text fault;
    if (!make_key(service, &fault)) {
        fprintf(stderr, "%s\n", fault.bytes);
        return false;
    }
    printf("arbiter-%s: the settings are good\n", service->program);
    *end = SHELL_DONE;
    return false;
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

/* Each with a store of its own, two would own the same slots, and neither know the other's matches. A folder that is not
 * there is complained of when the store is made in it; where a file system knows no such locks, nothing is known. */
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
    set_text(service->name, sizeof service->name, service->keyring.name);
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
                                         .signals = service->signals };
    if (service->role != SERVICE_ROLE_LOBBY)
        (void) bus_key_read(settings->lobby_key, service->lobby_key);
}

static bool open_all(struct service *service, struct text *fault)
{
    struct shell_settings settings;
    struct bus_settings   bus = { .io_threads = service->io_threads, .porter = service->porter };
    if (!make_key(service, fault) || !load_key(service, fault) || !open_store(service, fault))
        return false;
    bus.keys = service->keys;
    service->bus = bus_start(&bus, fault);
    sodium_memzero(&bus.keys, sizeof bus.keys);
    if (service->bus == NULL)
        return false;
    service_shell(service, &settings);
    settings.side = service->side;
    settings.pulse = service->pulse;
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
              ARBITER_VERSION, key);
    for (uint32_t door = 1; door < PEERS_DOORS; door++)
        if (shell_address(service->shell, door)[0] != '\0')
            log_print(&service->log, SAY_INFO, "%s at %s", door_names[door],
                      shell_address(service->shell, door));
}

bool service_begin(struct service *service, int argc, char **argv, int *end)
{
    struct text fault;
    if (!read_settings(service, argc, argv, end))
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
        set_text(service->name, sizeof service->name, service->program);
        return give_up(service, fault.bytes);
    }
    set_text(service->name, sizeof service->name, service->program);
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
    (void) snprintf(peers->software, sizeof peers->software, "arbiter %s", ARBITER_VERSION);
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
    while (service->memories > 0)
        free(service->memory[--service->memories]);
    sodium_memzero(&service->keys, sizeof service->keys);
}
