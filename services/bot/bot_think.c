/* bot_think.c: seats that think ahead do so one after the other, a slice at each tick of the clock. Pure.
 *
 *     the list says: it is your turn --> wait for the tree --> ask for the view --> think --> command
 *
 * A thought ends when its futures are through, or when its time is over. The more seats wait for the
 * tree, the less time each has. An act that comes meanwhile ends it, too: the match stands otherwise. */
#include <string.h>

#include "dice/dice.h"
#include "services/bot/bot_parts.h"

#define VIEW_WAIT_MS 2000u
#define AGAIN_MS 50u

static struct chair *thinker(const struct bot *bot)
{
    return bot->thinking.chair == NOBODY ? NULL : &bot->chairs[bot->thinking.chair];
}

void bot_think_no_more(struct bot *bot, struct chair *chair)
{
    chair->wants = false;
    if (thinker(bot) == chair)
        bot->thinking.chair = NOBODY;
}

/* It asks again what there is to do. Until the next act it plays without a thought: another one would
 * come to nothing for the same reason. */
static void give_up_thinking(const struct turn *turn, struct chair *chair)
{
    chair->is_clueless = true;
    bot_think_no_more(turn->bot, chair);
    bot_look(turn, chair);
}

/* The next seat in turn that wants to think; NOBODY: none does. */
static uint32_t next_chair(const struct bot *bot)
{
    uint32_t max = bot->settings.client.seats_max;
    for (uint32_t i = 1; i <= max; i++) {
        uint32_t which = (bot->thinking.turn + i) % max;
        if (bot->chairs[which].is_used && bot->chairs[which].wants)
            return which;
    }
    return NOBODY;
}

static uint32_t waiting(const struct bot *bot)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < bot->settings.client.seats_max; i++)
        count += bot->chairs[i].is_used && bot->chairs[i].wants;
    return count;
}

static void ask_for_view(const struct turn *turn)
{
    struct bot      *bot = turn->bot;
    struct thinking *thinking = &bot->thinking;
    uint32_t         next = next_chair(bot);
    if (next == NOBODY)
        return;
    struct chair *chair = &bot->chairs[next];
    thinking->turn = next;
    thinking->asked =
        client_core_look(bot->client, chair->match_id, chair->seat, turn->now_ms, turn->out);
    if (thinking->asked == 0) {
        outbox_wake(turn->out, turn->now_ms + AGAIN_MS);
        return;
    }
    thinking->chair = next;
    thinking->due_ms = turn->now_ms + VIEW_WAIT_MS;
}

void bot_on_view(const struct turn *turn, const struct client_event *event)
{
    struct bot      *bot = turn->bot;
    struct chair    *chair = thinker(bot);
    struct bot_match match;
    if (chair == NULL || bot->thinking.asked == 0 || bot->thinking.asked != event->request ||
        chair != bot_chair_of(bot, event))
        return;
    bot->thinking.asked = 0;
    bot_read_match(event->bytes, event->size, &match);
    const struct mind_task task = {
        .setup = chair->setup,
        .seat = chair->seat,
        .view = match.view,
        .view_size = match.view_size,
        .notes = chair->notes,
        .skill = chair->skill,
        .seed = dice_u64(&bot->dice, 0),
        .until_ms = turn->now_ms + bot->settings.think_most_ms / waiting(bot),
    };
    bot->facts.thoughts++;
    if (mind_begin(bot->mind, &task, turn->now_ms))
        return;
    give_up_thinking(turn, chair);
}

bool bot_on_no_view(const struct turn *turn, struct chair *chair, uint32_t request)
{
    const struct thinking *thinking = &turn->bot->thinking;
    if (thinker(turn->bot) != chair || thinking->asked == 0 || thinking->asked != request)
        return false;
    give_up_thinking(turn, chair);
    return true;
}

static void play_best(const struct turn *turn, struct chair *chair)
{
    struct bot *bot = turn->bot;
    size_t      size = mind_best(bot->mind, bot->command, sizeof bot->command);
    bot_think_no_more(bot, chair);
    bot_play(turn, chair, bot->command, size);
}

void bot_think(const struct turn *turn, bool is_tick)
{
    struct bot *bot = turn->bot;
    if (bot->mind == NULL)
        return;
    struct chair *chair = thinker(bot);
    bool          is_here = chair != NULL && bot->thinking.asked == 0;
    if (is_here && is_tick && mind_go_on(bot->mind, turn->now_ms))
        play_best(turn, chair);
    if (chair != NULL && !is_here && turn->now_ms >= bot->thinking.due_ms)
        give_up_thinking(turn, chair);
    if (bot->thinking.chair == NOBODY)
        ask_for_view(turn);
    if (bot->thinking.chair == NOBODY)
        return;
    outbox_wake(turn->out, bot->thinking.asked == 0 ? turn->now_ms : bot->thinking.due_ms);
}
