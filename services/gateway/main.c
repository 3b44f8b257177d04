/* main.c: arbiter-gateway, the process: the doors for strangers, in the common shell. */
#include <stdio.h>
#include <string.h>

#include "contract/directory.pb-c.h"
#include "rules/foresight.h"
#include "services/gateway/gateway.h"
#include "services/gateway/shell/http/house_rules.h"
#include "services/gateway/shell/http/page_find.h"
#include "services/gateway/shell/http/web.h"
#include "services/gateway/shell/ws/web_json.h"
#include "shell/service.h"
#include "wire/crypto.h"
#include "wire/names.h"

#define DEFAULT_CACHE ((size_t) 64 << 20)

static struct gateway_settings settings;
static struct web_settings     web;
static char                    listen_http[RULES_ADDRESS_MAX], treasure[SERVICE_PATH_MAX], seed[32];
static char                    tls_cert[SERVICE_PATH_MAX], tls_key[SERVICE_PATH_MAX];
static char                    folder[SERVICE_PATH_MAX], token[SERVICE_PATH_MAX];
static char                    page_tokens[SERVICE_PATH_MAX];
static char                    proxies[NETWORKS_TEXT_MAX], crowds[NETWORKS_TEXT_MAX];
static struct house_rules      rules;
static bool                    hide_games;

static const struct setting own[] = {
    { "listen_http", SETTING_TEXT, listen_http, 0, sizeof listen_http,
      "The address of the HTTP door: ADDRESS:PORT. Port * takes any free port. Empty: the address "
      "in the treasure set-up." },
    { "treasure", SETTING_TEXT, treasure, 0, sizeof treasure,
      "A file with the set-up of treasure games over HTTP. Empty: the classic one." },
    { "treasure_seed", SETTING_TEXT, seed, 0, sizeof seed,
      "The seed of the dice in those games, a whole number that everybody may know. Empty: hosted "
      "dice." },
    { "web", SETTING_TEXT, folder, 0, sizeof folder,
      "The folder of the page, as npm built it. Empty: the folder beside this program." },
    { "players_max", SETTING_NUMBER32, &settings.rest.players_max, 2, 65536,
      "How many players of the 2017 protocol are known at once, those of finished games "
      "included." },
    { "bot_ms", SETTING_NUMBER32, &settings.rest.bot_ms, 0, 86400000,
      "A player who waits alone this many milliseconds over HTTP gets a bot as opponent. 0: waits "
      "for a person." },
    { "bot_level", SETTING_NUMBER32, &settings.rest.bot_level, 0, LEVELS_MAX,
      "How well that bot plays: 1 is the weakest level, 4 the strongest. 0: as \"greedy\"." },
    { "hide_games", SETTING_FLAG, &hide_games, 0, 0,
      "Games over HTTP appear in no list, and nobody can watch them." },
    { "seats_max", SETTING_NUMBER32, &settings.client.seats_max, 2, 65536,
      "How many seats are played at once, half of them through the WebSocket door. Each takes 36 "
      "KiB." },
    { "tables_max", SETTING_NUMBER32, &settings.client.tables_max, 2, 65536,
      "How many places at tables are taken at once." },
    { "queue_bytes", SETTING_NUMBER32, &settings.client.queue_bytes, CLIENT_QUEUE_BYTES_MIN,
      1u << 30, "Bytes of memory for messages that came and were not read yet." },
    { "http_connections_max", SETTING_NUMBER32, &web.connections_max, 16, 65536,
      "How many connections the HTTP door takes at once, WebSockets included." },
    { "http_per_address", SETTING_NUMBER32, &web.per_address, 0, 65536,
      "How many of them may come from one address. 0: no limit." },
    { "crowd_networks", SETTING_TEXT, crowds, 0, sizeof crowds,
      "Networks from which many may come, divided by commas: a school behind one address. They "
      "have "
      "the next two bounds, and many times more of the lobby's (crowd_times)." },
    { "http_per_crowd", SETTING_NUMBER32, &web.per_crowd, 0, 65536,
      "How many connections may come from one address of those networks. 0: no limit." },
    { "tabs_per_crowd", SETTING_NUMBER32, &web.sockets.per_crowd, 0, 65536,
      "How many of them may be WebSockets. 0: no limit." },
    { "players_per_address", SETTING_NUMBER32, &settings.rest.per_address, 0, 65536,
      "How many players of the 2017 protocol may play from one address; fifty times as many from "
      "one "
      "of those networks. 0: no limit." },
    { "read_ms", SETTING_NUMBER32, &web.read_ms, 1000, 600000,
      "A request must be complete within this many milliseconds." },
    { "idle_ms", SETTING_NUMBER32, &web.idle_ms, 1000, 3600000,
      "A connection without a request is closed after this many milliseconds." },
    { "origin", SETTING_TEXT, web.sockets.origins, 0, sizeof web.sockets.origins,
      "Other hosts whose pages may connect here, divided by commas: https://play.example." },
    { "tls_cert", SETTING_TEXT, tls_cert, 0, sizeof tls_cert,
      "A PEM file with the certificate. Empty: no TLS." },
    { "tls_key", SETTING_TEXT, tls_key, 0, sizeof tls_key,
      "A PEM file with the certificate's key." },
    { "behind_tls", SETTING_FLAG, &web.is_proxied, 0, 0,
      "A proxy before this door speaks TLS. Cookies and pages are then for TLS only. A listed "
      "proxy "
      "may say so itself, by X-Forwarded-Proto, and of each visitor." },
    { "proxy", SETTING_TEXT, proxies, 0, sizeof proxies,
      "Networks of proxies before this door, divided by commas: 10.0.0.0/8. They name their "
      "visitors by "
      "X-Forwarded-For, and visitors are counted. Others' X-Forwarded-For is ignored." },
    { "operator_token", SETTING_TEXT, token, 0, sizeof token,
      "A file with the token that /metrics and the operator's page ask for. Empty: they ask for "
      "none, and answer this machine only." },
    { "page_tokens", SETTING_TEXT, page_tokens, 0, sizeof page_tokens,
      "A file with more tokens for the operator's page, a line each: TOKEN NAME ROLE. ROLE is "
      "operator or helper. The audit names them." },
    { "open_metrics", SETTING_FLAG, &web.is_metrics_open, 0, 0,
      "Without a token, /metrics answers everybody who can reach this door." },
    { "tabs_max", SETTING_NUMBER32, &settings.browser.tabs_max, 4, 65536,
      "How many WebSocket connections may be open at once." },
    { "tabs_per_address", SETTING_NUMBER32, &web.sockets.per_address, 0, 65536,
      "How many of them may come from one address. 0: no limit." },
    { "tab_burst", SETTING_NUMBER32, &settings.browser.burst, 1, 100000,
      "How many messages one connection may send at once ..." },
    { "tab_per_10_s", SETTING_NUMBER32, &settings.browser.per_10_s, 1, 1000000,
      "... and how many in ten seconds after that." },
    { "tab_hello_ms", SETTING_NUMBER32, &settings.browser.hello_ms, 100, 600000,
      "A connection must send its hello within this many milliseconds." },
    { "tab_stall_ms", SETTING_NUMBER32, &web.sockets.stall_ms, 100, 600000,
      "A connection that takes no data for this many milliseconds is closed." },
    { "sessions_max", SETTING_NUMBER32, &settings.browser.sessions_max, 4, 65536,
      "How many players there may be at those connections." },
    { "session_idle_ms", SETTING_NUMBER32, &settings.browser.idle_ms, 1000, 86400000,
      "The stream of a player without a connection is kept for this many milliseconds." },
    { "watches_max", SETTING_NUMBER32, &settings.browser.watches_max, 1, 65536,
      "How many matches can be watched at once, each by any number of people." },
    { "hint_ms", SETTING_NUMBER32, &settings.browser.hint_ms, 1, 1000,
      "How many milliseconds a hint is thought about, in slices of two. One is made at a time." },
    { "log_bytes", SETTING_NUMBER32, &settings.browser.log_bytes, 2u << 20, 1u << 30,
      "Bytes of memory for what connections read and resume from." },
};

static const char *const   live[] = { "http_per_address",
                                      "crowd_networks",
                                      "http_per_crowd",
                                      "tabs_per_crowd",
                                      "players_per_address",
                                      "origin",
                                      "proxy",
                                      "open_metrics",
                                      "tabs_per_address",
                                      "tab_burst",
                                      "tab_per_10_s",
                                      "tab_hello_ms",
                                      "tab_stall_ms",
                                      "session_idle_ms",
                                      NULL };
static struct web         *front;
static struct web_settings next; /* What is read again, to be taken over. */

/* Of which the bytes are made for players whose page or program makes none. */
static void derive_secret(const struct bus_keys *keys)
{
    static const char  label[] = "arbiter client contributions";
    const struct piece piece = { label, sizeof label - 1 };
    crypto_sodium.keyed(settings.client.secret, CLIENT_KEY_SIZE, keys->secret_key, &piece, 1);
}

/* One key for all gateways of a house, so that a visitor is the same at each of them. */
static void derive_from_key(void)
{
    static const char  label[] = "arbiter visitors' addresses";
    const struct piece piece = { label, sizeof label - 1 };
    uint8_t            key[CLIENT_KEY_SIZE];
    crypto_sodium.keyed(key, sizeof key, settings.client.peers.lobby_key, &piece, 1);
    memcpy(web.from_key, key, sizeof web.from_key);
}

static bool is_whole(bool is_good, const struct text *fault)
{
    if (!is_good)
        (void) fprintf(stderr, "%s\n", fault->bytes);
    return is_good;
}

/* The files that the settings name, all of them, so that each fault is heard of at once. */
static bool judge(void)
{
    struct text fault;
    web.tls_cert = tls_cert;
    web.tls_key = tls_key;
    bool is_good = house_rules_read(&rules, treasure, seed, &settings.rest);
    settings.rest.is_shown = settings.rest.is_shown && !hide_games;
    is_good = house_rules_listen(&rules, listen_http) && is_good;
    is_good = is_whole(web_tls_is_whole(&web, &fault), &fault) && is_good;
    is_good = is_whole(networks_read(&web.proxies, proxies, &fault), &fault) && is_good;
    is_good = is_whole(networks_read(&web.crowds, crowds, &fault), &fault) && is_good;
    return is_whole(web_whos_read(&web.whos, token, page_tokens, &fault), &fault) && is_good;
}

static struct web *open_door(const struct service *service)
{
    struct text fault;
    web.address = rules.address;
    web.port = rules.port;
    web.body_max = rules.body_max;
    web.is_impl = settings.rest.is_impl;
    web.log = &service->log;
    web.sockets.tabs_max = settings.browser.tabs_max;
    if (folder[0] == '\0')
        page_find(folder, sizeof folder);
    web.folder = folder;
    web.cache_bytes = DEFAULT_CACHE;
    struct web *door = web_open(&web, &fault);
    if (door == NULL)
        log_say(&service->log, SAY_ERROR, fault.bytes);
    else
        log_print(&service->log, SAY_INFO, "%s at %s:%u", tls_cert[0] != '\0' ? "https" : "http",
                  rules.address, web_port(door));
    return door;
}

static bool read_again(struct service *service, const struct settings_copy *fresh,
                       struct text *fault)
{
    (void) service;
    return web_tls_fits(front, fault) &&
           networks_read(&next.proxies, settings_text(fresh, "proxy"), fault) &&
           networks_read(&next.crowds, settings_text(fresh, "crowd_networks"), fault) &&
           web_whos_read(&next.whos, token, page_tokens, fault);
}

static void take_again(struct service *service)
{
    web.proxies = next.proxies;
    web.crowds = next.crowds;
    web.whos = next.whos;
    web_change(front, &web);
    if (!web_tls_again(front))
        log_say(&service->log, SAY_ERROR, "settings: the certificate has gone while it was read");
    sodium_memzero(&next.whos, sizeof next.whos);
}

static int run(struct service *service, struct shell_side *side)
{
    service_peers(service, &settings.client.peers);
    settings.client.crypto = &crypto_sodium;
    settings.browser.crypto = &crypto_sodium;
    settings.browser.version = ARBITER_VERSION;
    settings.browser.seats_max = settings.client.seats_max / 2;
    if (!web_legal_open(&settings.browser) || !web_minds_open(&settings.browser))
        return SHELL_NO_START;
    settings.rest.keeps = service->store != NULL;
    derive_secret(&service->keys);
    derive_from_key();
    void       *memory = service_memory(service, gateway_bytes(&settings), NULL);
    struct web *door = memory != NULL ? open_door(service) : NULL;
    if (door == NULL)
        return SHELL_NO_START;
    struct gateway *gateway = gateway_init(memory, &settings);
    side->asked = front = door;
    service_mirror(service, &settings.browser, gateway_browser_told(gateway),
                   sizeof settings.browser);
    service_mirror(service, &settings.rest, gateway_rest_told(gateway), sizeof settings.rest);
    web_show(door, gateway);
    int end = service_run(service, gateway, &gateway_ops);
    web_flush(door);
    web_close(&door);
    web_legal_close(&settings.browser);
    web_minds_close(&settings.browser);
    return end;
}

int main(int argc, char **argv)
{
    int               end = SHELL_NO_START;
    struct shell_side side = {
        .wait = web_wait, .next = web_next, .send = web_send, .bounds = web_bounds
    };
    struct service service = { .program = "gateway",
                               .about = "the doors for programs without a key: HTTP and WebSocket.",
                               .judge = judge,
                               .live = live,
                               .again = read_again,
                               .changed = take_again,
                               .role = ROLE(GATEWAY),
                               .side = &side,
                               .schema = gateway_ops.schema,
                               .may_keep_nothing = true,
                               .own = { own, sizeof own / sizeof *own } };
    gateway_defaults(&settings);
    web = (struct web_settings){ .connections_max = 8192,
                                 .per_address = 1024,
                                 .per_crowd = 4096,
                                 .read_ms = 10000,
                                 .idle_ms = 60000,
                                 .sockets = {
                                     .per_address = 20, .per_crowd = 1000, .stall_ms = 5000 } };
    if (service_begin(&service, argc, argv, &end)) {
        end = run(&service, &side);
        service_finish(&service);
    }
    house_rules_free(&rules);
    return end;
}
