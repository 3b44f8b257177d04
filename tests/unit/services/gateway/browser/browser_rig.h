/* browser_rig.h: the WebSocket door's core in a house that is played by hand: what tabs say, what the lobby answers. */
#ifndef ARBITER_TEST_BROWSER_RIG_H
#define ARBITER_TEST_BROWSER_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "services/gateway/browser/browser.h"
#include "services/gateway/browser/browser_parts.h"

#define ADA (BROWSER_ROUTE | 1)
#define ADAS_SECOND (BROWSER_ROUTE | 2)
#define EVE (BROWSER_ROUTE | 3)

static struct browser_settings settings;
static struct browser         *browser;
static struct client_core     *client;
static struct outbox           outgoing;
static void                   *memory, *client_memory, *out_memory;
static uint64_t                now_ms;
static uint8_t                 entropy[ENTROPY_SIZE];
static Arbiter__Browser__Down *heard;

static inline struct browser_turn turn(void)
{
    randombytes_buf(entropy, sizeof entropy);
    return (struct browser_turn){ browser, now_ms, entropy, &outgoing, 0 };
}

static inline int a_door(void **unused)
{
    (void) unused;
    struct client_core_settings core;
    assert_true(sodium_init() >= 0);
    client_core_defaults(&core);
    core.crypto = &crypto_sodium;
    client_memory = calloc(1, client_core_bytes(&core));
    client = client_core_init(client_memory, &core);
    browser_defaults(&settings);
    settings.crypto = &crypto_sodium;
    settings.games[0] = "nim";
    settings.games_count = 1;
    settings.tabs_max = 16;
    settings.sessions_max = 4;
    settings.seats_max = 8;
    settings.watches_max = 2;
    settings.log_bytes = 4u << 20;
    memory = calloc(1, browser_bytes(&settings));
    browser = browser_init(memory, &settings, client);
    out_memory = malloc(OUTBOX_BYTES_MIN);
    outbox_init(&outgoing, out_memory, OUTBOX_BYTES_MIN);
    now_ms = 1000;
    return 0;
}

static inline int no_door(void **unused)
{
    (void) unused;
    if (heard != NULL)
        arbiter__browser__down__free_unpacked(heard, NULL);
    heard = NULL;
    free(memory);
    free(client_memory);
    free(out_memory);
    return 0;
}

static inline void opens(uint64_t route, uint8_t secret, bool is_page)
{
    Arbiter__Gateway__BrowserOpen open = ARBITER__GATEWAY__BROWSER_OPEN__INIT;
    uint8_t                       bytes[BROWSER_SECRET_SIZE] = { secret };
    struct browser_turn           now = turn();
    open.has_secret = open.has_page = true;
    open.secret = (ProtobufCBinaryData){ sizeof bytes, bytes };
    open.page = is_page;
    browser_open(&now, route, &open);
}

static inline void says(uint64_t route, const Arbiter__Browser__Up *up)
{
    struct browser_turn now = turn();
    uint8_t             bytes[4096];
    size_t              size = arbiter__browser__up__pack(up, bytes);
    browser_hear(&now, route, up, bytes, size);
}

static inline void pings(uint64_t route)
{
    Arbiter__Browser__Ping ping = ARBITER__BROWSER__PING__INIT;
    Arbiter__Browser__Up   up = ARBITER__BROWSER__UP__INIT;
    up.kind_case = ARBITER__BROWSER__UP__KIND_PING;
    up.ping = &ping;
    says(route, &up);
}

static inline void says_hello(uint64_t route, const char *name, const uint8_t *stream,
                              uint64_t last)
{
    Arbiter__Browser__Hello hello = ARBITER__BROWSER__HELLO__INIT;
    Arbiter__Browser__Up    up = ARBITER__BROWSER__UP__INIT;
    up.has_request = true;
    up.request = 7;
    up.kind_case = ARBITER__BROWSER__UP__KIND_HELLO;
    up.hello = &hello;
    hello.name = (char *) name;
    if (stream != NULL) {
        hello.has_stream = hello.has_last = true;
        hello.stream = (ProtobufCBinaryData){ CLIENT_ID_SIZE, (uint8_t *) stream };
        hello.last = last;
    }
    says(route, &up);
}

/* The lobby's answer to what is being asked in this way. */
static inline void lobby_answers(enum browser_wait kind, const Arbiter__Lobby__Answer *answer)
{
    uint8_t             bytes[1024];
    struct browser_turn now = turn();
    struct client_event event = { .kind = CLIENT_ANSWER, .seat = NO_SEAT, .bytes = bytes };
    event.size = arbiter__lobby__answer__pack(answer, bytes);
    for (uint32_t i = 0; i < browser->pendings_max; i++)
        if (browser->pendings[i].kind == kind) {
            event.request = browser->pendings[i].number;
            assert_true(browser_told(&now, &event));
            return;
        }
    fail_msg("nothing of this kind was asked");
}

static inline void lobby_knows(enum browser_wait kind, const char *name)
{
    Arbiter__Lobby__Answer answer = ARBITER__LOBBY__ANSWER__INIT;
    Arbiter__Lobby__Player player = ARBITER__LOBBY__PLAYER__INIT;
    answer.has_verdict = true;
    answer.verdict = name != NULL ? ARBITER__LOBBY__VERDICT__VERDICT_DONE
                                  : ARBITER__LOBBY__VERDICT__VERDICT_NO_NAME;
    player.name = (char *) name;
    answer.kind_case = ARBITER__LOBBY__ANSWER__KIND_PLAYER;
    answer.player = &player;
    lobby_answers(kind, &answer);
}

static inline void hears_nothing(uint64_t route)
{
    struct browser_down down;
    assert_false(browser_has_next(browser, route));
    assert_false(browser_next(browser, route, &down));
}

/* What a tab hears next; it lives until the next call. */
static inline const Arbiter__Browser__Down *hears_next(uint64_t route)
{
    struct browser_down down;
    if (heard != NULL)
        arbiter__browser__down__free_unpacked(heard, NULL);
    heard = NULL;
    assert_true(browser_has_next(browser, route));
    assert_true(browser_next(browser, route, &down));
    heard = arbiter__browser__down__unpack(NULL, down.size, down.bytes);
    assert_non_null(heard);
    return heard;
}

#define HEARS(route, kind)                                                                         \
    assert_int_equal(hears_next(route)->kind_case, ARBITER__BROWSER__DOWN__KIND_##kind)

static inline void is_let_in(uint64_t route, uint8_t secret, const char *name)
{
    opens(route, secret, true);
    says_hello(route, NULL, NULL, 0);
    lobby_knows(WAIT_WHO, name);
    assert_string_equal(hears_next(route)->welcome->name, name);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, a_door, no_door)

#endif
