/* bot.c: calls are followed, seats are played. Pure.
 *
 * For each seat there is one question at a time: what may I do? It is asked when something has
 * happened and nothing of ours is under way; the answer is played from. A list that came before
 * another act may be stale: then the engine refuses, and it is asked again. A bot that is refused
 * again and again gets up and says why, so that the others may give the seat to somebody else. */
#include "services/bot/bot.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

#include "base/room.h"
#include "dice/draw.h"
#include "dice/kinds.h"
#include "services/bot/bot_read.h"
#include "services/bot/bot_say.h"
#include "wire/header.h"

/* A player of ours at a table. */
struct place {
    bool     is_used;
    bool     gets_up;    /* As soon as that can be asked for; ...                                 */
    bool     is_leaving; /* ... it was.                                                           */
    uint8_t  player[CLIENT_ID_SIZE];
    uint8_t  table[CLIENT_ID_SIZE];
    uint32_t seat; /* It was called to.                                                         */
    uint32_t ask; /* Number of the ask under way; 0: none.                                        */
    bool     is_random;
};

/* A seat we play. */
struct chair {
    bool                   is_used;
    bool                   is_random;
    uint8_t                match_id[CLIENT_ID_SIZE];
    uint32_t               seat;
    const struct bot_game *game;
    bool                   looks;    /* Something has happened: look at what there is to do ...   */
    uint64_t               at_ms;    /* ... then.                                                 */
    uint32_t               asked;    /* The question under way; 0: none.                          */
    uint32_t               command;  /* The command under way; 0: none.                           */
    uint32_t               refusals; /* Since the last act.                                       */
    uint64_t               act;      /* The last one heard.                                       */
    bool                   has_player;
    uint8_t                player[CLIENT_ID_SIZE]; /* Whose seat it is at the lobby's table.      */
};

struct bot {
    struct bot_settings settings;
    struct client_core *client;
    struct place       *places;
    struct chair       *chairs;
    struct bot_facts    facts;
    struct dice         dice; /* Our own; no match's.                                             */
    bool                has_dice;
    struct bot_legal    legal;
    uint8_t             command[1u << 16];
};

/* What is going on in this step. */
struct turn {
    struct bot    *bot;
    uint64_t       now_ms;
    struct outbox *out;
};

void bot_defaults(struct bot_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    client_core_defaults(&settings->client);
    settings->client.seats_max = 256;
    settings->client.tables_max = 256;
    settings->client.queue_bytes = 4u << 20;
    settings->think_ms = 300;
    settings->seldom_one_in = 1000;
    settings->refusals_max = 8;
}

size_t bot_bytes(const struct bot_settings *settings)
{
    return room_for(sizeof(struct bot)) + room_for(BOT_PATTERNS_MAX * sizeof(struct pattern)) +
           room_for(BOT_VALUES_MAX * sizeof(word)) +
           room_for(settings->client.tables_max * sizeof(struct place)) +
           room_for(settings->client.seats_max * sizeof(struct chair)) +
           client_core_bytes(&settings->client);
}

struct bot *bot_init(void *memory, const struct bot_settings *settings)
{
    uint8_t    *at = memory;
    struct bot *bot = memory;
    assert((uintptr_t) memory % alignof(max_align_t) == 0);
    memset(memory, 0, bot_bytes(settings));
    bot->settings = *settings;
    at += room_for(sizeof *bot);
    bot->legal.list.pattern = room_take(&at, BOT_PATTERNS_MAX * sizeof(struct pattern));
    bot->legal.list.patterns_max = BOT_PATTERNS_MAX;
    bot->legal.list.value = room_take(&at, BOT_VALUES_MAX * sizeof(word));
    bot->legal.list.values_max = BOT_VALUES_MAX;
    bot->places = room_take(&at, settings->client.tables_max * sizeof(struct place));
    bot->chairs = room_take(&at, settings->client.seats_max * sizeof(struct chair));
    bot->client = client_core_init(at, &settings->client);
    return bot;
}

struct bot_facts bot_facts(const struct bot *bot)
{
    return bot->facts;
}

/* Tables. */

static struct place *place_of(struct bot *bot, const uint8_t *player)
{
    for (uint32_t i = 0; i < bot->settings.client.tables_max; i++)
        if (bot->places[i].is_used && memcmp(bot->places[i].player, player, CLIENT_ID_SIZE) == 0)
            return &bot->places[i];
    return NULL;
}

static struct place *free_place(struct bot *bot)
{
    for (uint32_t i = 0; i < bot->settings.client.tables_max; i++)
        if (!bot->places[i].is_used)
            return &bot->places[i];
    return NULL;
}

/* The lobby calls until we sit, so a call that is not followed now is followed later. */
static void on_call(const struct turn *turn, const struct client_event *event,
                    const struct bot_table_event *call)
{
    uint8_t       ask[BOT_ASK_MAX];
    struct place *place = place_of(turn->bot, event->player);
    if (place == NULL)
        place = free_place(turn->bot);
    if (place == NULL || place->is_used)
        return;
    memset(place, 0, sizeof *place);
    memcpy(place->player, event->player, CLIENT_ID_SIZE);
    memcpy(place->table, event->table, CLIENT_ID_SIZE);
    place->seat = call->seat;
    place->is_random = text_is(call->policy, text_length(call->policy), "random");
    size_t size = bot_write_join(ask, event->player, event->table, call);
    place->ask = client_core_ask(turn->bot->client, ask, size, turn->now_ms, turn->out);
    place->is_used = place->ask != 0;
}

/* A bot that is to get up does so when there is room to ask for it. */
static void leave(const struct turn *turn, struct place *place)
{
    uint8_t ask[BOT_ASK_MAX];
    if (!place->is_used || !place->gets_up || place->is_leaving || place->ask != 0)
        return;
    size_t size = bot_write_leave(ask, place->player, place->table);
    place->ask = client_core_ask(turn->bot->client, ask, size, turn->now_ms, turn->out);
    place->is_leaving = place->ask != 0;
}

static void on_table(const struct turn *turn, const struct client_event *event)
{
    struct bot_table_event happened;
    if (!bot_read_table_event(event->bytes, event->size, &happened))
        return;
    if (event->number == 0) {
        if (happened.kind == BOT_INVITED)
            on_call(turn, event, &happened);
        return;
    }
    struct place *place = place_of(turn->bot, event->player);
    if (place == NULL)
        return;
    if (happened.kind == BOT_MATCH_ENDED)
        place->gets_up = true; /* If a table wants the bot again, it calls it again. */
    if (happened.kind == BOT_TABLE_CLOSED)
        place->is_used = false;
}

static void on_answer(const struct turn *turn, const struct client_event *event)
{
    bool is_done = event->kind == CLIENT_ANSWER && bot_read_done(event->bytes, event->size);
    for (uint32_t i = 0; i < turn->bot->settings.client.tables_max; i++) {
        struct place *place = &turn->bot->places[i];
        if (!place->is_used || place->ask != event->request)
            continue;
        place->ask = 0;
        if (!is_done || place->is_leaving)
            place->is_used = false;
    }
}

/* Matches. */

static struct chair *chair_of(struct bot *bot, const struct client_event *event)
{
    for (uint32_t i = 0; i < bot->settings.client.seats_max; i++) {
        struct chair *chair = &bot->chairs[i];
        if (chair->is_used && chair->seat == event->seat &&
            memcmp(chair->match_id, event->match_id, CLIENT_ID_SIZE) == 0)
            return chair;
    }
    return NULL;
}

static const struct bot_game *game_of(const struct bot *bot, const struct bot_match *match)
{
    for (uint32_t i = 0; i < bot->settings.game_count; i++) {
        const struct bot_game *game = &bot->settings.games[i];
        if (game->game->version == match->version &&
            text_is(match->game, text_length(match->game), game->game->name))
            return game;
    }
    return NULL;
}

static void look(const struct turn *turn, struct chair *chair)
{
    chair->looks = true;
    chair->at_ms = turn->now_ms + turn->bot->settings.think_ms;
}

/* Where we were called to this seat; NULL: nowhere. */
static const struct place *place_at(const struct bot *bot, const struct bot_match *match,
                                    uint32_t seat)
{
    for (uint32_t i = 0; i < bot->settings.client.tables_max && match->table != NULL; i++) {
        const struct place *place = &bot->places[i];
        if (place->is_used && place->seat == seat &&
            memcmp(place->table, match->table, CLIENT_ID_SIZE) == 0)
            return place;
    }
    return NULL;
}

static void on_attached(const struct turn *turn, const struct client_event *event)
{
    struct bot      *bot = turn->bot;
    struct bot_match match;
    bot_read_match(event->bytes, event->size, &match);
    for (uint32_t i = 0; i < bot->settings.client.seats_max && event->seat != NO_SEAT; i++) {
        struct chair *chair = &bot->chairs[i];
        if (chair->is_used)
            continue;
        memset(chair, 0, sizeof *chair);
        chair->is_used = true;
        memcpy(chair->match_id, event->match_id, CLIENT_ID_SIZE);
        chair->seat = event->seat;
        chair->act = event->number;
        const struct place *place = place_at(bot, &match, event->seat);
        if (place != NULL) { /* How it is to be played was said when we were called. */
            chair->is_random = place->is_random;
            chair->has_player = true;
            memcpy(chair->player, place->player, CLIENT_ID_SIZE);
        }
        chair->game = game_of(bot, &match);
        bot->facts.seats++;
        look(turn, chair);
        return;
    }
}

/* It can do nothing here. Those who play on see an empty seat, and vote who shall have it. */
static void give_up(const struct turn *turn, struct chair *chair, const char *why)
{
    struct bot   *bot = turn->bot;
    struct place *place = chair->has_player ? place_of(bot, chair->player) : NULL;
    bot->facts.given_up++;
    bot_say_given_up(&(struct bot_given_up){ .match_id = chair->match_id,
                                             .seat = chair->seat,
                                             .act = chair->act,
                                             .refusals = chair->refusals,
                                             .so_far = bot->facts.given_up,
                                             .why = why },
                     turn->out);
    if (place == NULL)
        return; /* Nobody called it, so nobody would hear that it goes: it waits for the next act. */
    place->gets_up = true;
    client_core_detach(bot->client, chair->match_id, chair->seat, turn->out);
    chair->is_used = false;
    bot->facts.seats--;
}

/* What it asked or did was refused: it looks again, but not for ever. */
static void was_refused(const struct turn *turn, struct chair *chair, const char *why)
{
    if (++chair->refusals < turn->bot->settings.refusals_max)
        look(turn, chair);
    else if (chair->refusals == turn->bot->settings.refusals_max)
        give_up(turn, chair, why);
}

/* One command of the list, evenly; those that give up or take back only seldom. */
static bool pick_listed(struct bot *bot, const struct chair *chair, struct command *command)
{
    struct legal *list = &bot->legal.list;
    uint32_t      others = 0;
    for (uint32_t i = 0; i < list->patterns; i++) {
        uint32_t kind = list->pattern[i].kind;
        if (kind >= chair->game->game->command_kinds)
            return false;
        if ((chair->game->game->commands[kind].flags & COMMAND_SELDOM) != 0)
            continue;
        struct pattern seldom = list->pattern[others];
        list->pattern[others++] = list->pattern[i];
        list->pattern[i] = seldom;
    }
    struct legal part = *list;
    uint32_t     one_in = bot->settings.seldom_one_in;
    part.patterns = others;
    if (others < list->patterns &&
        (others == 0 || (one_in > 0 && draw_below_u64(&bot->dice, 0, one_in) == 0))) {
        part.pattern += others;
        part.patterns = list->patterns - others;
    }
    uint64_t count = legal_count(&part);
    if (count == 0)
        return false;
    legal_pick(&part, draw_below_u64(&bot->dice, 0, count), command);
    return true;
}

static void play(const struct turn *turn, struct chair *chair, const uint8_t *command, size_t size)
{
    chair->command = client_core_play(turn->bot->client, chair->match_id, chair->seat, command,
                                      size, turn->now_ms, turn->out);
    if (chair->command == 0)
        look(turn, chair);
}

/* A greedy player plays what is liked best; a proposal counts as one more command of the list. A
 * bot that is awaited and knows of nothing to do is as badly off as one that is refused. */
static void choose(const struct turn *turn, struct chair *chair)
{
    struct bot       *bot = turn->bot;
    struct bot_legal *legal = &bot->legal;
    struct command    command;
    bool              is_proposal = legal->proposal_size > 0 &&
                       draw_below_u64(&bot->dice, 0, legal_count(&legal->list) + 1) == 0;
    if (is_proposal) {
        play(turn, chair, legal->proposal, legal->proposal_size);
    } else if (!chair->is_random && legal->best_size > 0) {
        play(turn, chair, legal->best, legal->best_size);
    } else if (chair->game != NULL && pick_listed(bot, chair, &command)) {
        size_t size =
            plan_encode_command(chair->game->commands, &command, bot->command, sizeof bot->command);
        play(turn, chair, bot->command, size);
    } else if (legal->best_size > 0) {
        play(turn, chair, legal->best, legal->best_size);
    } else {
        was_refused(turn, chair, "there is nothing that it may do, and it is its turn");
    }
}

static void on_legal(const struct turn *turn, const struct client_event *event)
{
    struct chair *chair = chair_of(turn->bot, event);
    if (chair == NULL || chair->asked != event->request)
        return;
    chair->asked = 0;
    if (chair->looks || chair->command != 0)
        return; /* Something has happened since; it is asked again. */
    if (bot_read_legal(event->bytes, event->size, &turn->bot->legal) && turn->bot->legal.is_awaited)
        choose(turn, chair);
}

static void on_reply(const struct turn *turn, const struct client_event *event)
{
    struct chair *chair = chair_of(turn->bot, event);
    if (chair == NULL || chair->command != event->request)
        return;
    chair->command = 0;
    if (event->outcome == CLIENT_ACCEPTED) {
        turn->bot->facts.commands++;
        return;
    }
    if (event->outcome == CLIENT_UNSURE) { /* It may have been done. */
        look(turn, chair);
        return;
    }
    char why[BOT_WHY_MAX];
    bot_read_why(event->bytes, event->size, event->outcome == CLIENT_NOT_ACCEPTED, why);
    turn->bot->facts.refused++;
    was_refused(turn, chair, why);
}

/* The question what it may do is not answered. */
static void on_no_list(const struct turn *turn, struct chair *chair,
                       const struct client_event *event)
{
    char why[BOT_WHY_MAX];
    if (event->request != chair->asked)
        return;
    chair->asked = 0;
    bot_read_why(event->bytes, event->size, false, why);
    was_refused(turn, chair, why);
}

static void on_match(const struct turn *turn, const struct client_event *event)
{
    struct chair *chair = chair_of(turn->bot, event);
    if (chair == NULL)
        return;
    switch (event->kind) {
    case CLIENT_ACT:
        chair->refusals = 0;
        chair->act = event->number;
        look(turn, chair);
        break;
    case CLIENT_REFUSED: on_no_list(turn, chair, event); break;
    case CLIENT_OVER: turn->bot->facts.matches++; /* fall through */
    case CLIENT_LOST:
        turn->bot->facts.seats--;
        chair->is_used = false;
        break;
    case CLIENT_FAULT: turn->bot->facts.faults++; break;
    default: break;
    }
}

static void act_on(const struct turn *turn, const struct client_event *event)
{
    struct place *place;
    switch (event->kind) {
    case CLIENT_TABLE: on_table(turn, event); break;
    case CLIENT_TABLE_LOST:
        place = place_of(turn->bot, event->player);
        if (place != NULL)
            place->is_used = false;
        break;
    case CLIENT_ANSWER: on_answer(turn, event); break;
    case CLIENT_ATTACHED: on_attached(turn, event); break;
    case CLIENT_LEGAL: on_legal(turn, event); break;
    case CLIENT_REPLY: on_reply(turn, event); break;
    case CLIENT_REFUSED:
        on_answer(turn, event);
        on_match(turn, event);
        break;
    default: on_match(turn, event); break;
    }
}

/* A seat with something to look at, and nothing under way, asks what there is to do. */
static void ask_what_to_do(const struct turn *turn)
{
    struct bot *bot = turn->bot;
    for (uint32_t i = 0; i < bot->settings.client.seats_max; i++) {
        struct chair *chair = &bot->chairs[i];
        if (!chair->is_used || !chair->looks || chair->asked != 0 || chair->command != 0)
            continue;
        if (turn->now_ms < chair->at_ms) {
            outbox_wake(turn->out, chair->at_ms);
            continue;
        }
        uint64_t luck = dice_u64(&bot->dice, 0);
        chair->asked =
            client_core_legal(bot->client, chair->match_id, chair->seat, luck,
                              !chair->is_random || chair->game == NULL, turn->now_ms, turn->out);
        chair->looks = chair->asked == 0;
    }
}

static void step(void *memory, const struct event *event, struct outbox *out)
{
    struct bot         *bot = memory;
    const struct turn   turn = { bot, event->now_ms, out };
    struct client_event told;
    if (!bot->has_dice) {
        uint64_t seed;
        memcpy(&seed, event->entropy, sizeof seed);
        dice_splitmix(&bot->dice, seed);
        bot->has_dice = true;
    }
    client_core_ops.step(bot->client, event, out);
    while (client_core_next(bot->client, &told))
        act_on(&turn, &told);
    for (uint32_t i = 0; i < bot->settings.client.tables_max; i++)
        leave(&turn, &bot->places[i]);
    ask_what_to_do(&turn);
}

/* It keeps nothing. */
static void settle(void *memory, enum store_outcome outcome, struct outbox *out)
{
    (void) memory, (void) outcome, (void) out;
}

const struct core_ops bot_ops = { .step = step, .settle = settle, .schema = NULL };
