/* player_plays.c: how a player chooses: mostly what is allowed, sometimes what is not; see
 * player.h. */
#include <string.h>

#include "contract/engine.pb-c.h"
#include "core/outbox.h"
#include "player_private.h"
#include "services/bot/bot_read.h"
#include "wire/header.h"

#define COMMAND_BYTES_MAX 64
#define NOT_THERE 99 /* No heap, no card, no entrance has this number. */

/* One universe at a time: what is read is used at once. */
static struct bot_legal list;

const struct mind_game *player_game(const struct player *player, const struct client_event *told)
{
    struct bot_match match;
    bot_read_match(told->bytes, told->size, &match);
    for (uint32_t i = 0; i < player->settings.game_count; i++)
        if (strcmp(player->settings.games[i].game->name, match.game) == 0 &&
            player->settings.games[i].game->version == match.version)
            return &player->settings.games[i];
    return NULL;
}

static bool read_list(const struct client_event *event)
{
    static struct pattern pattern[BOT_PATTERNS_MAX];
    static word           value[BOT_VALUES_MAX];
    list.list = (struct legal){ .pattern = pattern,
                                .patterns_max = BOT_PATTERNS_MAX,
                                .value = value,
                                .values_max = BOT_VALUES_MAX };
    return bot_read_legal(event->bytes, event->size, &list);
}

/* What gives up is chosen seldom; but when all is healed, a match has to come to its end. */
static const struct pattern *pick_pattern(const struct mind_game *game, uint64_t luck,
                                          bool is_healed)
{
    const struct legal *legal = &list.list;
    for (uint32_t i = 0; i < legal->patterns && is_healed; i++)
        if ((game->game->commands[legal->pattern[i].kind].flags & COMMAND_SELDOM) != 0)
            return &legal->pattern[i];
    const struct pattern *picked = &legal->pattern[luck % legal->patterns];
    const bool is_seldom = (game->game->commands[picked->kind].flags & COMMAND_SELDOM) != 0;
    return is_seldom && (luck >> 16) % 8 != 0 ? &legal->pattern[(luck + 1) % legal->patterns]
                                              : picked;
}

/* A listed command; false: there is none. */
static bool pick(const struct mind_game *game, uint64_t luck, bool is_healed,
                 struct command *command)
{
    *command = (struct command){ .kind = 1, .arg = { NOT_THERE, 1 } };
    if (list.list.patterns == 0)
        return false;
    const struct pattern *pattern = pick_pattern(game, luck, is_healed);
    command->kind = pattern->kind;
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command->arg[i] = ABSENT;
    for (uint32_t i = 0; i < pattern->args; i++)
        command->arg[i] =
            list.list.value[pattern->arg[i].first + (luck >> 32) % pattern->arg[i].count];
    return true;
}

/* Something like what may be done, or like anything out of turn. A vote is yes or no, and nothing
 * else can be said. */
static size_t nonsense(const struct mind_game *game, uint64_t luck,
                       uint8_t bytes[COMMAND_BYTES_MAX])
{
    struct command command;
    if (pick(game, luck >> 4, false, &command) && command.arg[0] > 1)
        command.arg[0] = NOT_THERE;
    return plan_encode_command(game->commands, &command, bytes, COMMAND_BYTES_MAX);
}

/* One command in eight is one that nobody may give: of what is not there, or no command. */
static size_t choose(const struct mind_game *game, uint64_t luck, bool is_healed,
                     uint8_t bytes[COMMAND_BYTES_MAX])
{
    if (luck % 8 == 0 && (luck >> 8) % 4 == 0) {
        memset(bytes, 0xff, 9);
        return 9;
    }
    if (luck % 8 == 0)
        return nonsense(game, luck, bytes);
    if (!list.is_awaited)
        return 0;
    if (list.best_size > 0 && list.best_size <= COMMAND_BYTES_MAX) {
        memcpy(bytes, list.best, list.best_size);
        return list.best_size;
    }
    struct command command;
    return pick(game, luck >> 4, is_healed, &command)
               ? plan_encode_command(game->commands, &command, bytes, COMMAND_BYTES_MAX)
               : 0;
}

void player_plays(struct player *player, const struct client_event *event, uint64_t luck,
                  uint64_t now_ms, struct outbox *out)
{
    struct player_seat *held = player_seat(player, event->match_id, event->seat);
    uint8_t             bytes[COMMAND_BYTES_MAX];
    if (held == NULL || event->request != held->legal)
        return;
    held->legal = 0;
    if (held->game == NULL || !read_list(event))
        return;
    size_t size = choose(held->game, luck, player->is_healed, bytes);
    if (size > 0)
        held->command =
            client_core_play(player->client, held->match_id, held->seat, bytes, size, now_ms, out);
}
