/* service_settings.c: the settings every service has, and what a command line and a file say of them and of its own. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/build.h"
#include "shell/service.h"
#include "shell/service_private.h"
#include "wire/header.h"

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
                                          "The address of this door: tcp://ADDRESS:PORT or "
                                          "ipc://PATH." };
        list[count++] =
            (struct setting){ public_names[door],
                              SETTING_TEXT,
                              service->public_address[door],
                              0,
                              PEER_ADDRESS_MAX,
                              "The address at which others find this door. Empty: the same. "
                              "For a door at 0.0.0.0: the address from which this process "
                              "reaches the lobby." };
    }
    if (count > 0)
        list[count++] = (struct setting){
            "advertise",
            SETTING_TEXT,
            service->advertise,
            0,
            PEER_ADDRESS_MAX,
            "The address at which clients outside find its doors: HOST:PORT, with the other "
            "doors at the next ports, or HOST:PORT,PORT with one port for each. The lobby needs "
            "this setting too. Empty, or without HOST: clients outside cannot find it."
        };
    return count;
}

uint32_t service_list_common(struct service *service, struct setting list[SERVICE_COMMON_MAX])
{
    const struct setting always[] = {
        { "name", SETTING_TEXT, service->name, 0, sizeof service->name,
          "The name of this process. No other process of this service may have it." },
        { "key", SETTING_TEXT, service->key, 0, sizeof service->key,
          "The file with its key, made by arbiter keygen. Only its owner may read it." },
        { "keys", SETTING_TEXT, service->key_folder, 0, sizeof service->key_folder,
          "A folder of keys, made by arbiter keys. This process takes a key that no other "
          "process holds, and its name. It stores its data in a folder of that name below "
          "--data, and reads the lobby's key here. Or one file with all keys of a role, made "
          "by arbiter keys --secrets: this process takes the key named like this machine." },
        { "lobby", SETTING_TEXT, service->lobby, 0, sizeof service->lobby,
          "The lobby's door for requests." },
        { "lobby_stream", SETTING_TEXT, service->lobby_stream, 0, sizeof service->lobby_stream,
          "The lobby's door for news. Empty: the next port, or PATH.stream." },
        { "lobby_key", SETTING_TEXT, service->lobby_key, 0, sizeof service->lobby_key,
          "The lobby's public key, 40 characters." },
        { "data", SETTING_TEXT, service->data, 0, sizeof service->data,
          "The folder for its data." },
        { "store", SETTING_TEXT, service->place, 0, sizeof service->place,
          "A database for its data, instead of that folder: postgresql://HOST1,HOST2/NAME." },
        { "pulse", SETTING_TEXT, service->pulse, 0, sizeof service->pulse,
          "A file that is touched four times a second while all is well. arbiter alive reads it." },
        { "loop_stuck_ms", SETTING_NUMBER32, &service->stuck_ms, 0, 86400000,
          "A process whose loop stands still for this many milliseconds ends, so that it is "
          "started again. A wait for the store does not count. 0: never." },
        { "slow_ms", SETTING_NUMBER32, &service->slow_ms, 0, 86400000,
          "A command that takes longer than this many milliseconds is explained in the log of "
          "engine and gateway, and in arbiter top --slow. 0: none is." },
        { "log_level", SETTING_TEXT, service->log_level, 0, sizeof service->log_level,
          "debug, info, warning or error." },
        { "log_json", SETTING_FLAG, &service->log_json, 0, 0, "Log in JSON, not in logfmt." },
        { "make_key", SETTING_FLAG, &service->make_key, 0, 0,
          "Makes the key if its file is not there yet." },
        { "check", SETTING_FLAG, &service->check, 0, 0,
          "Checks the settings, prints every fault, and ends. With --make-key it also makes "
          "the key." },
        { "io_threads", SETTING_NUMBER32, &service->io_threads, 1, 8,
          "Threads that encrypt and send. One is enough for a gigabit per second." },
        { "connections_max", SETTING_NUMBER32, &service->porter.connections_max, 64,
          PORTER_FILES_MAX, "With more open files than this, nobody new may connect." },
        { "knocks_burst", SETTING_NUMBER32, &service->porter.knocks_burst, 1, 1u << 20,
          "How many connections of one address may be open at once without an admitted key." },
        { "knocks_per_second", SETTING_NUMBER32, &service->porter.knocks_per_second, 1, 1u << 20,
          "How many more of those each second adds." },
        { "unheard_bytes", SETTING_NUMBER32, &service->porter.unheard_bytes, 1u << 18, 1u << 30,
          "The most bytes that a connection may send before a whole message has come." },
        { "client_frames_per_second", SETTING_NUMBER32, &service->pace.frames_per_second, 0,
          1u << 20,
          "Messages per second from one client, in units of 512 bytes. Above this the "
          "connection ends. 0: no limit." },
        { "client_asks_per_second", SETTING_NUMBER32, &service->pace.asks_per_second, 0, 1u << 20,
          "Questions and wishes per second from one client, without commands and pings. 0: no "
          "limit." },
        { "client_asks_burst", SETTING_NUMBER32, &service->pace.asks_burst, 1, 1u << 20,
          "How many of them may come at once." },
        { "client_topics_max", SETTING_NUMBER32, &service->client_topics_max, 0, 1u << 20,
          "Topics that one connection of a client may subscribe to. 0: no limit." },
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

void service_set_text(char *to, size_t capacity, const char *text)
{
    if (to[0] == '\0')
        (void) snprintf(to, capacity, "%s", text);
}

static void set_defaults(struct service *service)
{
    service_set_text(service->log_level, sizeof service->log_level, "info");
    if (service->io_threads == 0)
        service->io_threads = 1;
    service->porter = (struct porter_limits){ .connections_max = 8192,
                                              .knocks_burst = 64,
                                              .knocks_per_second = 16,
                                              .unheard_bytes = 4u << 20 };
    service->pace =
        (struct pace_limits){ .frames_per_second = 5000, .asks_per_second = 50, .asks_burst = 200 };
    service->client_topics_max = 1024;
    service->stuck_ms = 60000;
    service->slow_ms = 100;
    for (uint32_t door = 1; door < PEERS_DOORS; door++)
        service_set_text(service->listen[door], PEER_ADDRESS_MAX, "tcp://127.0.0.1:*");
}

static void put_versions(const struct service *service)
{
    printf("arbiter-%s %s, protocol %d", service->program, arbiter_build.version, PROTOCOL_NEWEST);
    if (service->put_rules != NULL) {
        fputs(", rules: ", stdout);
        service->put_rules(stdout);
    }
    if (arbiter_build.described[0] != '\0')
        printf(", build %s", arbiter_build.described);
    putchar('\n');
}

/* `--config` names a file, which must be there, or a folder in which the service's own file may be. False: too long. */
static bool find_file(const struct service *service, char path[PATH_MAX])
{
    const char *config = word_behind(service->argc, service->argv, "--config");
    struct stat what;
    path[0] = '\0';
    if (config == NULL)
        return true;
    bool is_folder = stat(config, &what) == 0 && S_ISDIR(what.st_mode);
    int  size = is_folder ? snprintf(path, PATH_MAX, "%s/%s.json", config, service->program)
                          : snprintf(path, PATH_MAX, "%s", config);
    if (is_folder && access(path, F_OK) != 0)
        path[0] = '\0';
    return size > 0 && size < PATH_MAX;
}

bool service_read_list(const struct service *service, const struct settings_list *list,
                       FILE *complaints)
{
    char path[PATH_MAX];
    bool is_good = find_file(service, path);
    is_good = (path[0] == '\0' || settings_file(list, 1, path, complaints)) && is_good;
    is_good = settings_options(list, 1, service->argc, service->argv, complaints) && is_good;
    for (uint32_t i = 0; is_good && i < list->count; i++)
        if (strcmp(list->list[i].name, "log_level") == 0 && log_level_of(list->list[i].at) < 0) {
            fprintf(complaints, "log_level: \"%s\" is none of debug, info, warning, error\n",
                    (const char *) list->list[i].at);
            is_good = false;
        }
    return is_good;
}

/* What was read becomes what the service is told. */
static void take_all(const struct service *service, const struct settings_list lists[2])
{
    uint32_t at = 0;
    for (uint32_t list = 0; list < 2; list++)
        for (uint32_t i = 0; i < lists[list].count; i++)
            setting_take(&lists[list].list[i], &service->read.list[at++]);
}

/* True: go on. False: end the process with *end. */
bool service_read_settings(struct service *service, int argc, char **argv, int *end)
{
    struct setting             common[SERVICE_COMMON_MAX];
    const struct settings_list lists[] = { { common, service_list_common(service, common) },
                                           service->own };
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
    service->argc = argc;
    service->argv = argv;
    service->defaults = settings_copy(lists, 2);
    service->read = settings_copy(lists, 2);
    if (service->defaults.list == NULL || service->read.list == NULL)
        return false;
    const struct settings_list all = { service->read.list, service->read.count };
    bool                       is_good = service_read_list(service, &all, stderr);
    take_all(service, lists);
    is_good = service_judge_outside(service) && is_good;
    is_good = (service->judge == NULL || service->judge()) && is_good;
    if (!is_good || !service->check)
        return is_good;
    struct text fault;
    if (!service_make_key(service, &fault)) {
        fprintf(stderr, "%s\n", fault.bytes);
        return false;
    }
    printf("arbiter-%s: the settings are good\n", service->program);
    *end = SHELL_DONE;
    return false;
}
