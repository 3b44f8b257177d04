/* up_fuzz.c: anything said at the WebSocket door, as text or bytes: read or refused, and the core lives on.
 *
 * The first byte: its lowest bit says bytes, not text; the next, that the tab has said hello and holds a seat.
 * What is read must be a message that a peer could have sent, since the core walks its bytes again. */
#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "services/gateway/browser/browser_parts.h"
#include "services/gateway/shell/ws/web_json.h"
#include "wire/validate.h"

#define TAB (BROWSER_ROUTE | 1)
#define ARENA_BYTES ((size_t) 1 << 20)

static struct browser_settings settings;
static struct web_json        *json;
static struct client_core     *client;
static struct browser         *browser;
static struct outbox           out;
static uint8_t                 entropy[ENTROPY_SIZE], arena_memory[ARENA_BYTES];

static void *room(size_t size)
{
    void *memory = calloc(1, size);
    assert(memory != NULL);
    return memory;
}

static void open_door(void)
{
    struct client_core_settings core;
    assert(sodium_init() >= 0);
    client_core_defaults(&core);
    core.crypto = &crypto_sodium;
    browser_defaults(&settings);
    settings.crypto = &crypto_sodium;
    settings.tabs_max = settings.sessions_max = settings.seats_max = settings.watches_max = 2;
    settings.log_bytes = 2u << 20;
    settings.burst = settings.per_10_s = 1000000;
    json = web_json_open();
    assert(json != NULL && web_legal_open(&settings));
    client = client_core_init(room(client_core_bytes(&core)), &core);
    browser = browser_init(room(browser_bytes(&settings)), &settings, client);
    outbox_init(&out, room(OUTBOX_BYTES_MIN), OUTBOX_BYTES_MIN);
}

/* A tab as new as can be, or that of a player in the match whose id is all zeros. */
static void come_in(const struct browser_turn *turn, bool is_in)
{
    const Arbiter__Gateway__BrowserOpen open = ARBITER__GATEWAY__BROWSER_OPEN__INIT;
    browser_open(turn, TAB, &open);
    if (!is_in)
        return;
    struct browser_tab *tab = browser_tab_of(browser, TAB);
    tab->state = TAB_IN;
    tab->session = 0;
    browser->sessions[0] = (struct browser_session){ .is_used = true, .is_known = true, .tabs = 1 };
    browser->sessions[0].serial = ++browser->serials;
    browser->sessions[0].log = browser_log_open(&browser->logs);
    browser->seats[0] = (struct browser_seat){ .is_used = true, .state = SEAT_IN };
}

static void go(const struct browser_turn *turn)
{
    struct browser_down down;
    while (browser_next(browser, TAB, &down) && !down.is_last)
        assert(down.size > 0);
    browser_hang_up(turn, TAB);
    for (uint32_t i = 0; i < settings.sessions_max; i++) {
        struct browser_session *session = &browser->sessions[i];
        if (session->is_used)
            browser_log_close(&browser->logs, session->log);
        *session = (struct browser_session){ .is_used = false };
    }
    memset(browser->seats, 0, settings.seats_max * sizeof *browser->seats);
    memset(browser->pendings, 0, browser->pendings_max * sizeof *browser->pendings);
}

static void hear(const struct browser_turn *turn, const Arbiter__Browser__Up *up)
{
    struct arena arena;
    size_t       size = arbiter__browser__up__get_packed_size(up);
    uint8_t     *bytes = malloc(size + 1);
    assert(bytes != NULL);
    arena_init(&arena, arena_memory, sizeof arena_memory);
    (void) arbiter__browser__up__pack(up, bytes);
    if (size <= VALIDATE_BODY_MAX) {
        assert(validate_unpack(&arbiter__browser__up__descriptor, bytes, size, &arena) != NULL ||
               arena.exhausted);
        browser_hear(turn, TAB, up, bytes, size);
    }
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const Arbiter__Browser__Up *up;
    struct text                 fault;
    if (size == 0)
        return 0;
    if (browser == NULL)
        open_door();
    outbox_reset(&out);
    const struct browser_turn turn = { browser, 1000, entropy, &out, 0 };
    come_in(&turn, (bytes[0] & 2) != 0);
    up = (bytes[0] & 1) != 0
             ? web_json_unpack(json, bytes + 1, size - 1)
             : web_json_up(json, browser, (const char *) bytes + 1, size - 1, &fault);
    if (up != NULL)
        hear(&turn, up);
    else if ((bytes[0] & 1) == 0)
        browser_misread(browser, TAB, fault.bytes);
    go(&turn);
    return 0;
}
