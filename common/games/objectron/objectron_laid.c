/* objectron_laid.c: a table for tests: players and power failures laid into the state before the first turn.
 *
 * Nobody's set-up says such things but that of a table whose options have "rigged": true, as recorded scenarios
 * need. There `players` puts players, by their numbers, onto squares, with trails, debts and captured flags, and
 * `power_failures` fails power. */
#include <string.h>

#include "games/objectron/objectron_rules.h"

#define TURNS_MOST 1000
#define PENDING_MOST 100 /* What is laid makes an act's bound larger, objectron_bounds.c. */
#define SKIP_MOST 100

static const char *const directions[] = { "N", "NE", "E", "SE", "S", "SW", "W", "NW", NULL };
static const char *const rotations[] = { "cw", "ccw", NULL };

/* Options being read, and the grid they lie on. */
struct laying {
    struct objectron_setup *setup;
    const char             *letters;
    struct faults          *faults;
};

/* A square by the first two numbers of a list; what it cannot be is told, and changes nothing. */
static void read_square(const struct laying *laying, const struct value *at, bool is_free,
                        int32_t *to)
{
    const struct objectron_setup *setup = laying->setup;
    if (at->kind != VALUE_LIST || at->count < 2) {
        fault(laying->faults, at, NULL, "must be a square: [column, row]");
        return;
    }
    uint32_t before = laying->faults->count;
    int64_t  x = value_as_int(at->first, 0, setup->width - 1, laying->faults);
    int64_t  y = value_as_int(at->first->next, 0, setup->height - 1, laying->faults);
    if (laying->faults->count > before)
        return;
    int32_t square = (int32_t) (y * setup->width + x);
    char    letter = laying->letters[square];
    if (letter == OBJECTRON_HOLE || (letter == OBJECTRON_WALL && is_free))
        fault(laying->faults, at, NULL, "must be a square of the grid where somebody may stand");
    else
        *to = square;
}

static int32_t number(const struct laying *laying, const struct value *from, const char *key,
                      int64_t most)
{
    return (int32_t) value_int_or(from, key, 0, most, 0, laying->faults);
}

static void read_spread(const struct laying *laying, const struct value *spread,
                        struct objectron_laid_failure *failure)
{
    static const char *const keys[] = { "dir", "rotation", "tertiary", NULL };
    failure->dir = value_word_of(spread, "dir", directions, laying->faults);
    failure->rotation = 1;
    if (value_get(spread, "rotation") != NULL)
        failure->rotation += value_word_of(spread, "rotation", rotations, laying->faults);
    const struct value *tertiary = value_get(spread, "tertiary");
    if (tertiary != NULL && tertiary->kind != VALUE_NULL)
        failure->tertiary = value_word(tertiary, directions, laying->faults);
    value_only(spread, keys, laying->faults);
}

static void read_failures(const struct laying *laying, const struct value *list)
{
    static const char *const keys[] = { "at", "turns", "spread", NULL };
    struct objectron_setup  *setup = laying->setup;
    if (list != NULL && list->count > OBJECTRON_LAID_MAX) {
        fault_numbers(laying->faults, list, NULL, "has ", list->count,
                      " entries, must have at most ", OBJECTRON_LAID_MAX, "");
        return;
    }
    const struct value *from = list != NULL ? list->first : NULL;
    for (; from != NULL; from = from->next) {
        struct objectron_laid_failure *failure = &setup->laid_failure[setup->laid_failures++];
        const struct value            *spread = value_get(from, "spread");
        failure->tertiary = -1;
        if (!value_as_object(from, laying->faults))
            continue;
        const struct value *at = value_need(from, "at", "a square: [column, row]", laying->faults);
        if (at != NULL)
            read_square(laying, at, false, &failure->at);
        failure->turns = number(laying, from, "turns", TURNS_MOST);
        if (spread != NULL && spread->kind != VALUE_NULL && value_as_object(spread, laying->faults))
            read_spread(laying, spread, failure);
        value_only(from, keys, laying->faults);
    }
}

static void read_trail(const struct laying *laying, const struct value *trail,
                       struct objectron_laid_player *player)
{
    const struct value *piece = trail != NULL ? trail->first : NULL;
    for (; piece != NULL && player->pieces < OBJECTRON_TRAIL_MAX; piece = piece->next) {
        const struct value *left = piece->count > 1 ? piece->first->next->next : NULL;
        read_square(laying, piece, true, &player->trail[player->pieces]);
        player->left[player->pieces] = 1;
        if (left != NULL)
            player->left[player->pieces] =
                (int32_t) value_as_int(left, 0, OBJECTRON_TRAIL_MAX, laying->faults);
        player->pieces++;
    }
    if (piece != NULL)
        fault(laying->faults, trail, NULL, "is longer than a trail gets");
}

static void read_captured(const struct laying *laying, const struct value *list,
                          struct objectron_laid_player *player)
{
    const struct value *owner = list != NULL ? list->first : NULL;
    for (; owner != NULL; owner = owner->next)
        player->captured |=
            1 << (value_as_int(owner, 1, laying->setup->players, laying->faults) - 1);
}

static const struct value *list_or_none(const struct laying *laying, const struct value *from,
                                        const char *key)
{
    return value_get(from, key) != NULL ? value_list(from, key, laying->faults) : NULL;
}

static void read_player(const struct laying *laying, const struct value *from, int32_t seat)
{
    static const char *const      keys[] = { "at",         "trail",    "pending_actions",
                                             "skip_turns", "captured", NULL };
    struct objectron_setup       *setup = laying->setup;
    struct objectron_laid_player *player = &setup->laid_player[seat];
    if (!value_as_object(from, laying->faults))
        return;
    if (value_get(from, "at") != NULL)
        read_square(laying, value_get(from, "at"), true, &player->at);
    read_trail(laying, list_or_none(laying, from, "trail"), player);
    read_captured(laying, list_or_none(laying, from, "captured"), player);
    player->pending = number(laying, from, "pending_actions", PENDING_MOST);
    player->skip = number(laying, from, "skip_turns", SKIP_MOST);
    value_only(from, keys, laying->faults);
}

static void judge_squares(const struct laying *laying, const struct value *players)
{
    const struct objectron_laid_player *laid = laying->setup->laid_player;
    for (int32_t seat = 0; seat < laying->setup->players; seat++)
        for (int32_t other = 0; other < seat; other++)
            if (laid[seat].at == laid[other].at)
                fault(laying->faults, players, NULL, "puts two players on one square");
}

/* By their numbers: {"2": {"at": [3, 4]}}. */
static void read_players(const struct laying *laying, const struct value *players)
{
    const struct value *from = players != NULL ? players->first : NULL;
    for (; from != NULL; from = from->next) {
        int32_t seat = from->key_size == 1 ? from->key[0] - '1' : -1;
        if (seat >= 0 && seat < laying->setup->players)
            read_player(laying, from, seat);
        else
            fault(laying->faults, from, NULL, "is no player's number");
    }
    judge_squares(laying, players);
}

void objectron_read_laid(struct objectron_setup *setup, const char *letters,
                         const struct value *options, struct faults *faults)
{
    struct laying       laying = { setup, letters, faults };
    const struct value *players = value_get(options, "players");
    const struct value *failures = value_get(options, "power_failures");
    for (int32_t seat = 0; seat < OBJECTRON_PLAYERS_MAX; seat++)
        setup->laid_player[seat].at = seat < setup->players ? setup->home[seat] : -1;
    if (players == NULL && failures == NULL)
        return;
    if (!value_bool_or(options, "rigged", false, faults))
        fault(faults, options, players != NULL ? "players" : "power_failures",
              "is for tables for tests, with \"rigged\": true in their options");
    else if (letters == NULL)
        fault(faults, options, players != NULL ? "players" : "power_failures",
              "needs a grid; nobody knows where generated walls will stand");
    if (faults->count > 0)
        return;
    setup->laid = 1;
    read_failures(&laying, failures != NULL ? value_list(options, "power_failures", faults) : NULL);
    read_players(&laying, players != NULL ? value_object(options, "players", faults) : NULL);
}

/* Which draw bends a direction into another. */
static uint32_t bend(uint32_t from, uint32_t to)
{
    return from == to ? 0 : to == ((from + 7) & 7) ? 1 : 2;
}

static void lay_failure(struct objectron_state *state, const struct objectron_laid_failure *laid)
{
    struct objectron_failure *failure = &objectron_failures(state)[state->failures++];
    *failure = (struct objectron_failure){ .id = state->next_failure++,
                                           .primary = (int16_t) laid->at,
                                           .turns = 1 + laid->turns,
                                           .dir = (uint8_t) laid->dir,
                                           .rotation = (uint8_t) laid->rotation };
    objectron_spread(state, failure);
    if (failure->secondary >= 0 && laid->tertiary >= 0)
        objectron_spread_on(state, failure, bend(failure->dir, (uint32_t) laid->tertiary));
}

static void lay_player(struct objectron_player *player, const struct objectron_laid_player *laid)
{
    player->at = (int16_t) laid->at;
    player->pending = laid->pending;
    player->skip = laid->skip;
    player->captured |= (uint32_t) laid->captured;
    for (int32_t i = 0; i < laid->pieces; i++)
        player->trail[player->pieces++] = (struct objectron_piece){ .at = (int16_t) laid->trail[i],
                                                                    .left = (uint8_t) laid->left[i],
                                                                    .link = 1 };
}

void objectron_lay(const struct objectron_setup *setup, struct objectron_state *state)
{
    if (!setup->laid)
        return;
    for (int32_t i = 0; i < setup->laid_failures; i++)
        lay_failure(state, &setup->laid_failure[i]);
    for (int32_t seat = 0; seat < setup->players; seat++)
        lay_player(&state->player[seat], &setup->laid_player[seat]);
}
