/* keys.c: `arbiter keys`: the keys of a whole installation, a folder for each role.
 *
 *     FOLDER/fanout/fanout-1.key ...   as many as there may be processes of the role
 *     FOLDER/fanout/lobby.pub          the lobby's public key
 *     FOLDER/lobby/admitted            whom the lobby lets in from the beginning
 *     FOLDER/console/                  a home for `arbiter top`, `admit`, `play`: the operator's key, and where
 *                                      the lobby is
 *
 * Each process is given its role's folder and nothing else (common/shell/keyring.h). */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "services/console/console.h"
#include "services/console/home.h"
#include "shell/keyring.h"

#define REPLICAS 16
#define REPLICAS_MAX 100

struct keys_ask {
    uint64_t    replicas;
    const char *lobby, *lobby_stream;
};

/* Who may run in any number; lobby and console are one each. */
static const char *const replicated[] = { "engine", "fanout", "watchdog", "gateway", "bot", NULL };

static const struct option options[] = {
    { .name = "replicas",
      .value = "N",
      .kind = OPTION_NUMBER,
      .least = 1,
      .most = REPLICAS_MAX,
      .offset = offsetof(struct keys_ask, replicas),
      .help = "Keys of each role but lobby and console; else 16. A process takes one each." },
    { .name = "lobby",
      .value = "ADDRESS",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct keys_ask, lobby),
      .help = "Where the operator's commands find the lobby; else tcp://lobby:7000." },
    { .name = "lobby-stream",
      .value = "ADDRESS",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct keys_ask, lobby_stream),
      .help = "And its stream; else tcp://lobby:7001." },
    { .name = NULL },
};

static bool too_long(struct text *fault, const char *folder)
{
    text_clear(fault);
    text_put(fault, folder);
    text_put(fault, ": the path is too long");
    return false;
}

/* FOLDER/ROLE/FILE, FOLDER/ROLE made. */
static bool path_in(char path[PATH_MAX], const char *folder, const char *role, const char *file,
                    struct text *fault)
{
    char above[PATH_MAX];
    int  size = snprintf(above, sizeof above, "%s/%s", folder, role);
    if (size < 0 || size >= PATH_MAX)
        return too_long(fault, folder);
    if (!home_folder(above, fault))
        return false;
    size = snprintf(path, PATH_MAX, "%s/%s/%s", folder, role, file);
    return (size > 0 && size < PATH_MAX) || too_long(fault, folder);
}

static bool write_line(const char *path, const char *line, struct text *fault)
{
    FILE *file = fopen(path, "we");
    bool  is_written = file != NULL && fprintf(file, "%s\n", line) > 0;
    if (file != NULL)
        is_written = fclose(file) == 0 && is_written;
    if (is_written)
        return true;
    text_clear(fault);
    text_put(fault, path);
    text_put(fault, ": ");
    text_put(fault, strerror(errno));
    return false;
}

static bool make_lobby(struct home *home, const char *folder, FILE *admitted, struct text *fault)
{
    char path[PATH_MAX];
    return path_in(path, folder, "lobby", "lobby.key", fault) &&
           home_key(path, "lobby", "lobby", admitted, home->lobby_key, fault);
}

static bool make_role(const struct home *home, const char *folder, const char *role,
                      uint64_t replicas, FILE *admitted, struct text *fault)
{
    char path[PATH_MAX], name[PEER_NAME_MAX], file[PEER_NAME_MAX + 8], key[BUS_KEY_TEXT];
    for (uint64_t i = 1; i <= replicas; i++) {
        (void) snprintf(name, sizeof name, "%s-%u", role, (unsigned) i);
        (void) snprintf(file, sizeof file, "%s.key", name);
        if (!path_in(path, folder, role, file, fault) ||
            !home_key(path, role, name, admitted, key, fault))
            return false;
    }
    return path_in(path, folder, role, KEYRING_LOBBY, fault) &&
           write_line(path, home->lobby_key, fault);
}

/* The operator's: a home in which the console's commands find all they need. */
static bool make_console(struct home *home, const char *folder, FILE *admitted, struct text *fault)
{
    char path[PATH_MAX], key[BUS_KEY_TEXT];
    return path_in(path, folder, "console/keys", "console.key", fault) &&
           home_key(path, "console", "console", admitted, key, fault) &&
           path_in(path, folder, "console/run", "doors", fault) && home_write_doors(home, fault);
}

static bool make_all(struct home *home, const char *folder, uint64_t replicas, struct text *fault)
{
    char  admitted_path[PATH_MAX], new_path[PATH_MAX];
    FILE *admitted = NULL;
    bool  is_made = path_in(admitted_path, folder, "lobby", "admitted", fault) &&
                   path_in(new_path, folder, "lobby", "admitted.new", fault);
    if (is_made)
        admitted = fopen(new_path, "we");
    if (admitted == NULL)
        return is_made ? write_line(new_path, "", fault) : false;
    is_made = make_lobby(home, folder, admitted, fault);
    for (uint32_t i = 0; is_made && replicated[i] != NULL; i++)
        is_made = make_role(home, folder, replicated[i], replicas, admitted, fault);
    is_made = is_made && make_console(home, folder, admitted, fault);
    bool is_whole = fclose(admitted) == 0;
    if (!is_made)
        return false;
    if (is_whole && rename(new_path, admitted_path) == 0)
        return true;
    text_clear(fault);
    text_put(fault, admitted_path);
    text_put(fault, ": ");
    text_put(fault, strerror(errno));
    return false;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    static struct home home;
    struct keys_ask    ask = { .replicas = REPLICAS,
                               .lobby = "tcp://lobby:7000",
                               .lobby_stream = "tcp://lobby:7001" };
    struct words       words;
    struct text        fault;
    if (!console_read(self, argc, argv, &ask, &words))
        return CONSOLE_USAGE;
    int size = snprintf(home.folder, sizeof home.folder, "%s/console", words.word[0]);
    if (size < 0 || (size_t) size >= sizeof home.folder || strlen(ask.lobby) >= HOME_ADDRESS_MAX ||
        strlen(ask.lobby_stream) >= HOME_ADDRESS_MAX) {
        complain("a path or an address is too long.");
        return CONSOLE_USAGE;
    }
    (void) snprintf(home.lobby, sizeof home.lobby, "%s", ask.lobby);
    (void) snprintf(home.lobby_stream, sizeof home.lobby_stream, "%s", ask.lobby_stream);
    if (!make_all(&home, words.word[0], ask.replicas, &fault)) {
        complain("%s.", fault.bytes);
        return CONSOLE_BAD_INPUT;
    }
    puts(home.lobby_key);
    return CONSOLE_OK;
}

const struct console_command command_keys = {
    .name = "keys",
    .arguments = "FOLDER",
    .summary = "Makes the keys of a whole installation, a folder for each role.",
    .about = "Fills FOLDER with a folder for each role: keys for as many processes as may run of "
             "it, which\n"
             "each take one (--keys FOLDER/ROLE), the lobby's public key, and for the lobby the "
             "list of whom\n"
             "it lets in. FOLDER/console is a home for the operator (--home). What is there is "
             "kept, so it\n"
             "can be run again, with more --replicas, too; then the lobby is to be started again. "
             "Prints the\n"
             "lobby's public key.\n",
    .options = options,
    .words_least = 1,
    .words_most = 1,
    .run = run,
};
