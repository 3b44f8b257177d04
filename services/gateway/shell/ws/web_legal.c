/* web_legal.c: what a seat may do, from the rules' words to browser.Legal's patterns. */
#include <stdlib.h>
#include <string.h>

#include "contract/engine.pb-c.h"
#include "games/registry.h"
#include "services/gateway/shell/ws/web_json.h"
#include "wire/plan.h"
#include "wire/validate.h"

#define EXAMPLE_MAX 4096u
#define PATTERNS_ROOM (2u << 20)

/* Each game's commands, planned when first needed, and for good. */
struct planned {
    const struct game_wire *game;
    struct plan            *command;
};

struct patterns {
    struct planned planned[BROWSER_GAMES_MAX];
    struct arena   arena;
    void          *memory;
};

/* One pattern's flat numbers: kind, count of arguments, of each the first value's place and count. */
static bool is_pattern(const Arbiter__Engine__LegalAnswer *answer, size_t at)
{
    const uint32_t *numbers = answer->patterns;
    if (answer->n_patterns - at < 2 || numbers[at + 1] > COMMAND_ARGS_MAX ||
        answer->n_patterns - at - 2 < 2 * (size_t) numbers[at + 1])
        return false;
    for (uint32_t i = 0; i < numbers[at + 1]; i++) {
        uint32_t first = numbers[at + 2 + 2 * i], count = numbers[at + 3 + 2 * i];
        if (count == 0 || first > answer->n_values || count > answer->n_values - first)
            return false;
    }
    return true;
}

/* The Command with the first value of each argument. False: it does not fit. */
static bool put_example(const struct planned *planned, const Arbiter__Engine__LegalAnswer *answer,
                        size_t at, Arbiter__Browser__Pattern *pattern, struct arena *arena)
{
    struct command command = { .kind = answer->patterns[at] };
    uint32_t       args = answer->patterns[at + 1];
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command.arg[i] = i < args ? answer->values[answer->patterns[at + 2 + 2 * i]] : ABSENT;
    pattern->example.data = arena_take(arena, EXAMPLE_MAX);
    if (pattern->example.data == NULL)
        return false;
    pattern->example.len =
        plan_encode_command(planned->command, &command, pattern->example.data, EXAMPLE_MAX);
    pattern->has_example = pattern->example.len > 0;
    return true;
}

static bool put_values(const Arbiter__Engine__LegalAnswer *answer, size_t at,
                       Arbiter__Browser__Pattern *pattern, struct arena *arena)
{
    pattern->n_arguments = answer->patterns[at + 1];
    pattern->arguments = arena_take(arena, pattern->n_arguments * sizeof *pattern->arguments);
    for (size_t i = 0; i < pattern->n_arguments && pattern->arguments != NULL; i++) {
        Arbiter__Browser__Values *values = arena_take(arena, sizeof *values);
        if (values == NULL)
            return false;
        arbiter__browser__values__init(values);
        values->n_values = answer->patterns[at + 3 + 2 * i];
        values->values = answer->values + answer->patterns[at + 2 + 2 * i];
        pattern->arguments[i] = values;
    }
    return pattern->arguments != NULL || pattern->n_arguments == 0;
}

static const char *name_of(const struct planned *planned, uint32_t kind)
{
    const ProtobufCFieldDescriptor *field =
        protobuf_c_message_descriptor_get_field(planned->game->command, kind);
    return field != NULL ? field->name : NULL;
}

static size_t write_patterns(const struct planned               *planned,
                             const Arbiter__Engine__LegalAnswer *answer, struct arena *arena,
                             uint8_t *to, size_t room)
{
    Arbiter__Browser__Legal    legal = ARBITER__BROWSER__LEGAL__INIT;
    Arbiter__Browser__Pattern *one;
    size_t                     used = 0, size;
    legal.n_patterns = 1;
    legal.patterns = &one;
    for (size_t at = 0; at < answer->n_patterns && is_pattern(answer, at);
         at += 2 + 2 * (size_t) answer->patterns[at + 1]) {
        one = arena_take(arena, sizeof *one);
        if (one == NULL)
            return used;
        arbiter__browser__pattern__init(one);
        one->kind = (char *) name_of(planned, answer->patterns[at]);
        if (!put_values(answer, at, one, arena) || !put_example(planned, answer, at, one, arena))
            return used;
        size = arbiter__browser__legal__get_packed_size(&legal);
        if (size > room - used)
            return used;
        used += arbiter__browser__legal__pack(&legal, to + used);
    }
    return used;
}

static size_t put_patterns(void *asked, uint32_t game, const uint8_t *answer, size_t size,
                           uint8_t *to, size_t room)
{
    struct patterns *patterns = asked;
    struct planned  *planned = &patterns->planned[game];
    arena_reset(&patterns->arena);
    if (planned->command == NULL && planned->game != NULL)
        planned->command = plan_new(planned->game->command);
    const Arbiter__Engine__LegalAnswer *list =
        (const Arbiter__Engine__LegalAnswer *) (const void *) validate_unpack(
            &arbiter__engine__legal_answer__descriptor, answer, size, &patterns->arena);
    return list == NULL || planned->command == NULL
               ? 0
               : write_patterns(planned, list, &patterns->arena, to, room);
}

bool web_legal_open(struct browser_settings *settings)
{
    struct patterns *patterns = calloc(1, sizeof *patterns);
    if (patterns == NULL)
        return false;
    patterns->memory = malloc(PATTERNS_ROOM);
    if (patterns->memory == NULL) {
        free(patterns);
        return false;
    }
    arena_init(&patterns->arena, patterns->memory, PATTERNS_ROOM);
    settings->games_count = 0;
    for (const struct game_wire *game; settings->games_count < BROWSER_GAMES_MAX &&
                                       (game = web_json_game(settings->games_count)) != NULL;) {
        patterns->planned[settings->games_count].game = game;
        settings->games[settings->games_count++] = game->game->name;
    }
    settings->put_patterns = put_patterns;
    settings->asked = patterns;
    return true;
}

void web_legal_close(struct browser_settings *settings)
{
    struct patterns *patterns = settings->asked;
    for (uint32_t i = 0; patterns != NULL && i < BROWSER_GAMES_MAX; i++)
        plan_destroy(&patterns->planned[i].command);
    if (patterns != NULL)
        free(patterns->memory);
    free(patterns);
    settings->asked = NULL;
}
