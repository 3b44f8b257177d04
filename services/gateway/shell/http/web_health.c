/* web_health.c: see web_health.h. */
#include "services/gateway/shell/http/web_health.h"

#include <inttypes.h>

#include "wire/names.h"

/* A store that takes nothing for so long is missed. A busy one may be tried again for two seconds. */
#define STORE_FAILING_MS 5000u
/* So long a commit may take on a slow disk. */
#define IN_COMMIT_MS 10000u

static bool is_failing(const struct web_alive *service)
{
    const Arbiter__Watchdog__Beat *beat = service->alive->beat;
    return beat->store_failing_ms >= STORE_FAILING_MS || beat->commit_ms >= IN_COMMIT_MS;
}

/* Of this role, how many live, and how many of them cannot keep anything. */
static void count(const struct web_life *life, Arbiter__Directory__Role role, uint32_t *living,
                  uint32_t *failing)
{
    *living = *failing = 0;
    for (uint32_t i = 0; i < life->service_count; i++) {
        const struct web_alive *service = &life->services[i];
        if (service->alive->beat->role != role || !service->is_up)
            continue;
        ++*living;
        *failing += is_failing(service);
    }
}

static bool lacks_lobby(FILE *out, const struct gateway_facts *facts)
{
    bool is_silent = facts->lobby_age_ms > GATEWAY_STALE_MS;
    if (!facts->is_open)
        fputs("lobby: it has not let this gateway in yet\n", out);
    else if (is_silent)
        fprintf(out, "lobby: silent for %" PRIu64 " s\n", facts->lobby_age_ms / 1000);
    return !facts->is_open || is_silent;
}

static bool lacks_watchdog(FILE *out, const struct web_life *life)
{
    if (life->fresh_count > 0)
        return false;
    if (life->watchdog_count == 0)
        fputs("watchdog: none has said anything yet\n", out);
    else
        fprintf(out, "watchdog: no word for %" PRIu64 " s\n", life->watchdogs[0].age_ms / 1000);
    return true;
}

/* Only a watchdog knows. An engine is the way to what matches keep, so without one there is no store. */
static bool lacks_store(FILE *out, const struct web_life *life)
{
    static const struct {
        Arbiter__Directory__Role role;
        const char              *name;
    } keepers[] = { { ROLE(LOBBY), "lobby" },
                    { ROLE(ENGINE), "engine" },
                    { ROLE(WATCHDOG), "watchdog" } };
    bool is_lacking = false;
    for (size_t i = 0; i < sizeof keepers / sizeof *keepers; i++) {
        uint32_t living, failing;
        count(life, keepers[i].role, &living, &failing);
        bool is_engine = keepers[i].role == ROLE(ENGINE);
        if (is_engine && living == 0)
            fputs("store: no engine lives\n", out);
        else if (living > 0 && failing == living)
            fprintf(out, "store: it takes nothing from the %s\n", keepers[i].name);
        else
            continue;
        is_lacking = true;
    }
    return is_lacking;
}

enum web_health web_health(FILE *out, const struct gateway_facts *facts,
                           const struct web_life *life)
{
    bool is_lacking = lacks_lobby(out, facts);
    if (lacks_watchdog(out, life) || lacks_store(out, life))
        is_lacking = true;
    if (!is_lacking)
        return WEB_READY;
    return facts->is_open ? WEB_OPEN : WEB_CLOSED;
}
