/* doctor.c: `arbiter doctor`: looks at all a house stands on, and says of each thing what to do. */
#include "services/console/care/doctor.h"

#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "services/console/command/console.h"
#include "services/console/command/terminal.h"
#include "store/store.h"

struct doctor_ask {
    const char *home, *store;
    bool        json, strict, whole;
};

static const char *const level_names[] = { "well", "note", "warning", "wrong" };

void doctor_say(struct doctor *doctor, const char *check, enum finding_level level,
                const char *remedy, const char *form, ...)
{
    va_list values;
    if (doctor->count == DOCTOR_FINDINGS_MAX)
        return;
    struct finding *finding = &doctor->findings[doctor->count++];
    finding->check = check;
    finding->level = level;
    (void) snprintf(finding->remedy, sizeof finding->remedy, "%s", remedy);
    va_start(values, form);
    (void) vsnprintf(finding->what, sizeof finding->what, form, values);
    va_end(values);
}

static void put_line(const char *sentence)
{
    terminal_put(stdout, sentence, strlen(sentence));
    fputc('\n', stdout);
}

static void print_text(const struct doctor *doctor)
{
    static const enum colour colours[] = { COLOUR_GREEN, COLOUR_DIM, COLOUR_YELLOW, COLOUR_RED };
    bool                     coloured = terminal_has_colour(stdout);
    for (uint32_t i = 0; i < doctor->count; i++) {
        const struct finding *finding = &doctor->findings[i];
        char                  level[16];
        (void) snprintf(level, sizeof level, "%-8s", level_names[finding->level]);
        terminal_put_in(stdout, coloured, colours[finding->level], level);
        printf("%-10s", finding->check);
        put_line(finding->what);
        if (finding->remedy[0] != '\0') {
            printf("%18s", "-> ");
            put_line(finding->remedy);
        }
    }
}

static void print_json(const struct doctor *doctor, bool is_well)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < doctor->count; i++) {
        const struct finding *finding = &doctor->findings[i];
        json_array_append_new(list, json_pack("{s:s s:s s:s s:s}", "check", finding->check, "level",
                                              level_names[finding->level], "what", finding->what,
                                              "remedy", finding->remedy));
    }
    json_t *all =
        json_pack("{s:b s:s s:o}", "well", is_well, "home", doctor->home.folder, "findings", list);
    json_dumpf(all, stdout, JSON_INDENT(2));
    fputc('\n', stdout);
    json_decref(all);
}

/* False: nothing else can be found out. */
static bool check_home(struct doctor *doctor, const struct stat *facts)
{
    const char *folder = doctor->home.folder;
    if (access(folder, R_OK | X_OK) != 0) {
        doctor_say(doctor, "home", FINDING_WRONG,
                   "run this as that user; or, if Arbiter is to run as you, chown -R the folder",
                   "%s belongs to user %u, and user %u, which you are, may not read it", folder,
                   (unsigned) facts->st_uid, (unsigned) geteuid());
        return false;
    }
    if (!doctor->has_roles && facts->st_mode & 0077)
        doctor_say(doctor, "home", FINDING_WARNING, "chmod 700 it",
                   "other users of this machine can read %s", folder);
    else
        doctor_say(doctor, "home", FINDING_WELL, "",
                   doctor->has_roles ? "%s has a folder for each role" : "%s is its owner's alone",
                   folder);
    if (!doctor->is_running)
        doctor_say(doctor, "home", FINDING_NOTE, "",
                   "no \"arbiter up\" runs here: only the files are checked%s",
                   doctor->has_doors ? ", and the lobby that they name" : "");
    return true;
}

static enum finding_level worst(const struct doctor *doctor)
{
    enum finding_level worst = FINDING_WELL;
    for (uint32_t i = 0; i < doctor->count; i++)
        if (doctor->findings[i].level > worst)
            worst = doctor->findings[i].level;
    return worst;
}

static void look_at_all(struct doctor *doctor, const struct stat *facts)
{
    struct text unsaid;
    doctor->is_running = home_is_running(&doctor->home);
    doctor->has_roles = home_has_roles(&doctor->home);
    doctor->operators = doctor->home;
    if (doctor->has_roles)
        (void) home_path(&doctor->home, doctor->operators.folder, "keys", "console", "");
    doctor->has_doors = home_read_doors(&doctor->operators, &unsaid);
    if (!check_home(doctor, facts))
        return;
    doctor_keys(doctor);
    doctor_stores(doctor);
    doctor_limits(doctor);
    doctor_clock(doctor);
    doctor_builds(doctor);
    doctor_services(doctor);
}

static int run(const struct console_command *self, int argc, char **argv)
{
    static struct doctor doctor;
    struct doctor_ask    ask = { 0 };
    struct words         words;
    struct text          fault;
    struct stat          facts;
    if (!console_read(self, argc, argv, &ask, &words))
        return CONSOLE_USAGE;
    if (ask.store != NULL && !store_is_database(ask.store)) {
        complain("--store names a database, postgresql://HOST/NAME; a folder is a --home.");
        return CONSOLE_USAGE;
    }
    if (!home_find(&doctor.home, ask.home, &fault)) {
        complain("%s.", fault.bytes);
        return CONSOLE_BAD_INPUT;
    }
    bool is_found = stat(doctor.home.folder, &facts) == 0;
    if (!is_found && errno == EACCES) {
        complain("%s cannot be read by this user: run the command as its owner, or as root.",
                 doctor.home.folder);
        return CONSOLE_BAD_INPUT;
    }
    if (!is_found || !S_ISDIR(facts.st_mode)) {
        complain("there is no home in %s; \"arbiter up\" makes one, --home names another.",
                 doctor.home.folder);
        return CONSOLE_BAD_INPUT;
    }
    doctor.place = ask.store;
    doctor.is_whole = ask.whole;
    look_at_all(&doctor, &facts);
    bool is_well = worst(&doctor) < (ask.strict ? FINDING_WARNING : FINDING_WRONG);
    if (ask.json)
        print_json(&doctor, is_well);
    else
        print_text(&doctor);
    return is_well ? CONSOLE_OK : CONSOLE_DISAGREES;
}

static const struct option options[] = {
    { .name = "home",
      .value = "DIR",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct doctor_ask, home),
      .help = "The home to look at. Default: ~/.local/share/arbiter." },
    { .name = "store",
      .value = "PLACE",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct doctor_ask, store),
      .help = "Also looks at this database of the engines: the text of their --store." },
    { .name = "json",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct doctor_ask, json),
      .help = "Prints the findings as JSON." },
    { .name = "strict",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct doctor_ask, strict),
      .help = "A warning also makes the exit code 1." },
    { .name = "whole",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct doctor_ask, whole),
      .help = "Compares every index of every store with its rows, which takes a while." },
    { .name = NULL },
};

const struct console_command command_doctor = {
    .name = "doctor",
    .arguments = "",
    .summary = "Checks an installation, and says what to do.",
    .about =
        "  arbiter doctor\n"
        "  arbiter doctor --home /srv/arbiter --json\n"
        "\n"
        "Looks at everything an installation needs and changes nothing:\n"
        "\n"
        "  keys       private, complete, admitted\n"
        "  stores     sound, of this build's version, who has them open, how long their logs are\n"
        "  limits     open files, disk, memory\n"
        "  clock\n"
        "  services   doors, versions, slots; only if a lobby runs\n"
        "\n"
        "A finding is \"well\", \"note\", \"warning\" or \"wrong\", and says what to do. Exit\n"
        "code 1: something is wrong. The home may be one of \"arbiter up\", or a folder of\n"
        "\"arbiter keys\".\n",
    .options = options,
    .words_least = 0,
    .words_most = 0,
    .run = run,
};
