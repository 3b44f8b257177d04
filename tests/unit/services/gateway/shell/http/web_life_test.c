/* web_life_test.c: several watchdogs' words become one, and what is missing is said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/gateway/shell/http/web_health.h"
#include "services/gateway/shell/http/web_metrics.h"
#include "wire/names.h"

#define SERVICES 4

/* What a watchdog is made to say. */
struct said {
    Arbiter__Watchdog__Life  life;
    Arbiter__Watchdog__Alive alive[SERVICES], *list[SERVICES];
    Arbiter__Watchdog__Beat  beats[SERVICES];
    uint8_t                  bytes[2048];
};

static void say(struct said *said, const char *watchdog, uint64_t moves)
{
    memset(said, 0, sizeof *said);
    arbiter__watchdog__life__init(&said->life);
    said->life.name = (char *) (uintptr_t) watchdog;
    said->life.has_moves = true;
    said->life.moves = moves;
    said->life.services = said->list;
}

static Arbiter__Watchdog__Beat *say_of(struct said *said, Arbiter__Directory__Role role,
                                       const char *name, uint64_t age_ms)
{
    size_t                    at = said->life.n_services++;
    Arbiter__Watchdog__Alive *alive = said->list[at] = &said->alive[at];
    Arbiter__Watchdog__Beat  *beat = &said->beats[at];
    arbiter__watchdog__alive__init(alive);
    arbiter__watchdog__beat__init(beat);
    beat->has_role = alive->has_age_ms = alive->has_suspect = true;
    beat->role = role;
    beat->name = (char *) (uintptr_t) name;
    alive->age_ms = age_ms;
    alive->suspect = age_ms >= 1000;
    alive->beat = beat;
    return beat;
}

static struct gateway_word word_of(struct said *said, uint64_t age_ms)
{
    size_t size = arbiter__watchdog__life__pack(&said->life, said->bytes);
    assert_in_range(size, 1, sizeof said->bytes);
    return (struct gateway_word){ said->bytes, size, age_ms };
}

static char *print(const struct web_life *life)
{
    char  *page = NULL;
    size_t size = 0;
    FILE  *out = open_memstream(&page, &size);
    assert_non_null(out);
    metrics_print(out, life);
    assert_int_equal(fclose(out), 0);
    return page;
}

static void whoever_heard_a_service_last_is_believed(void **unused)
{
    (void) unused;
    struct said     first, second;
    struct web_life life;
    say(&first, "watchdog-1", 0);
    (void) say_of(&first, ROLE(ENGINE), "engine-1", 3000); /* Cut off from it. */
    (void) say_of(&first, ROLE(FANOUT), "fanout-1", 100);
    say(&second, "watchdog-2", 0);
    (void) say_of(&second, ROLE(ENGINE), "engine-1", 200);
    const struct gateway_word words[] = { word_of(&first, 100), word_of(&second, 900) };
    web_life_read(&life, words, 2);
    assert_int_equal(life.service_count, 2);
    for (uint32_t i = 0; i < 2; i++)
        assert_true(life.services[i].is_up);
    assert_int_equal(life.services[0].age_ms, 1100);
    web_life_free(&life);
}

static void what_each_watchdog_counts_stands_under_its_name(void **unused)
{
    (void) unused;
    struct said     first, second, old;
    struct web_life life;
    say(&first, "watchdog-1", 40);
    say(&second, "watchdog-2", 2);
    say(&old, "watchdog-3", 100);
    const struct gateway_word words[] = { word_of(&first, 10), word_of(&old, 5001),
                                          word_of(&second, 5000) };
    web_life_read(&life, words, 3);
    char *page = print(&life);
    assert_int_equal(life.fresh_count, 2);
    assert_non_null(strstr(page, "moves_total{role=\"watchdog\",service=\"watchdog-1\"} 40\n"));
    assert_non_null(strstr(page, "moves_total{role=\"watchdog\",service=\"watchdog-2\"} 2\n"));
    assert_null(strstr(page, "moves_total{role=\"watchdog\",service=\"watchdog-3\"}"));
    assert_non_null(strstr(page, "age_seconds{role=\"watchdog\",service=\"watchdog-3\"} 5.001\n"));
    free(page);
    web_life_free(&life);
}

/* It was started again, and stands at another place of ours. */
static void a_watchdog_is_shown_once(void **unused)
{
    (void) unused;
    struct said     before, now;
    struct web_life life;
    say(&before, "watchdog-1", 40);
    (void) say_of(&before, ROLE(ENGINE), "engine-1", 0);
    say(&now, "watchdog-1", 1);
    const struct gateway_word words[] = { word_of(&before, 2000), word_of(&now, 10) };
    web_life_read(&life, words, 2);
    assert_int_equal(life.watchdog_count, 1);
    assert_int_equal(life.fresh_count, 1);
    assert_int_equal(life.watchdogs[0].age_ms, 10);
    assert_int_equal(life.service_count, 0);
    web_life_free(&life);
}

/* Asks how it does, and compares the reasons. */
static void expect(enum web_health wanted, const char *reasons, const struct gateway_facts *facts,
                   struct said *said, uint64_t age_ms)
{
    struct web_life           life;
    char                     *text = NULL;
    size_t                    size = 0;
    const struct gateway_word word =
        said != NULL ? word_of(said, age_ms) : (struct gateway_word){ 0 };
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    web_life_read(&life, &word, said != NULL ? 1 : 0);
    enum web_health found = web_health(out, facts, &life);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, reasons);
    assert_int_equal(found, wanted);
    web_life_free(&life);
    free(text);
}

static void a_gateway_says_what_is_missing(void **unused)
{
    (void) unused;
    static const struct gateway_facts good = { .is_open = true, .lobby_age_ms = 5000 };
    static const struct gateway_facts silent = { .is_open = true, .lobby_age_ms = 7500 };
    static const struct gateway_facts fresh = { .lobby_age_ms = 100 };
    struct said                       said;
    say(&said, "watchdog-1", 0);
    Arbiter__Watchdog__Beat *lobby = say_of(&said, ROLE(LOBBY), "lobby-1", 0);
    Arbiter__Watchdog__Beat *engine = say_of(&said, ROLE(ENGINE), "engine-1", 0);
    Arbiter__Watchdog__Beat *other = say_of(&said, ROLE(ENGINE), "engine-2", 0);
    expect(WEB_READY, "", &good, &said, 10);
    expect(WEB_OPEN, "lobby: silent for 7 s\n", &silent, &said, 10);
    expect(WEB_CLOSED, "lobby: it has not let this gateway in yet\n", &fresh, &said, 10);
    expect(WEB_OPEN, "watchdog: none has said anything yet\n", &good, NULL, 0);
    expect(WEB_OPEN, "watchdog: no word for 12 s\n", &good, &said, 12345);
    engine->has_store_failing_ms = other->has_commit_ms = lobby->has_store_failing_ms = true;
    engine->store_failing_ms = 5000;
    expect(WEB_READY, "", &good, &said, 10); /* The other one takes its slots. */
    other->commit_ms = 10000;
    expect(WEB_OPEN, "store: it takes nothing from the engine\n", &good, &said, 10);
    lobby->store_failing_ms = 6000;
    expect(WEB_OPEN,
           "store: it takes nothing from the lobby\nstore: it takes nothing from the engine\n",
           &good, &said, 10);
    lobby->store_failing_ms = 4999;
    said.alive[1].suspect = said.alive[2].suspect = true;
    expect(WEB_OPEN, "store: no engine lives\n", &good, &said, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whoever_heard_a_service_last_is_believed),
        cmocka_unit_test(what_each_watchdog_counts_stands_under_its_name),
        cmocka_unit_test(a_watchdog_is_shown_once),
        cmocka_unit_test(a_gateway_says_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
