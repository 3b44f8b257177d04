/* bot_seats.c: seats are played: what there is to do is asked, and one of it is done. Pure.
 *
 * For each seat there is one question at a time: what may I do? It is asked when something has
 * happened and nothing of ours is under way; the answer is played from. A list that came before
 * another act may be stale: then the engine refuses, and it is asked again. A bot that is refused
 * again and again gets up and says why, so that the others may give the seat to somebody else. */
#include <string.h>

#include "dice/draw.h"
#include "search/skill.h"
#include "services/bot/bot_parts.h"
#include "services/bot/bot_say.h"

struct chair *bot_chair_of(struct bot *bot, const struct client_event *event)
{
    for (uint32_t i = 0; i < bot->settings.client.seats_max; i++) {
        struct chair *chair = &bot->chairs[i];
        if (chair->is_used && chair->seat == event->seat &&
            memcmp(chair->match_id, event->match_id, CLIENT_ID_SIZE) == 0)
            return chair;
    }
    return NULL;
}

static const struct mind_game *game_of(const struct bot *bot, const struct bot_match *match)
{
    for (uint32_t i = 0; i < bot->settings.game_count; i++) {
        const struct mind_game *game = &bot->settings.games[i];
        if (game->game->version == match->version &&
            text_is(match->game, text_length(match->game), game->game->name))
            return game;
    }
    return NULL;
}

void bot_look(const struct turn *turn, struct chair *chair)
{
    chair->looks = true;
    chair->at_ms = turn->now_ms + turn->bot->settings.think_ms;
}

/* How it is to be played was said when we were called. */
static void follow_policy(struct bot *bot, struct chair *chair, const struct place *place,
                          const struct bot_match *match)
{
    size_t size = text_length(place->policy);
    chair->has_player = true;
    memcpy(chair->player, place->player, CLIENT_ID_SIZE);
    chair->is_random = text_is(place->policy, size, "random");
    if (bot->mind == NULL || chair->game == NULL ||
        !skill_read(place->policy, size, chair->game->game, &chair->skill))
        return;
    chair->setup = mind_take_setup(bot->mind, chair->game, &match->text, match->seats);
    if (chair->setup == MIND_NO_SETUP)
        chair->skill.nodes = 0;
}

/* Nobody sits here any more. */
static void stand_up(struct bot *bot, struct chair *chair)
{
    bot_think_no_more(bot, chair);
    if (chair->setup != MIND_NO_SETUP)
        mind_leave_setup(bot->mind, chair->setup);
    chair->is_used = false;
    bot->facts.seats--;
}

void bot_on_attached(const struct turn *turn, const struct client_event *event)
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
        chair->game = game_of(bot, &match);
        chair->setup = MIND_NO_SETUP;
        const struct place *place = bot_place_at(bot, &match, event->seat);
        if (place != NULL)
            follow_policy(bot, chair, place, &match);
        bot->facts.seats++;
        bot_look(turn, chair);
        return;
    }
}

/* It can do nothing here. Those who play on see an empty seat, and vote who shall have it. */
static void give_up(const struct turn *turn, struct chair *chair, const char *why)
{
    struct bot   *bot = turn->bot;
    struct place *place = chair->has_player ? bot_place_of(bot, chair->player) : NULL;
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
    stand_up(bot, chair);
}

/* What it asked or did was refused: it looks again, but not for ever. */
static void was_refused(const struct turn *turn, struct chair *chair, const char *why)
{
    if (++chair->refusals < turn->bot->settings.refusals_max)
        bot_look(turn, chair);
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

void bot_play(const struct turn *turn, struct chair *chair, const uint8_t *command, size_t size)
{
    chair->command = client_core_play(turn->bot->client, chair->match_id, chair->seat, command,
                                      size, turn->now_ms, turn->out);
    if (chair->command == 0)
        bot_look(turn, chair);
}

/* A greedy player plays what is liked best; a proposal counts as one more command of the list. A
 * bot that is awaited and knows of nothing to do is as badly off as one that is refused. */
static void choose(const struct turn *turn, struct chair *chair, bool is_random)
{
    struct bot       *bot = turn->bot;
    struct bot_legal *legal = &bot->legal;
    struct command    command;
    bool              is_proposal = legal->proposal_size > 0 &&
                       draw_below_u64(&bot->dice, 0, legal_count(&legal->list) + 1) == 0;
    if (is_proposal) {
        bot_play(turn, chair, legal->proposal, legal->proposal_size);
    } else if (!is_random && legal->best_size > 0) {
        bot_play(turn, chair, legal->best, legal->best_size);
    } else if (chair->game != NULL && pick_listed(bot, chair, &command)) {
        size_t size =
            plan_encode_command(chair->game->commands, &command, bot->command, sizeof bot->command);
        bot_play(turn, chair, bot->command, size);
    } else if (legal->best_size > 0) {
        bot_play(turn, chair, legal->best, legal->best_size);
    } else {
        was_refused(turn, chair, "there is nothing that it may do, and it is its turn");
    }
}

static bool thinks_ahead(const struct chair *chair)
{
    return chair->skill.nodes > 0 && !chair->is_clueless;
}

void bot_on_legal(const struct turn *turn, const struct client_event *event)
{
    struct chair *chair = bot_chair_of(turn->bot, event);
    if (chair == NULL || chair->asked != event->request)
        return;
    chair->asked = 0;
    if (chair->looks || chair->command != 0)
        return; /* Something has happened since; it is asked again. */
    if (!bot_read_legal(event->bytes, event->size, &turn->bot->legal) ||
        !turn->bot->legal.is_awaited)
        return;
    struct bot *bot = turn->bot;
    bool        is_careless = draw_below_u64(&bot->dice, 0, 100) < chair->skill.careless;
    if (thinks_ahead(chair) && !is_careless && legal_count(&bot->legal.list) > 1)
        chair->wants = true; /* bot_think.c goes on. */
    else
        choose(turn, chair, chair->is_random || is_careless);
}

void bot_on_reply(const struct turn *turn, const struct client_event *event)
{
    struct chair *chair = bot_chair_of(turn->bot, event);
    if (chair == NULL || chair->command != event->request)
        return;
    chair->command = 0;
    if (event->outcome == CLIENT_ACCEPTED) {
        turn->bot->facts.commands++;
        return;
    }
    if (event->outcome == CLIENT_UNSURE) { /* It may have been done. */
        bot_look(turn, chair);
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

static void hear(struct bot *bot, struct chair *chair, const struct client_event *event)
{
    const struct mind_act act = { .seat = event->seat,
                                  .body = event->bytes,
                                  .body_size = event->size,
                                  .box = event->box,
                                  .box_size = event->box_size };
    mind_hear(bot->mind, chair->setup, chair->notes, &act);
}

void bot_on_match(const struct turn *turn, const struct client_event *event)
{
    struct chair *chair = bot_chair_of(turn->bot, event);
    if (chair == NULL)
        return;
    switch (event->kind) {
    case CLIENT_ACT:
        chair->refusals = 0;
        chair->act = event->number;
        chair->is_clueless = false;
        hear(turn->bot, chair, event);
        bot_think_no_more(turn->bot, chair);
        bot_look(turn, chair);
        break;
    case CLIENT_REFUSED:
        if (!bot_on_no_view(turn, chair, event->request))
            on_no_list(turn, chair, event);
        break;
    case CLIENT_OVER: turn->bot->facts.matches++; /* fall through */
    case CLIENT_LOST: stand_up(turn->bot, chair); break;
    case CLIENT_FAULT: turn->bot->facts.faults++; break;
    default: break;
    }
}

void bot_ask_what_to_do(const struct turn *turn)
{
    struct bot *bot = turn->bot;
    for (uint32_t i = 0; i < bot->settings.client.seats_max; i++) {
        struct chair *chair = &bot->chairs[i];
        if (!chair->is_used || !chair->looks || chair->asked != 0 || chair->command != 0 ||
            chair->wants)
            continue;
        if (turn->now_ms < chair->at_ms) {
            outbox_wake(turn->out, chair->at_ms);
            continue;
        }
        uint64_t luck = dice_u64(&bot->dice, 0);
        bool     best = (!chair->is_random && !thinks_ahead(chair)) || chair->game == NULL;
        chair->asked = client_core_legal(bot->client, chair->match_id, chair->seat, luck, best,
                                         turn->now_ms, turn->out);
        chair->looks = chair->asked == 0;
    }
}
