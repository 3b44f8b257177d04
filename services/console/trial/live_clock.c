/* live_clock.c: time as the recording has it: it runs out when the recording says so, and never else. */
#include "contract/directory.pb-c.h"
#include "services/console/command/progress.h"
#include "services/console/trial/live_parts.h"
#include "wire/names.h"

#define LOOK_MS 5
/* An Expire of a wait that is over is ignored, so it is said again. */
#define AGAIN_S 0.25

static bool is_greeted(const struct live *live, const void *what)
{
    (void) what;
    return live->clock.engine != NULL;
}

bool clock_open(struct live *live, struct text *fault)
{
    char            path[PATH_MAX];
    struct bus_keys keys;
    if (!home_path(&live->home, path, "keys", "conform-clock", ".key") ||
        !live_make_key(live, path, "watchdog", ROLE(WATCHDOG), fault) ||
        !bus_keys_load(&keys, path, "watchdog", fault) ||
        !impatience_open(&live->clock, &live->home, &keys, fault))
        return false;
    live->has_clock = true;
    text_clear(fault);
    text_put(fault, "no engine is there");
    return live_until(live, is_greeted, NULL);
}

void clock_close(struct live *live)
{
    if (live->has_clock)
        impatience_close(&live->clock);
    live->has_clock = false;
}

void clock_look(struct live *live)
{
    if (live->has_clock)
        impatience_look(&live->clock, seconds_now());
}

void clock_expire_table(struct live *live)
{
    impatience_expire_table(&live->clock, live->table);
}

/* News of a wait may come a moment after the act that began it. A wait's number is that of the act
 * that opened it. A number behind the last act we know says that time has run out already. That act
 * is still on its way to us. */
bool clock_expire_match(struct live *live)
{
    uint64_t before = live_last_act(live);
    double   begun = seconds_now(), said = 0;
    while (live_last_act(live) == before && !live_is_too_long(live, begun)) {
        accounts_pump(live);
        if (live->clock.match[0].wait != 0 && live->clock.match[0].wait <= before &&
            seconds_now() - said > AGAIN_S) {
            impatience_expire_match(&live->clock);
            said = seconds_now();
        }
        client_wait(live->operator_account->client, NULL, 0, LOOK_MS);
    }
    return live_last_act(live) > before;
}

/* Behind the end there is none. */
static bool wait_is_known(const struct live *live, const void *what)
{
    bool is_over = false;
    (void) what;
    for (uint32_t i = 1; i < live->account_count; i++)
        is_over = is_over || live->accounts[i].is_over;
    return live->clock.match[0].wait != 0 || is_over;
}

bool clock_expire_idle(struct live *live, uint32_t seat)
{
    struct impatience_match *clock = &live->clock.match[0];
    uint32_t                 count = clock->late_count, first = clock->late[0];
    if (!live_until(live, wait_is_known, NULL))
        return false;
    uint64_t wait = clock->wait;
    clock->late[0] = seat;
    clock->late_count = 1;
    clock->wait = wait != 0 ? wait : live_last_act(live);
    impatience_expire_match(&live->clock);
    clock->wait = wait;
    clock->late[0] = first;
    clock->late_count = count;
    return true;
}
