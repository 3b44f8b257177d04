/* keys.c: see keys.h. */
#include "bus/keys.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zmq.h>

#define FILE_MAX 1024
/* A file of several keys: each takes less than 200 bytes. */
#define RING_MAX 65536

void bus_key_write(char text[BUS_KEY_TEXT], const uint8_t key[BUS_KEY_SIZE])
{
    char *written = zmq_z85_encode(text, key, BUS_KEY_SIZE);
    assert(written != NULL);
    (void) written;
}

bool bus_key_read(uint8_t key[BUS_KEY_SIZE], const char *text)
{
    char again[BUS_KEY_TEXT];
    if (strlen(text) != BUS_KEY_TEXT - 1 || zmq_z85_decode(key, text) == NULL)
        return false;
    bus_key_write(again, key); /* The decoder lets characters pass that mean nothing. */
    return memcmp(again, text, sizeof again) == 0;
}

void bus_keys_make(struct bus_keys *keys, const char *role)
{
    char public_text[BUS_KEY_TEXT];
    char secret_text[BUS_KEY_TEXT];
    assert(strlen(role) < sizeof keys->role);
    memset(keys, 0, sizeof *keys);
    memcpy(keys->role, role, strlen(role));
    do { /* One that begins with a dash would be taken for an option where it is typed. */
        int failed = zmq_curve_keypair(public_text, secret_text);
        assert(failed == 0); /* It fails only where libzmq was built without CURVE. */
        (void) failed;
    } while (public_text[0] == '-');
    bool is_read =
        bus_key_read(keys->public_key, public_text) && bus_key_read(keys->secret_key, secret_text);
    assert(is_read);
    (void) is_read;
    sodium_memzero(secret_text, sizeof secret_text);
}

/* "PATH: what: why"; always false, so that a caller can return it. */
static bool cannot(struct text *fault, const char *path, const char *what, const char *why)
{
    text_clear(fault);
    text_put(fault, path);
    text_put(fault, ": ");
    text_put(fault, what);
    if (why != NULL) {
        text_put(fault, ": ");
        text_put(fault, why);
    }
    return false;
}

static bool write_whole(int file, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(file, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        size -= (size_t) written;
    }
    return true;
}

bool bus_keys_save(const struct bus_keys *keys, const char *path, struct text *fault)
{
    char public_text[BUS_KEY_TEXT];
    char secret_text[BUS_KEY_TEXT];
    char bytes[FILE_MAX];
    bus_key_write(public_text, keys->public_key);
    bus_key_write(secret_text, keys->secret_key);
    int size = snprintf(bytes, sizeof bytes,
                        "# A key of Arbiter. Others need its public line; nobody needs the secret "
                        "one.\nrole %s\npublic %s\nsecret %s\n",
                        keys->role, public_text, secret_text);
    assert(size > 0 && (size_t) size < sizeof bytes);

    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0)
        return cannot(fault, path, "the key cannot be written", strerror(errno));
    bool is_written = write_whole(file, bytes, (size_t) size) && fsync(file) == 0;
    int  why = errno;
    is_written = close(file) == 0 && is_written;
    sodium_memzero(bytes, sizeof bytes);
    sodium_memzero(secret_text, sizeof secret_text);
    if (is_written)
        return true;
    (void) unlink(path); /* Half a key is none. */
    return cannot(fault, path, "the key cannot be written", strerror(why));
}

/* The word behind "NAME " at the beginning of a line; false: no such line, or too long. */
static bool find_line(const char *bytes, const char *name, char *word, size_t word_max)
{
    size_t name_size = strlen(name);
    for (const char *line = bytes; line != NULL && *line != '\0';) {
        size_t      size = strcspn(line, "\n");
        const char *next = line[size] == '\n' ? line + size + 1 : NULL;
        if (size > name_size && memcmp(line, name, name_size) == 0 && line[name_size] == ' ') {
            size_t word_size = size - name_size - 1;
            if (word_size >= word_max)
                return false;
            memcpy(word, line + name_size + 1, word_size);
            word[word_size] = '\0';
            return true;
        }
        line = next;
    }
    return false;
}

static bool parse(struct bus_keys *keys, const char *bytes)
{
    char text[BUS_KEY_TEXT];
    char public_text[BUS_KEY_TEXT];
    char derived[BUS_KEY_TEXT];
    memset(keys, 0, sizeof *keys);
    bool is_good = find_line(bytes, "role", keys->role, sizeof keys->role) &&
                   find_line(bytes, "public", public_text, sizeof public_text) &&
                   bus_key_read(keys->public_key, public_text) &&
                   find_line(bytes, "secret", text, sizeof text) &&
                   bus_key_read(keys->secret_key, text) && zmq_curve_public(derived, text) == 0 &&
                   memcmp(derived, public_text, sizeof derived) == 0;
    sodium_memzero(text, sizeof text);
    return is_good;
}

/* Reads a small file with a NUL behind it, if nobody but its owner may. */
static bool read_private(int file, const char *path, char *bytes, size_t most, struct text *fault)
{
    struct stat facts;
    if (fstat(file, &facts) != 0)
        return cannot(fault, path, "the key cannot be read", strerror(errno));
    if (!S_ISREG(facts.st_mode))
        return cannot(fault, path, "the key is not a file", NULL);
    if ((facts.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        return cannot(fault, path, "others may read this key; say: chmod 600", path);
    size_t  size = 0;
    ssize_t got = 1;
    while (got > 0 && size < most - 1) {
        got = read(file, bytes + size, most - 1 - size);
        size += got > 0 ? (size_t) got : 0;
    }
    bytes[size] = '\0';
    return got >= 0 ? true : cannot(fault, path, "the key cannot be read", strerror(errno));
}

/* The whole of it, opened, read and closed. */
static bool read_file(const char *path, char *bytes, size_t most, struct text *fault)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return cannot(fault, path, "the key cannot be read (arbiter keygen makes one)",
                      strerror(errno));
    bool is_read = read_private(file, path, bytes, most, fault);
    (void) close(file);
    return is_read;
}

static bool take(struct bus_keys *keys, const char *bytes, const char *path, const char *role,
                 struct text *fault)
{
    if (!parse(keys, bytes))
        return cannot(fault, path, "this is no key file, or its two halves do not belong together",
                      "arbiter keygen makes one");
    if (role != NULL && strcmp(keys->role, role) != 0)
        return cannot(fault, path, "this key is for another role", keys->role);
    return true;
}

bool bus_keys_load(struct bus_keys *keys, const char *path, const char *role, struct text *fault)
{
    char bytes[FILE_MAX];
    bool is_good =
        read_file(path, bytes, sizeof bytes, fault) && take(keys, bytes, path, role, fault);
    sodium_memzero(bytes, sizeof bytes);
    return is_good;
}

/* Cuts the text behind the line "name NAME" off where the next name begins; NULL: there is no such line. */
static char *section_of(char *bytes, const char *name)
{
    char line[64];
    int  size = snprintf(line, sizeof line, "name %s\n", name);
    if (size < 0 || (size_t) size >= sizeof line)
        return NULL;
    for (char *at = strstr(bytes, line); at != NULL; at = strstr(at + 1, line)) {
        if (at != bytes && at[-1] != '\n')
            continue;
        char *section = at + size, *next = strstr(section, "\nname ");
        if (next != NULL)
            next[1] = '\0';
        return section;
    }
    return NULL;
}

bool bus_keys_pick(struct bus_keys *keys, const char *path, const char *name, const char *role,
                   struct text *fault)
{
    static char bytes[RING_MAX];
    bool        is_good = read_file(path, bytes, sizeof bytes, fault);
    char       *section = is_good ? section_of(bytes, name) : NULL;
    if (section != NULL)
        is_good = take(keys, section, path, role, fault);
    else if (is_good)
        is_good = cannot(fault, path, "it has no key with this name", name);
    sodium_memzero(bytes, sizeof bytes);
    return is_good;
}

bool bus_keys_word(char *word, size_t word_max, const char *path, const char *what,
                   struct text *fault)
{
    static char bytes[RING_MAX];
    bool        is_good = read_file(path, bytes, sizeof bytes, fault) &&
                   (find_line(bytes, what, word, word_max) ||
                    cannot(fault, path, "it has no line that begins with", what));
    sodium_memzero(bytes, sizeof bytes);
    return is_good;
}
