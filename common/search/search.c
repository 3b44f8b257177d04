/* search.c: the tree: which command is followed, what is remembered of it, and which is best. */
#include "search/search.h"

#include <string.h>

#include "base/room.h"
#include "dice/kinds.h"
#include "search/search_parts.h"

/* Numbers with a fraction of 12 bits. */
#define ONE 4096u
/* How much more a command counts that was tried seldom (UCB1), and one that is liked. */
#define CURIOSITY 2000u
#define TRUST 4096u
/* So many commands are tried at once behind each other one; then twice the root of the visits more. */
#define WIDTH 4u

/* Of commands that were followed less often it is not known which did best. */
#define SETTLED_LEAST 4u

/* Memory. */

static uint32_t notes_of(const struct game *game)
{
    uint32_t words = game->foresight->notes_words;
    assert(words <= NOTES_WORDS_MAX);
    return words;
}

size_t search_bytes(const struct game *game, const void *setup, uint32_t seats, uint32_t nodes)
{
    struct bounds bounds;
    game->bounds(setup, seats, &bounds);
    return room_for(bounds.state_bytes) + room_for(game->foresight->opinion_bytes) +
           2 * room_for(bounds.view_words * sizeof(word)) +
           room_for(notes_of(game) * sizeof(word)) +
           room_for(bounds.legal_patterns * sizeof(struct pattern)) +
           room_for(bounds.legal_values * sizeof(word)) + room_for(bounds.text_bytes) +
           room_for((size_t) nodes * sizeof(struct search_node));
}

void search_init(struct search *search, const struct game *game, const void *setup, uint32_t seats,
                 uint32_t nodes, void *memory)
{
    uint8_t       *at = memory;
    struct bounds *bounds = &search->bounds;

    assert(game->foresight != NULL && nodes >= 2 && nodes <= SEARCH_NODES_MAX);
    memset(search, 0, sizeof *search);
    search->game = game;
    search->setup = setup;
    search->seats = seats;
    search->nodes_most = nodes;
    game->bounds(setup, seats, bounds);
    search->state = room_take(&at, bounds->state_bytes);
    search->opinion = room_take(&at, game->foresight->opinion_bytes);
    search->view = room_take(&at, bounds->view_words * sizeof(word));
    search->shown = room_take(&at, bounds->view_words * sizeof(word));
    search->notes = room_take(&at, notes_of(game) * sizeof(word));
    search->list.pattern = room_take(&at, bounds->legal_patterns * sizeof(struct pattern));
    search->list.patterns_max = bounds->legal_patterns;
    search->list.value = room_take(&at, bounds->legal_values * sizeof(word));
    search->list.values_max = bounds->legal_values;
    search->text = room_take(&at, bounds->text_bytes);
    search->node = room_take(&at, (size_t) nodes * sizeof(struct search_node));
}

static void copy_known(struct search *search, const struct known *known)
{
    uint32_t notes = notes_of(search->game);
    memcpy(search->view, known->view, known->view_words * sizeof(word));
    if (known->notes != NULL)
        memcpy(search->notes, known->notes, notes * sizeof(word));
    else
        memset(search->notes, 0, notes * sizeof(word));
    search->known = *known;
    search->known.view = search->view;
    search->known.notes = search->notes;
}

/* Numbers. */

static uint32_t root_of(uint64_t number)
{
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 31; bit > 0; bit >>= 1)
        if ((root + bit) * (root + bit) <= number)
            root += bit;
    return (uint32_t) root;
}

/* The natural logarithm with a fraction of 12 bits, roughly: between powers of two it is a line. */
static uint64_t log_of(uint32_t number)
{
    uint32_t whole = 31 - (uint32_t) __builtin_clz(number);
    uint64_t log2 = ((uint64_t) whole << 12) + (((uint64_t) number << 12 >> whole) - ONE);
    return log2 * 2839 / ONE; /* ln 2 = 2839 / 4096. */
}

/* The tree. */

static void command_of(const struct search_node *node, struct command *command)
{
    *command = (struct command){ .kind = node->kind };
    memcpy(command->arg, node->arg, sizeof command->arg);
}

uint32_t search_tried(const struct search *search, uint32_t at, const struct command *command)
{
    uint32_t child = search->node[at].first;
    while (child != 0 && (search->node[child].kind != command->kind ||
                          memcmp(search->node[child].arg, command->arg, sizeof command->arg) != 0))
        child = search->node[child].next;
    return child;
}

static uint32_t add(struct search *search, uint32_t at, uint32_t seat,
                    const struct command *command, bool liked)
{
    struct search_node *node = &search->node[search->nodes];
    *node = (struct search_node){
        .next = search->node[at].first, .seat = seat, .liked = liked, .kind = command->kind
    };
    memcpy(node->arg, command->arg, sizeof node->arg);
    search->node[at].first = search->nodes;
    return search->nodes++;
}

static uint64_t percent_or_all(uint32_t percent)
{
    return percent > 0 ? percent : 100;
}

static bool is_ahead(const struct search_node *node, const struct search_node *other)
{
    return node->visits > other->visits ||
           (node->visits == other->visits && node->worth > other->worth);
}

/* UCB1, and a bonus for what is liked that melts away with visits. */
static uint64_t promise_of(const struct foresight *foresight, const struct search_node *node,
                           uint64_t log)
{
    uint64_t curious = percent_or_all(foresight->curiosity) * CURIOSITY / 100;
    uint64_t trust = percent_or_all(foresight->trust) * TRUST / 100;
    uint64_t mean = node->worth * ONE / node->visits / SEARCH_VALUE_MOST;
    curious = curious * root_of((log << 12) / node->visits) / ONE;
    return mean + curious + (node->liked ? trust / (node->visits + 1) : 0);
}

/* The most promising of the commands that were tried here, are this seat's and possible in this guess;
 * 0: there is none. */
static uint32_t most_promising(const struct search *search, uint32_t at, uint32_t seat,
                               uint32_t *possible, uint32_t *visits)
{
    uint32_t best = 0;
    uint64_t most = 0;
    *possible = *visits = 0;
    for (uint32_t round = 0; round < 2;
         round++) { /* First the visits, whose logarithm is needed. */
        uint64_t log = round == 0 ? 0 : log_of(*visits + 1);
        for (uint32_t child = search->node[at].first; child != 0;
             child = search->node[child].next) {
            const struct search_node *node = &search->node[child];
            struct command            command;
            command_of(node, &command);
            if (node->seat != seat || !legal_has(&search->list, &command))
                continue;
            if (round == 0) {
                ++*possible;
                *visits += node->visits;
                continue;
            }
            uint64_t promise = promise_of(search->game->foresight, node, log);
            if (best == 0 || promise > most) {
                best = child;
                most = promise;
            }
        }
    }
    return best;
}

/* The command that was followed most of those that are possible in this guess; 0: none was followed often. */
static uint32_t most_followed(const struct search *search, uint32_t at, uint32_t seat)
{
    const struct search_node *most = NULL;
    uint32_t                  found = 0;
    for (uint32_t child = search->node[at].first; child != 0; child = search->node[child].next) {
        const struct search_node *node = &search->node[child];
        struct command            command;
        command_of(node, &command);
        if (node->seat != seat || node->visits < SETTLED_LEAST ||
            !legal_has(&search->list, &command) || (most != NULL && !is_ahead(node, most)))
            continue;
        most = node;
        found = child;
    }
    return found;
}

/* The most promising command, or one that is new; 0: the tree ends. */
static uint32_t choose(struct search *search, uint32_t at, uint32_t seat, uint64_t count)
{
    uint32_t       possible, visits;
    struct command command;
    bool           liked;
    uint32_t       best = most_promising(search, at, seat, &possible, &visits);
    if (possible < search->usual && possible < WIDTH + 2 * root_of(visits) &&
        search->nodes < search->nodes_most &&
        search_find_new(search, seat, count, at, &command, &liked))
        best = add(search, at, seat, &command, liked);
    return best;
}

/* The next node on the way, done already. It is new if nobody was there before. 0: the tree ends. */
static uint32_t follow(struct search *search, uint32_t at, uint32_t seat)
{
    uint64_t       count = search_list(search, seat);
    struct command command;
    uint32_t       next = 0;
    if (count > 0)
        next =
            search->is_settled ? most_followed(search, at, seat) : choose(search, at, seat, count);
    if (next == 0)
        return 0;
    command_of(&search->node[next], &command);
    search_do(search, seat, &command);
    return next;
}

/* Several seats are asked at once. The first one's command is found in the tree. What the others do must
 * not answer it: they decide blindly, by rule of thumb. */
static uint32_t next_seat(seat_mask awaited, seat_mask *blind, uint32_t thinks)
{
    seat_mask seeing = awaited & ~*blind;
    uint32_t  seat = (uint32_t) __builtin_ctz(seeing != 0 ? seeing : awaited);
    if (*blind == 0 && (awaited >> thinks & 1) != 0)
        seat = thinks;
    if (*blind == 0 && (awaited & (awaited - 1)) != 0)
        *blind = awaited & ~(1u << seat);
    return seat;
}

/* From this node on: through the tree, on by rule of thumb, and back with what came of it. */
static void go_on(struct search *search, uint32_t at, seat_mask blind)
{
    uint32_t *worth = search->worth;
    seat_mask awaited;
    bool      is_new = search->depth > 0 && search->node[at].visits == 0;
    while (!is_new && (awaited = search_awaited(search)) != 0 && search->depth < SEARCH_DEPTH_MAX) {
        blind &= awaited;
        uint32_t seat = next_seat(awaited, &blind, search->known.seat);
        if ((blind >> seat & 1) != 0) {
            if (!search_go_on(search, seat))
                break;
            blind &= ~(1u << seat);
            continue;
        }
        uint32_t next = follow(search, at, seat);
        if (next == 0)
            break;
        search->path[search->depth++] = at = next;
        is_new = search->node[at].visits == 0;
    }
    search_finish(search, worth);
    for (uint32_t i = 0; i < search->depth && !search->is_settled; i++) {
        struct search_node *node = &search->node[search->path[i]];
        node->visits++;
        node->worth += worth[node->seat];
    }
    search->futures++;
}

static void go_through(struct search *search)
{
    bool guessed = search_guess(search);
    assert(guessed); /* As at the beginning: the same is known. */
    search->depth = 0;
    go_on(search, 0, 0);
}

void search_settle(struct search *search, bool is_settled)
{
    search->is_settled = is_settled;
}

bool search_try(struct search *search, uint32_t seat, const struct command *first)
{
    if (!search_guess(search))
        return false;
    search->depth = 0;
    if (first == NULL) {
        go_on(search, 0, 0);
        return true;
    }
    seat_mask others = search_awaited(search) & ~(1u << seat);
    if (!search_allows(search, seat, first))
        return false;
    uint32_t child = search_tried(search, 0, first);
    if (child == 0 && search->nodes < search->nodes_most)
        child = add(search, 0, seat, first, false);
    if (child != 0)
        search->path[search->depth++] = child;
    go_on(search, child, others);
    return true;
}

/* Views come from outside: one that is no view of this game is not thought about. */
static bool can_guess(struct search *search, const struct known *known)
{
    if (known->seats != search->seats || known->seat >= known->seats ||
        known->view_words > search->bounds.view_words)
        return false;
    copy_known(search, known);
    return search_guess(search) && search->game->check(search->setup, search->state) == NULL;
}

bool search_look(struct search *search, const struct known *known, uint64_t seed)
{
    dice_splitmix(&search->dice, seed);
    memset(&search->node[0], 0, sizeof search->node[0]);
    search->nodes = 1;
    search->futures = 0;
    search->is_settled = false;
    return can_guess(search, known);
}

bool search_begin(struct search *search, const struct known *known, uint64_t seed)
{
    if (!search_look(search, known, seed) || (search_awaited(search) >> known->seat & 1) == 0 ||
        search_list(search, known->seat) == 0)
        return false;
    go_through(search); /* So there is a best one from now on. */
    return true;
}

void search_think(struct search *search, uint32_t futures)
{
    while (futures-- > 0)
        go_through(search);
}

void search_best(struct search *search, struct command *best)
{
    const struct search_node *most = NULL;
    for (uint32_t child = search->node[0].first; child != 0; child = search->node[child].next) {
        const struct search_node *node = &search->node[child];
        if (most == NULL || is_ahead(node, most))
            most = node;
    }
    assert(most != NULL && most->visits > 0);
    command_of(most, best);
}

bool search_choice(const struct search *search, uint32_t k, struct search_choice *choice)
{
    uint32_t child = search->node[0].first;
    while (child != 0 && k-- > 0)
        child = search->node[child].next;
    if (child == 0)
        return false;
    const struct search_node *node = &search->node[child];
    command_of(node, &choice->command);
    choice->visits = node->visits;
    choice->worth = (int32_t) (node->worth / node->visits) - ESTIMATE_MOST;
    return true;
}
