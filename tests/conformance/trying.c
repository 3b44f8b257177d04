/* trying.c: what `legal` lists is what `apply` accepts, tried on home and taken back each time. */
#include <inttypes.h>
#include <string.h>

#include "bout.h"

#define WHOLE_LIST_MAX 48 /* Lists up to this long are tried whole.  */
#define SAMPLES 12        /* Commands tried of longer ones.          */
#define MUTANTS 24
#define TAKES_UNLISTED (COMMAND_OPEN | COMMAND_FORFEITS | COMMAND_ALIAS)

static const char *kind_name(const struct bout *bout, uint32_t kind)
{
    const struct game *game = bout->game;
    return kind >= 1 && kind < game->command_kinds ? game->commands[kind].name : "no command";
}

static uint32_t flags_of(const struct bout *bout, uint32_t kind)
{
    const struct game *game = bout->game;
    return kind >= 1 && kind < game->command_kinds ? game->commands[kind].flags : 0;
}

/* "take 3 5", as far as there are arguments. */
static const char *spell(const struct bout *bout, const struct command *command)
{
    static char text[160];
    int         used = snprintf(text, sizeof text, "%s", kind_name(bout, command->kind));
    uint32_t    args = COMMAND_ARGS_MAX;

    while (args > 0 && command->arg[args - 1] == ABSENT)
        args--;
    for (uint32_t i = 0; i < args; i++) {
        size_t room = sizeof text - (size_t) used;
        used += command->arg[i] == ABSENT
                    ? snprintf(text + used, room, " -")
                    : snprintf(text + used, room, " %" PRId64, command->arg[i]);
    }
    return text;
}

static bool is_mistyped(const struct command *command)
{
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        if (command->arg[i] == MISTYPED)
            return true;
    return false;
}

/* A think time is measured, not chosen: the list has the command without it. */
static bool is_listed(const struct bout *bout, const struct command *command)
{
    struct command bare = *command;
    if ((flags_of(bout, command->kind) & COMMAND_TIMED) != 0)
        bare.arg[0] = ABSENT;
    return legal_has(&bout->home.list, &bare);
}

/* Tries a command on home, which stays as the command leaves it. */
static verdict try(struct bout *bout, uint32_t seat, const struct command *command)
{
    struct play play = side_play(&bout->home);
    side_clear(bout, &bout->home, &bout->home.out);
    bout->report->tried++;
    return bout->game->apply(&play, seat, command);
}

static bool refused_well(struct bout *bout, uint32_t seat, const struct command *command,
                         verdict answer)
{
    const struct game *game = bout->game;
    const struct sink *out = &bout->home.out;

    PROMISE(bout, answer < game->reason_kinds && game->reasons[answer].name != NULL,
            "the refusal of %s has a reason: %u is none", spell(bout, command), answer);
    PROMISE(bout, bout_is_kept(bout), "a refusal (%s of seat %u, %s) changes nothing",
            spell(bout, command), seat, game->reasons[answer].name);
    PROMISE(bout, out->used == 0 && out->events == 0, "a refusal (%s of seat %u, %s) emits nothing",
            spell(bout, command), seat, game->reasons[answer].name);
    return true;
}

static bool accepted_well(struct bout *bout, uint32_t seat, const struct command *command)
{
    const char *wrong = bout->game->check(bout->home.setup, bout->home.state);
    uint64_t    said = bout->said_count;

    PROMISE(bout, wrong == NULL, "after %s of seat %u still holds: %s", spell(bout, command), seat,
            wrong);
    if (!events_are_sound(bout, &bout->home.out))
        return false;
    bout->said_count = said; /* It is taken back, so it was never said. */
    return bout_guards(bout);
}

/* Tries, judges and takes back. `may_refuse` and `may_accept` say what is in order. */
static bool attempt(struct bout *bout, uint32_t seat, const struct command *command,
                    bool may_refuse, bool may_accept)
{
    bool well;

    bout_keep(bout);
    verdict answer = try(bout, seat, command);
    if (answer != ACCEPTED) {
        PROMISE(bout, may_refuse || answer >= bout->game->reason_kinds,
                "the listed %s of seat %u is accepted, not refused with %s", spell(bout, command),
                seat, bout->game->reasons[answer].name);
        return refused_well(bout, seat, command, answer);
    }
    PROMISE(bout, may_accept, "the unlisted %s of seat %u is refused", spell(bout, command), seat);
    well = accepted_well(bout, seat, command);
    bout_restore(bout);
    return well;
}

/* Whether no two values of an argument are the same; looks at one of them. */
static bool values_differ(struct bout *bout, const struct pattern_arg *arg)
{
    const word *values = bout->home.list.value + arg->first;
    uint32_t    one = luck_below(&bout->luck, arg->count);
    for (uint32_t i = 0; i < arg->count; i++)
        if (i != one && values[i] == values[one])
            return false;
    return true;
}

bool list_is_sound(struct bout *bout, uint32_t seat)
{
    const struct game  *game = bout->game;
    const struct legal *list = &bout->home.list;
    bool awaited = (game->to_act(bout->home.setup, bout->home.state) >> seat & 1) != 0;

    for (uint32_t i = 0; i < list->patterns; i++) {
        const struct pattern *pattern = &list->pattern[i];
        PROMISE(bout, pattern->kind >= 1 && pattern->kind < game->command_kinds,
                "the list names kinds that exist, not %u", pattern->kind);
        const char *name = kind_name(bout, pattern->kind);
        PROMISE(bout, awaited || (flags_of(bout, pattern->kind) & COMMAND_ANYTIME) != 0,
                "%s is listed for seat %u only when it is awaited", name, seat);
        PROMISE(bout, pattern->args <= player_fields(bout->wire, pattern->kind),
                "%s is listed with the arguments its message has", name);
        for (uint32_t arg = 0; arg < pattern->args; arg++) {
            const struct pattern_arg *values = &pattern->arg[arg];
            PROMISE(bout,
                    values->count > 0 && values->first < list->values &&
                        values->count <= list->values - values->first,
                    "the values of %s stand in the list", name);
            PROMISE(bout, values_differ(bout, values), "%s lists a value once", name);
        }
    }
    return true;
}

/* Patterns of one list never overlap, or counting would lie. */
static bool in_one_pattern(const struct bout *bout, const struct command *command)
{
    struct legal one = bout->home.list;
    uint32_t     found = 0;
    for (uint32_t i = 0; i < bout->home.list.patterns; i++) {
        one.pattern = &bout->home.list.pattern[i];
        one.patterns = 1;
        found += legal_has(&one, command);
    }
    return found == 1;
}

static void remember(struct bout *bout, const struct command *command)
{
    bout->seen[bout->seen_count++ % SEEN_MAX] = *command;
}

static bool listed_is_accepted(struct bout *bout, uint32_t seat, const struct command *command)
{
    PROMISE(bout, in_one_pattern(bout, command), "%s stands in one pattern of the list",
            spell(bout, command));
    return attempt(bout, seat, command, false, true);
}

bool listed_are_accepted(struct bout *bout, uint32_t seat)
{
    const struct legal *list = &bout->home.list;
    uint64_t            count = legal_count(list);
    struct command      command;

    for (uint64_t k = 0; count <= WHOLE_LIST_MAX && k < count; k++) {
        legal_pick(list, k, &command);
        if (!listed_is_accepted(bout, seat, &command))
            return false;
    }
    for (uint32_t i = 0; i < list->patterns; i++) { /* Each pattern is tried, long list or not. */
        struct legal one = *list;
        one.pattern = &list->pattern[i];
        one.patterns = 1;
        legal_pick(&one, luck_next(&bout->luck) % legal_count(&one), &command);
        remember(bout, &command);
        if (count > WHOLE_LIST_MAX && !listed_is_accepted(bout, seat, &command))
            return false;
    }
    for (uint32_t i = 0; count > WHOLE_LIST_MAX && i < SAMPLES; i++) {
        legal_pick(list, luck_next(&bout->luck) % count, &command);
        remember(bout, &command);
        if (!listed_is_accepted(bout, seat, &command))
            return false;
    }
    return commands_fit(bout, list);
}

/* Something that was listed for somebody lately, or nothing in particular. */
static struct command some_command(struct bout *bout)
{
    struct luck   *luck = &bout->luck;
    uint32_t       seen = bout->seen_count < SEEN_MAX ? bout->seen_count : SEEN_MAX;
    struct command command = { .kind = luck_below(luck, bout->game->command_kinds + 1) };

    if (seen > 0 && !luck_one_in(luck, 8))
        return bout->seen[luck_below(luck, seen)];
    uint32_t fields = player_fields(bout->wire, command.kind);
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command.arg[i] = i < fields ? (word) luck_below(luck, 12) : ABSENT;
    return command;
}

bool unlisted_are_refused(struct bout *bout, uint32_t seat)
{
    for (uint32_t i = 0; i < MUTANTS; i++) {
        struct command command = some_command(bout);
        for (uint32_t changes = luck_below(&bout->luck, 3); changes > 0; changes--)
            player_mutate(&bout->luck, bout->wire, &bout->home.list, &command);
        bool listed = is_listed(bout, &command);
        bool flagged = (flags_of(bout, command.kind) & TAKES_UNLISTED) != 0;
        if (!attempt(bout, seat, &command, !listed, listed || (flagged && !is_mistyped(&command))))
            return false;
    }
    return true;
}

/* Seats there are none of; a shift by 32 or more wraps around on most machines. */
bool strangers_are_refused(struct bout *bout)
{
    static const uint32_t strangers[] = { SEATS_MAX, 31, 32, 33, 34, 64, SPECTATOR, UINT32_MAX };
    struct command        command = some_command(bout);

    for (uint32_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++)
        if (!attempt(bout, strangers[i], &command, true, false))
            return false;
    return bout->fixture->seats == SEATS_MAX ||
           attempt(bout, bout->fixture->seats, &command, true, false);
}

/* Makes a command of an open kind, if there is one now; `command->kind` is 0 if not. */
bool proposed_is_accepted(struct bout *bout, uint32_t seat, struct command *command)
{
    const struct game *game = bout->game;
    struct side       *home = &bout->home;
    struct dice        dice = home->dice; /* A player's own, not the match's. */

    *command = (struct command){ 0 };
    if (game->propose == NULL)
        return true;
    bout_keep(bout);
    bool made = game->propose(home->setup, home->state, seat, &dice, command, home->text,
                              bout->bounds.text_bytes);
    PROMISE(bout, bout_is_kept(bout), "proposing changes nothing");
    if (!made) {
        command->kind = 0;
        return true;
    }
    PROMISE(bout, (flags_of(bout, command->kind) & COMMAND_OPEN) != 0,
            "%s, which is proposed, is an open kind", spell(bout, command));
    PROMISE(bout, command->text_size <= bout->bounds.text_bytes, "a proposed text is in bounds");
    return attempt(bout, seat, command, false, true);
}
