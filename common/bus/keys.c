/* keys.c: see keys.h. */
#include "bus/keys.h"

#include <assert.h>
#include <czmq.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bus/certs.h"

#define FILE_MAX 4096
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

/* CZMQ frees what it knew of a secret; this makes it forget first. */
static void forget(zcert_t **cert)
{
    sodium_memzero((void *) zcert_secret_key(*cert), BUS_KEY_SIZE);
    sodium_memzero((void *) zcert_secret_txt(*cert), BUS_KEY_TEXT);
    zcert_destroy(cert);
}

void bus_keys_make(struct bus_keys *keys, const char *role)
{
    assert(strlen(role) < sizeof keys->role);
    assert(zsys_has_curve());
    zcert_t *cert = zcert_new();
    while (cert != NULL && zcert_public_txt(cert)[0] == '-') {
        forget(&cert); /* Where it is typed it would be taken for an option. */
        cert = zcert_new();
    }
    assert(cert != NULL);
    memset(keys, 0, sizeof *keys);
    memcpy(keys->role, role, strlen(role));
    memcpy(keys->public_key, zcert_public_key(cert), BUS_KEY_SIZE);
    memcpy(keys->secret_key, zcert_secret_key(cert), BUS_KEY_SIZE);
    forget(&cert);
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
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0)
        return cannot(fault, path, "the key cannot be written", strerror(errno));
    char *bytes = certs_compose(keys);
    bool  is_written = bytes != NULL && write_whole(file, bytes, strlen(bytes)) && fsync(file) == 0;
    int   why = errno;
    is_written = close(file) == 0 && is_written;
    if (bytes != NULL)
        sodium_memzero(bytes, strlen(bytes));
    free(bytes);
    if (is_written)
        return true;
    (void) unlink(path); /* Half a key is none. */
    return cannot(fault, path, "the key cannot be written", strerror(why));
}

static bool parse(struct bus_keys *keys, const char *bytes)
{
    struct certs_words words;
    char               derived[BUS_KEY_TEXT];
    memset(keys, 0, sizeof *keys);
    bool is_good = certs_read(&words, bytes) && bus_key_read(keys->public_key, words.public_text) &&
                   bus_key_read(keys->secret_key, words.secret_text) &&
                   zmq_curve_public(derived, words.secret_text) == 0 &&
                   memcmp(derived, words.public_text, sizeof derived) == 0;
    memcpy(keys->role, words.role, sizeof keys->role);
    sodium_memzero(&words, sizeof words);
    return is_good;
}

/* Reads a small file with a NUL behind it, and says whether nobody but its owner may. */
static bool read_open(int file, const char *path, char *bytes, size_t most, bool *is_private,
                      struct text *fault)
{
    struct stat facts;
    if (fstat(file, &facts) != 0)
        return cannot(fault, path, "the key cannot be read", strerror(errno));
    if (!S_ISREG(facts.st_mode))
        return cannot(fault, path, "the key is not a file",
                      S_ISDIR(facts.st_mode) ? "this is a folder; name the key file in it" : NULL);
    *is_private = (facts.st_mode & (S_IRWXG | S_IRWXO)) == 0;
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
static bool read_any(const char *path, char *bytes, size_t most, bool *is_private,
                     struct text *fault)
{
    /* Of a pipe one would wait for who writes into it, perhaps for ever. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return cannot(fault, path, "the key cannot be read (arbiter keygen makes one)",
                      strerror(errno));
    bool is_read = read_open(file, path, bytes, most, is_private, fault);
    (void) close(file);
    return is_read;
}

static bool refuse_open(bool is_private, const char *path, struct text *fault)
{
    return is_private || cannot(fault, path, "others may read this key; say: chmod 600", path);
}

/* One that has a secret: nobody else may read it. */
static bool read_file(const char *path, char *bytes, size_t most, struct text *fault)
{
    bool is_private = false;
    return read_any(path, bytes, most, &is_private, fault) && refuse_open(is_private, path, fault);
}

static bool take(struct bus_keys *keys, const char *bytes, const char *path, const char *role,
                 struct text *fault)
{
    if (!parse(keys, bytes))
        return cannot(fault, path, "this is no key file, or its two halves do not belong together",
                      "arbiter keygen makes one");
    if (role != NULL && keys->role[0] == '\0') /* Others' tools write none. */
        (void) snprintf(keys->role, sizeof keys->role, "%s", role);
    if (role != NULL && strcmp(keys->role, role) != 0)
        return cannot(fault, path, "this key is for another role", keys->role);
    return true;
}

/* Whether a file has a public half and no secret one: then the secret one lies beside it. */
static bool is_half(const char *bytes)
{
    struct certs_words words;
    bool               is_one = certs_read(&words, bytes) && words.secret_text[0] == '\0';
    sodium_memzero(&words, sizeof words);
    return is_one;
}

bool bus_keys_load(struct bus_keys *keys, const char *path, const char *role, struct text *fault)
{
    char bytes[FILE_MAX], beside[PATH_MAX];
    bool is_private = false, is_good = read_any(path, bytes, sizeof bytes, &is_private, fault);
    if (is_good && is_half(bytes)) {
        int size = snprintf(beside, sizeof beside, "%s_secret", path);
        is_good =
            size > 0 && (size_t) size < sizeof beside
                ? access(beside, F_OK) == 0
                      ? read_any(beside, bytes, sizeof bytes, &is_private, fault)
                      : cannot(fault, path,
                               "it has no secret half, and beside it there is none either; put it "
                               "here",
                               beside)
                : cannot(fault, path, "it has no secret half, and its path is too long", NULL);
        path = beside;
    }
    is_good =
        is_good && refuse_open(is_private, path, fault) && take(keys, bytes, path, role, fault);
    sodium_memzero(bytes, sizeof bytes);
    return is_good;
}

bool bus_key_find(uint8_t key[BUS_KEY_SIZE], const char *named, struct text *fault)
{
    char               bytes[FILE_MAX];
    struct certs_words words = { .public_text = "" };
    bool               is_private;
    if (bus_key_read(key, named))
        return true;
    bool is_good = read_any(named, bytes, sizeof bytes, &is_private, fault);
    if (is_good)
        is_good = (certs_read(&words, bytes) && bus_key_read(key, words.public_text)) ||
                  cannot(fault, named, "there is no public key in this file", NULL);
    sodium_memzero(bytes, sizeof bytes);
    sodium_memzero(&words, sizeof words);
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
                   (certs_find_line(bytes, what, word, word_max) ||
                    cannot(fault, path, "it has no line that begins with", what));
    sodium_memzero(bytes, sizeof bytes);
    return is_good;
}
