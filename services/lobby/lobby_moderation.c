/* lobby_moderation.c: silencing somebody at every table, and telling everybody something. Pure. */
#include <string.h>

#include "base/text.h"
#include "services/lobby/lobby_parts.h"

#define DAY_MS (24u * 60 * 60 * 1000)
#define MINUTE_MS 60000u

bool lobby_is_muted(const struct lobby *lobby, uint32_t player)
{
    const struct player *muted = player_of(lobby, player);
    return muted->muted && (muted->muted_until_ms == 0 || muted->muted_until_ms > lobby->wall_ms);
}

/* The end comes from a helper's own clock, which may be ahead of ours: a day and a minute is a day. */
static bool is_within_a_day(const struct lobby *lobby, bool has_end, uint64_t until_ms)
{
    return has_end && until_ms != 0 && until_ms <= lobby->wall_ms + DAY_MS + MINUTE_MS;
}

/* What a helper did goes away by itself. So he cannot lift what the operator meant to last, or cut it short. */
static bool helper_may(const struct asking *asking, bool is_short, bool was_short)
{
    return asking->rank != RANK_HELPER || (is_short && was_short);
}

bool lobby_helper_may_ban(const struct lobby *lobby, struct asking *asking, uint32_t player)
{
    const Arbiter__Lobby__BanPlayer *ban = asking->ask->ban_player;
    const struct player             *banned = player_of(lobby, player);
    bool                             is_banned = !ban->has_banned || ban->banned;
    if (helper_may(asking, !is_banned || is_within_a_day(lobby, ban->has_until_ms, ban->until_ms),
                   !banned->banned || is_within_a_day(lobby, true, banned->until_ms)))
        return true;
    lobby_refuse(asking, VERDICT(NOT_ALLOWED));
    asking->sentence = "A helper bans for at most a day, and changes no ban that lasts longer.";
    return false;
}

static bool helper_may_mute(const struct lobby *lobby, struct asking *asking, uint32_t player)
{
    const Arbiter__Lobby__MutePlayer *mute = asking->ask->mute_player;
    const struct player              *muted = player_of(lobby, player);
    bool                              is_muted = !mute->has_muted || mute->muted;
    if (helper_may(asking, !is_muted || is_within_a_day(lobby, mute->has_until_ms, mute->until_ms),
                   !muted->muted || is_within_a_day(lobby, true, muted->muted_until_ms)))
        return true;
    lobby_refuse(asking, VERDICT(NOT_ALLOWED));
    asking->sentence = "A helper mutes for at most a day, and changes no mute that lasts longer.";
    return false;
}

/* Whoever is silenced still plays. */
void lobby_on_mute_player(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__MutePlayer *ask = asking->ask->mute_player;
    bool                              is_muted = !ask->has_muted || ask->muted;
    uint32_t                          place = lobby_find_name(lobby, ask->name);
    if (ask->reason != NULL && text_length(ask->reason) > REASON_MAX) {
        lobby_malformed(asking, "The reason may have 120 bytes.");
        return;
    }
    if (place == NOBODY) {
        lobby_refuse(asking, VERDICT(NO_SUCH_PLAYER));
        return;
    }
    if (!helper_may_mute(lobby, asking, place))
        return;
    struct player *player = touch_player(lobby, place);
    player->muted = is_muted;
    player->muted_until_ms = is_muted && ask->has_until_ms ? ask->until_ms : 0;
    text_copy(player->mute_reason, sizeof player->mute_reason, is_muted ? ask->reason : NULL);
}

void lobby_on_announce(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__Announce *ask = asking->ask->announce;
    size_t                          size = ask->text == NULL ? 0 : text_length(ask->text);
    if (size > NOTICE_MAX) {
        lobby_malformed(asking, "What is announced may have 200 bytes.");
        return;
    }
    struct meta *meta = lobby_touch(lobby, RECORD_META, 0);
    text_copy(meta->notice, sizeof meta->notice, ask->text);
    meta->stop_ms = size > 0 && ask->has_stop_ms ? ask->stop_ms : 0;
    meta->told = size > 0 ? 0 : lobby->settings.tables_max;
    outbox_wake(asking->out, lobby->now_ms);
}

bool lobby_notice_is_spread(const struct lobby *lobby)
{
    return meta_of(lobby)->notice[0] == '\0' || meta_of(lobby)->told >= lobby->settings.tables_max;
}

void lobby_notice_ends(struct lobby *lobby)
{
    uint64_t stop_ms = meta_of(lobby)->stop_ms;
    if (stop_ms == 0 || stop_ms > lobby->wall_ms)
        return;
    struct meta *meta = lobby_touch(lobby, RECORD_META, 0);
    memset(meta->notice, 0, sizeof meta->notice);
    meta->stop_ms = 0;
}

/* With how long it is until then, since clocks differ. */
static void put_notice(const struct lobby *lobby, struct text *text)
{
    const struct meta *meta = meta_of(lobby);
    text_clear(text);
    if (meta->stop_ms > lobby->wall_ms) {
        uint64_t minutes = (meta->stop_ms - lobby->wall_ms + MINUTE_MS - 1) / MINUTE_MS;
        text_put(text, "In ");
        text_put_number(text, (int64_t) minutes);
        text_put(text, minutes == 1 ? " minute: " : " minutes: ");
    }
    text_put(text, meta->notice);
}

static void say_at(struct lobby *lobby, uint32_t place, const struct text *text, struct outbox *out)
{
    uint64_t            happened_ms = lobby->clocks[place].happened_ms;
    struct table_event *event = lobby_add_event(lobby, place, EVENT(CHATTED));
    event->size = text->size;
    memcpy(event->text, text->bytes, text->size);
    lobby_send_event(lobby, place, event, out);
    lobby->clocks[place].happened_ms = happened_ms; /* Nobody did anything there. */
}

/* A few tables in each step. What was told is stored with how far it came, so a lobby that starts anew goes on. */
void lobby_notice_spread(struct lobby *lobby, struct outbox *out)
{
    struct text text;
    size_t      begun = out->used;
    if (lobby_notice_is_spread(lobby))
        return;
    struct meta *meta = lobby_touch(lobby, RECORD_META, 0);
    put_notice(lobby, &text);
    for (; meta->told < lobby->settings.tables_max; meta->told++) {
        uint32_t place = (uint32_t) meta->told;
        if (out->used - begun > STEP_BUDGET / 2 ||
            lobby->undo_used - lobby->undo_step > STEP_BUDGET / 2)
            return;
        if (table_of(lobby, place)->used)
            say_at(lobby, place, &text, out);
    }
}

Arbiter__Lobby__Announce *lobby_notice_message(const struct lobby *lobby, struct outbox *out)
{
    const struct meta        *meta = meta_of(lobby);
    Arbiter__Lobby__Announce *to = MAKE(out, lobby, announce);
    if (meta->notice[0] == '\0')
        return NULL;
    to->text = lobby_string_in(out, meta->notice);
    if (meta->stop_ms != 0)
        SET(to, stop_ms, meta->stop_ms);
    return to;
}
