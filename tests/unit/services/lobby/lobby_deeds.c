/* lobby_deeds.c: see lobby_deeds.h. */
#include "services/lobby/lobby_deeds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

char *party_word(const char *text)
{
    return (char *) (uintptr_t) text;
}

const Arbiter__Lobby__Answer *party_bans(struct person *person, const char *name, bool is_banned,
                                         uint64_t until_ms, uint32_t expected)
{
    Arbiter__Lobby__BanPlayer ask = ARBITER__LOBBY__BAN_PLAYER__INIT;
    ask.name = party_word(name);
    ask.has_banned = true;
    ask.banned = is_banned;
    ask.has_until_ms = until_ms > 0;
    ask.until_ms = until_ms;
    ask.reason = party_word("He turned the table over.");
    return bench_expect(&bench, person, ASK(BAN_PLAYER), &ask, expected);
}

const Arbiter__Lobby__Answer *party_mutes(struct person *person, const char *name, bool is_muted,
                                          uint64_t until_ms, uint32_t expected)
{
    Arbiter__Lobby__MutePlayer ask = ARBITER__LOBBY__MUTE_PLAYER__INIT;
    ask.name = party_word(name);
    ask.has_muted = true;
    ask.muted = is_muted;
    ask.has_until_ms = until_ms > 0;
    ask.until_ms = until_ms;
    ask.reason = party_word("Mind your words.");
    return bench_expect(&bench, person, ASK(MUTE_PLAYER), &ask, expected);
}

const Arbiter__Lobby__Answer *party_forgets(struct person *person, const char *name,
                                            uint32_t expected)
{
    Arbiter__Lobby__ForgetPlayer ask = ARBITER__LOBBY__FORGET_PLAYER__INIT;
    ask.name = party_word(name);
    return bench_expect(&bench, person, ASK(FORGET_PLAYER), &ask, expected);
}

const Arbiter__Lobby__Answer *party_aborts(struct person *person, uint32_t expected)
{
    Arbiter__Lobby__AbortMatch ask = ARBITER__LOBBY__ABORT_MATCH__INIT;
    ask.has_match_id = true;
    ask.match_id = (ProtobufCBinaryData){ .len = 16, .data = match_id };
    ask.reason = party_word("The room closes.");
    return bench_expect(&bench, person, ASK(ABORT_MATCH), &ask, expected);
}

const Arbiter__Lobby__Answer *party_announces(struct person *person, const char *text,
                                              uint64_t stop_ms, uint32_t expected)
{
    Arbiter__Lobby__Announce ask = ARBITER__LOBBY__ANNOUNCE__INIT;
    ask.text = party_word(text);
    ask.has_stop_ms = stop_ms > 0;
    ask.stop_ms = stop_ms;
    return bench_expect(&bench, person, ASK(ANNOUNCE), &ask, expected);
}

const Arbiter__Lobby__Answer *party_drains(struct person *person, uint32_t expected)
{
    Arbiter__Lobby__DrainEngine ask = ARBITER__LOBBY__DRAIN_ENGINE__INIT;
    ask.name = party_word("engine-1");
    return bench_expect(&bench, person, ASK(DRAIN_ENGINE), &ask, expected);
}

const Arbiter__Lobby__Answer *party_admits(struct person *person, uint8_t number, bool is_helper,
                                           uint32_t expected)
{
    Arbiter__Lobby__Admit ask = ARBITER__LOBBY__ADMIT__INIT;
    uint8_t               key[CALLER_KEY_SIZE];
    memset(key, number, sizeof key);
    ask.has_key = ask.has_role = ask.has_helper = true;
    ask.key = (ProtobufCBinaryData){ sizeof key, key };
    ask.role = ROLE(CLIENT);
    ask.name = party_word("Dan's key");
    ask.helper = is_helper;
    return bench_expect(&bench, person, ASK(ADMIT), &ask, expected);
}

const Arbiter__Lobby__Audit *party_audit_of(struct person *person, uint64_t before, uint32_t limit,
                                            uint64_t since_ms)
{
    Arbiter__Lobby__ListAudit ask = ARBITER__LOBBY__LIST_AUDIT__INIT;
    ask.has_before = before > 0;
    ask.before = before;
    ask.has_limit = limit > 0;
    ask.limit = limit;
    ask.has_since_ms = since_ms > 0;
    ask.since_ms = since_ms;
    return bench_expect(&bench, person, ASK(LIST_AUDIT), &ask, VERDICT(DONE))->audit;
}

const Arbiter__Lobby__Audit *party_audit(void)
{
    return party_audit_of(&operator_, 0, 0, 0);
}

struct person party_at_the_page(bool is_helper)
{
    struct person page = gateway;
    page.token = "eva";
    page.is_helper = is_helper;
    return page;
}
