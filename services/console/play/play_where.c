/* play_where.c: finds the lobby's doors, makes and admits a player's key, and connects. */
#include "services/console/play/play_where.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/directory.pb-c.h"
#include "contract/lobby.pb-c.h"
#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"
#include "services/console/play/ask_lobby.h"
#include "wire/names.h"
#include "wire/utf8.h"

#define NAME_BYTES_MAX 32u /* As the lobby has it. */

const char *play_where_name(const struct play_where *where)
{
    const char *user = getenv("USER");
    if (where->name != NULL)
        return where->name;
    return user != NULL && user[0] != '\0' ? user : "Player";
}

void play_where_put(const struct play_where *where, bool is_player, FILE *out)
{
    const struct {
        const char *option, *value;
    } said[] = { { "home", where->home },
                 { "lobby", where->lobby },
                 { "lobby-stream", where->lobby_stream },
                 { "lobby-key", where->lobby_key },
                 { "key", is_player ? where->key : NULL },
                 { "name", is_player ? where->name : NULL } };
    for (uint32_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        if (said[i].value == NULL)
            continue;
        fprintf(out, " --%s ", said[i].option);
        console_put_word(out, said[i].value);
    }
}

/* The door behind a tcp door, as `up --port` lays them out. */
static bool next_door(const char *lobby, char stream[HOME_ADDRESS_MAX])
{
    const char *colon = strrchr(lobby, ':');
    char       *end = NULL;
    long        port = colon == NULL ? 0 : strtol(colon + 1, &end, 10);
    if (strncmp(lobby, "tcp://", 6) != 0 || port < 1 || port > 65534 || *end != '\0')
        return false;
    int size =
        snprintf(stream, HOME_ADDRESS_MAX, "%.*s:%ld", (int) (colon - lobby), lobby, port + 1);
    return size < HOME_ADDRESS_MAX;
}

static bool doors_far_away(const struct play_where *where, struct home *home)
{
    bool fits = strlen(where->lobby) < HOME_ADDRESS_MAX &&
                (where->lobby_stream == NULL || strlen(where->lobby_stream) < HOME_ADDRESS_MAX);
    if (where->lobby_key == NULL || where->key == NULL || !fits ||
        strlen(where->lobby_key) >= BUS_KEY_TEXT) {
        console_complain("with --lobby go --lobby-key, its public key of 40 characters, and --key, "
                         "the file with yours.");
        return false;
    }
    (void) snprintf(home->lobby, sizeof home->lobby, "%s", where->lobby);
    (void) snprintf(home->lobby_key, sizeof home->lobby_key, "%s", where->lobby_key);
    if (where->lobby_stream != NULL)
        (void) snprintf(home->lobby_stream, sizeof home->lobby_stream, "%s", where->lobby_stream);
    else if (!next_door(where->lobby, home->lobby_stream)) {
        console_complain("--lobby is tcp://HOST:PORT; other addresses need --lobby-stream, too.");
        return false;
    }
    return true;
}

bool play_where_is_name(const char *name)
{
    size_t size = strlen(name);
    if (!utf8_is_string((const uint8_t *) name, size))
        complain("the name \"%s\" is no UTF-8.", name);
    else if (size > NAME_BYTES_MAX)
        complain("the name \"%s\" has %zu bytes, and %u are the most; letters beyond ASCII take "
                 "two to four each.",
                 name, size, NAME_BYTES_MAX);
    else
        return true;
    return false;
}

/* A file's name for a person's: "ada" for Ada, too, since to the lobby they are the same. What is
 * no letter, digit, - or _ is a _ there. A hash of such a name tells it from others. */
struct file_name {
    char usual[NAME_BYTES_MAX + 32]; /* "player-ada", "player-ann_b-1f2e3d4c". */
    /* "player-ann_b", as older builds called it; "": nobody knows. */
    char old[NAME_BYTES_MAX + 32];
};

static bool is_plain(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '-' ||
           letter == '_';
}

/* Old ones had a _ for every other byte: of so many names that it is nobody's, but where only blanks are meant. */
static void name_file(struct file_name *file, const char *name)
{
    char     low[NAME_BYTES_MAX + 1], plain[NAME_BYTES_MAX + 1], old[NAME_BYTES_MAX + 1], hex[9];
    uint8_t  hash[crypto_generichash_BYTES];
    size_t   size = strlen(name);
    uint32_t blanks = 0, others = 0;
    for (size_t i = 0; i < size; i++) {
        low[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char) (name[i] - 'A' + 'a') : name[i];
        blanks += low[i] == ' ';
        others += low[i] != ' ' && !is_plain(low[i]);
        plain[i] = is_plain(low[i]) ? low[i] : '_';
        old[i] = plain[i] == '-' ? '_' : plain[i];
    }
    low[size] = plain[size] = old[size] = '\0';
    (void) crypto_generichash(hash, sizeof hash, (const uint8_t *) low, size, NULL, 0);
    (void) sodium_bin2hex(hex, sizeof hex, hash, sizeof hex / 2);
    bool is_told_apart = blanks + others > 0;
    (void) snprintf(file->usual, sizeof file->usual, "player-%s%s%s", plain,
                    is_told_apart ? "-" : "", is_told_apart ? hex : "");
    file->old[0] = '\0';
    if (others == 0)
        (void) snprintf(file->old, sizeof file->old, "player-%s", old);
}

/* A key file says by which name it was made since names that look alike have keys of their own. */
#define MADE_AS "# made as"

static bool make_key(const char *path, const char *made_as, struct bus_keys *keys)
{
    struct text fault;
    bus_keys_make(keys, "player");
    if (!bus_keys_save(keys, path, &fault)) {
        complain("%s.", fault.bytes);
        return false;
    }
    FILE *file = fopen(path, "ae");
    if (file == NULL)
        return true; /* The key itself is whole. */
    (void) fprintf(file, MADE_AS " %s\n", made_as);
    (void) fclose(file);
    return true;
}

/* The key that an older build has made goes on; one that says by which name it was made is that one's. */
static bool has_old_key(const struct home *home, const struct file_name *file, char path[PATH_MAX])
{
    char        made_as[sizeof file->old];
    struct text fault;
    return file->old[0] != '\0' && home_path(home, path, "keys", file->old, ".key") &&
           access(path, F_OK) == 0 &&
           !bus_keys_word(made_as, sizeof made_as, path, MADE_AS, &fault);
}

/* The file of a player's key here; made if it is not there. */
static bool own_key(const struct home *home, const char *name, char path[PATH_MAX],
                    struct bus_keys *keys)
{
    struct file_name file;
    struct text      fault;
    char             usual[PATH_MAX];
    name_file(&file, name);
    if (!home_path(home, usual, "keys", file.usual, ".key"))
        return false;
    if (access(usual, F_OK) == 0 || !has_old_key(home, &file, path))
        memcpy(path, usual, sizeof usual);
    if (access(path, F_OK) != 0 && !make_key(path, file.usual, keys))
        return false;
    if (bus_keys_load(keys, path, NULL, &fault))
        return true;
    complain("%s.", fault.bytes);
    return false;
}

static struct client *connect_with(const struct home *home, const char *key_file, const char *name,
                                   uint32_t role)
{
    char                         fault[TEXT_MAX] = "";
    const struct client_settings settings = { .lobby = home->lobby,
                                              .lobby_stream = home->lobby_stream,
                                              .lobby_key = home->lobby_key,
                                              .key_file = key_file,
                                              .name = name,
                                              .role = role };
    struct client               *client = client_open(&settings, fault, sizeof fault);
    if (client == NULL)
        complain("%s.", fault);
    return client;
}

static bool ask_admission(struct client *client, const struct bus_keys *keys, const char *name)
{
    uint8_t               key[BUS_KEY_SIZE];
    char                  called[NAME_BYTES_MAX + 1];
    Arbiter__Lobby__Admit admit = ARBITER__LOBBY__ADMIT__INIT;
    Arbiter__Lobby__Ask   ask = ARBITER__LOBBY__ASK__INIT;
    memcpy(key, keys->public_key, sizeof key);
    (void) snprintf(called, sizeof called, "%s", name);
    admit.has_key = admit.has_role = true;
    admit.key = (ProtobufCBinaryData){ sizeof key, key };
    admit.role = ROLE(CLIENT);
    admit.name = called;
    ask.kind_case = ARBITER__LOBBY__ASK__KIND_ADMIT;
    ask.admit = &admit;
    return ask_lobby(client, &ask, "the lobby does not admit this player") == CONSOLE_OK;
}

/* The operator's key lies in the home, so whoever may read it may let people in. */
static bool admit(const struct home *home, const struct bus_keys *keys, const char *name)
{
    char path[PATH_MAX];
    if (!home_path(home, path, "keys", "console", ".key") || access(path, R_OK) != 0)
        return true; /* Then somebody else has admitted this key, or says so. */
    struct client *client = connect_with(home, path, "admission", ROLE(CONSOLE));
    if (client == NULL)
        return false;
    bool is_admitted = ask_admission(client, keys, name);
    client_close(&client);
    return is_admitted;
}

static struct client *open_at_home(const struct play_where *where, const struct home *home,
                                   uint32_t role)
{
    char            path[PATH_MAX];
    struct bus_keys keys;
    const char     *name = play_where_name(where);
    if (where->key != NULL)
        return connect_with(home, where->key, name, role);
    if (role != 0)
        return home_path(home, path, "keys", "console", ".key")
                   ? connect_with(home, path, "console", role)
                   : NULL;
    if (!own_key(home, name, path, &keys) || !admit(home, &keys, name))
        return NULL;
    return connect_with(home, path, name, 0);
}

struct client *play_where_open(const struct play_where *where, uint32_t role, int *code)
{
    static struct home home;
    struct text        fault;
    *code = CONSOLE_USAGE;
    if (role == 0 && !play_where_is_name(play_where_name(where)))
        return NULL;
    if (where->lobby != NULL)
        return doors_far_away(where, &home)
                   ? connect_with(&home, where->key, play_where_name(where), 0)
                   : NULL;
    *code = CONSOLE_BAD_INPUT;
    if (!home_find(&home, where->home, &fault) || !home_read_doors(&home, &fault)) {
        complain("%s.", fault.bytes);
        return NULL;
    }
    struct client *client = open_at_home(where, &home, role);
    if (client == NULL && interrupted())
        *code = CONSOLE_INTERRUPTED;
    return client;
}
