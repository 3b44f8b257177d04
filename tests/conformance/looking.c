/* looking.c: a look changes nothing, and shows nothing that depends on addresses, junk or secrets. */
#include <string.h>

#include "bout.h"

bool same_lists(const struct legal *one, const struct legal *other)
{
    if (one->patterns != other->patterns || one->values != other->values ||
        memcmp(one->value, other->value, one->values * sizeof(word)) != 0)
        return false;
    for (uint32_t i = 0; i < one->patterns; i++) {
        const struct pattern *left = &one->pattern[i], *right = &other->pattern[i];
        if (left->kind != right->kind || left->args != right->args ||
            memcmp(left->arg, right->arg, left->args * sizeof left->arg[0]) != 0)
            return false;
    }
    return true;
}

static void take_view(const struct bout *bout, struct side *side, uint32_t viewer)
{
    side_clear(bout, side, &side->look);
    bout->game->view(side->setup, side->state, viewer, &side->look);
}

static void take_asks(const struct bout *bout, struct side *side, uint32_t seat)
{
    side_clear(bout, side, &side->look);
    bout->game->asks(side->setup, side->state, seat, &side->look);
}

/* The twin's hidden bytes become something else; what it held is in home. */
static bool flip_hidden(struct bout *bout, uint32_t viewer)
{
    struct side *twin = &bout->twin;
    uint8_t     *state = twin->state;
    bool         any = false;

    memset(twin->mask, 0, bout->bounds.state_bytes);
    bout->game->hidden(twin->setup, twin->state, viewer, twin->mask);
    for (uint32_t i = 0; i < bout->bounds.state_bytes; i++)
        if (twin->mask[i] != 0) {
            state[i] ^= (uint8_t) (1 + luck_below(&bout->luck, 255));
            any = true;
        }
    return any;
}

static bool judges_alike(struct bout *bout, uint32_t seat)
{
    const struct game *game = bout->game;
    struct side       *home = &bout->home, *twin = &bout->twin;
    struct command     command;

    if (game->judge == NULL || home->list.patterns == 0)
        return true;
    player_pick(&bout->luck, game, &home->list, &command);
    return game->judge(home->setup, home->state, seat, &command) ==
           game->judge(twin->setup, twin->state, seat, &command);
}

/* A seat sees the command that is proposed to it: what is hidden must not be in it. */
static bool proposes_alike(struct bout *bout, uint32_t seat)
{
    const struct game *game = bout->game;
    struct side       *home = &bout->home, *twin = &bout->twin;
    struct dice        ours = home->dice, theirs = home->dice; /* A player's, not the match's. */
    struct command     one, other;
    uint32_t           room = bout->bounds.text_bytes;

    if (game->propose == NULL)
        return true;
    memset(&one, 0, sizeof one);
    memset(&other, 0, sizeof other);
    bool made = game->propose(home->setup, home->state, seat, &ours, &one, home->text, room);
    if (made != game->propose(twin->setup, twin->state, seat, &theirs, &other, twin->text, room))
        return false;
    return !made || (one.kind == other.kind && memcmp(one.arg, other.arg, sizeof one.arg) == 0 &&
                     one.text_size == other.text_size &&
                     (one.text_size == 0 || memcmp(one.text, other.text, one.text_size) == 0));
}

/* Takes every look on both sides; `twin` may have other secrets. */
static bool look_twice(struct bout *bout, uint32_t viewer, const char *whatever)
{
    const struct game *game = bout->game;
    struct side       *home = &bout->home, *twin = &bout->twin;

    take_view(bout, home, viewer);
    take_view(bout, twin, viewer);
    PROMISE(bout, same_words(&home->look, &twin->look), "a view is the same whatever %s", whatever);
    if (!words_are_a_view(bout, &home->look) || !observations_agree(bout, whatever))
        return false;
    if (viewer == SPECTATOR)
        return true;
    take_asks(bout, home, viewer);
    take_asks(bout, twin, viewer);
    PROMISE(bout, same_words(&home->look, &twin->look), "asks are the same whatever %s", whatever);
    side_list(bout, home, viewer);
    side_list(bout, twin, viewer);
    PROMISE(bout, same_lists(&home->list, &twin->list), "the list is the same whatever %s",
            whatever);
    PROMISE(bout, judges_alike(bout, viewer), "a judgement is the same whatever %s", whatever);
    PROMISE(bout, proposes_alike(bout, viewer), "a proposal is the same whatever %s", whatever);
    if (game->question != NULL && (game->to_act(home->setup, home->state) >> viewer & 1) != 0)
        PROMISE(bout,
                game->question(home->setup, home->state, viewer) ==
                    game->question(twin->setup, twin->state, viewer),
                "a question's number is the same whatever %s", whatever);
    return true;
}

/* A seat that is awaited is asked with events that it has heard before; no other is asked. */
static bool asks_repeat(struct bout *bout, uint32_t seat)
{
    const struct game *game = bout->game;
    struct side       *home = &bout->home;
    bool               awaited = (game->to_act(home->setup, home->state) >> seat & 1) != 0;

    take_asks(bout, home, seat);
    PROMISE(bout, awaited || home->look.events == 0, "seat %u is asked only when it is awaited",
            seat);
    for (const word *event = sink_first(&home->look); event != NULL;
         event = sink_next(&home->look, event))
        PROMISE(bout, was_heard(bout, seat, event),
                "asks repeat to seat %u what it was asked (event %s was not)", seat,
                game->events[event_kind(event) % game->event_kinds].name);
    return true;
}

bool looks_are_clean(struct bout *bout, uint32_t viewer)
{
    bool clean;

    bout_keep(bout);
    if (!look_twice(bout, viewer, "its address and the memory around it"))
        return false;
    PROMISE(bout, bout_is_kept(bout) && bout_sides_agree(bout), "looking changes nothing");
    if (viewer != SPECTATOR && !asks_repeat(bout, viewer))
        return false;
    if (viewer != SPECTATOR && !guesses_are_clean(bout, viewer))
        return false;
    if (flip_hidden(bout, viewer)) {
        clean = look_twice(bout, viewer, "is hidden") &&
                (viewer == SPECTATOR || guesses_are_clean(bout, viewer));
        memcpy(bout->twin.state, bout->home.state, bout->bounds.state_bytes);
        if (!clean)
            return false;
    }
    PROMISE(bout, bout_is_kept(bout), "looking changes nothing");
    return bout_guards(bout);
}

/* When a match is over nobody is awaited, nothing is listed, and each seat has a result. */
bool outcome_is_clean(struct bout *bout)
{
    const struct game *game = bout->game;
    struct side       *home = &bout->home, *twin = &bout->twin;
    int32_t            ours[SEATS_MAX + 1], theirs[SEATS_MAX + 1];

    memset(ours, 0x11, sizeof ours);
    memset(theirs, 0x77, sizeof theirs);
    bout_keep(bout);
    game->outcome(home->setup, home->state, ours);
    game->outcome(twin->setup, twin->state, theirs);
    PROMISE(bout, bout_is_kept(bout), "asking for the outcome changes nothing");
    PROMISE(bout, memcmp(ours, theirs, bout->fixture->seats * sizeof ours[0]) == 0,
            "every seat has one outcome");
    for (uint32_t seat = bout->fixture->seats; seat <= SEATS_MAX; seat++)
        PROMISE(bout, ours[seat] == 0x11111111, "only seats have an outcome");
    for (uint32_t seat = 0; seat < bout->fixture->seats; seat++) {
        side_list(bout, home, seat);
        PROMISE(bout, home->list.patterns == 0, "nothing is listed when the match is over");
    }
    return true;
}
