/* search_play.c: guesses, and what becomes of them when everybody plays by rule of thumb. */
#include <string.h>

#include "dice/draw.h"
#include "search/search_parts.h"

/* A future that no estimate cuts ends here at the latest, undecided. */
#define COMMANDS_MOST 5000u
/* In the tree every second new command is any, so that none is missed that the judgement dislikes. */
#define ANY_ONE_IN 2u

bool search_guess(struct search *search)
{
    memset(search->state, 0, search->bounds.state_bytes);
    return search->game->foresight->guess(search->setup, &search->known, &search->dice,
                                          search->state);
}

seat_mask search_awaited(const struct search *search)
{
    return search->game->to_act(search->setup, search->state);
}

uint64_t search_list(struct search *search, uint32_t seat)
{
    struct legal *list = &search->list;
    search->game->legal(search->setup, search->state, seat, list);
    if (search->game->foresight->narrow != NULL && list->patterns > 0)
        search->game->foresight->narrow(search->setup, search->state, seat, list);
    struct legal usual = *list;
    usual.patterns = legal_usual_first(list, search->game->commands);
    uint64_t count = legal_count(list);
    search->usual = usual.patterns > 0 ? legal_count(&usual) : count;
    return count;
}

bool search_allows(struct search *search, uint32_t seat, const struct command *command)
{
    struct sink deaf = { 0 };
    struct play play = { search->setup, search->state, &search->dice, &deaf };
    return search->game->apply(&play, seat, command) == ACCEPTED;
}

void search_do(struct search *search, uint32_t seat, const struct command *command)
{
    bool allowed = search_allows(search, seat, command);
    assert(allowed); /* It was listed in this state. */
}

/* Commands of the list at hand are about to be judged. */
static void consider(struct search *search, uint32_t seat)
{
    const struct foresight *foresight = search->game->foresight;
    if (foresight->consider != NULL)
        foresight->consider(search->setup, search->state, seat, search->opinion);
}

/* What gives up or takes back must be better than all else to be liked best. */
static int64_t liking(const struct search *search, uint32_t seat, uint64_t k,
                      const struct command *command)
{
    int64_t malus = k >= search->usual;
    if (search->game->foresight->like != NULL)
        return search->game->foresight->like(search->opinion, command) - malus;
    if (search->game->judge == NULL)
        return -malus;
    return search->game->judge(search->setup, search->state, seat, command) - malus;
}

static uint64_t draw(struct search *search, uint64_t below)
{
    return draw_below_u64(&search->dice, 0, below);
}

/* The command that is judged best; of equals any. */
static void pick_liked(struct search *search, uint32_t seat, uint64_t count, struct command *best)
{
    uint64_t looks = count < SEARCH_LOOKS_MAX ? count : SEARCH_LOOKS_MAX;
    uint64_t first = draw(search, count); /* So that equals have equal chances. */
    int64_t  most = 0;
    consider(search, seat);
    for (uint64_t i = 0; i < looks; i++) {
        struct command command;
        uint64_t       k = (first + i * count / looks) % count;
        legal_pick(&search->list, k, &command);
        int64_t liked = liking(search, seat, k, &command);
        if (i > 0 && liked <= most)
            continue;
        most = liked;
        *best = command;
    }
}

static bool propose(struct search *search, uint32_t seat, struct command *command)
{
    const struct game *game = search->game;
    return game->propose != NULL && game->propose(search->setup, search->state, seat, &search->dice,
                                                  command, search->text, search->bounds.text_bytes);
}

bool search_go_on(struct search *search, uint32_t seat)
{
    struct command command;
    uint64_t       count = search_list(search, seat);
    if (count == 0 && !propose(search, seat, &command))
        return false;
    if (count == 1)
        legal_pick(&search->list, 0, &command);
    else if (count > 1 && search->game->judge != NULL &&
             draw(search, 100) < search->game->foresight->liked)
        pick_liked(search, seat, count, &command);
    else if (count > 1)
        legal_pick(&search->list, draw(search, search->usual), &command);
    search_do(search, seat, &command);
    return true;
}

/* How it stands, or how it ended. */
static void value(const struct search *search, uint32_t worth[SEATS_MAX])
{
    const struct game *game = search->game;
    int32_t            looks[SEATS_MAX] = { 0 };
    bool               is_over = search_awaited(search) == 0;
    if (is_over)
        game->outcome(search->setup, search->state, looks);
    else if (game->foresight->estimate != NULL)
        game->foresight->estimate(search->setup, search->state, looks);
    for (uint32_t seat = 0; seat < search->seats; seat++) {
        int32_t look = looks[seat];
        if (is_over || look > ESTIMATE_MOST || look < -ESTIMATE_MOST)
            look = look > 0 ? ESTIMATE_MOST : look < 0 ? -ESTIMATE_MOST : 0;
        worth[seat] = (uint32_t) (look + ESTIMATE_MOST);
    }
}

void search_finish(struct search *search, uint32_t worth[SEATS_MAX])
{
    uint32_t commands = search->game->foresight->commands;
    if (commands == 0)
        commands = COMMANDS_MOST;
    for (uint32_t i = 0; i < commands; i++) {
        seat_mask awaited = search_awaited(search);
        if (awaited == 0 || !search_go_on(search, (uint32_t) __builtin_ctz(awaited)))
            break;
    }
    value(search, worth);
}

bool search_find_new(struct search *search, uint32_t seat, uint64_t count, uint32_t at,
                     struct command *found, bool *liked)
{
    uint64_t looks = count < SEARCH_LOOKS_MAX ? count : SEARCH_LOOKS_MAX;
    uint64_t first = draw(search, count);
    bool     any = search->node[at].first != 0 && draw(search, ANY_ONE_IN) == 0;
    bool     is_found = false, is_usual = false;
    int64_t  most = INT64_MIN, most_new = 0;
    consider(search, seat);
    for (uint64_t i = 0; i < looks; i++) {
        struct command command;
        uint64_t       k = (first + i * count / looks) % count;
        legal_pick(&search->list, k, &command);
        int64_t liked_so = liking(search, seat, k, &command);
        most = liked_so > most ? liked_so : most;
        if ((is_found && (any || liked_so <= most_new)) || search_tried(search, at, &command) != 0)
            continue;
        is_found = true;
        is_usual = k < search->usual;
        most_new = liked_so;
        *found = command;
    }
    *liked = is_found && most_new == most;
    return is_found && (is_usual || *liked);
}
