/* lobby_audit.c: who did what to people and matches, each deed a row in the transaction of what it changed. Pure.
 *
 * A row holds ids, not names, of those to whom something was done. Their names are looked up when the row is read, so
 * a forgotten player has none here, either. */
#include <string.h>

#include "base/text.h"
#include "services/lobby/lobby_parts.h"

#define DEEDS_LISTED 50u
#define LIST_BYTES (56u << 10)
#define DEED_BYTES 700u /* The most that one takes in an answer. */
#define TRIES_MS 60000u

#define KIND_OF(name) ARBITER__LOBBY__ASK__KIND_##name

uint32_t lobby_rank_of(const struct lobby *lobby, const struct asking *asking)
{
    const Arbiter__Lobby__Deputy *deputy = asking->ask->deputy;
    uint32_t                      role = asking->event->caller.role;
    if (role == ROLE(CONSOLE))
        return RANK_CONSOLE;
    if (role == ROLE(GATEWAY) && deputy != NULL && !lobby->settings.is_page_barred)
        return deputy->has_helper && deputy->helper ? RANK_HELPER : RANK_OPERATOR;
    return role == ROLE(CLIENT) && key_of(lobby, asking->key)->helper ? RANK_HELPER : RANK_NONE;
}

static void take_id(struct audited *to, bool has_id, const ProtobufCBinaryData *id)
{
    if (!has_id || id->len > sizeof to->target)
        return;
    to->target_size = (uint32_t) id->len;
    if (id->len > 0)
        memcpy(to->target, id->data, id->len);
}

/* A name that nobody has is not kept: it may be that of somebody who was forgotten. */
static void take_player(const struct lobby *lobby, struct audited *to, const char *name)
{
    uint32_t player = lobby_find_name(lobby, name);
    if (player == NOBODY)
        return;
    to->target_size = ID_SIZE;
    memcpy(to->target, player_of(lobby, player)->id, ID_SIZE);
}

/* Too long a reason is refused as malformed, and so is never written. */
static void take_words(struct audited *to, const char *text, const char *reason)
{
    (void) text_copy(to->text, sizeof to->text, text);
    (void) text_copy(to->reason, sizeof to->reason, reason);
}

static void take_admission(struct audited *to, const Arbiter__Lobby__Admit *admit)
{
    take_id(to, admit->has_key, &admit->key);
    to->undone = admit->has_admitted && !admit->admitted;
    if (admit->has_helper && admit->helper)
        take_words(to, "helper", NULL);
}

/* False: it is no deed. */
static bool take_deed(const struct lobby *lobby, struct audited *to, const Arbiter__Lobby__Ask *ask)
{
    to->deed = ask->kind_case;
    switch (ask->kind_case) {
    case KIND_OF(ADMIT): take_admission(to, ask->admit); return true;
    case KIND_OF(ABORT_MATCH):
        take_id(to, ask->abort_match->has_match_id, &ask->abort_match->match_id);
        take_words(to, NULL, ask->abort_match->reason);
        return true;
    case KIND_OF(ACCEPT_MATCH):
        take_id(to, ask->accept_match->has_match_id, &ask->accept_match->match_id);
        return true;
    case KIND_OF(DRAIN_ENGINE):
        take_words(to, ask->drain_engine->name, NULL);
        to->undone = ask->drain_engine->has_undo && ask->drain_engine->undo;
        return true;
    case KIND_OF(BAN_PLAYER):
        take_player(lobby, to, ask->ban_player->name);
        take_words(to, NULL, ask->ban_player->reason);
        to->undone = ask->ban_player->has_banned && !ask->ban_player->banned;
        to->until_ms = ask->ban_player->has_until_ms ? ask->ban_player->until_ms : 0;
        return true;
    case KIND_OF(MUTE_PLAYER):
        take_player(lobby, to, ask->mute_player->name);
        take_words(to, NULL, ask->mute_player->reason);
        to->undone = ask->mute_player->has_muted && !ask->mute_player->muted;
        to->until_ms = ask->mute_player->has_until_ms ? ask->mute_player->until_ms : 0;
        return true;
    case KIND_OF(FORGET_PLAYER): take_player(lobby, to, ask->forget_player->name); return true;
    case KIND_OF(ANNOUNCE):
        take_words(to, ask->announce->text, NULL);
        to->undone = ask->announce->text == NULL || ask->announce->text[0] == '\0';
        to->until_ms = ask->announce->has_stop_ms ? ask->announce->stop_ms : 0;
        return true;
    default: return false;
    }
}

/* Tries of who may not do it fill no disk: so many of them are written in TRIES_MS. */
static const uint32_t tries_written[] = { [RANK_NONE] = 1, [RANK_HELPER] = 10 };

/* Whoever plays at home is let in each time; that is no deed. */
static bool is_let_in(const struct lobby *lobby, const Arbiter__Lobby__Admit *admit)
{
    if (admit->key.len != CALLER_KEY_SIZE || !admit->has_key)
        return false;
    uint32_t          place = lobby_find_key(lobby, admit->key.data);
    const struct key *key = place != NOBODY ? key_of(lobby, place) : NULL;
    bool              is_helper = admit->has_helper && admit->helper;
    return key != NULL && key->admitted && (!admit->has_admitted || admit->admitted) &&
           key->role == admit->role && is_helper == (key->helper != 0);
}

static bool is_same(const struct audited *deed, bool is_on, uint64_t until_ms, const char *reason)
{
    return is_on == !deed->undone &&
           (!is_on ||
            (until_ms == deed->until_ms && text_is(reason, text_length(reason), deed->reason)));
}

static bool changes_nothing(const struct lobby *lobby, const struct audited *deed,
                            const Arbiter__Lobby__Ask *ask)
{
    uint32_t place =
        deed->target_size == ID_SIZE ? lobby_find_player(lobby, deed->target, ID_SIZE) : NOBODY;
    const struct player *player = place != NOBODY ? player_of(lobby, place) : NULL;
    if (ask->kind_case == KIND_OF(ADMIT))
        return is_let_in(lobby, ask->admit);
    if (ask->kind_case == KIND_OF(BAN_PLAYER))
        return player != NULL &&
               is_same(deed, player->banned != 0, player->until_ms, player->reason);
    return ask->kind_case == KIND_OF(MUTE_PLAYER) && player != NULL &&
           is_same(deed, player->muted != 0, player->muted_until_ms, player->mute_reason);
}

bool lobby_audit_begin(const struct lobby *lobby, const struct asking *asking,
                       struct audited *audited)
{
    const struct key *key = key_of(lobby, asking->key);
    memset(audited, 0, sizeof *audited);
    if (!take_deed(lobby, audited, asking->ask))
        return false;
    if (changes_nothing(lobby, audited, asking->ask)) /* Only if it is refused is it a row. */
        audited->verdict = VERDICT(DONE);
    memcpy(audited->key, key->key, CALLER_KEY_SIZE);
    memcpy(audited->name, key->name, sizeof audited->name);
    if (asking->ask->deputy != NULL)
        (void) text_copy(audited->token, sizeof audited->token, asking->ask->deputy->name);
    audited->helper = asking->rank == RANK_HELPER;
    return true;
}

static bool is_one_too_many(struct lobby *lobby, const struct asking *asking)
{
    if (asking->verdict != VERDICT(NOT_ALLOWED) || asking->rank > RANK_HELPER)
        return false;
    struct tries *tries = &lobby->tries[asking->rank];
    if (lobby->now_ms - tries->since_ms >= TRIES_MS)
        *tries = (struct tries){ .since_ms = lobby->now_ms };
    return tries->rows++ >= tries_written[asking->rank];
}

void lobby_audit_end(struct lobby *lobby, const struct asking *asking,
                     const struct audited *audited)
{
    bool is_done_before = asking->verdict == VERDICT(DONE) && audited->verdict == VERDICT(DONE);
    if (is_done_before || is_one_too_many(lobby, asking))
        return;
    struct meta    *meta = lobby_touch(lobby, RECORD_META, 0);
    uint64_t        number = ++meta->audits;
    uint32_t        at = (uint32_t) (number % lobby->settings.audit_max);
    struct audited *to = lobby_touch(lobby, RECORD_AUDIT, at);
    memcpy(to, audited, sizeof *to);
    to->number = number;
    to->at_ms = lobby->wall_ms;
    to->verdict = asking->verdict;
}

static const struct audited *find_deed(const struct lobby *lobby, uint64_t number)
{
    const struct audited *audited =
        record_of(lobby, RECORD_AUDIT, (uint32_t) (number % lobby->settings.audit_max));
    return number != 0 && audited->number == number ? audited : NULL;
}

static Arbiter__Lobby__Admission *admitted(const struct lobby *lobby, const struct audited *audited,
                                           struct outbox *out)
{
    Arbiter__Lobby__Admission *to = MAKE(out, lobby, admission);
    uint32_t                   key = lobby_find_key(lobby, audited->target);
    SET_BYTES(to, key, outbox_copy(out, audited->target, CALLER_KEY_SIZE), CALLER_KEY_SIZE);
    if (key != NOBODY && key_of(lobby, key)->name[0] != '\0')
        to->name = lobby_string_in(out, key_of(lobby, key)->name);
    if (audited->text[0] != '\0')
        SET(to, helper, true);
    return to;
}

/* A player who is there no more is his id. */
static Arbiter__Lobby__Player *player(const struct lobby *lobby, const struct audited *audited,
                                      struct outbox *out)
{
    uint32_t place = lobby_find_player(lobby, audited->target, ID_SIZE);
    if (place != NOBODY)
        return lobby_player_message(lobby, place, out);
    Arbiter__Lobby__Player *to = MAKE(out, lobby, player);
    SET_BYTES(to, player, outbox_copy(out, audited->target, ID_SIZE), ID_SIZE);
    return to;
}

static void put_target(const struct lobby *lobby, const struct audited *audited,
                       Arbiter__Lobby__Audited *to, struct outbox *out)
{
    bool is_match = audited->deed == KIND_OF(ABORT_MATCH) || audited->deed == KIND_OF(ACCEPT_MATCH);
    if (audited->target_size == CALLER_KEY_SIZE && audited->deed == KIND_OF(ADMIT))
        to->admitted = admitted(lobby, audited, out);
    else if (audited->target_size == ID_SIZE && is_match)
        SET_BYTES(to, match_id, outbox_copy(out, audited->target, ID_SIZE), ID_SIZE);
    else if (audited->target_size == ID_SIZE)
        to->player = player(lobby, audited, out);
}

static char *string_or_none(struct outbox *out, const char *string)
{
    return string[0] == '\0' ? NULL : lobby_string_in(out, string);
}

static Arbiter__Lobby__Audited *deed_message(const struct lobby   *lobby,
                                             const struct audited *audited, struct outbox *out)
{
    Arbiter__Lobby__Audited *to = MAKE(out, lobby, audited);
    SET(to, number, audited->number);
    SET(to, at_ms, audited->at_ms);
    SET(to, deed, (Arbiter__Lobby__Audited__Deed) audited->deed);
    SET(to, verdict, (Arbiter__Lobby__Verdict) audited->verdict);
    SET_BYTES(to, key, outbox_copy(out, audited->key, CALLER_KEY_SIZE), CALLER_KEY_SIZE);
    to->key_name = string_or_none(out, audited->name);
    to->token = string_or_none(out, audited->token);
    to->reason = string_or_none(out, audited->reason);
    if (audited->undone)
        SET(to, undone, true);
    if (audited->helper)
        SET(to, helper, true);
    if (audited->until_ms != 0)
        SET(to, until_ms, audited->until_ms);
    if (audited->deed != KIND_OF(ADMIT))
        to->text = string_or_none(out, audited->text);
    put_target(lobby, audited, to, out);
    return to;
}

void lobby_on_list_audit(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__ListAudit *ask = asking->ask->list_audit;
    uint32_t limit = ask->has_limit && ask->limit < DEEDS_LISTED ? ask->limit : DEEDS_LISTED;
    uint64_t number = meta_of(lobby)->audits;
    uint32_t room = LIST_BYTES / DEED_BYTES;
    uint64_t since_ms = ask->has_since_ms ? ask->since_ms : 0;
    Arbiter__Lobby__Audit *audit = MAKE(asking->out, lobby, audit);
    audit->deeds = outbox_take(asking->out, DEEDS_LISTED * sizeof audit->deeds[0]);
    if (ask->has_before && ask->before <= number)
        number = ask->before == 0 ? 0 : ask->before - 1;
    limit = limit < room ? limit : room;
    for (; find_deed(lobby, number) != NULL && find_deed(lobby, number)->at_ms >= since_ms;
         number--) {
        if (audit->n_deeds == limit) {
            SET(audit, more, true);
            break;
        }
        audit->deeds[audit->n_deeds++] = deed_message(lobby, find_deed(lobby, number), asking->out);
    }
    if (lobby->spoken >= PROTOCOL_NEWEST) {
        SET(audit, now_ms, lobby->wall_ms);
        if (asking->rank == RANK_HELPER)
            SET(audit, helper, true);
    }
    asking->answer = ANSWER(AUDIT);
    asking->list = audit;
}
