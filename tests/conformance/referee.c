/* referee.c: one random match from its first event to its outcome. */
#include "referee.h"

#include <stdlib.h>
#include <string.h>

#include "bout.h"

#define EXAMINED_ALWAYS 24 /* Acts at the beginning after which everything is examined. */
#define EXAMINED_ONE_IN 8  /* Later, this often.                                        */

volatile uint64_t referee_command;

/* What happens next, to be done on either side. */
enum act_kind { ACT_COMMAND, ACT_EXPIRE, ACT_LEAVE, ACT_ANNUL };

struct act {
    enum act_kind  kind;
    uint32_t       seat; /* Or, for an expiry, the mask of those who are late. */
    struct command command;
};

/* Matches differ in temper: some go on undisturbed, in some people are late or thrown out. */
static bool is_hasty(const struct bout *bout)
{
    return bout->game->expire != NULL && bout->fixture->seed % 3 == 0;
}

static bool is_rough(const struct bout *bout)
{
    return bout->game->leave != NULL && bout->fixture->seed % 5 == 0;
}

static seat_mask awaited(const struct bout *bout)
{
    return bout->game->to_act(bout->home.setup, bout->home.state);
}

/* Does it; returns whether anything happened. */
static bool perform(const struct bout *bout, struct play *play, const struct act *act)
{
    switch (act->kind) {
    case ACT_COMMAND: return bout->game->apply(play, act->seat, &act->command) == ACCEPTED;
    case ACT_EXPIRE: return bout->game->expire(play, act->seat);
    case ACT_LEAVE: return bout->game->leave(play, act->seat);
    case ACT_ANNUL: return bout->game->annul(play);
    }
    return false;
}

static bool perform_on(struct bout *bout, struct side *side, const struct act *act)
{
    struct play play = side_play(side);
    side_clear(bout, side, &side->out);
    return perform(bout, &play, act);
}

/* Once with nobody listening, once heard, taken back each time and done again: always the same. */
static bool perform_and_undo(struct bout *bout, const struct act *act, bool *happened)
{
    struct side *home = &bout->home;
    struct sink  deaf = { 0 };
    struct play  play = side_play(home);
    bool         same;

    bout_keep(bout);
    play.out = &deaf;
    *happened = perform(bout, &play, act);
    void       *after = malloc(bout->bounds.state_bytes);
    struct dice dice = home->dice;
    memcpy(after, home->state, bout->bounds.state_bytes);
    bout_restore(bout);
    same = perform_on(bout, home, act) == *happened &&
           memcmp(after, home->state, bout->bounds.state_bytes) == 0 &&
           memcmp(&dice, &home->dice, sizeof dice) == 0;
    free(after);
    PROMISE(bout, same, "what is taken back and done again is the same, heard or not");
    return true;
}

static const char *act_name(const struct act *act)
{
    static const char *const names[] = { "command", "expiry", "removal", "annulment" };
    return names[act->kind];
}

/* What must be so after an act, accepted or not. */
static bool act_is_sound(struct bout *bout, const struct act *act, bool happened, seat_mask before)
{
    if (!happened)
        PROMISE(bout, bout_is_kept(bout) && bout->home.out.used == 0,
                "%s that does not happen changes nothing", act_name(act));
    if (act->kind == ACT_COMMAND)
        PROMISE(bout, happened, "a listed command is accepted");
    if (act->kind == ACT_EXPIRE)
        PROMISE(bout, happened == ((act->seat & before) != 0),
                "an expiry happens if and only if one of those late (mask %#x of %#x) is awaited",
                act->seat, before);
    if (act->kind == ACT_LEAVE && happened) {
        bout->left |= 1u << act->seat;
        PROMISE(bout, (awaited(bout) & bout->left) == 0, "nobody waits for seat %u any more",
                act->seat);
    }
    if (act->kind == ACT_ANNUL)
        PROMISE(bout, happened && awaited(bout) == 0, "an annulled match is over");
    const char *wrong = bout->game->check(bout->home.setup, bout->home.state);
    PROMISE(bout, wrong == NULL, "after an act (%s) still holds: %s", act_name(act), wrong);
    PROMISE(bout, awaited(bout) >> bout->fixture->seats == 0, "only seats are awaited");
    return true;
}

static void trace(const struct bout *bout, const struct act *act, bool happened)
{
    FILE *to = bout->fixture->trace;
    if (to == NULL)
        return;
    fprintf(to, "%llu: ", (unsigned long long) bout->report->commands);
    if (act->kind == ACT_COMMAND) {
        fprintf(to, "seat %u %s", act->seat, bout->game->commands[act->command.kind].name);
        for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
            if (act->command.arg[i] != ABSENT)
                fprintf(to, " %lld", (long long) act->command.arg[i]);
    } else {
        fprintf(to, "%s %#x", act_name(act), act->seat);
    }
    fprintf(to, "%s\n", happened ? "" : " (nothing happens)");
}

/* Both sides said the same, and it is well said. */
static bool words_are_sound(struct bout *bout)
{
    PROMISE(bout, same_words(&bout->home.out, &bout->twin.out),
            "the events at another address are the same");
    hear_for_notes(bout, &bout->home.out);
    return events_are_sound(bout, &bout->home.out) && bout_guards(bout);
}

static bool do_act(struct bout *bout, const struct act *act)
{
    seat_mask before = awaited(bout);
    bool      happened;

    if (!perform_and_undo(bout, act, &happened))
        return false;
    trace(bout, act, happened);
    PROMISE(bout, perform_on(bout, &bout->twin, act) == happened,
            "the verdict at another address is the same");
    if (happened)
        referee_command = ++bout->report->commands;
    return bout_sides_agree(bout) && act_is_sound(bout, act, happened, before) &&
           words_are_sound(bout);
}

/* The seat that acts: one that is awaited, sometimes another that may. */
static uint32_t choose_seat(struct bout *bout)
{
    uint32_t seats = bout->fixture->seats;
    if (luck_one_in(&bout->luck, 16)) {
        uint32_t other = luck_below(&bout->luck, seats);
        side_list(bout, &bout->home, other);
        if (bout->home.list.patterns > 0)
            return other;
    }
    uint32_t seat = luck_below(&bout->luck, seats);
    while ((awaited(bout) >> seat & 1) == 0)
        seat = (seat + 1) % seats;
    return seat;
}

static bool play_command(struct bout *bout)
{
    struct act act = { .kind = ACT_COMMAND, .seat = choose_seat(bout) };

    if (!proposed_is_accepted(bout, act.seat, &act.command))
        return false;
    side_list(bout, &bout->home, act.seat);
    if (bout->home.list.patterns > 0 && (act.command.kind == 0 || luck_one_in(&bout->luck, 2)))
        player_pick(&bout->luck, bout->game, &bout->home.list, &act.command);
    PROMISE(bout, act.command.kind != 0, "seat %u, which is awaited, can do something", act.seat);
    return do_act(bout, &act);
}

static bool play_something(struct bout *bout)
{
    struct luck *luck = &bout->luck;
    uint32_t     seats = bout->fixture->seats;

    if (is_hasty(bout) && luck_one_in(luck, 12)) {
        struct act act = { .kind = ACT_EXPIRE, .seat = luck_below(luck, 1u << seats) };
        return do_act(bout, &act);
    }
    if (is_rough(bout) && luck_one_in(luck, 40)) {
        struct act act = { .kind = ACT_LEAVE, .seat = luck_below(luck, seats) };
        return do_act(bout, &act);
    }
    if (is_rough(bout) && bout->game->annul != NULL && luck_one_in(luck, 400)) {
        struct act act = { .kind = ACT_ANNUL };
        return do_act(bout, &act);
    }
    return play_command(bout);
}

/* Everything that can be asked of a position. */
static bool examine(struct bout *bout)
{
    for (uint32_t seat = 0; seat < bout->fixture->seats; seat++) {
        struct command proposed;
        if (!looks_are_clean(bout, seat))
            return false;
        side_list(bout, &bout->home, seat);
        if (!list_is_sound(bout, seat) || !listed_are_accepted(bout, seat) ||
            !unlisted_are_refused(bout, seat) || !proposed_is_accepted(bout, seat, &proposed))
            return false;
    }
    return looks_are_clean(bout, SPECTATOR) && strangers_are_refused(bout) && bout_guards(bout);
}

static bool begin(struct bout *bout)
{
    struct play ours = side_play(&bout->home), theirs = side_play(&bout->twin);

    side_clear(bout, &bout->home, &bout->home.out);
    side_clear(bout, &bout->twin, &bout->twin.out);
    bout->game->start(&ours, bout->fixture->seats);
    bout->game->start(&theirs, bout->fixture->seats);
    const char *wrong = bout->game->check(bout->home.setup, bout->home.state);
    PROMISE(bout, wrong == NULL, "at the start holds: %s", wrong);
    return bout_sides_agree(bout) && words_are_sound(bout);
}

static bool play_to_the_end(struct bout *bout)
{
    struct report *report = bout->report;
    uint64_t       least = bout->bounds.commands;

    while (awaited(bout) != 0) {
        PROMISE(bout, least == 0 || report->commands < least,
                "the match is over after %llu commands", (unsigned long long) least);
        if (least == 0 && report->commands >= bout->fixture->commands_max)
            return true;
        if ((report->commands < EXAMINED_ALWAYS || luck_one_in(&bout->luck, EXAMINED_ONE_IN)) &&
            !examine(bout))
            return false;
        if (!play_something(bout))
            return false;
    }
    report->ended = true;
    return examine(bout) && outcome_is_clean(bout);
}

bool referee_match(const struct fixture *fixture, struct report *report)
{
    struct bout *bout = malloc(sizeof *bout);
    if (bout == NULL)
        abort();
    referee_command = 0;
    bout_open(bout, fixture, report);
    bool kept = begin(bout) && play_to_the_end(bout);
    bout_close(bout);
    free(bout);
    return kept;
}
