/* objectron_setup_test.h: set-ups of text, compiled, and what is said of those that are wrong; for the tests of
 * objectron. */
#ifndef ARBITER_OBJECTRON_SETUP_TEST_H
#define ARBITER_OBJECTRON_SETUP_TEST_H

#include "base/value.h"
#include "games/objectron/tests/objectron_stage_test.h"
#include "wire/arena.h"
#include "json/json.h"

#define RACE(more) "{\"mode\":\"race\",\"players\":2," more "}"
#define SIZED RACE("\"width\":10,\"height\":10")
#define DRAWN(more) RACE("\"grid\":[\"1    2\",\"  #   \"]," more)
#define PLACED(items) DRAWN("\"placements\":[" items "]")
#define CARRIED(id) "{\"id\":" #id ",\"kind\":\"identity_disc\",\"in\":1}"
#define CTF(players, more) "{\"mode\":\"ctf\",\"players\":" players "," more "}"

struct collected {
    struct faults faults; /* First: `report` is handed its address. */
    char          said[4096];
};

static inline void collect(struct faults *faults, const struct value *at, const char *key,
                           const char *what)
{
    struct collected *collected = (void *) faults;
    size_t            used = strlen(collected->said);
    struct text       place;
    text_clear(&place);
    value_place(&place, at);
    (void) snprintf(collected->said + used, sizeof collected->said - used, "%s%s%s: %s\n",
                    place.bytes, key ? "/" : "", key ? key : "", what);
}

static inline const struct value *read_setup(const char *text, struct arena *arena, void *memory,
                                             struct faults *faults)
{
    arena_init(arena, memory, JSON_VALUE_BYTES(strlen(text)));
    return json_value(text, strlen(text), arena, faults);
}

/* Configures a set-up; what is said of it, a line each. Good until the next one. */
static inline const char *said_of(const char *config, const char *options)
{
    static char             memory[2][1 << 17];
    static struct collected collected;
    struct arena            arena[2];
    collected = (struct collected){ { 0, collect }, "" };
    size_t bytes = game_objectron.configure(
        config ? read_setup(config, &arena[0], memory[0], &collected.faults) : NULL,
        options ? read_setup(options, &arena[1], memory[1], &collected.faults) : NULL, NULL, 0,
        &collected.faults);
    assert_int_equal(bytes == 0, collected.said[0] != '\0');
    return collected.said;
}

/* `words` must be in what is said, or nothing is if it is "". */
static inline void says_of(const char *config, const char *options, const char *words)
{
    const char *said = said_of(config, options);
    if (strstr(said, words) == NULL || (words[0] == '\0' && said[0] != '\0'))
        fail_msg("expected \"%s\" in \"%s\"", words, said);
}

/* The same, and in one fault alone. */
static inline void says_one(const char *config, const char *options, const char *words)
{
    says_of(config, options, words);
    const char *said = said_of(config, options), *end = strchr(said, '\n');
    if (end != NULL && end[1] != '\0')
        fail_msg("expected one fault in \"%s\"", said);
}

/* Nothing else is said. */
static inline void says_only(const char *config, const char *options, const char *lines)
{
    assert_string_equal(said_of(config, options), lines);
}

/* A set-up that is good, compiled; for one test after the other. */
static inline const struct objectron_setup *compiled_with(const char *config, const char *options)
{
    static char             memory[2][1 << 17];
    static _Alignas(8) char setup[1 << 16];
    struct arena            arena[2];
    struct collected        collected = { { 0, collect }, "" };
    memset(setup, 0, sizeof setup);
    size_t bytes = game_objectron.configure(
        read_setup(config, &arena[0], memory[0], &collected.faults),
        options ? read_setup(options, &arena[1], memory[1], &collected.faults) : NULL, setup,
        sizeof setup, &collected.faults);
    assert_string_equal(collected.said, "");
    assert_int_equal(bytes, ((const struct objectron_setup *) (const void *) setup)->bytes);
    return (const void *) setup;
}

static inline const struct objectron_setup *compiled(const char *config)
{
    return compiled_with(config, NULL);
}

#endif
