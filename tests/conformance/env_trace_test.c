/* env_trace_test.c: a match file of `arbiter simulate` is the match that a program plays with the same seed and
 * commands: every game, to the last byte of state and dice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sodium.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "env/arbiter_games.h"
#include "games/registry.h"
#include "match/file.h"
#include "wire/plan.h"

#define ARENA_BYTES (1u << 20)
#define PATH_BYTES 300

static char folder[] = "/tmp/arbiter-trace-XXXXXX";

struct trace {
    uint8_t              *bytes;
    size_t                size;
    struct match_file     file;
    struct arena          arena, decoding;
    struct arbiter_env   *env;
    struct arbiter_rules *rules;
    struct plan          *commands;
};

/* Written by the program itself, and not by what this test could call. */
static void simulate(const char *game, const char *seed, const char *policy, char path[PATH_BYTES])
{
    char *const                words[] = { "arbiter",
                                           "simulate",
                                           (char *) (uintptr_t) game,
                                           "--seed",
                                           (char *) (uintptr_t) seed,
                                           "--policy",
                                           (char *) (uintptr_t) policy,
                                           "--trace",
                                           path,
                                           NULL };
    posix_spawn_file_actions_t actions;
    pid_t                      child;
    int                        status = -1;
    (void) snprintf(path, PATH_BYTES, "%s/%s.match", folder, game);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    assert_int_equal(posix_spawn(&child, ARBITER_BINARY, &actions, NULL, words, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* The set-up's text as the file has it, and the seed. */
static void begin(struct trace *trace, const Arbiter__Match__Header *header)
{
    char                    fault[256] = "";
    char                   *setup = strndup((const char *) header->setup, strlen(header->setup));
    struct arbiter_settings settings = {
        .setup = setup,
        .options = header->options != NULL && header->options[0] != '\0' ? header->options : NULL,
        .seats = header->seats,
        .most = 1000000
    };
    trace->rules = arbiter_rules_open(header->game, &settings, fault, sizeof fault);
    free(setup);
    if (trace->rules == NULL)
        fail_msg("%s: %s", header->game, fault);
    trace->env = arbiter_env_new(trace->rules);
    trace->commands = plan_new(registry_find(header->game, 0)->command);
    arbiter_env_reset(trace->env, (uint64_t) header->seed);
}

static void play(struct trace *trace, const Arbiter__Match__Act *act)
{
    struct command         said;
    struct arbiter_command command;
    if (act->actor >= ARBITER_SEATS_MAX)
        return;
    arena_reset(&trace->decoding);
    assert_true(plan_decode_command(trace->commands, act->command.data, act->command.len,
                                    &trace->decoding, &said));
    command = (struct arbiter_command){ said.kind, said.text_size, said.text, { 0 } };
    memcpy(command.arg, said.arg, sizeof command.arg);
    assert_int_equal(arbiter_env_command(trace->env, act->actor, &command), 0);
    assert_int_equal(arbiter_env_number(trace->env), act->number);
}

static void end(struct trace *trace, const Arbiter__Match__End *end)
{
    struct arbiter_shape shape;
    uint8_t              digest[crypto_hash_sha256_BYTES];
    int32_t              outcome[ARBITER_SEATS_MAX], rank[ARBITER_SEATS_MAX];
    arbiter_rules_shape(trace->rules, &shape);
    uint8_t *core = malloc(shape.core_bytes);
    arbiter_env_core(trace->env, core);
    crypto_hash_sha256(digest, core, shape.core_bytes);
    assert_memory_equal(digest, end->digest.data, sizeof digest);
    arbiter_env_outcome(trace->env, outcome, rank);
    for (size_t seat = 0; seat < end->n_outcome; seat++)
        assert_int_equal(outcome[seat], end->outcome[seat]);
    free(core);
    plan_destroy(&trace->commands);
    arbiter_env_free(trace->env);
    arbiter_rules_close(trace->rules);
}

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t) ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void replay(const char *path)
{
    struct trace         trace = { 0 };
    enum match_file_step step;
    trace.bytes = read_file(path, &trace.size);
    void *memory = malloc(2 * ARENA_BYTES);
    arena_init(&trace.arena, memory, ARENA_BYTES);
    arena_init(&trace.decoding, (uint8_t *) memory + ARENA_BYTES, ARENA_BYTES);
    match_file_open(&trace.file, trace.bytes, trace.size, &trace.arena);
    while ((step = match_file_next(&trace.file)) == MATCH_FILE_RECORD) {
        const Arbiter__Match__Record *record = trace.file.record;
        if (record->kind_case == ARBITER__MATCH__RECORD__KIND_HEADER)
            begin(&trace, record->header);
        else if (record->kind_case == ARBITER__MATCH__RECORD__KIND_ACT)
            play(&trace, record->act);
        else if (record->kind_case == ARBITER__MATCH__RECORD__KIND_END)
            end(&trace, record->end);
    }
    assert_int_equal(step, MATCH_FILE_DONE);
    free(memory);
    free(trace.bytes);
    unlink(path);
}

static void a_match_file_is_played_again_to_the_last_byte(void **unused)
{
    char path[PATH_BYTES];
    (void) unused;
    for (const struct game_wire *const *at = registry_games(); *at != NULL; at++) {
        simulate((*at)->game->name, "1", "greedy", path);
        replay(path);
        simulate((*at)->game->name, "-2", "greedy,random", path);
        replay(path);
    }
}

static int make_folder(void **unused)
{
    (void) unused;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **unused)
{
    (void) unused;
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_match_file_is_played_again_to_the_last_byte),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
