/* device_fuzz.c: codes that take a player to another device: tried, guessed, late, twice; each lets one tab in, once.
 *
 * Two players are there. An input is a row of steps: one of them asks for a code (made of one byte, so that an input can guess
 * it), somebody asks whose a code is, a new tab says hello with one, and time passes. A model keeps which codes are good. */
#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "services/gateway/browser/browser_parts.h"

#define PLAYERS 2u
#define NEWCOMER (BROWSER_ROUTE | (PLAYERS + 1))
#define SECOND_MS 1000u
#define TYPED_MAX 40u

/* What the core should think of one player's code. */
struct model {
    char     code[BROWSER_CODE_SIZE + 1];
    uint64_t until_ms;
};

static struct browser_settings settings;
static struct client_core     *client;
static struct browser         *browser;
static struct outbox           out;
static uint8_t                 entropy[ENTROPY_SIZE];
static struct model            model[PLAYERS];
static uint64_t                now_ms;

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
    settings.tabs_max = PLAYERS + 2;
    settings.sessions_max = settings.seats_max = settings.watches_max = PLAYERS;
    settings.log_bytes = 2u << 20;
    settings.burst = settings.per_10_s = 1000000;
    client = client_core_init(room(client_core_bytes(&core)), &core);
    browser = browser_init(room(browser_bytes(&settings)), &settings, client);
    outbox_init(&out, room(OUTBOX_BYTES_MIN), OUTBOX_BYTES_MIN);
}

static uint64_t route_of(uint32_t player)
{
    return BROWSER_ROUTE | (player + 1);
}

static struct browser_turn turn_now(void)
{
    outbox_reset(&out);
    return (struct browser_turn){ browser, now_ms, entropy, &out, 0 };
}

static void come_in(uint32_t player)
{
    const Arbiter__Gateway__BrowserOpen open = ARBITER__GATEWAY__BROWSER_OPEN__INIT;
    const struct browser_turn           turn = turn_now();
    struct browser_session             *session = &browser->sessions[player];
    browser_open(&turn, route_of(player), &open);
    struct browser_tab *tab = browser_tab_of(browser, route_of(player));
    *session = (struct browser_session){ .is_used = true, .is_known = true, .tabs = 1 };
    session->serial = ++browser->serials;
    session->log = browser_log_open(&browser->logs);
    session->secret[0] = session->player[0] = (uint8_t) (player + 1);
    tab->state = TAB_IN;
    tab->session = player;
}

static void read_all(uint64_t route)
{
    struct browser_down down;
    while (browser_next(browser, route, &down) && !down.is_last)
        assert(down.size > 0);
}

static void go(void)
{
    for (uint32_t i = 0; i < PLAYERS; i++) {
        const struct browser_turn turn = turn_now();
        read_all(route_of(i));
        browser_hang_up(&turn, route_of(i));
        if (browser->sessions[i].is_used)
            browser_log_close(&browser->logs, browser->sessions[i].log);
        browser->sessions[i] = (struct browser_session){ .is_used = false };
    }
    memset(browser->pendings, 0, browser->pendings_max * sizeof *browser->pendings);
    memset(model, 0, sizeof model);
}

/* As it would come from a door. */
static void say(uint64_t route, const Arbiter__Browser__Up *up)
{
    uint8_t                   bytes[256];
    const struct browser_turn turn = turn_now();
    assert(arbiter__browser__up__get_packed_size(up) <= sizeof bytes);
    browser_hear(&turn, route, up, bytes, arbiter__browser__up__pack(up, bytes));
}

static void ask_for_code(uint32_t player, uint8_t luck)
{
    static const char        digits[] = "abcdefghjkmnpqrstuvwxyz23456789_";
    Arbiter__Browser__Up     up = ARBITER__BROWSER__UP__INIT;
    Arbiter__Browser__Device device = ARBITER__BROWSER__DEVICE__INIT;
    memset(entropy, luck, sizeof entropy);
    up.kind_case = ARBITER__BROWSER__UP__KIND_DEVICE;
    up.device = &device;
    say(route_of(player), &up);
    memset(model[player].code, digits[luck & 31], BROWSER_CODE_SIZE);
    model[player].until_ms = now_ms + settings.code_ms;
    assert(strcmp(browser->sessions[player].code, model[player].code) == 0);
}

/* A player's code, or any text of the input. */
static const char *text_of(struct input *input, char text[TYPED_MAX + 1])
{
    uint8_t which = input_byte(input);
    if (which < PLAYERS)
        return model[which].code;
    uint32_t size = 0;
    for (; size < which % TYPED_MAX && input->at < input->end; size++)
        text[size] = (char) input_byte(input);
    text[size] = '\0';
    return text;
}

static bool is_good(uint32_t player, const char *text)
{
    return text[0] != '\0' && now_ms < model[player].until_ms &&
           strcmp(text, model[player].code) == 0;
}

static void ask_whose(const char *text)
{
    Arbiter__Browser__Up    up = ARBITER__BROWSER__UP__INIT;
    Arbiter__Browser__Whose whose = ARBITER__BROWSER__WHOSE__INIT;
    up.kind_case = ARBITER__BROWSER__UP__KIND_WHOSE;
    whose.code = (char *) text;
    up.whose = &whose;
    say(route_of(0), &up);
    for (uint32_t i = 0; i < PLAYERS; i++) /* To ask uses nothing up. */
        assert(strcmp(browser->sessions[i].code, model[i].code) == 0);
}

/* Who comes by a good code is its player; by any other, nobody. The code is used up. */
static void come_by(const char *text)
{
    const Arbiter__Gateway__BrowserOpen open = ARBITER__GATEWAY__BROWSER_OPEN__INIT;
    const struct browser_turn           turn = turn_now();
    Arbiter__Browser__Up                up = ARBITER__BROWSER__UP__INIT;
    Arbiter__Browser__Hello             hello = ARBITER__BROWSER__HELLO__INIT;
    browser_open(&turn, NEWCOMER, &open);
    up.kind_case = ARBITER__BROWSER__UP__KIND_HELLO;
    hello.code = (char *) text;
    up.hello = &hello;
    bool is_any = is_good(0, text) || is_good(1, text);
    say(NEWCOMER, &up);
    const struct browser_tab *tab = browser_tab_of(browser, NEWCOMER);
    bool                      is_in = tab != NULL && tab->state == TAB_IN;
    assert(is_in == is_any);
    if (is_in) {
        assert(tab->session < PLAYERS && is_good(tab->session, text));
        model[tab->session] = (struct model){ .code = "" };
        assert(browser->sessions[tab->session].code[0] == '\0');
    }
    read_all(NEWCOMER);
    browser_hang_up(&turn, NEWCOMER);
}

static void take_step(struct input *input)
{
    char    kept[TYPED_MAX + 1], text[TYPED_MAX + 1];
    uint8_t step = input_byte(input);
    if (step % 4 == 0) {
        ask_for_code(step >> 2 & 1, input_byte(input));
    } else if (step % 4 == 1) {
        now_ms += (uint64_t) input_byte(input) * SECOND_MS;
    } else {
        memset(kept, 0, sizeof kept);
        const char *typed = text_of(input, text);
        memcpy(kept, typed, text_length(typed));
        step % 4 == 2 ? ask_whose(kept) : come_by(kept);
    }
    read_all(route_of(0));
    read_all(route_of(1));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input input = { bytes, bytes + size };
    if (browser == NULL)
        open_door();
    now_ms = SECOND_MS;
    come_in(0);
    come_in(1);
    while (input.at < input.end)
        take_step(&input);
    go();
    return 0;
}
