/* dead_made_test.c: whether games that are made up show the rules, all of them, and the same ones each time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/dead/conform/dead_made_conform.h"
#include "games/dead/conform/dead_names_conform.h"
#include "games/dead/conform/dead_table_conform.h"
#include "games/dead/dead.h"

#define GAMES 60

static const char *const editions[] = { "base", "equipment", "crossroads" };
static const char *const names[] = { "standard", "big",    "killers", "searchers", "clearwin",
                                     "trashy",   "clinic", "nokids",  "solo",      "dead" };

static char *text_of(const char *name, const char *edition)
{
    char  path[512];
    char *text = calloc(1, 65536);
    (void) snprintf(path, sizeof path, ARBITER_SOURCE "/common/games/dead/configs/%s-%s.json", name,
                    edition);
    FILE *file = fopen(path, "r");
    assert_non_null(text);
    assert_non_null(file);
    assert_true(fread(text, 1, 65535, file) > 0);
    (void) fclose(file);
    return text;
}

static struct dead_maker *maker_of(uint64_t seed)
{
    struct dead_maker *maker = dead_maker_new(seed);
    assert_non_null(maker);
    for (size_t e = 0; e < 3; e++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            char *text = text_of(names[i], editions[e]);
            dead_maker_add_setup(maker, names[i], text, editions[e]);
            free(text);
        }
    return maker;
}

struct shown {
    bool     event[DEAD_EVENT_KINDS], accepted[DEAD_COMMAND_KINDS], refused[DEAD_REASONS];
    uint32_t steps, ended;
};

static void note_refusal(struct shown *shown, const char *sentence)
{
    for (uint32_t i = 1; i < DEAD_REASONS; i++)
        shown->refused[i] =
            shown->refused[i] || strcmp(game_dead.reasons[i].sentence, sentence) == 0;
}

static void play(const struct dead_script *script, struct shown *shown)
{
    struct house *house = dead_house_new();
    assert_true(dead_script_open(script, house, stderr));
    for (uint32_t i = 0; i < script->count; i++) {
        struct house_heard heard;
        bool               was_refused = false;
        dead_script_take(&script->step[i], house);
        for (uint32_t client = 0; client < 32; client++)
            while (house->next(house, client, &heard)) {
                if (heard.refused != NULL)
                    note_refusal(shown, heard.refused);
                was_refused = was_refused || heard.refused != NULL;
                if (heard.event != NULL)
                    shown->event[event_kind(heard.event)] = true;
            }
        if (!was_refused && script->step[i].kind == DEAD_SAYS)
            shown->accepted[script->step[i].command.kind] = true;
        shown->steps++;
    }
    shown->ended += dead_house_inside(house).is_over;
    house->close(house);
    dead_house_destroy(&house);
}

static void sixty_games_show_every_command_every_event_and_nearly_every_refusal(void **unused)
{
    (void) unused;
    static struct shown shown;
    struct dead_maker  *maker = maker_of(1);
    uint32_t            missing = 0;
    for (uint32_t i = 0; i < GAMES; i++) {
        struct dead_script     script;
        const struct dead_wish wish = { .has_silence = i % 8 == 7, .breaks_off = i % 20 == 10 };
        assert_true(dead_maker_next(maker, &wish, &script, stderr));
        play(&script, &shown);
        dead_script_close(&script);
    }
    print_message("%u steps, %u situations, %u games came to an end\n", shown.steps,
                  dead_maker_seen(maker), shown.ended);
    for (uint32_t i = 1; i < DEAD_COMMAND_KINDS; i++)
        if (!shown.accepted[i])
            fail_msg("no %s was accepted", game_dead.commands[i].name);
    for (uint32_t i = DEAD_CONFIG + 1; i < DEAD_EVENT_KINDS; i++)
        if (!shown.event[i])
            fail_msg("nobody heard %s", game_dead.events[i].name);
    /* A match that is over refuses nothing here, and who has left is not answered. */
    for (uint32_t i = 1; i < DEAD_REASONS; i++)
        if (!shown.refused[i] && i != DEAD_NO_IS_OVER && i != DEAD_NO_NOT_IN_GAME) {
            print_message("nobody was refused with: %s\n", game_dead.reasons[i].sentence);
            missing++;
        }
    assert_true(missing <= 4);
    assert_true(shown.ended * 10 > GAMES * 9);
    dead_maker_destroy(&maker);
}

/* A message has a field for each argument, and room for its number: who plays it over a wire says the same. */
static void assert_can_be_sent(const struct dead_step *step)
{
    struct command command = dead_step_command(step), read;
    json_t        *shown = dead_show_command(&command);
    assert_true(dead_read_command(json_string_value(json_object_get(shown, "cmd")),
                                  json_object_get(shown, "args"), &read));
    assert_int_equal(read.kind, command.kind);
    assert_memory_equal(read.arg, command.arg, sizeof read.arg);
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        assert_true(read.arg[i] == ABSENT ||
                    (read.arg[i] >= INT32_MIN && read.arg[i] <= INT32_MAX));
    json_decref(shown);
}

static void what_is_said_can_be_sent(void **unused)
{
    (void) unused;
    struct dead_maker *maker = maker_of(3);
    for (uint32_t i = 0; i < 20; i++) {
        struct dead_script     script;
        const struct dead_wish wish = { .has_silence = false };
        assert_true(dead_maker_next(maker, &wish, &script, stderr));
        for (uint32_t k = 0; k < script.count; k++)
            if (script.step[k].kind == DEAD_SAYS)
                assert_can_be_sent(&script.step[k]);
        dead_script_close(&script);
    }
    dead_maker_destroy(&maker);
}

static void the_same_seed_makes_the_same_games(void **unused)
{
    (void) unused;
    struct dead_maker *one = maker_of(5), *other = maker_of(5);
    for (uint32_t i = 0; i < 5; i++) {
        struct dead_script     first, second;
        const struct dead_wish wish = { .has_silence = i == 3 };
        assert_true(dead_maker_next(one, &wish, &first, stderr));
        assert_true(dead_maker_next(other, &wish, &second, stderr));
        assert_string_equal(first.config, second.config);
        assert_int_equal(first.seed, second.seed);
        assert_int_equal(first.count, second.count);
        assert_memory_equal(first.step, second.step, first.count * sizeof *first.step);
        assert_true((first.silences > 0) == wish.has_silence);
        dead_script_close(&first);
        dead_script_close(&second);
    }
    dead_maker_destroy(&one);
    dead_maker_destroy(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sixty_games_show_every_command_every_event_and_nearly_every_refusal),
        cmocka_unit_test(what_is_said_can_be_sent),
        cmocka_unit_test(the_same_seed_makes_the_same_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
