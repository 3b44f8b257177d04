/* dead_explain_test.c: which topic and paragraph a difference belongs to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "games/dead/conform/dead_explain_conform.h"
#include "games/dead/dead.h"

static json_t *event(const char *name)
{
    return json_pack("{s:s, s:{}}", "ev", name, "args");
}

static struct dead_cause explain(uint32_t command, const char *expected, const char *came,
                                 const char *before, struct dead_gap gap)
{
    const struct dead_step step = { .kind = DEAD_SAYS, .command.kind = command };
    json_t                *one = expected != NULL ? event(expected) : NULL,
           *other = came != NULL ? event(came) : NULL;
    json_t *told = json_array();
    if (before != NULL)
        json_array_append_new(told, event(before));
    gap.step = &step;
    gap.expected = one;
    gap.came = other;
    gap.before = told;
    struct dead_cause cause = dead_explain(&gap);
    json_decref(one);
    json_decref(other);
    json_decref(told);
    return cause;
}

static const struct row {
    uint32_t        command;
    const char     *expected, *came, *before;
    struct dead_gap gap;
    enum dead_topic topic;
    const char     *section;
} rows[] = {
    { DEAD_MOVE, "Moved", "ActNow", NULL, { .step = NULL }, DEAD_TOPIC_RULES, "8" },
    { DEAD_MOVE, "Wounded", "ActNow", "Moved", { .step = NULL }, DEAD_TOPIC_DICE, "10.1" },
    { DEAD_END_TURN, "Wounded", "ActNow", NULL, { .step = NULL }, DEAD_TOPIC_DICE, "7" },
    { DEAD_SEARCH,
      "CardDrawn",
      "CharacterSpawned",
      "Searched",
      { .step = NULL },
      DEAD_TOPIC_DICE,
      "8" },
    { DEAD_SELECT_CHARACTERS,
      "CardDrawn",
      "CardDrawn",
      NULL,
      { .step = NULL },
      DEAD_TOPIC_DICE,
      "6" },
    { DEAD_ATTACK,
      "CommandFailed",
      "ZombieKilled",
      NULL,
      { .is_refused = true },
      DEAD_TOPIC_VALIDATION,
      "8" },
    { DEAD_VOTE,
      "VoteResult",
      "CommandFailed",
      NULL,
      { .step = NULL },
      DEAD_TOPIC_VALIDATION,
      "11" },
    { DEAD_END_TURN,
      "Crisis",
      "DieRolled",
      "NextRound",
      { .others_heard = true },
      DEAD_TOPIC_AUDIENCE,
      "7" },
    { DEAD_END_TURN,
      "ZombieSpawned",
      "ActNow",
      "Crossroad",
      { .step = NULL },
      DEAD_TOPIC_RULES,
      "11" },
    { DEAD_END_TURN,
      "ZombieSpawned",
      "ActNow",
      NULL,
      { .is_shuffled = true },
      DEAD_TOPIC_ORDER,
      "12.4" },
    { DEAD_END_TURN, NULL, "ActNow", NULL, { .step = NULL }, DEAD_TOPIC_RULES, "4" },
    { 0, "Left", "Left", NULL, { .is_untimely = true }, DEAD_TOPIC_CLOCK, "4" },
};

static void each_difference_has_its_topic_and_its_paragraph(void **unused)
{
    (void) unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        struct dead_cause cause =
            explain(row->command, row->expected, row->came, row->before, row->gap);
        if (cause.topic != row->topic || strcmp(cause.section, row->section) != 0)
            fail_msg("row %zu: %s, %s", i, dead_topic_name(cause.topic), cause.section);
    }
}

/* The name of a kind as recordings have it: "ActNow" of "act_now". */
static void camel(const char *snake, char name[64])
{
    size_t size = 0;
    for (bool is_first = true; *snake != '\0'; snake++) {
        if (*snake != '_')
            name[size++] = (char) (is_first ? *snake - 'a' + 'A' : *snake);
        is_first = *snake == '_';
    }
    name[size] = '\0';
}

static void every_event_and_every_command_has_a_paragraph_of_its_own(void **unused)
{
    (void) unused;
    const char *none =
        explain(DEAD_MOVE, "Unheard", "ActNow", NULL, (struct dead_gap){ 0 }).sentence;
    for (uint32_t kind = DEAD_CONFIG; kind < DEAD_EVENT_KINDS; kind++) {
        char name[64];
        camel(game_dead.events[kind].name, name);
        if (strcmp(explain(DEAD_MOVE, name, NULL, NULL, (struct dead_gap){ 0 }).sentence, none) ==
            0)
            fail_msg("%s has none", name);
    }
    for (uint32_t kind = 1; kind < DEAD_COMMAND_KINDS; kind++)
        assert_non_null(
            explain(kind, "CommandFailed", "ActNow", NULL, (struct dead_gap){ 0 }).sentence);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_difference_has_its_topic_and_its_paragraph),
        cmocka_unit_test(every_event_and_every_command_has_a_paragraph_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
