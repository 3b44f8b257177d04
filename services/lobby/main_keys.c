/* main_keys.c: the keys the lobby's process starts with, and signatures for its core. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bus/keys.h"
#include "services/lobby/main_parts.h"
#include "json/config_file.h"
#include "json/json.h"

/* In the order of directory.Role. */
static const char *const roles[] = { "",        "lobby", "engine", "fanout", "watchdog",
                                     "gateway", "bot",   "client", "console" };

static uint32_t role_of(const char *spelled)
{
    for (uint32_t role = 1; role < sizeof roles / sizeof *roles; role++)
        if (strcmp(roles[role], spelled) == 0)
            return role;
    return 0;
}

/* One line; false: it is none. An empty one, or a remark, leaves the role 0. */
static bool read_seed(char *line, struct lobby_seed *seed)
{
    char       *rest = NULL;
    const char *key = strtok_r(line, " \t\r", &rest);
    memset(seed, 0, sizeof *seed);
    if (key == NULL || key[0] == '#')
        return true;
    const char *role = strtok_r(NULL, " \t\r", &rest);
    const char *name = strtok_r(NULL, " \t\r", &rest);
    if (role == NULL || name == NULL || strlen(name) >= sizeof seed->name ||
        !bus_key_read(seed->key, key) || role_of(role) == 0)
        return false;
    seed->role = role_of(role);
    memcpy(seed->name, name, strlen(name));
    return true;
}

static const struct lobby_seed none;

void main_forget_seeds(const struct lobby_seed *seeds)
{
    if (seeds != &none)
        free((void *) seeds);
}

const struct lobby_seed *main_seeds(const char *path, const struct log *log, uint32_t *count)
{
    size_t size = 0;
    *count = 0;
    if (path[0] == '\0')
        return &none;
    char              *text = config_read(path, &size, stderr);
    struct lobby_seed *seeds = text != NULL ? calloc(size / 44 + 2, sizeof *seeds) : NULL;
    char              *rest = NULL;
    uint32_t           number = 0;
    for (char *line = text; seeds != NULL && line != NULL && *line != '\0'; line = rest) {
        char *end = strchr(line, '\n');
        rest = end != NULL ? end + 1 : NULL;
        if (end != NULL)
            *end = '\0';
        number++;
        if (!read_seed(line, &seeds[*count])) {
            log_print(log, SAY_ERROR, "%s:%u: a line is a key of 40 characters, a role and a name",
                      path, number);
            free(seeds);
            seeds = NULL;
        } else if (seeds[*count].role != 0) {
            ++*count;
        }
    }
    free(text);
    return seeds;
}

void main_ticket_keys(uint8_t public_key[32], uint8_t secret[64],
                      const uint8_t curve_secret[CALLER_KEY_SIZE])
{
    static const char purpose[] = "arbiter ticket key";
    uint8_t           seed[crypto_sign_SEEDBYTES];
    (void) crypto_generichash(seed, sizeof seed, (const uint8_t *) purpose, sizeof purpose,
                              curve_secret, CALLER_KEY_SIZE);
    (void) crypto_sign_seed_keypair(public_key, secret, seed);
    sodium_memzero(seed, sizeof seed);
}

static void sign(uint8_t signature[64], const uint8_t secret[64], const struct piece *pieces,
                 uint32_t count)
{
    size_t size = 0;
    for (uint32_t i = 0; i < count; i++)
        size += pieces[i].size;
    uint8_t *whole = calloc(1, size + 1);
    size = 0;
    memset(signature, 0, 64);
    for (uint32_t i = 0; whole != NULL && i < count; i++) {
        memcpy(whole + size, pieces[i].bytes, pieces[i].size);
        size += pieces[i].size;
    }
    if (whole != NULL)
        (void) crypto_sign_detached(signature, NULL, whole, size, secret);
    free(whole);
}

const struct lobby_helpers main_helpers = { .parse = json_value,
                                            .sign = sign,
                                            .crypto = &crypto_sodium };
