/* treasure_log.c: the lines of section 10 of the rules: what a match did, for who has to explain it later.
 *
 * Places count from 1, as in the messages of 2017 and in the tables, and so do seats. Where something was
 * hidden is a secret of the running match and told only to who asked for everything. */
#include "games/treasure/treasure_rules.h"

struct logging {
    const struct treasure_setup *setup;
    const struct treasure_state *state;
    const struct record_facts   *facts;
    const struct record_deed    *deed;
    const struct recorder       *to;
};

static void begin(const struct logging *at, struct text *line)
{
    text_clear(line);
    text_put(line, "treasure game ");
    text_put_number(line, (int64_t) at->facts->number);
    text_put(line, ": ");
}

static void put(struct text *line, const char *before, int64_t number)
{
    text_put(line, before);
    text_put_number(line, number);
}

static void put_field(struct text *line, const char *before, int64_t x, int64_t y)
{
    put(line, before, x + 1);
    put(line, "/", y + 1);
}

static void say(const struct logging *at, enum record_level level, const struct text *line)
{
    at->to->say(at->to->owner, level, line);
}

static void say_preparation(const struct logging *at)
{
    struct text line;
    begin(at, &line);
    text_put(&line, "map preparation begins");
    say(at, RECORD_INFO, &line);
}

static void put_faults(struct text *line, const struct treasure_faults *faults)
{
    for (uint32_t i = 0; i < faults->count; i++) {
        text_put(line, i == 0 ? "; wrong: " : " ");
        text_put(line, treasure_fault_name(faults->code[i]));
    }
}

/* A half that could not be read has no fields to count. */
static void say_half(const struct logging *at)
{
    struct treasure_half   half;
    struct treasure_faults faults;
    struct treasure_counts counts;
    struct text            line;
    if (!treasure_take_half(at->setup, at->deed->command, &half, &faults))
        return; /* Such a command is refused, and no deed. */
    begin(at, &line);
    put(&line, "half of seat ", (int64_t) at->deed->seat + 1);
    if (faults.count == 0 || faults.code[0] > TREASURE_FORBIDDEN) {
        treasure_count_half(at->setup, &half, &counts);
        put(&line, ": grass ", counts.terrain[TREASURE_GRASS]);
        put(&line, ", mountain ", counts.terrain[TREASURE_MOUNTAIN]);
        put(&line, ", water ", counts.terrain[TREASURE_WATER]);
        put(&line, "; water at the edges: top ", counts.edge[0]);
        put(&line, ", bottom ", counts.edge[1]);
        put(&line, ", left ", counts.edge[2]);
        put(&line, ", right ", counts.edge[3]);
        text_put(&line, counts.is_joined ? "; no island" : "; an island");
    }
    put_faults(&line, &faults);
    say(at, at->state->result != 0 ? RECORD_WARNING : RECORD_INFO, &line);
}

static void say_merge(const struct logging *at)
{
    struct text line;
    begin(at, &line);
    text_put(&line, "halves joined ");
    text_put(&line, at->state->side ? "side by side" : "one above the other");
    put(&line, ", that of seat ", at->state->first + 1);
    text_put(&line, " first; treasures hidden");
    say(at, RECORD_INFO, &line);
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++) {
        const struct treasure_seat *of = &at->state->seat[seat];
        begin(at, &line);
        put(&line, "seat ", (int64_t) seat + 1);
        put_field(&line, ": castle at ", of->castle_x, of->castle_y);
        put_field(&line, ", treasure at ", of->treasure_x, of->treasure_y);
        say(at, RECORD_DEBUG, &line);
    }
}

/* Where the figure was said to be; of a `step`, the field from which it leads to the target. */
static void put_position(struct text *line, const struct command *command,
                         const struct treasure_last *last)
{
    int64_t x = command->arg[1], y = command->arg[2];
    if (command->kind == TREASURE_STEP) {
        word way = command->arg[1];
        x = last->x + (way == TREASURE_TO_LEFT ? 1 : way == TREASURE_TO_RIGHT ? -1 : 0);
        y = last->y + (way == TREASURE_UP ? 1 : way == TREASURE_DOWN ? -1 : 0);
    }
    put_field(line, " from ", x, y);
}

static void say_action(const struct logging *at)
{
    const struct command       *command = at->deed->command;
    const struct treasure_last *last = &at->state->last;
    struct text                 line;
    begin(at, &line);
    put(&line, "action ", last->id);
    put(&line, ", seat ", (int64_t) last->seat + 1);
    text_put(&line, last->readable ? ":" : ": cannot be read");
    if (last->readable) {
        put_position(&line, command, last);
        put_field(&line, " to ", last->x, last->y);
        put(&line, ", turns left ", last->turns);
    }
    text_put(&line, ", ");
    text_put(&line, treasure_action_name(last->action));
    if (last->violation != 0) {
        text_put(&line, ", ");
        text_put(&line, treasure_reason_name(last->violation));
    }
    put(&line, ", thought ", command->arg[0] == ABSENT ? 0 : command->arg[0]);
    text_put(&line, " ms");
    say(at, last->violation != 0 ? RECORD_WARNING : RECORD_INFO, &line);
}

/* A rule broken by what was no action: out of turn, late, a message without sense; or by silence. */
static void say_violation(const struct logging *at)
{
    struct text line;
    begin(at, &line);
    put(&line, "after action ", at->state->n);
    if (at->deed->command != NULL)
        put(&line, ", seat ", (int64_t) at->deed->seat + 1);
    text_put(&line, ": ");
    text_put(&line, treasure_reason_name(at->state->reason));
    say(at, RECORD_WARNING, &line);
}

static void say_end(const struct logging *at)
{
    const struct record_facts *facts = at->facts;
    uint64_t took = facts->now_ms > facts->beginning_ms ? facts->now_ms - facts->beginning_ms : 0;
    struct text line;
    begin(at, &line);
    text_put(&line, treasure_result_name(at->state->result));
    text_put(&line, ", ");
    text_put(&line, treasure_reason_name(at->state->reason));
    put(&line, ", ", at->state->n);
    put(&line, " actions in ", (int64_t) took);
    text_put(&line, " ms");
    say(at, RECORD_INFO, &line);
}

void treasure_log(const struct treasure_setup *setup, const struct treasure_state *state,
                  const struct record_facts *facts, const struct record_deed *deed,
                  const struct recorder *to)
{
    const struct logging at = { setup, state, facts, deed, to };
    uint32_t             kind = deed->command != NULL ? deed->command->kind : 0;
    bool                 is_half = kind == TREASURE_SUBMIT_HALF || kind == TREASURE_SUBMIT_ROWS;
    if (deed->begins)
        say_preparation(&at);
    if (is_half)
        say_half(&at);
    if (is_half && state->merged && state->phase == TREASURE_MOVES)
        say_merge(&at);
    if (treasure_is_action(state, deed))
        say_action(&at);
    else if (state->result != 0 &&
             (kind >= TREASURE_UPDATE || state->reason == TREASURE_THINK_TIME))
        say_violation(&at);
    if (state->result != 0)
        say_end(&at);
}
