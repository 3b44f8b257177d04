/* lobby_settings.c: what the settings are if nobody says otherwise, and what they may be. Pure. */
#include <string.h>

#include "base/text.h"
#include "services/lobby/lobby_parts.h"

void lobby_defaults(struct lobby_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    text_copy(settings->name, sizeof settings->name, "lobby");
    settings->keys_max = 512;
    settings->services_max = 48;
    settings->bans_max = 256;
    settings->players_max = 20000;
    settings->tables_max = 2000;
    settings->texts_max = 200;
    settings->events_kept = 48;
    settings->results_max = 20000;
    settings->audit_max = 2048;
    settings->persons_max = 4096;
    settings->numbers_apart = 1;
    settings->setup_bytes = 4u << 20;
    settings->desk_bytes = 10240; /* The treasure hunt keeps half a map, and who registered. */
    settings->names_per_address = settings->seats_per_address = 64;
    settings->tables_per_address = 16;
    settings->names_per_minute = 30;
    settings->tables_per_minute = 20;
    settings->seats_per_minute = 60;
    settings->crowd_times = 50;
    settings->directory_ms = 1000;
    settings->service_silent_ms = 5000;
    settings->again_ms = 1000;
    settings->bot_gone_ms = 30000;
    settings->registration_ms = 30u * 60 * 1000;
    settings->vote_ms = 60u * 1000;
    settings->idle_ms = 60u * 60 * 1000;
    settings->abandoned_ms = 30u * 60 * 1000;
    settings->ticket_ms = 24u * 60 * 60 * 1000;
    settings->guest_silent_ms = 60u * 60 * 1000;
}

/* A directory must fit one message: 44 bytes a key, 20 a ban, and up to 300 a service. A class has a door
 * for each match and needs fewer keys and bans. */
#define DIRECTORY_BYTES_MAX 55000u

static bool has_room(const struct lobby_settings *settings)
{
    return 44 * settings->keys_max + 20 * settings->bans_max + 300 * settings->services_max <=
           DIRECTORY_BYTES_MAX;
}

static const char *judge_directory(const struct lobby_settings *settings)
{
    if (settings->keys_max == 0 || settings->keys_max > 800)
        return "keys_max must be from 1 to 800, so that a directory fits one message.";
    if (settings->services_max == 0 || settings->services_max > LOBBY_SERVICES_MAX)
        return "services_max must be from 1 to 136, so that a directory fits one message.";
    if (settings->bans_max > 256)
        return "bans_max must be at most 256, so that a directory fits one message.";
    if (settings->services_max > 48 && !has_room(settings))
        return "More than 48 services need fewer keys and bans, so that a directory fits one "
               "message.";
    if (settings->seed_count > settings->keys_max)
        return "keys_max must have room for the keys the settings name.";
    return NULL;
}

static const char *judge_times(const struct lobby_settings *settings)
{
    if (settings->directory_ms == 0 || settings->again_ms == 0 || settings->registration_ms == 0 ||
        settings->vote_ms == 0 || settings->idle_ms == 0 || settings->ticket_ms == 0 ||
        settings->guest_silent_ms == 0 || settings->abandoned_ms == 0)
        return "No time may be 0.";
    if (settings->service_silent_ms < 2 * settings->directory_ms)
        return "service_silent_ms must be at least twice directory_ms.";
    if (settings->bot_gone_ms < settings->service_silent_ms)
        return "bot_gone_ms must be at least service_silent_ms.";
    return NULL;
}

static const char *judge_games(const struct lobby_settings *settings)
{
    if (settings->helpers == NULL)
        return "The helpers are missing.";
    if (settings->game_count > LOBBY_GAMES_MAX)
        return "There are more games than a lobby can list.";
    for (uint32_t i = 0; i < settings->game_count; i++) {
        const struct lobby_game *game = &settings->games[i];
        if (game->setup_count > LOBBY_SETUPS_MAX)
            return "A game has more set-ups than a lobby can list.";
        if (text_length(game->game->name) > LOBBY_NAME_MAX)
            return "The name of a game is too long.";
        for (uint32_t k = 0; k < game->setup_count; k++) {
            const struct lobby_setup *setup = &game->setups[k];
            size_t options = setup->options == NULL ? 0 : text_length(setup->options);
            if (text_length(setup->name) > LOBBY_NAME_MAX)
                return "The name of a set-up is too long.";
            if (text_length(setup->text) + options > LOBBY_TEXT_MAX)
                return "A set-up is too long for one message.";
        }
    }
    return NULL;
}

const char *lobby_judge(const struct lobby_settings *settings)
{
    const char *wrong = judge_directory(settings);
    if (wrong == NULL)
        wrong = judge_times(settings);
    if (wrong == NULL)
        wrong = judge_games(settings);
    if (wrong == NULL &&
        (settings->players_max == 0 || settings->tables_max == 0 || settings->texts_max == 0 ||
         settings->results_max == 0 || settings->persons_max == 0 || settings->audit_max == 0 ||
         settings->setup_bytes == 0 || settings->desk_bytes == 0))
        wrong = "No capacity may be 0.";
    if (wrong == NULL && (settings->events_kept < 4 || settings->events_kept > 64))
        wrong = "events_kept must be from 4 to 64, so that closing tables fits a batch.";
    if (wrong == NULL && (uint64_t) settings->tables_max * settings->events_kept > UINT32_MAX / 2)
        wrong = "tables_max times events_kept is too much.";
    return wrong;
}
