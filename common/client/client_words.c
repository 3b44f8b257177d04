/* client_words.c: events as messages and as the words of games this build knows. */
#include <stdlib.h>
#include <string.h>

#include "client/client_shell.h"
#include "contract/engine.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/lobby.pb-c.h"
#include "contract/stream.pb-c.h"
#include "games/registry.h"
#include "wire/header.h"
#include "wire/validate.h"

static const ProtobufCMessageDescriptor *descriptor_of(const struct client_event *event)
{
    switch (event->kind) {
    case CLIENT_ANSWER: return &arbiter__lobby__answer__descriptor;
    case CLIENT_TABLE: return &arbiter__lobby__table_event__descriptor;
    case CLIENT_TABLE_NOW: return &arbiter__lobby__table__descriptor;
    case CLIENT_ATTACHED:
    case CLIENT_VIEW: return &arbiter__engine__attached__descriptor;
    case CLIENT_ACT: return &arbiter__stream__act_body__descriptor;
    case CLIENT_LEGAL: return &arbiter__engine__legal_answer__descriptor;
    case CLIENT_REPLY:
        return event->outcome == CLIENT_UNFIT ? &arbiter__wire__refused__descriptor
                                              : &arbiter__engine__reply__descriptor;
    case CLIENT_LOST:
        return event->closed != 0 ? &arbiter__engine__closed__descriptor
                                  : &arbiter__wire__refused__descriptor;
    case CLIENT_REFUSED:
    case CLIENT_TABLE_LOST: return &arbiter__wire__refused__descriptor;
    default: return NULL;
    }
}

const ProtobufCMessage *client_message(struct client *client, const struct client_event *event)
{
    const ProtobufCMessageDescriptor *descriptor = descriptor_of(event);
    if (descriptor == NULL || event->size == 0)
        return NULL;
    return validate_unpack(descriptor, event->bytes, event->size, &client->reading);
}

const struct game_wire *client_game(const struct client *client, const struct client_event *event)
{
    for (uint32_t i = 0; i < CLIENT_GAMES_MAX; i++)
        if (client->games[i].game != NULL &&
            memcmp(client->games[i].match_id, event->match_id, CLIENT_ID_SIZE) == 0)
            return client->games[i].game;
    return NULL;
}

void client_remember_game(struct client *client, const struct client_event *event)
{
    if (event->kind != CLIENT_ATTACHED || client_game(client, event) != NULL)
        return;
    const Arbiter__Engine__Attached *attached =
        (const Arbiter__Engine__Attached *) (const void *) client_message(client, event);
    if (attached != NULL && attached->match != NULL && attached->match->game != NULL &&
        attached->match->has_rules_version) {
        struct client_match_game *known = &client->games[client->games_known++ % CLIENT_GAMES_MAX];
        memcpy(known->match_id, event->match_id, CLIENT_ID_SIZE);
        known->game = registry_find(attached->match->game, attached->match->rules_version);
    }
    arena_reset(&client->reading);
}

const struct client_plans *client_plans_of(struct client *client, const struct game_wire *game)
{
    if (game == NULL)
        return NULL;
    for (uint32_t i = 0; i < client->plan_count; i++)
        if (client->plans[i].game == game)
            return &client->plans[i];
    struct client_plans *more =
        realloc(client->plans, (client->plan_count + 1) * sizeof *client->plans);
    if (more == NULL)
        return NULL;
    client->plans = more;
    struct client_plans *plans = &more[client->plan_count++];
    plans->game = game;
    plans->command = plan_new(game->command);
    plans->event = plan_new(game->event);
    plans->view = plan_new(game->view);
    return plans;
}

void client_free_plans(struct client *client)
{
    for (uint32_t i = 0; i < client->plan_count; i++) {
        plan_destroy(&client->plans[i].command);
        plan_destroy(&client->plans[i].event);
        plan_destroy(&client->plans[i].view);
    }
    free(client->plans);
}

const word *client_view(struct client *client, const struct client_event *event, uint32_t *count)
{
    const struct client_plans       *plans = client_plans_of(client, client_game(client, event));
    const Arbiter__Engine__Attached *attached = NULL;
    if (plans != NULL && (event->kind == CLIENT_ATTACHED || event->kind == CLIENT_VIEW))
        attached = (const Arbiter__Engine__Attached *) (const void *) client_message(client, event);
    if (attached == NULL || !attached->has_view ||
        !plan_decode(plans->view, attached->view.data, attached->view.len, &client->reading,
                     client->words, CLIENT_WORDS_MAX, count))
        return NULL;
    return client->words;
}

bool client_command(struct client *client, const struct client_event *event, const uint8_t *bytes,
                    size_t size, struct command *command)
{
    const struct client_plans *plans = client_plans_of(client, client_game(client, event));
    return plans != NULL &&
           plan_decode_command(plans->command, bytes, size, &client->reading, command);
}

/* One pattern from its flat numbers; false: it is none. */
static bool take_pattern(const Arbiter__Engine__LegalAnswer *answer, size_t *at,
                         struct pattern *pattern)
{
    const uint32_t *numbers = answer->patterns;
    if (answer->n_patterns - *at < 2 || numbers[*at + 1] > COMMAND_ARGS_MAX ||
        answer->n_patterns - *at - 2 < 2 * (size_t) numbers[*at + 1])
        return false;
    memset(pattern, 0, sizeof *pattern);
    pattern->kind = numbers[*at];
    pattern->args = numbers[*at + 1];
    *at += 2;
    for (uint32_t i = 0; i < pattern->args; i++, *at += 2) {
        pattern->arg[i] = (struct pattern_arg){ numbers[*at], numbers[*at + 1] };
        if (pattern->arg[i].count == 0 || pattern->arg[i].first > answer->n_values ||
            pattern->arg[i].count > answer->n_values - pattern->arg[i].first)
            return false;
    }
    return true;
}

static bool grow_list(struct client *client, size_t patterns, size_t values)
{
    struct pattern *pattern = realloc(client->list.pattern, (patterns + 1) * sizeof *pattern);
    if (pattern != NULL)
        client->list.pattern = pattern;
    word *value = realloc(client->list.value, (values + 1) * sizeof *value);
    if (value != NULL)
        client->list.value = value;
    return pattern != NULL && value != NULL;
}

bool client_list(struct client *client, const struct client_event *event, struct legal *list)
{
    const Arbiter__Engine__LegalAnswer *answer = NULL;
    struct legal                       *ours = &client->list;
    size_t                              at = 0;
    if (event->kind == CLIENT_LEGAL)
        answer =
            (const Arbiter__Engine__LegalAnswer *) (const void *) client_message(client, event);
    if (answer == NULL || !grow_list(client, answer->n_patterns / 2, answer->n_values))
        return false;
    for (ours->patterns = 0; at < answer->n_patterns; ours->patterns++)
        if (!take_pattern(answer, &at, &ours->pattern[ours->patterns]))
            return false;
    ours->values = (uint32_t) answer->n_values;
    for (size_t i = 0; i < answer->n_values; i++)
        ours->value[i] = answer->values[i];
    ours->patterns_max = ours->patterns;
    ours->values_max = ours->values;
    *list = *ours;
    return true;
}

struct client_act client_read_act(struct client *client, const struct client_event *event)
{
    struct client_act act = { .game = client_game(client, event) };
    uint32_t          seat = event->seat == NO_SEAT ? SPECTATOR : event->seat;
    act.is_open = event->kind == CLIENT_ACT && act_read(&act.reader, event->bytes, event->size,
                                                        seat, event->box, event->box_size);
    return act;
}

bool client_happening(struct client *client, struct client_act *act,
                      struct client_happening *happening)
{
    struct act_event           event;
    const struct client_plans *plans = client_plans_of(client, act->game);
    memset(happening, 0, sizeof *happening);
    if (!act->is_open || !act_next(&act->reader, &event))
        return false;
    happening->is_house = event.is_house;
    happening->is_private = event.is_private;
    happening->bytes = event.bytes;
    happening->size = event.size;
    uint32_t count = 0;
    if (plans != NULL && !event.is_house &&
        plan_decode(plans->event, event.bytes, event.size, &client->reading, client->words,
                    CLIENT_WORDS_MAX, &count) &&
        count > 0) {
        happening->kind = (uint32_t) client->words[0];
        happening->words = client->words + 1;
        happening->count = count - 1;
    }
    return true;
}
