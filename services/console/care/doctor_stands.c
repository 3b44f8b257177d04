/* doctor_stands.c: what a house stands on: the machine's limits and clock, and the services that run. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "base/build.h"
#include "bus/port.h"
#include "contract/directory.pb-c.h"
#include "services/console/care/doctor.h"
#include "services/console/care/top_house.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/progress.h"
#include "store/look.h"
#include "wire/names.h"

#define FILES_GOOD 65536u
#define FILES_LEAST 4096u
#define DISK_GOOD ((uint64_t) 1 << 30)
#define DISK_LEAST ((uint64_t) 64 << 20)
#define INODES_LEAST 1000u
#define MEMORY_GOOD ((uint64_t) 512 << 20)
#define HTTP_PORT 8080u
#define CLOCK_S 5
#define PATIENCE_S 5.0
/* Who there is; how they do; and again, since a first ping waits for its connection. */
#define ROUNDS 3

static void check_files(struct doctor *doctor, const char *whose, uint64_t files)
{
    static const char remedy[] =
        "ulimit -n 65536 before the start, or LimitNOFILE=65536 in its unit";
    if (files < FILES_LEAST)
        doctor_say(doctor, "limits", FINDING_WARNING, remedy,
                   "%s may open %" PRIu64 " files; a connection needs one", whose, files);
    else if (files < FILES_GOOD)
        doctor_say(doctor, "limits", FINDING_NOTE, "",
                   "%s may open %" PRIu64 " files; for thousands of players 65536 are better",
                   whose, files);
    else
        doctor_say(doctor, "limits", FINDING_WELL, "", "%s may open %" PRIu64 " files", whose,
                   files);
}

/* The limit of a process that runs; 0: it cannot be read. */
static uint64_t files_of(int64_t process)
{
    char     path[64], line[256];
    uint64_t files = 0;
    (void) snprintf(path, sizeof path, "/proc/%" PRId64 "/limits", process);
    FILE *limits = fopen(path, "r");
    if (limits == NULL)
        return 0;
    while (fgets(line, sizeof line, limits) != NULL)
        if (strncmp(line, "Max open files", 14) == 0)
            files = strtoull(line + 14, NULL, 10);
    (void) fclose(limits);
    return files;
}

/* Whether the file a process was started from is another one by now. */
static bool is_replaced(int64_t process)
{
    char path[64], program[PATH_MAX];
    (void) snprintf(path, sizeof path, "/proc/%" PRId64 "/exe", process);
    ssize_t size = readlink(path, program, sizeof program - 1);
    if (size <= 0)
        return false;
    program[size] = '\0';
    return strstr(program, " (deleted)") != NULL;
}

static void check_owners(struct doctor *doctor)
{
    for (uint32_t i = 0; i < doctor->stores.count; i++) {
        const struct store_place *place = &doctor->stores.place[i];
        struct store_look         look;
        struct text               unsaid;
        if (!store_look(place->folder, place->name, false, false, &look, &unsaid) ||
            look.owner <= 0)
            continue;
        uint64_t files = files_of(look.owner);
        if (files > 0)
            check_files(doctor, place->service, files);
        if (is_replaced(look.owner))
            doctor_say(doctor, "versions", FINDING_WARNING, "restart it when it suits",
                       "%s runs a program whose file has been replaced since its start",
                       place->service);
    }
}

static void check_disk(struct doctor *doctor, const char *folder, const char *name)
{
    struct statvfs disk;
    if (statvfs(folder, &disk) != 0)
        return;
    uint64_t free_bytes = (uint64_t) disk.f_bavail * disk.f_frsize;
    if (disk.f_files > 0 && disk.f_favail < INODES_LEAST)
        doctor_say(doctor, "limits", FINDING_WARNING, "delete small files on its disk",
                   "the disk of %s has room for %" PRIu64 " more files only", name,
                   (uint64_t) disk.f_favail);
    if (free_bytes >= DISK_GOOD)
        doctor_say(doctor, "limits", FINDING_WELL, "", "the disk of %s has %" PRIu64 " MiB free",
                   name, free_bytes >> 20);
    else
        doctor_say(doctor, "limits", free_bytes < DISK_LEAST ? FINDING_WRONG : FINDING_WARNING,
                   "make room: while the disk is full, moves are refused, but none is lost",
                   "the disk of %s has %" PRIu64 " MiB free", name, free_bytes >> 20);
}

/* The home's, and those on which stores lie besides, each once. */
static void check_disks(struct doctor *doctor)
{
    dev_t       seen[MOMENT_FILES_MAX + 1];
    uint32_t    count = 0;
    struct stat facts;
    check_disk(doctor, doctor->home.folder, "the home");
    if (stat(doctor->home.folder, &facts) == 0)
        seen[count++] = facts.st_dev;
    for (uint32_t i = 0; i < doctor->stores.count; i++) {
        const struct store_place *place = &doctor->stores.place[i];
        char                      name[sizeof place->service + 8];
        bool                      is_seen = stat(place->folder, &facts) != 0;
        for (uint32_t other = 0; other < count && !is_seen; other++)
            is_seen = seen[other] == facts.st_dev;
        if (is_seen)
            continue;
        seen[count++] = facts.st_dev;
        (void) snprintf(name, sizeof name, "data/%s", place->service);
        check_disk(doctor, place->folder, name);
    }
}

static void check_memory(struct doctor *doctor)
{
    char     line[128];
    uint64_t kib = UINT64_MAX;
    FILE    *facts = fopen("/proc/meminfo", "r");
    while (facts != NULL && fgets(line, sizeof line, facts) != NULL)
        if (strncmp(line, "MemAvailable:", 13) == 0)
            kib = strtoull(line + 13, NULL, 10);
    if (facts != NULL)
        (void) fclose(facts);
    if (kib == UINT64_MAX)
        return;
    bool is_good = kib << 10 >= MEMORY_GOOD;
    doctor_say(doctor, "limits", is_good ? FINDING_WELL : FINDING_WARNING,
               is_good ? ""
                       : "lower memory_bytes and matches_max (configs/engine.json), or add memory",
               "%" PRIu64 " MiB of memory are free", kib >> 10);
}

void doctor_limits(struct doctor *doctor)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0)
        check_files(doctor, "what this shell starts", (uint64_t) files.rlim_cur);
    check_owners(doctor);
    check_disks(doctor);
    check_memory(doctor);
}

/* Dates are for people here, and waits run by a clock that cannot be set; but logs and tickets have dates. */
void doctor_clock(struct doctor *doctor)
{
    struct timex clock = { 0 };
    time_t       now = time(NULL), newest = 0;
    for (uint32_t i = 0; i < doctor->stores.count; i++) {
        struct stat facts;
        if (stat(doctor->stores.place[i].path, &facts) == 0 && facts.st_mtime > newest)
            newest = facts.st_mtime;
    }
    if (newest > now + CLOCK_S)
        doctor_say(doctor, "clock", FINDING_WARNING, "set it right; tickets and dates depend on it",
                   "the clock was set back: a store was written %lld s in its future",
                   (long long) (newest - now));
    else if (adjtimex(&clock) == TIME_ERROR)
        doctor_say(
            doctor, "clock", FINDING_NOTE, "",
            "nobody keeps the clock right (NTP); that matters when gateways are on other machines");
    else
        doctor_say(doctor, "clock", FINDING_WELL, "", "the clock is kept right");
}

static void check_ports(struct doctor *doctor)
{
    char path[PATH_MAX];
    if (!home_path(&doctor->home, path, "run", "watchdog-1.requests", "") || strlen(path) > 107)
        doctor_say(doctor, "doors", FINDING_WRONG,
                   "choose a shorter --home, or \"arbiter up --port N\"",
                   "the home's path is too long for sockets");
    if (port_is_open(HTTP_PORT))
        doctor_say(doctor, "doors", FINDING_NOTE, "",
                   "something listens at port %u: \"arbiter up\" will take the next free one",
                   HTTP_PORT);
    else
        doctor_say(doctor, "doors", FINDING_WELL, "", "port %u is free for browsers", HTTP_PORT);
}

static const char *version_of(const char *software)
{
    const char *blank = strrchr(software, ' ');
    return blank != NULL ? blank + 1 : software;
}

/* A bot that somebody brought says what it was made with, "arbiter client", and is no part of an upgrade. */
static bool is_of_another_build(const char *software)
{
    const char *version = version_of(software);
    return isdigit((unsigned char) version[0]) && strcmp(version, arbiter_build.name) != 0;
}

static void check_service(struct doctor *doctor, const struct top_service *service)
{
    if (service->is_suspect)
        doctor_say(doctor, "services", FINDING_WRONG,
                   "see whether its process runs, and its log; restart it if its loop stands still",
                   "%s sends no heartbeat, or its loop stands still", service->name);
    else if (!service->is_stopped && service->socket != NULL && service->ping_ms < 0)
        doctor_say(doctor, "doors", FINDING_WRONG,
                   "see whether its address can be reached from here, and its log",
                   "%s does not answer at %s", service->name, service->address);
    if (service->figures.held > 0)
        doctor_say(doctor, "services", FINDING_WRONG,
                   "its log names each of them and what to do: arbiter match accept, or abort",
                   "%s holds %" PRIu64 " matches for inspection", service->name,
                   service->figures.held);
    if (service->figures.forks > 0)
        doctor_say(doctor, "services", FINDING_WRONG,
                   "a store was set back: its log names the matches; see what its engine holds",
                   "%s was told %" PRIu64 " times what contradicts what it was told before",
                   service->name, service->figures.forks);
    if (is_of_another_build(service->software))
        doctor_say(doctor, "versions", FINDING_WARNING,
                   "finish the upgrade, or run the doctor of the same build",
                   "%s runs \"%s\", this is %s", service->name, service->software,
                   arbiter_build.name);
}

static void check_slots(struct doctor *doctor, const struct top_house *house)
{
    static const uint32_t    roles[] = { ROLE(ENGINE), ROLE(FANOUT), ROLE(WATCHDOG) };
    static const char *const names[] = { "engine", "fanout", "watchdog" };
    uint32_t                 owned = 0, listed = 0;
    for (size_t k = 0; k < sizeof roles / sizeof *roles; k++) {
        bool is_there = false;
        for (uint32_t i = 0; i < house->count; i++)
            is_there =
                is_there || (house->services[i].is_listed && house->services[i].role == roles[k]);
        if (!is_there)
            doctor_say(doctor, "services", FINDING_WRONG, "start one", "there is no %s", names[k]);
    }
    for (uint32_t i = 0; i < house->count; i++) {
        owned += house->services[i].role == roles[0] ? house->services[i].slots : 0;
        listed += house->services[i].is_listed;
    }
    bool is_well = owned == SLOTS;
    doctor_say(doctor, "services", is_well ? FINDING_WELL : FINDING_WRONG,
               is_well ? "" : "start an engine; matches in slots without one stand still",
               "%" PRIu32 " services are listed, engines own %" PRIu32 " of %d slots", listed,
               owned, SLOTS);
}

static void judge_house(struct doctor *doctor, const struct top_house *house)
{
    uint32_t before = doctor->count;
    for (uint32_t i = 0; i < house->count; i++)
        if (house->services[i].is_listed || house->services[i].has_beat)
            check_service(doctor, &house->services[i]);
    if (doctor->count == before)
        doctor_say(doctor, "doors", FINDING_WELL, "",
                   "every service answers at its doors, and is of this build's version");
    check_slots(doctor, house);
    if (house->clock_off_ms > CLOCK_S * 1000 || house->clock_off_ms < -CLOCK_S * 1000)
        doctor_say(doctor, "clock", FINDING_WARNING, "let both machines keep their clocks by NTP",
                   "the lobby's clock and this one are %lld s apart",
                   (long long) (house->clock_off_ms / 1000));
}

static bool ask_house(struct top_house *house)
{
    double begun_s = seconds_now();
    for (int round = 0; round < ROUNDS && !interrupted();) {
        top_ask(house);
        top_hear(house, 1.0);
        round += house->is_connected;
        if (!house->is_connected && seconds_now() - begun_s > PATIENCE_S)
            return false;
    }
    return house->is_connected;
}

void doctor_services(struct doctor *doctor)
{
    static struct top_house house;
    struct text             fault;
    if (!doctor->has_doors) {
        check_ports(doctor);
        return;
    }
    if (!top_open(&house, doctor->operators.folder, &fault))
        doctor_say(doctor, "services", FINDING_WRONG, "", "%s", fault.bytes);
    else if (ask_house(&house))
        judge_house(doctor, &house);
    else
        doctor_say(doctor, "services", FINDING_WRONG,
                   "see whether the lobby runs, whether its address can be reached from here, and "
                   "whether it admits keys/console.key",
                   "the lobby does not answer at %s", doctor->operators.lobby);
    top_close(&house);
}
