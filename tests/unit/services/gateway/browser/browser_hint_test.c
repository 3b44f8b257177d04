/* browser_hint_test.c: a hint is thought about from the seat's own view, one at a time, and not for long. */
#include "tests/unit/services/gateway/browser/browser_rig.h"

#include "contract/engine.pb-c.h"
#include "contract/nim.pb-c.h"
#include "games/registry.h"
#include "mind/mind.h"
#include "json/config_file.h"

#define SEAT 1u

static struct mind_game nim;
static uint8_t          match_id[CLIENT_ID_SIZE] = { 5 };

static size_t compile(const struct game *game, const struct mind_text *text, void *setup,
                      size_t capacity)
{
    const struct config_text config = { "setup", text->setup, text->setup_size };
    const struct config_text options = { "options", text->options, text->options_size };
    return config_compile_into(game, &config, &options, setup, capacity);
}

static int a_door_that_thinks(void **unused)
{
    const struct game_wire *wire = registry_find("nim", 0);
    a_door(unused);
    nim = (struct mind_game){ wire->game, plan_new(wire->command), plan_new(wire->event),
                              plan_new(wire->view) };
    settings.mind.crypto = &crypto_sodium;
    settings.mind.compile = compile;
    settings.mind_games = &nim;
    settings.mind_games_count = 1;
    free(memory);
    memory = calloc(1, browser_bytes(&settings));
    browser = browser_init(memory, &settings, client);
    return 0;
}

static int no_door_that_thinks(void **unused)
{
    struct plan *plans[] = { (struct plan *) nim.commands, (struct plan *) nim.event,
                             (struct plan *) nim.view };
    for (uint32_t i = 0; i < 3; i++)
        plan_destroy(&plans[i]);
    return no_door(unused);
}

static char setup[] = "{ \"heaps\": [3, 4, 5] }";

/* Ada wants a hint; it waits behind the thought. */
static bool is_begun(uint32_t number)
{
    const struct browser_turn now = turn();
    struct browser_seat       seat = { .is_used = true, .seat = number };
    memcpy(seat.match_id, match_id, sizeof match_id);
    if (!browser_hint_begin(&now, &seat, 7))
        return false;
    browser_wait_for(browser_pending_new(browser), WAIT_HINT, 0, ADA, 9, match_id, number);
    return true;
}

/* Heap 2 alone is left, with three counters. */
static void is_shown(uint32_t seat, bool is_good)
{
    Arbiter__Engine__Attached   attached = ARBITER__ENGINE__ATTACHED__INIT;
    Arbiter__Engine__MatchFacts facts = ARBITER__ENGINE__MATCH_FACTS__INIT;
    Arbiter__Nim__View          view = ARBITER__NIM__VIEW__INIT;
    uint32_t                    heaps[] = { 0, 0, 3 }, seats[] = { 0, 1 };
    uint8_t                     bytes[64], message[512];
    view.has_misere = view.has_turn = true;
    view.heaps = heaps;
    view.n_heaps = 3;
    view.seats = seats;
    view.n_seats = 2;
    view.turn = SEAT;
    facts.game = (char *) "nim";
    facts.setup = setup;
    facts.has_rules_version = facts.has_seats = true;
    facts.rules_version = nim.game->version;
    facts.seats = is_good ? 2 : 9;
    attached.match = &facts;
    attached.has_view = true;
    attached.view = (ProtobufCBinaryData){ arbiter__nim__view__pack(&view, bytes), bytes };
    struct client_event event = { .kind = CLIENT_VIEW, .seat = seat, .number = 12 };
    event.size = arbiter__engine__attached__pack(&attached, message);
    event.bytes = message;
    memcpy(event.match_id, match_id, sizeof match_id);
    const struct browser_turn now = turn();
    browser_looked(&now, &event, BROWSER_NO_GAME);
}

static void tick(uint64_t ms, bool is_tick)
{
    now_ms += ms;
    const struct browser_turn now = turn();
    browser_think(&now, is_tick);
}

static void the_hint_wins(void **unused)
{
    (void) unused;
    uint32_t ticks = 0;
    assert_true(is_begun(SEAT));
    is_shown(SEAT, true);
    assert_int_equal(browser->hint.state, HINT_THINKS);
    tick(0, false); /* What comes in between is not kept waiting. */
    assert_int_equal(browser->hint.state, HINT_THINKS);
    outgoing.wake_ms = NO_WAKE;
    tick(1, true);
    assert_int_equal(outgoing.wake_ms, now_ms + 1);
    while (browser->hint.state == HINT_THINKS && ++ticks < 100)
        tick(1, true);
    assert_in_range(ticks, 40, 60); /* Fifty milliseconds. */
    Arbiter__Nim__Command *best =
        arbiter__nim__command__unpack(NULL, browser->hint.size, browser->hint.command);
    assert_non_null(best);
    assert_int_equal(best->take->heap, 2);
    assert_int_equal(best->take->count, 3);
    arbiter__nim__command__free_unpacked(best, NULL);
}

static void one_hint_is_made_at_a_time(void **unused)
{
    (void) unused;
    assert_true(is_begun(SEAT));
    assert_false(is_begun(0)); /* That one gets the game's own judgement. */
    is_shown(0, true);         /* Another seat's view is none of ours. */
    assert_int_equal(browser->hint.state, HINT_VIEW);
    tick(2000, true);
    assert_int_equal(browser->hint.state, HINT_NONE);
    assert_true(is_begun(0));
}

static void what_cannot_be_thought_about_is_asked_of_the_engine(void **unused)
{
    (void) unused;
    assert_true(is_begun(SEAT));
    is_shown(SEAT, false);
    assert_int_equal(browser->hint.state, HINT_NONE);
    assert_true(is_begun(SEAT));
    is_shown(SEAT, true); /* And the set-up that was refused holds no place. */
    assert_int_equal(browser->hint.state, HINT_THINKS);
}

/* There are places for eight. */
static void a_set_up_holds_its_place_no_longer_than_the_thought(void **unused)
{
    (void) unused;
    char *counters = strchr(setup, '5');
    for (uint32_t i = 1; i <= 9; i++) {
        *counters = (char) ('0' + i);
        assert_true(is_begun(SEAT));
        is_shown(SEAT, true);
        assert_int_equal(browser->hint.state, HINT_THINKS);
        tick(50, true);
        assert_int_equal(browser->hint.state, HINT_NONE);
    }
    *counters = '5';
}

/* A list of another act has other commands. */
static void a_hint_goes_with_the_list_of_its_act_only(void **unused)
{
    (void) unused;
    size_t              size = 0;
    struct client_event list = { .kind = CLIENT_LEGAL, .seat = SEAT, .number = 12 };
    memcpy(list.match_id, match_id, sizeof match_id);
    memcpy(browser->hint.match_id, match_id, sizeof match_id);
    browser->hint.seat = SEAT;
    browser->hint.number = 12;
    browser->hint.size = 3;
    browser->hint.state = HINT_LIST;
    browser->hint.setup = MIND_NO_SETUP;
    assert_non_null(browser_hint_for(browser, &list, &size));
    assert_int_equal(size, 3);
    list.number = 13;
    assert_null(browser_hint_for(browser, &list, &size));
    list.number = 12;
    list.seat = 0;
    assert_null(browser_hint_for(browser, &list, &size));
}

#define HINT_TEST(name)                                                                            \
    cmocka_unit_test_setup_teardown(name, a_door_that_thinks, no_door_that_thinks)

int main(void)
{
    const struct CMUnitTest tests[] = {
        HINT_TEST(the_hint_wins),
        HINT_TEST(one_hint_is_made_at_a_time),
        HINT_TEST(what_cannot_be_thought_about_is_asked_of_the_engine),
        HINT_TEST(a_set_up_holds_its_place_no_longer_than_the_thought),
        HINT_TEST(a_hint_goes_with_the_list_of_its_act_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
