/* keys.c: `arbiter keys`: the keys of a whole installation, a folder for each role.
 *
 *     FOLDER/fanout/fanout-1.key ...   as many as there may be processes of the role
 *     FOLDER/fanout/lobby.pub          the lobby's public key
 *     FOLDER/lobby/admitted            whom the lobby lets in from the beginning
 *     FOLDER/console/                  a home for `arbiter top`, `admit`, `play`: the operator's key, and where
 *                                      the lobby is
 *     FOLDER/console/keys/operator.token, FOLDER/gateway/operator.token   what the operator's page wants, twice
 *     FOLDER/secrets/fanout ...        with --secrets: all keys of a role in one file, the lobby's list beside them
 *
 * Each process is given its role's folder, or file, and nothing else (common/shell/keyring.h). */
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "services/console/command/console.h"
#include "services/console/command/files.h"
#include "services/console/home/home.h"
#include "shell/keyring.h"

#define REPLICAS 16
#define REPLICAS_MAX 100

struct keys_ask {
    uint64_t    replicas;
    const char *lobby, *lobby_stream;
    bool        has_secrets;
};

/* Roles that may run in any number; lobby and console are one each. */
static const char *const replicated[] = { "engine", "fanout", "watchdog", "gateway", "bot", NULL };

static const struct option options[] = {
    { .name = "replicas",
      .value = "N",
      .kind = OPTION_NUMBER,
      .least = 1,
      .most = REPLICAS_MAX,
      .offset = offsetof(struct keys_ask, replicas),
      .help = "How many keys each role gets, except lobby and console. Each process takes one. "
              "Default: 16." },
    { .name = "lobby",
      .value = "ADDRESS",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct keys_ask, lobby),
      .help = "Where the operator's commands find the lobby. Default: tcp://lobby:7000." },
    { .name = "lobby-stream",
      .value = "ADDRESS",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct keys_ask, lobby_stream),
      .help = "The lobby's stream. Default: tcp://lobby:7001." },
    { .name = "secrets",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct keys_ask, has_secrets),
      .help = "Also writes FOLDER/secrets: one file per role with all its keys." },
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

static bool cannot_write(const char *path, struct text *fault)
{
    text_clear(fault);
    text_put(fault, path);
    text_put(fault, ": ");
    text_put(fault, strerror(errno));
    return false;
}

static bool write_line(const char *path, const char *line, struct text *fault)
{
    FILE *file = fopen(path, "we");
    bool  is_written = file != NULL && fprintf(file, "%s\n", line) > 0;
    if (file != NULL)
        is_written = fclose(file) == 0 && is_written;
    return is_written || cannot_write(path, fault);
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

/* All of FROM behind what is in `to` already. */
static bool append_file(FILE *to, const char *from, struct text *fault)
{
    size_t   size = 0;
    uint8_t *bytes = file_read(from, &size, NULL);
    bool     is_put = bytes != NULL && fwrite(bytes, 1, size, to) == size;
    free(bytes);
    if (is_put)
        return true;
    text_clear(fault);
    text_put(fault, from);
    text_put(fault, ": it cannot be copied");
    return false;
}

/* The keys of a role behind each other, each behind its name; the lobby's public key stands first. */
static bool put_ring(FILE *to, const struct home *home, const char *folder, const char *role,
                     uint64_t replicas, struct text *fault)
{
    char path[PATH_MAX], file[PEER_NAME_MAX + 8];
    bool is_put = fprintf(to, "lobby %s\n", home->lobby_key) > 0;
    for (uint64_t i = 1; i <= replicas && is_put; i++) {
        (void) snprintf(file, sizeof file, "%s-%u.key", role, (unsigned) i);
        is_put = path_in(path, folder, role, file, fault) &&
                 fprintf(to, "name %s-%u\n", role, (unsigned) i) > 0 &&
                 append_file(to, path, fault);
    }
    return is_put;
}

/* What the lobby has are two files, its key and its list; both are copied. */
static bool put_secret(FILE *to, const struct home *home, const char *folder, const char *name,
                       uint64_t replicas, struct text *fault)
{
    char        path[PATH_MAX];
    const char *file = strcmp(name, "lobby") == 0      ? "lobby.key"
                       : strcmp(name, "admitted") == 0 ? "admitted"
                                                       : NULL;
    if (file == NULL)
        return put_ring(to, home, folder, name, replicas, fault);
    return path_in(path, folder, "lobby", file, fault) && append_file(to, path, fault);
}

/* Gateways and the operator each get the token, since neither sees the other's folder. */
static bool make_token(const struct home *home, const char *folder, struct text *fault)
{
    char path[PATH_MAX], half[PATH_MAX + 8], token[HOME_TOKEN_MAX];
    if (!home_token(home, path, token, fault) ||
        !path_in(path, folder, "gateway", "operator.token", fault))
        return false;
    (void) snprintf(half, sizeof half, "%s.new", path);
    int   file = open(half, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
    FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
    if (out == NULL)
        return cannot_write(half, fault);
    bool is_put = fprintf(out, "%s\n", token) > 0;
    sodium_memzero(token, sizeof token);
    is_put = fclose(out) == 0 && is_put;
    return (is_put && rename(half, path) == 0) || cannot_write(path, fault);
}

static bool make_secret(const struct home *home, const char *folder, const char *name,
                        uint64_t replicas, struct text *fault)
{
    char path[PATH_MAX], half[PATH_MAX + 8];
    if (!path_in(path, folder, "secrets", name, fault))
        return false;
    (void) snprintf(half, sizeof half, "%s.new", path);
    int   secret = open(half, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
    FILE *file = secret >= 0 ? fdopen(secret, "w") : NULL;
    if (file == NULL)
        return cannot_write(half, fault);
    bool is_put = put_secret(file, home, folder, name, replicas, fault);
    bool is_whole = fclose(file) == 0;
    if (is_put && is_whole && rename(half, path) == 0)
        return true;
    if (is_put)
        (void) cannot_write(path, fault);
    (void) unlink(half);
    return false;
}

static bool make_secrets(const struct home *home, const char *folder, uint64_t replicas,
                         struct text *fault)
{
    bool is_made = make_secret(home, folder, "lobby", replicas, fault) &&
                   make_secret(home, folder, "admitted", replicas, fault);
    for (uint32_t i = 0; is_made && replicated[i] != NULL; i++)
        is_made = make_secret(home, folder, replicated[i], replicas, fault);
    return is_made;
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
        return is_made && cannot_write(new_path, fault);
    is_made = make_lobby(home, folder, admitted, fault);
    for (uint32_t i = 0; is_made && replicated[i] != NULL; i++)
        is_made = make_role(home, folder, replicated[i], replicas, admitted, fault);
    is_made =
        is_made && make_console(home, folder, admitted, fault) && make_token(home, folder, fault);
    bool is_whole = fclose(admitted) == 0;
    if (!is_made)
        return false;
    return (is_whole && rename(new_path, admitted_path) == 0) || cannot_write(admitted_path, fault);
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
    if (!make_all(&home, words.word[0], ask.replicas, &fault) ||
        (ask.has_secrets && !make_secrets(&home, words.word[0], ask.replicas, &fault))) {
        complain("%s.", fault.bytes);
        return CONSOLE_BAD_INPUT;
    }
    puts(home.lobby_key);
    return CONSOLE_OK;
}

const struct console_command command_keys = {
    .name = "keys",
    .arguments = "FOLDER",
    .summary = "Makes the keys of a whole installation, one folder per role.",
    .about = "  arbiter keys /etc/arbiter/keys\n"
             "  arbiter keys /etc/arbiter/keys --replicas 32      more keys; the old ones stay\n"
             "\n"
             "Fills FOLDER with one folder for each role. Each holds the lobby's public key\n"
             "and keys for as many processes as may run. Each process takes one of them\n"
             "(--keys FOLDER/ROLE). The lobby's folder also holds the list of admitted keys.\n"
             "FOLDER/console is a home for the operator (--home). There and in FOLDER/gateway\n"
             "lies operator.token, for the operator's page. Prints the lobby's public key.\n"
             "\n"
             "You can run it again: keys that exist are kept. Then send the lobby\n"
             "SIGHUP, and it lets the new ones in.\n"
             "\n"
             "--secrets is for systems where a secret is a file, such as Docker Swarm. Each\n"
             "role gets one file with all its keys. A process takes the key named like its\n"
             "machine (--keys FILE).\n",
    .options = options,
    .words_least = 1,
    .words_most = 1,
    .run = run,
};
