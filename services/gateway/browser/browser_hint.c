/* browser_hint.c: hints: what did best when somebody looked ahead, from the seat's own view. Pure.
 *
 *     Look with `best` --> the view (which is told, too) --> a thought, slice by slice --> the list
 *
 * The engine is not asked for its judgement, and its loop does nothing for a hint. One hint is made at a
 * time, within `hint_ms`. Whoever wants one meanwhile gets what the game's own judgement likes best. */
#include <string.h>

#include "contract/engine_fields.h"
#include "mind/mind.h"
#include "services/gateway/browser/browser_parts.h"
#include "wire/field.h"

#define WAIT_MS 2000u
#define PAUSE_MS 1u /* Between two slices; everything else goes first. */

static bool is_of(const struct browser_hint *hint, const struct client_event *event)
{
    return hint->state != HINT_NONE && hint->seat == event->seat &&
           memcmp(hint->match_id, event->match_id, CLIENT_ID_SIZE) == 0;
}

/* Who waits for the list; NULL: nobody any more. */
static struct browser_pending *waiting(const struct browser *browser)
{
    for (uint32_t i = 0; i < browser->pendings_max; i++)
        if (browser->pendings[i].kind == WAIT_HINT)
            return &browser->pendings[i];
    return NULL;
}

bool browser_hint_begin(const struct browser_turn *turn, const struct browser_seat *seat,
                        uint64_t luck)
{
    struct browser_hint *hint = &turn->browser->hint;
    if (turn->browser->mind == NULL || hint->state != HINT_NONE)
        return false;
    *hint = (struct browser_hint){ .state = HINT_VIEW,
                                   .seat = seat->seat,
                                   .setup = MIND_NO_SETUP,
                                   .luck = luck,
                                   .due_ms = turn->now_ms + WAIT_MS };
    memcpy(hint->match_id, seat->match_id, CLIENT_ID_SIZE);
    return true;
}

/* The thought is over, or there was none: then the house's judgement is wanted. */
static void ask_list(const struct browser_turn *turn, bool best)
{
    struct browser_hint    *hint = &turn->browser->hint;
    struct browser_pending *pending = waiting(turn->browser);
    uint32_t                number = 0;
    if (hint->setup != MIND_NO_SETUP)
        mind_leave_setup(turn->browser->mind, hint->setup);
    hint->setup = MIND_NO_SETUP;
    hint->state = HINT_NONE;
    if (pending == NULL)
        return;
    number = client_core_legal(turn->browser->client, hint->match_id, hint->seat, hint->luck, best,
                               turn->now_ms, turn->out);
    pending->kind = number != 0 ? WAIT_LEGAL : WAIT_NOTHING;
    pending->number = number;
    if (number == 0 || best)
        return;
    hint->state = HINT_LIST;
    hint->due_ms = turn->now_ms + WAIT_MS;
}

struct facts {
    const struct mind_game *game;
    struct mind_text        text;
    uint32_t                seats;
    const uint8_t          *view;
    size_t                  view_size;
};

static const char *text_in(const struct wire_field *field, size_t *size)
{
    *size = (size_t) (field->body.end - field->body.at);
    return (const char *) field->body.at;
}

static void read_facts(const struct browser *browser, struct reader in, struct facts *facts)
{
    struct wire_field field;
    uint32_t          version = 0;
    const char       *name = NULL;
    size_t            size = 0;
    while (wire_field(&in, &field)) {
        if (field.number == FIELD_ENGINE_MATCH_FACTS_GAME)
            name = text_in(&field, &size);
        if (field.number == FIELD_ENGINE_MATCH_FACTS_RULES_VERSION)
            version = (uint32_t) field.value;
        if (field.number == FIELD_ENGINE_MATCH_FACTS_SEATS)
            facts->seats = (uint32_t) field.value;
        if (field.number == FIELD_ENGINE_MATCH_FACTS_SETUP)
            facts->text.setup = text_in(&field, &facts->text.setup_size);
        if (field.number == FIELD_ENGINE_MATCH_FACTS_OPTIONS)
            facts->text.options = text_in(&field, &facts->text.options_size);
    }
    for (uint32_t i = 0; i < browser->settings.mind_games_count && name != NULL; i++) {
        const struct mind_game *game = &browser->settings.mind_games[i];
        if (game->game->version == version && text_is(name, size, game->game->name))
            facts->game = game;
    }
}

static struct facts facts_of(const struct browser *browser, const struct client_event *event)
{
    struct facts      facts = { 0 };
    struct wire_field field;
    for (struct reader in = reader_of(event->bytes, event->size); wire_field(&in, &field);) {
        if (field.number == FIELD_ENGINE_ATTACHED_MATCH)
            read_facts(browser, field.body, &facts);
        if (field.number == FIELD_ENGINE_ATTACHED_VIEW)
            facts.view = (const uint8_t *) text_in(&field, &facts.view_size);
    }
    return facts;
}

/* Begins to think about a view. False: there is nothing to think about. */
static bool think(const struct browser_turn *turn, const struct client_event *event)
{
    static const word    nothing[NOTES_WORDS_MAX]; /* Nobody takes notes here. */
    struct browser      *browser = turn->browser;
    struct browser_hint *hint = &browser->hint;
    const struct facts   facts = facts_of(browser, event);
    if (facts.game == NULL || facts.view == NULL)
        return false;
    hint->setup = mind_take_setup(browser->mind, facts.game, &facts.text, facts.seats);
    if (hint->setup == MIND_NO_SETUP)
        return false;
    const struct mind_task task = { .setup = hint->setup,
                                    .seat = hint->seat,
                                    .view = facts.view,
                                    .view_size = facts.view_size,
                                    .notes = nothing,
                                    .skill = { .nodes = MIND_NODES_MOST },
                                    .seed = hint->luck,
                                    .until_ms = turn->now_ms + browser->settings.hint_ms };
    hint->number = event->number;
    return mind_begin(browser->mind, &task, turn->now_ms);
}

void browser_hint_seen(const struct browser_turn *turn, const struct client_event *event)
{
    struct browser_hint *hint = &turn->browser->hint;
    if (!is_of(hint, event))
        return;
    if (hint->state == HINT_LIST && event->kind != CLIENT_VIEW)
        hint->state = HINT_NONE;
    if (hint->state != HINT_VIEW)
        return;
    if (event->kind == CLIENT_VIEW && think(turn, event))
        hint->state = HINT_THINKS;
    else
        ask_list(turn, true);
}

const uint8_t *browser_hint_for(const struct browser *browser, const struct client_event *event,
                                size_t *size)
{
    const struct browser_hint *hint = &browser->hint;
    if (!is_of(hint, event) || hint->state != HINT_LIST || hint->number != event->number)
        return NULL;
    *size = hint->size;
    return hint->size > 0 ? hint->command : NULL;
}

void browser_think(const struct browser_turn *turn, bool is_tick)
{
    struct browser      *browser = turn->browser;
    struct browser_hint *hint = &browser->hint;
    if (hint->state == HINT_THINKS && is_tick && mind_go_on(browser->mind, turn->now_ms)) {
        hint->size = mind_best(browser->mind, hint->command, sizeof hint->command);
        ask_list(turn, false);
    }
    if (hint->state == HINT_THINKS)
        outbox_wake(turn->out, turn->now_ms + PAUSE_MS);
    else if (hint->state == HINT_VIEW && turn->now_ms >= hint->due_ms)
        ask_list(turn, true);
    else if (hint->state == HINT_LIST && turn->now_ms >= hint->due_ms)
        hint->state = HINT_NONE;
}
