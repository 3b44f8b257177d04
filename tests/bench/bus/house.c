/* house.c: the services as they are shipped, in a folder of their own. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bus_bench.h"
#include "contract/directory.pb-c.h"

#define WORDS_MAX 32

static const struct {
    const char *name;
    const char *doors[3];
    bool        keeps;
} services[SERVICES] = { { "lobby", { "requests", "stream" }, true },
                         { "engine", { "requests", "stream", "history" }, true },
                         { "fanout", { "stream", "history" }, false },
                         { "watchdog", { "requests", "stream" }, true } };

static void path_of(const struct house *house, char path[BUS_ADDRESS_MAX], const char *below,
                    const char *name, const char *ending)
{
    (void) snprintf(path, BUS_ADDRESS_MAX, "%s/%s%s%s", house->folder, below, name, ending);
}

void house_address(const struct house *house, enum service service, const char *door,
                   char address[BUS_ADDRESS_MAX])
{
    (void) snprintf(address, BUS_ADDRESS_MAX, "ipc://%s/%s.%s", house->folder,
                    services[service].name, door);
}

/* The words a process is started with, in memory of their own. */
struct words {
    char     text[WORDS_MAX][BUS_ADDRESS_MAX];
    char    *word[WORDS_MAX + 1];
    uint32_t count;
};

static void add(struct words *words, const char *option, const char *value)
{
    (void) snprintf(words->text[words->count++], BUS_ADDRESS_MAX, "%s", option);
    (void) snprintf(words->text[words->count++], BUS_ADDRESS_MAX, "%s", value);
}

static void add_lobby(struct words *words, const struct house *house)
{
    char value[BUS_ADDRESS_MAX];
    house_address(house, LOBBY, "requests", value);
    add(words, "--lobby", value);
    house_address(house, LOBBY, "stream", value);
    add(words, "--lobby-stream", value);
    bus_key_write(value, house->keys[LOBBY].public_key);
    add(words, "--lobby-key", value);
}

/* What the at-th process of a service is called: fanout, fanout2, ... */
static void name_of(enum service service, uint32_t at, char name[24])
{
    if (at == 0)
        (void) snprintf(name, 24, "%s", services[service].name);
    else
        (void) snprintf(name, 24, "%s%u", services[service].name, at + 1);
}

void house_fanout(const struct house *house, uint32_t at, char address[BUS_ADDRESS_MAX],
                  const uint8_t **key)
{
    char name[24];
    name_of(FANOUT, at, name);
    (void) snprintf(address, BUS_ADDRESS_MAX, "ipc://%s/%s.stream", house->folder, name);
    *key = at == 0 ? house->keys[FANOUT].public_key : house->fanout_keys[at].public_key;
}

static void spell(struct words *words, const struct house *house, enum service service, uint32_t at)
{
    char value[BUS_ADDRESS_MAX], option[48], name[24];
    name_of(service, at, name);
    (void) snprintf(words->text[words->count++], BUS_ADDRESS_MAX, "%s/arbiter-%s", house->programs,
                    services[service].name);
    add(words, "--name", name);
    path_of(house, value, "", name, ".key");
    add(words, "--key", value);
    for (uint32_t i = 0; i < 3 && services[service].doors[i] != NULL; i++) {
        (void) snprintf(option, sizeof option, "--listen-%s", services[service].doors[i]);
        (void) snprintf(value, sizeof value, "ipc://%s/%s.%s", house->folder, name,
                        services[service].doors[i]);
        add(words, option, value);
    }
    path_of(house, value, "data-", name, "");
    if (services[service].keeps && house->place[0] != '\0')
        add(words, "--store", house->place);
    else if (services[service].keeps)
        add(words, "--data", value);
    path_of(house, value, "admitted", "", "");
    if (service == LOBBY)
        add(words, "--admitted", value);
    else
        add_lobby(words, house);
    /* One key plays for hundreds here, and what is measured is not how it is held back. */
    add(words, "--client-frames-per-second", "0");
    add(words, "--client-asks-per-second", "0");
    if (service != ENGINE)
        return;
    add(words, "--matches-max", house->matches_max);
    add(words, "--memory-bytes", house->memory_bytes);
}

static pid_t start(const struct house *house, enum service service, uint32_t at)
{
    static struct words words;
    char                log[BUS_ADDRESS_MAX], name[24];
    memset(&words, 0, sizeof words);
    spell(&words, house, service, at);
    for (uint32_t i = 0; i < words.count; i++)
        words.word[i] = words.text[i];
    name_of(service, at, name);
    path_of(house, log, "", name, ".log");
    pid_t child = fork();
    if (child != 0)
        return child;
    (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
    int file = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file >= 0) {
        (void) dup2(file, STDOUT_FILENO);
        (void) dup2(file, STDERR_FILENO);
    }
    (void) execv(words.word[0], words.word);
    _exit(127);
}

void house_start(struct house *house, enum service service)
{
    house->process[service] = start(house, service, 0);
}

void house_kill(struct house *house, enum service service)
{
    if (house->process[service] <= 0)
        return;
    (void) kill(house->process[service], SIGKILL);
    (void) waitpid(house->process[service], NULL, 0);
    house->process[service] = 0;
}

/* Everybody's key, and the list of them that the lobby reads. */
static bool make_keys(struct house *house, struct text *fault)
{
    char  path[BUS_ADDRESS_MAX], key[BUS_KEY_TEXT];
    FILE *list;
    path_of(house, path, "admitted", "", "");
    list = fopen(path, "w");
    bool is_made = list != NULL;
    for (uint32_t i = 0; is_made && i < SERVICES; i++) {
        bus_keys_make(&house->keys[i], services[i].name);
        path_of(house, path, "", services[i].name, ".key");
        is_made = bus_keys_save(&house->keys[i], path, fault);
        bus_key_write(key, house->keys[i].public_key);
        (void) fprintf(list, "%s %s %s\n", key, services[i].name, services[i].name);
        path_of(house, path, "data-", services[i].name, "");
        is_made = is_made && (mkdir(path, 0700) == 0);
    }
    for (uint32_t i = 1; is_made && i < house->fanouts; i++) {
        char name[24];
        name_of(FANOUT, i, name);
        bus_keys_make(&house->fanout_keys[i], "fanout");
        path_of(house, path, "", name, ".key");
        is_made = bus_keys_save(&house->fanout_keys[i], path, fault);
        bus_key_write(key, house->fanout_keys[i].public_key);
        (void) fprintf(list, "%s fanout %s\n", key, name);
    }
    bus_keys_make(&house->starter, "lobby");
    bus_keys_make(&house->player, "client");
    if (list == NULL)
        return false;
    bus_key_write(key, house->starter.public_key);
    (void) fprintf(list, "%s lobby starter\n", key);
    bus_key_write(key, house->player.public_key);
    (void) fprintf(list, "%s client player\n", key);
    return fclose(list) == 0 && is_made;
}

bool house_open(struct house *house, const char *programs, const struct plan *plan)
{
    struct text fault;
    text_clear(&fault);
    memset(house, 0, sizeof *house);
    (void) snprintf(house->programs, sizeof house->programs, "%s", programs);
    (void) snprintf(house->folder, sizeof house->folder, "%s/arbiter-bus-bench-XXXXXX",
                    getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
    (void) snprintf(house->place, sizeof house->place, "%s",
                    plan->place != NULL ? plan->place : "");
    house->fanouts = plan->fanouts > 0 ? plan->fanouts : 1;
    (void) snprintf(house->matches_max, sizeof house->matches_max, "%u", plan->matches_max);
    (void) snprintf(house->memory_bytes, sizeof house->memory_bytes, "%llu",
                    (1ull << 28) + 8192ull * plan->matches_max);
    if (mkdtemp(house->folder) == NULL || !make_keys(house, &fault)) {
        fprintf(stderr, "bus_bench: %s: it cannot be furnished %s\n", house->folder, fault.bytes);
        return false;
    }
    for (uint32_t i = 0; i < SERVICES; i++)
        house_start(house, (enum service) i);
    for (uint32_t i = 1; i < house->fanouts; i++)
        house->fanout[i] = start(house, FANOUT, i);
    house->starter_bus = bus_start(&(struct bus_settings){ .keys = house->starter }, &fault);
    house->player_bus = bus_start(&(struct bus_settings){ .keys = house->player }, &fault);
    return house->starter_bus != NULL && house->player_bus != NULL;
}

void remove_folder(const char *folder)
{
    pid_t child = fork();
    if (child == 0) {
        (void) execlp("rm", "rm", "-rf", "--", folder, (char *) NULL);
        _exit(127);
    }
    (void) waitpid(child, NULL, 0);
}

void house_close(struct house *house)
{
    for (uint32_t i = 1; i < house->fanouts; i++)
        if (house->fanout[i] > 0) {
            (void) kill(house->fanout[i], SIGKILL);
            (void) waitpid(house->fanout[i], NULL, 0);
        }
    for (uint32_t i = SERVICES; i-- > 0;)
        house_kill(house, (enum service) i);
    if (house->starter_bus != NULL)
        bus_stop(&house->starter_bus);
    if (house->player_bus != NULL)
        bus_stop(&house->player_bus);
    if (house->folder[0] != '\0')
        remove_folder(house->folder);
}

uint64_t process_bytes(pid_t process)
{
    char               path[64], line[128];
    unsigned long long kib = 0;
    (void) snprintf(path, sizeof path, "/proc/%d/status", (int) process);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "VmRSS:", 6) == 0)
            kib = strtoull(line + 6, NULL, 10);
    if (file != NULL)
        (void) fclose(file);
    return kib << 10;
}

double process_core_s(pid_t process)
{
    char path[64], line[1024] = "";
    (void) snprintf(path, sizeof path, "/proc/%d/stat", (int) process);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    bool is_read = fgets(line, sizeof line, file) != NULL;
    (void) fclose(file);
    char  *at = is_read ? strrchr(line, ')') : NULL;
    double ticks = 0;
    for (int field = 2; at != NULL && field < 15; field++) {
        at = strchr(at + 1, ' ');
        if (at != NULL && field >= 13)
            ticks += strtod(at + 1, NULL);
    }
    return ticks / (double) sysconf(_SC_CLK_TCK);
}
