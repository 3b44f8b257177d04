/* web_pages.c: /healthz, /readyz, /metrics: how the gateway does, for those who look after it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/build.h"
#include "services/gateway/shell/http/web_health.h"
#include "services/gateway/shell/http/web_metrics.h"
#include "services/gateway/shell/http/web_private.h"

/* What is known of the house when somebody asks. */
struct house {
    struct gateway_facts    facts;
    struct browser_facts_of tabs;
    struct web_life         life;
};

static void look(const struct web *web, struct house *house)
{
    struct gateway_word words[GATEWAY_WORDS_MAX];
    memset(house, 0, sizeof *house);
    if (web->gateway == NULL)
        return;
    house->facts = gateway_facts(web->gateway);
    house->tabs = browser_facts(gateway_browser(web->gateway));
    web_life_read(&house->life, words, gateway_words(web->gateway, words));
}

static bool is_page(const char *path, size_t size, const char *wanted)
{
    return size == strlen(wanted) && memcmp(path, wanted, size) == 0;
}

/* How it does, and behind that the reasons; the caller frees them. NULL: there is no memory. */
static char *reasons_of(const struct house *house, enum web_health *health, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (out == NULL)
        return NULL;
    *health = web_health(out, &house->facts, &house->life);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static bool is_ready(const struct house *house)
{
    enum web_health health = WEB_CLOSED;
    size_t          size = 0;
    free(reasons_of(house, &health, &size));
    return health == WEB_READY;
}

/* Prometheus' text format. */
static void print_own(FILE *out, const struct web *web, const struct house *house)
{
    const struct gateway_facts    *facts = &house->facts;
    const struct browser_facts_of *tabs = &house->tabs;
    const struct web_counters     *counters = &web->counters;
    bool is_heard = facts->is_open && facts->lobby_age_ms <= GATEWAY_STALE_MS;
    const struct {
        const char *name, *kind, *about;
        uint64_t    value;
    } lines[] = {
        { "arbiter_gateway_connections", "gauge", "HTTP connections", web->connections },
        { "arbiter_gateway_connections_limit", "gauge",
          "how many there may be: http_connections_max", web->settings.connections_max },
        { "arbiter_gateway_requests_total", "counter", "requests read", counters->requests },
        { "arbiter_gateway_refused_total", "counter", "requests refused unread",
          counters->refused },
        { "arbiter_gateway_hangups_total", "counter", "requests left by their client",
          counters->hangups },
        { "arbiter_gateway_turned_away_total", "counter", "connections beyond the limit",
          counters->turned_away },
        { "arbiter_gateway_slow_total", "counter",
          "requests that did not come to their end in time", counters->unread },
        { "arbiter_gateway_unproved_total", "counter", "requests without the operator's token",
          counters->unproved },
        { "arbiter_gateway_players", "gauge", "ids of the 2017 door known now", facts->players },
        { "arbiter_gateway_waiting", "gauge", "requests held until their turn", facts->waiting },
        { "arbiter_gateway_busy", "gauge", "players of whom the house is being told something",
          facts->busy },
        { "arbiter_gateway_games_total", "counter", "pairs made", facts->games },
        { "arbiter_gateway_answers_total", "counter", "answers of the 2017 door", facts->answers },
        { "arbiter_gateway_looks_total", "counter", "views and lists it asked engines for",
          facts->looks },
        { "arbiter_gateway_faults_total", "counter", "broken promises of the house",
          facts->faults },
        { "arbiter_gateway_tabs", "gauge", "WebSocket connections", tabs->tabs },
        { "arbiter_gateway_sessions", "gauge", "players at them, or away for a while",
          tabs->sessions },
        { "arbiter_gateway_seats", "gauge", "seats of theirs in matches", tabs->seats },
        { "arbiter_gateway_seats_full_total", "counter",
          "seats of theirs for which there was no place yet", tabs->seats_full },
        { "arbiter_gateway_watched", "gauge", "matches watched", tabs->watches },
        { "arbiter_gateway_tabs_refused_total", "counter", "messages of theirs that were refused",
          tabs->refused },
        { "arbiter_gateway_tabs_slow_total", "counter", "of them closed for not reading",
          tabs->slow },
        { "arbiter_gateway_tabs_lost_total", "counter",
          "messages for them that were too large to be kept", tabs->lost },
        { "arbiter_gateway_lobby", "gauge",
          "1: the lobby knows this gateway, and was heard in the last five seconds", is_heard },
        { "arbiter_gateway_watchdogs", "gauge", "watchdogs heard in the last five seconds",
          house->life.fresh_count },
        { "arbiter_gateway_ready", "gauge", "1: /readyz says yes", is_ready(house) },
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        fprintf(out, "# HELP %s %s\n# TYPE %s %s\n%s %" PRIu64 "\n", lines[i].name, lines[i].about,
                lines[i].name, lines[i].kind, lines[i].name, lines[i].value);
    fprintf(out,
            "# HELP arbiter_gateway_lobby_age_seconds since the lobby was last heard\n"
            "# TYPE arbiter_gateway_lobby_age_seconds gauge\n"
            "arbiter_gateway_lobby_age_seconds %.15g\n",
            (double) facts->lobby_age_ms / 1000);
    fprintf(out,
            "# HELP arbiter_build_info what this gateway was made of\n"
            "# TYPE arbiter_build_info gauge\n"
            "arbiter_build_info{version=\"%s\",commit=\"%s\","
            "role=\"gateway\",service=\"%s\"} 1\n",
            arbiter_build.name, arbiter_build.commit, web->settings.log->service);
}

/* Ours, and behind them everybody's. */
static bool answer_metrics(struct web *web, struct web_session *session)
{
    const struct web_head head = { .status = 200,
                                   .type = "text/plain; version=0.0.4; charset=utf-8" };
    char                 *text = NULL;
    size_t                size = 0;
    struct house          house;
    FILE                 *out = open_memstream(&text, &size);
    if (out == NULL)
        return false;
    look(web, &house);
    print_own(out, web, &house);
    metrics_print(out, &house.life);
    web_life_free(&house.life);
    if (fclose(out) != 0)
        return free(text), false;
    struct web_blob *blob = blob_new((uint8_t *) text, size, false, size);
    bool             is_made = blob != NULL && web_answer_blob(web, session, &head, blob);
    blob_release(&blob);
    return is_made;
}

/* The first line is for doors before this one: `ready` and `open` take players, `closed` takes none. */
static bool answer_ready(struct web *web, struct web_session *session)
{
    static const char *const words[] = { "closed", "open", "ready" };
    enum web_health          health = WEB_CLOSED;
    struct house             house;
    char                     page[1024] = "";
    size_t                   size = 0;
    look(web, &house);
    char *reasons = reasons_of(&house, &health, &size);
    web_life_free(&house.life);
    int length = snprintf(page, sizeof page, "%s %s\n%s", words[health], web->settings.log->service,
                          reasons != NULL ? reasons : "");
    free(reasons);
    if (length < 0 || (size_t) length >= sizeof page)
        return false;
    return web_answer(web, session, health == WEB_READY ? 200 : 503, "text/plain; charset=utf-8",
                      page, (size_t) length);
}

static bool is_near(const struct web *web, struct lws *wsi)
{
    struct sockaddr_storage who = { .ss_family = AF_UNSPEC };
    socklen_t               size = sizeof who;
    return getpeername(lws_get_socket_fd(wsi), (struct sockaddr *) &who, &size) == 0 &&
           web_peer_is_loopback(&who) && !web_comes_by_proxy(web, wsi);
}

/* What is the operator's is for who brings his token, where he has set one; else for this machine, unless a proxy stands
 * there for everybody. 0, or the status to refuse it with. */
static unsigned refuse_operators(struct lws *wsi, const struct web *web)
{
    const struct web_settings *settings = &web->settings;
    char                       header[WEB_TOKEN_MAX + 16] = "";
    if (settings->whos.count == 0)
        return settings->is_metrics_open || (!settings->is_proxied && is_near(web, wsi)) ? 0 : 403;
    (void) lws_hdr_copy(wsi, header, sizeof header, WSI_TOKEN_HTTP_AUTHORIZATION);
    return web_whos_find(&settings->whos, header) != NULL ? 0 : 401;
}

static bool answer_operator(struct web *web, struct lws *wsi, struct web_session *session)
{
    static const char none[] =
        "These figures are for this machine alone: ask from there, or give the gateway a token by\n"
        "--operator-token FILE. --open-metrics shows them to everybody.\n";
    static const char     wanted[] = "This is for the operator: send the operator's token, as\n"
                                     "Authorization: Bearer TOKEN\n";
    unsigned              status = refuse_operators(wsi, web);
    const char           *sentence = status == 401 ? wanted : none;
    const struct web_head head = { .status = status,
                                   .type = "text/plain; charset=utf-8",
                                   .is_proof_wanted = status == 401 };
    if (status == 0)
        return answer_metrics(web, session);
    web->counters.unproved++;
    return web_answer_text(web, session, &head, sentence, strlen(sentence));
}

bool web_page_is_health(const char *path, size_t size)
{
    return is_page(path, size, "/healthz") || is_page(path, size, "/readyz");
}

bool web_page(struct web *web, struct lws *wsi, struct web_session *session, const char *path,
              size_t size)
{
    static const char plain[] = "text/plain; charset=utf-8";
    if (is_page(path, size, "/healthz"))
        return web_answer(web, session, 200, plain, "ok\n", 3);
    if (is_page(path, size, "/readyz"))
        return answer_ready(web, session);
    if (is_page(path, size, "/metrics"))
        return answer_operator(web, wsi, session);
    return false;
}
