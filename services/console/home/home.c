/* home.c: makes and finds the folder of a machine's own Arbiter. */
#include "services/console/home/home.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const home_roles[] = { "lobby",   "engine", "fanout",  "watchdog",
                                   "gateway", "bot",    "console", NULL };

static bool fail(struct text *fault, const char *what, const char *path, const char *why)
{
    text_clear(fault);
    text_put(fault, what);
    text_put(fault, " ");
    text_put(fault, path);
    text_put(fault, ": ");
    text_put(fault, why);
    return false;
}

/* Goes on from a folder with one name of a path: down, up, or nowhere; false: too long. */
static bool step(char folder[PATH_MAX], const char *name, size_t size)
{
    size_t at = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    if (size == 0 || (size == 1 && name[0] == '.'))
        return true;
    if (size == 2 && memcmp(name, "..", 2) == 0) {
        char *slash = strrchr(folder, '/');
        slash[slash == folder] = '\0';
        return true;
    }
    if (at + 1 + size >= PATH_MAX)
        return false;
    folder[at] = '/';
    memcpy(folder + at + 1, name, size);
    folder[at + 1 + size] = '\0';
    return true;
}

/* The same folder as it is called from the root, without links. What is said of it is then true
 * wherever one stands. Its length is the one that its sockets have, and it can be renamed. What is
 * not there yet has no links in it. */
static bool name_truly(char folder[PATH_MAX], const char *path)
{
    char   there[PATH_MAX];
    size_t size = strlen(path);
    for (; size > 0; size--) {
        bool is_name = path[size] == '\0' || path[size] == '/';
        (void) snprintf(there, sizeof there, "%.*s", (int) size, path);
        if (is_name && realpath(there, folder) != NULL)
            break;
    }
    if (size == 0 && realpath(path[0] == '/' ? "/" : ".", folder) == NULL)
        return false;
    for (const char *rest = path + size; *rest != '\0'; rest += *rest == '/') {
        size_t length = strcspn(rest, "/");
        if (!step(folder, rest, length))
            return false;
        rest += length;
    }
    return true;
}

static bool set_folder(struct home *home, const char *one, const char *other)
{
    char path[PATH_MAX];
    int  size = snprintf(path, sizeof path, "%s%s", one, other);
    return size > 0 && (size_t) size < sizeof path && name_truly(home->folder, path);
}

bool home_find(struct home *home, const char *asked, struct text *fault)
{
    const char *named = getenv("ARBITER_HOME");
    const char *data = getenv("XDG_DATA_HOME");
    const char *person = getenv("HOME");
    bool        found = false;
    memset(home, 0, sizeof *home);
    if (asked != NULL)
        found = set_folder(home, asked, "");
    else if (named != NULL && named[0] != '\0')
        found = set_folder(home, named, "");
    else if (data != NULL && data[0] == '/')
        found = set_folder(home, data, "/arbiter");
    else if (person != NULL && person[0] == '/')
        found = set_folder(home, person, "/.local/share/arbiter");
    return found || fail(fault, "there is no folder for", "Arbiter", "name one with --home DIR");
}

bool home_path(const struct home *home, char path[PATH_MAX], const char *below, const char *name,
               const char *ending)
{
    int size = snprintf(path, PATH_MAX, "%s/%s/%s%s", home->folder, below, name, ending);
    return size > 0 && size < PATH_MAX;
}

/* A path below the folder; false: too long. */
static bool store_in(char path[PATH_MAX], const char *folder, const char *below, const char *name)
{
    int size = snprintf(path, PATH_MAX, "%s/%s/%s.db", folder, below, name);
    return size > 0 && size < PATH_MAX;
}

/* How many folders below this one have the store; the last one's name is `found`. */
static uint32_t count_below(const char *folder, const char *name, char found[NAME_MAX + 1])
{
    char           path[PATH_MAX];
    struct dirent *entry;
    uint32_t       count = 0;
    DIR           *all = opendir(folder);
    while (all != NULL && (entry = readdir(all)) != NULL) {
        if (entry->d_name[0] == '.' || !store_in(path, folder, entry->d_name, name) ||
            access(path, F_OK) != 0)
            continue;
        (void) snprintf(found, NAME_MAX + 1, "%s", entry->d_name);
        count++;
    }
    if (all != NULL)
        (void) closedir(all);
    return count;
}

bool home_store(const struct home *home, char folder[PATH_MAX], const char *service,
                const char *name, struct text *fault)
{
    char path[PATH_MAX], found[NAME_MAX + 1] = "";
    if (!home_path(home, folder, "data", service, "") || !store_in(path, folder, ".", name))
        return fail(fault, "the path is too long:", home->folder, "choose a shorter one");
    uint32_t count = access(path, F_OK) != 0 ? count_below(folder, name, found) : 0;
    size_t   size = strlen(folder);
    if (count > 1)
        return fail(fault, "several keep something below", folder,
                    "name one with a --home in which it is data/engine");
    if (count == 1)
        (void) snprintf(folder + size, PATH_MAX - size, "/%s", found);
    return true;
}

/* A store can only say that it cannot open its file; this says whose it is, and what to do. */
bool home_journal(const char *asked, char folder[PATH_MAX], struct text *fault)
{
    struct home home;
    char        path[PATH_MAX];
    if (!home_find(&home, asked, fault) || !home_store(&home, folder, "engine", "journal", fault))
        return false;
    if (!store_in(path, folder, ".", "journal") || access(path, R_OK) == 0)
        return true;
    if (errno != ENOENT && errno != ENOTDIR)
        return fail(fault, "cannot read", path, strerror(errno));
    return fail(fault, "there is no journal of matches in", home.folder,
                "name the folder of an Arbiter with --home, or a database with --store");
}

bool home_has_roles(const struct home *home)
{
    char path[PATH_MAX];
    return home_path(home, path, "keys", "lobby/lobby", ".key") && access(path, F_OK) == 0;
}

bool home_folder(char *path, struct text *fault)
{
    for (char *at = path + 1; *at != '\0'; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        int made = mkdir(path, 0700);
        *at = '/';
        if (made != 0 && errno != EEXIST)
            return fail(fault, "cannot make the folder", path, strerror(errno));
    }
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return fail(fault, "cannot make the folder", path, strerror(errno));
    return true;
}

bool home_make_folders(const struct home *home, struct text *fault)
{
    static const char *const folders[] = { "keys", "run", "data", "log", "config", NULL };
    for (uint32_t i = 0; folders[i] != NULL; i++) {
        char path[PATH_MAX];
        if (!home_path(home, path, folders[i], "", ""))
            return fail(fault, "the path is too long:", home->folder, "choose a shorter one");
        path[strlen(path) - 1] = '\0';
        if (!home_folder(path, fault))
            return false;
    }
    return true;
}

bool home_key(const char *path, const char *role, const char *name, FILE *admitted,
              char key[BUS_KEY_TEXT], struct text *fault)
{
    struct bus_keys keys;
    if (access(path, F_OK) != 0) {
        bus_keys_make(&keys, role);
        if (!bus_keys_save(&keys, path, fault))
            return false;
    }
    if (!bus_keys_load(&keys, path, role, fault))
        return false;
    bus_key_write(key, keys.public_key);
    (void) fprintf(admitted, "%s %s %s\n", key, role, name);
    return true;
}

/* One role's key, and its line for the lobby. */
static bool make_key(struct home *home, const char *role, FILE *admitted, struct text *fault)
{
    char path[PATH_MAX], key[BUS_KEY_TEXT];
    if (!home_path(home, path, "keys", role, ".key"))
        return fail(fault, "the path is too long:", home->folder, "choose a shorter one");
    if (!home_key(path, role, role, admitted, key, fault))
        return false;
    if (strcmp(role, "lobby") == 0)
        memcpy(home->lobby_key, key, sizeof key);
    return true;
}

/* All keys, and the list of them; false, and a sentence. */
static bool make_keys(struct home *home, const char *list, struct text *fault)
{
    bool  made = true;
    FILE *admitted = fopen(list, "we");
    if (admitted == NULL)
        return fail(fault, "cannot write", list, strerror(errno));
    for (uint32_t i = 0; made && home_roles[i] != NULL; i++)
        made = make_key(home, home_roles[i], admitted, fault);
    if (fclose(admitted) != 0 && made)
        made = fail(fault, "cannot write", list, strerror(errno));
    return made;
}

/* Beside the old list, which stays as it was if a key is bad. */
bool home_make(struct home *home, struct text *fault)
{
    char path[PATH_MAX], half[PATH_MAX];
    if (!home_make_folders(home, fault))
        return false;
    if (!home_path(home, path, "keys", "admitted", "") ||
        !home_path(home, half, "keys", "admitted", ".new"))
        return fail(fault, "the path is too long:", home->folder, "choose a shorter one");
    if (!make_keys(home, half, fault)) {
        (void) unlink(half);
        return false;
    }
    return rename(half, path) == 0 || fail(fault, "cannot write", path, strerror(errno));
}

bool home_has_lost_its_key(const struct home *home, char path[PATH_MAX])
{
    char store[PATH_MAX];
    return home_path(home, path, "keys", "lobby", ".key") && access(path, F_OK) != 0 &&
           home_path(home, store, "data", "lobby/lobby", ".db") && access(store, F_OK) == 0;
}

#define TOKEN_BYTES 24

/* A new one, readable by nobody else from its first byte on; half of one is none. */
static bool make_token(const char *path, struct text *fault)
{
    uint8_t bytes[TOKEN_BYTES];
    char    line[2 * TOKEN_BYTES + 1];
    int     file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0)
        return fail(fault, "cannot write", path, strerror(errno));
    randombytes_buf(bytes, sizeof bytes);
    (void) sodium_bin2hex(line, sizeof line, bytes, sizeof bytes);
    line[2 * TOKEN_BYTES] = '\n';
    bool is_made = write(file, line, sizeof line) == (ssize_t) sizeof line && fsync(file) == 0;
    int  why = errno;
    is_made = close(file) == 0 && is_made;
    if (is_made)
        return true;
    (void) unlink(path);
    return fail(fault, "cannot write", path, strerror(why));
}

bool home_token(const struct home *home, char path[PATH_MAX], char token[HOME_TOKEN_MAX],
                struct text *fault)
{
    if (!home_path(home, path, "keys", "operator", ".token"))
        return fail(fault, "the path is too long:", home->folder, "choose a shorter one");
    if (access(path, F_OK) != 0 && !make_token(path, fault))
        return false;
    FILE *file = fopen(path, "re");
    bool  is_read = file != NULL && fgets(token, HOME_TOKEN_MAX, file) != NULL;
    if (file != NULL)
        (void) fclose(file);
    if (!is_read)
        return fail(fault, "cannot read the operator's token", path,
                    "delete the file, and start again");
    token[strcspn(token, "\r\n")] = '\0';
    return true;
}

bool home_is_running(const struct home *home)
{
    char path[PATH_MAX];
    int  file = home_path(home, path, "run", "lock", "") ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    bool is_held = file >= 0 && flock(file, LOCK_SH | LOCK_NB) != 0;
    if (file >= 0)
        (void) close(file);
    return is_held;
}

bool home_write_doors(const struct home *home, struct text *fault)
{
    char path[PATH_MAX];
    if (!home_path(home, path, "run", "doors", ""))
        return fail(fault, "the path is too long:", home->folder, "choose a shorter one");
    FILE *doors = fopen(path, "w");
    if (doors == NULL)
        return fail(fault, "cannot write", path, strerror(errno));
    (void) fprintf(doors, "%s\n%s\n%s\n", home->lobby, home->lobby_stream, home->lobby_key);
    return fclose(doors) == 0 || fail(fault, "cannot write", path, strerror(errno));
}

static bool read_line(FILE *doors, char *to, size_t capacity)
{
    if (fgets(to, (int) capacity, doors) == NULL)
        return false;
    char *end = strchr(to, '\n');
    if (end != NULL)
        *end = '\0';
    return to[0] != '\0' && end != NULL;
}

bool home_read_doors(struct home *home, struct text *fault)
{
    char  path[PATH_MAX];
    char  key[BUS_KEY_TEXT + 1] = "";
    FILE *doors = NULL;
    if (home_path(home, path, "run", "doors", ""))
        doors = fopen(path, "r");
    if (doors == NULL)
        return fail(fault, "no Arbiter runs in", home->folder,
                    "start one with \"arbiter up\", or name its folder with --home");
    bool read = read_line(doors, home->lobby, sizeof home->lobby) &&
                read_line(doors, home->lobby_stream, sizeof home->lobby_stream) &&
                read_line(doors, key, sizeof key) && strlen(key) == BUS_KEY_TEXT - 1;
    memcpy(home->lobby_key, key, BUS_KEY_TEXT - 1);
    (void) fclose(doors);
    return read ||
           fail(fault, "it does not say where the lobby is:", path, "start \"arbiter up\" again");
}
