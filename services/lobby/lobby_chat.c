/* lobby_chat.c: talking at a table, and not having to hear it. Pure. */
#include <assert.h>
#include <string.h>

#include "services/lobby/lobby_parts.h"

/* All members who have not silenced the speaker, and the speaker too. */
static uint32_t listeners(const struct table *table, uint32_t speaker)
{
    uint32_t mask = EVERYBODY;
    for (uint32_t i = 0; i < MEMBERS_MAX; i++)
        if (table->member[i].player != NOBODY && (table->member[i].mutes >> speaker & 1) != 0)
            mask &= ~(1u << i);
    return mask;
}

static bool is_talk(const Arbiter__Lobby__Chat *ask)
{
    size_t size = ask->text == NULL ? 0 : text_length(ask->text);
    bool   is_phrase = ask->has_phrase && ask->phrase >= 1 && ask->phrase <= PHRASES;
    return ask->has_phrase ? is_phrase && ask->text == NULL : size > 0 && size <= CHAT_MAX;
}

/* Preset phrases may be said where free text is off: nobody can hurt by them. */
void lobby_on_chat(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__Chat *ask = asking->ask->chat;
    uint32_t                    place = lobby_own_table(lobby, asking, ask->has_table, &ask->table);
    if (place == NOBODY)
        return;
    const struct table *table = table_of(lobby, place);
    uint32_t            speaker = lobby_member_of(table, asking->player);
    if (!is_talk(ask)) {
        lobby_malformed(asking, "Say 1 to 280 bytes of text, or a phrase from 1 to 16.");
        return;
    }
    if (lobby_is_muted(lobby, asking->player) || table->member[speaker].muted ||
        (!table->chat && !ask->has_phrase)) {
        lobby_refuse(asking, VERDICT(MUTED));
        return;
    }
    struct table_event *event = lobby_add_event(lobby, place, EVENT(CHATTED));
    event->player = asking->player;
    event->to = listeners(table, speaker);
    event->choice = ask->has_phrase ? ask->phrase : 0;
    event->size = ask->has_phrase ? 0 : (uint32_t) text_length(ask->text);
    if (event->size > 0)
        memcpy(event->text, ask->text, event->size);
    lobby_send_event(lobby, place, event, asking->out);
}

void lobby_on_mute(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__Mute *ask = asking->ask->mute;
    bool                        is_muted = !ask->has_muted || ask->muted;
    uint32_t                    place = lobby_own_table(lobby, asking, ask->has_table, &ask->table);
    if (place == NOBODY)
        return;
    struct table *table = touch_table(lobby, place);
    uint32_t      whom =
        ask->has_player
                 ? lobby_member_of(table, lobby_find_player(lobby, ask->player.data, ask->player.len))
                 : NOBODY;
    if (whom == NOBODY) {
        lobby_refuse(asking, VERDICT(NO_SUCH_PLAYER));
    } else if (!ask->has_for_all || !ask->for_all) {
        uint32_t bit = 1u << whom,
                 *mutes = &table->member[lobby_member_of(table, asking->player)].mutes;
        *mutes = is_muted ? *mutes | bit : *mutes & ~bit;
    } else if (table->host == asking->player) {
        table->member[whom].muted = is_muted;
    } else {
        lobby_refuse(asking, VERDICT(NOT_HOST));
    }
}
