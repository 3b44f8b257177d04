/* dead_fate_test.c: fate cards and their votes, and the registration before it all. */
#include "games/dead/tests/dead_stage_test.h"

static bool time_runs_out(void)
{
    struct play play = play_of(&stage);
    stage.out.used = 0;
    return game_dead.expire(&play, 1u << awaited(&stage));
}

/* Fate cards: six of a kind, so that whichever is drawn is the one. */
#define FATE(n, body) "{" body ",\"identifier\":" n "}}"
#define SIX(name, body)                                                                            \
    ",\"crossroads\":[{\"" name                                                                    \
    "\":" FATE("1", body) ",{\"" name "\":" FATE("2", body) ",{\"" name "\":" FATE(                \
        "3", body) ",{\"" name                                                                     \
                   "\":" FATE("4", body) ",{\"" name                                               \
                                         "\":" FATE("5", body) ",{\"" name                         \
                                                               "\":" FATE("6", body) "]"
#define CHANGE_FOOD(n) "\"consequence\":{\"changeFood\":{\"amount\":" n "}}"

/* The stage of crossroads; the card of the turn is always number 1. */
static void open_crossroads(const char *config)
{
    open_stage_with(config, "{\"edition\":\"crossroads\",\"patience\":2}");
    on_stage.state->fate = 0;
    place(HEALER, 0, 1);
    place(FEEDER, 1, 1);
    for (uint32_t i = 0; i < 4; i++)
        give_die(0, 6);
    all_told();
}

static void a_fate_card_comes_true_once_in_a_turn(void **unused)
{
    (void) unused;
    open_crossroads(STAGE("\"survive\":true", SIX("barricaded", CHANGE_FOOD("2"))));
    assert_int_equal(act(DEAD_BARRICADE, HEALER, 0, NO), ACCEPTED);
    TOLD("barricaded 2 1 0; crossroad 1; food_changed 2 3; act_now 0");
    assert_int_equal(act(DEAD_BARRICADE, HEALER, 0, NO), ACCEPTED);
    TOLD("barricaded 2 1 0; act_now 0");
    close_stage();
}

static bool fate_is_hidden(void)
{
    uint8_t mask[2048] = { 0 };
    game_dead.hidden(stage.setup, stage.state, 0, mask);
    assert_int_equal(mask[offsetof(struct dead_state, fate)],
                     mask[offsetof(struct dead_state, waste_mark)]);
    assert_int_equal(mask[on_stage.state->at.fates], mask[offsetof(struct dead_state, fate)]);
    assert_int_equal(mask[on_stage.state->at.fates + 2], 0xff);
    return mask[offsetof(struct dead_state, fate)] == 0xff;
}

static void a_fate_card_is_hidden_until_it_comes_true(void **unused)
{
    (void) unused;
    open_crossroads(STAGE("\"survive\":true", SIX("barricaded", CHANGE_FOOD("2"))));
    assert_true(fate_is_hidden());
    assert_int_equal(act(DEAD_BARRICADE, HEALER, 0, NO), ACCEPTED);
    assert_false(fate_is_hidden());
    close_stage();
}

static void a_fate_card_may_wait_for_a_place(void **unused)
{
    (void) unused;
    open_crossroads(
        STAGE("\"survive\":true", SIX("barricaded", "\"locationId\":2," CHANGE_FOOD("-1"))));
    assert_int_equal(act(DEAD_BARRICADE, HEALER, 0, NO), ACCEPTED);
    TOLD("barricaded 2 1 0; act_now 0");
    dead_walk(&on_stage, dead_who(stage.setup, HEALER), 1);
    give(0, LOCK);
    assert_int_equal(act(DEAD_USE_CARD, LOCK, HEALER, 0), ACCEPTED);
    TOLD("card_used 54 2 0; waste_changed 1; crossroad 1; starvation_token_added; act_now 0");
    close_stage();
}

static void waste_fate(const char *config, bool up, bool down)
{
    open_crossroads(config);
    const struct dead_fate *fate = dead_fate(stage.setup, 0);
    for (uint32_t step = 0; step < 2; step++) {
        on_stage.state->fate_state = DEAD_FATE_WAITING;
        on_stage.state->waste = 10;
        on_stage.state->waste_mark = 10 + fate->amount;
        give(0, FOOD_3);
        assert_int_equal(step == 0 ? act(DEAD_USE_CARD, FOOD_3, NO, NO)
                                   : act(DEAD_CLEAN_WASTE, HEALER, NO, NO),
                         ACCEPTED);
        assert_int_equal(strstr(all_told(), "crossroad") != NULL, step == 0 ? up : down);
    }
    close_stage();
}

static void waste_makes_fate_come_true_above_or_below_its_mark(void **unused)
{
    (void) unused;
    waste_fate(STAGE("\"survive\":true", SIX("wasteChanged", "\"amount\":1," CHANGE_FOOD("1"))),
               true, false);
    waste_fate(STAGE("\"survive\":true", SIX("wasteChanged", "\"amount\":-3," CHANGE_FOOD("1"))),
               false, true);
    waste_fate(STAGE("\"survive\":true", SIX("wasteChanged", "\"amount\":0," CHANGE_FOOD("1"))),
               true, true);
    waste_fate(STAGE("\"survive\":true", SIX("wasteChanged", "\"amount\":9," CHANGE_FOOD("1"))),
               false, false);
}

#define CHOICE                                                                                     \
    "\"consequence\":{\"choice\":{\"consequence1\":{\"changeMoral\":{\"amount\":1}},"              \
    "\"consequence2\":{\"changeMoral\":{\"amount\":-2}}}}"

static void a_choice_is_voted_on_and_a_tie_is_a_yes(void **unused)
{
    (void) unused;
    open_crossroads(STAGE("\"survive\":true", SIX("barricaded", CHOICE)));
    assert_int_equal(act(DEAD_BARRICADE, HEALER, 0, NO), ACCEPTED);
    TOLD("barricaded 2 1 0; crossroad 1; vote_now 0");
    assert_int_equal(act_as(1, DEAD_VOTE, 1, NO, NO), DEAD_NO_NOT_YOUR_TURN);
    assert_int_equal(act(DEAD_VOTE, 2, NO, NO), DEAD_NO_MALFORMED);
    assert_int_equal(act(DEAD_VOTE, 1, 1, NO), DEAD_NO_MALFORMED);
    assert_int_equal(act(DEAD_END_TURN, NO, NO, NO), DEAD_NO_VOTING);
    assert_int_equal(act(DEAD_SELECT_CHARACTERS, 1, 2, NO), DEAD_NO_NOT_CHOOSING);
    game_dead.asks(stage.setup, stage.state, 0, &stage.out);
    TOLD("vote_now 0");
    assert_int_equal(act(DEAD_VOTE, 0, NO, NO), ACCEPTED);
    TOLD("vote_now 1");
    assert_int_equal(act_as(1, DEAD_VOTE, 1, NO, NO), ACCEPTED);
    TOLD("vote_result 1; moral_changed 1 5; act_now 0");
    assert_int_equal(on_stage.state->voter, 0); /* Nothing is left of what is over. */
    close_stage();
}

static void silence_in_a_vote_fails_until_patience_takes_the_first(void **unused)
{
    (void) unused;
    open_crossroads(STAGE("\"survive\":true", SIX("barricaded", CHOICE)));
    assert_int_equal(act(DEAD_BARRICADE, HEALER, 0, NO), ACCEPTED);
    assert_true(time_runs_out());
    TOLD("command_failed 0 -; vote_now 0");
    struct play play = play_of(&stage);
    assert_false(game_dead.leave(&play, 0));
    assert_true(time_runs_out());
    TOLD("vote_now 1");
    assert_true(time_runs_out()); /* Patience with the next begins anew. */
    TOLD("command_failed 1 -; vote_now 1");
    assert_int_equal(act_as(1, DEAD_VOTE, 0, NO, NO), ACCEPTED);
    TOLD("vote_result 1; moral_changed 1 5; act_now 0");
    close_stage();
}

static void fate_brings_survivors_by_identifier_and_as_many_children(void **unused)
{
    (void) unused;
    open_crossroads(
        STAGE("\"survive\":true", SIX("equip", "\"consequence\":{\"spawnSurvivors\":{\"amount\":3,"
                                               "\"children\":true}}")));
    into_pool(FINDER);
    into_pool(CLEANER);
    give(0, COLT);
    assert_int_equal(act(DEAD_USE_CARD, COLT, HEALER, HEALER), ACCEPTED);
    TOLD("card_used 60 2 2; crossroad 1; character_spawned 0 5; character_spawned 0 7; "
         "child_spawned; child_spawned; act_now 0");
    close_stage();
}

static void fate_whose_player_is_out_serves_who_is_on_turn_next(void **unused)
{
    (void) unused;
    open_crossroads(STAGE("\"survive\":true",
                          SIX("moved", "\"consequence\":{\"spawnSurvivors\":{\"amount\":1}}")));
    struct dead_consequence more = { .kind = DEAD_SPAWN_SURVIVORS, .amount = 1 };
    into_pool(FINDER);
    dead_leave(&on_stage, 0);
    all_told();
    dead_suffer(&on_stage, &more);
    TOLD("character_spawned 1 7");
    on_stage.state->upcoming = 2;
    into_pool(CLEANER);
    dead_suffer(&on_stage, &more);
    TOLD("");
    close_stage();
}

static void fate_sends_zombies_to_its_place_or_everywhere(void **unused)
{
    (void) unused;
    open_crossroads(STAGE("\"survive\":true",
                          SIX("moved", "\"consequence\":{\"spawnZombies\":{\"amount\":1}}")));
    LOAD(SHOWS_FROST);
    assert_int_equal(act(DEAD_MOVE, HEALER, 2, NO), ACCEPTED);
    TOLD("moved 2 2 -; frostbitten 2; crossroad 1; zombie_spawned 1 0; zombie_spawned 2 0; "
         "zombie_spawned 3 0; act_now 0");
    close_stage();
    open_crossroads(
        STAGE("\"survive\":true", SIX("searched", "\"consequence\":{\"spawnZombies\":{\"amount\":2,"
                                                  "\"locationId\":3}}")));
    dead_walk(&on_stage, dead_who(stage.setup, HEALER), 1);
    assert_int_equal(act(DEAD_SEARCH, HEALER, NO, NO), ACCEPTED);
    assert_non_null(
        strstr(all_told(), "crossroad 1; zombie_spawned 3 0; zombie_spawned 3 1; act_now"));
    close_stage();
}

/* Registration. */

static char desk[256];

static uint32_t hear(uint32_t client, uint32_t kind)
{
    struct command command = { .kind = kind, .arg = { NO, NO, NO, NO, NO, NO } };
    return dead_registration.apply(stage.setup, desk, client, &command, &stage.out);
}

static void registration_ends_when_the_table_is_full_or_somebody_starts(void **unused)
{
    (void) unused;
    uint32_t seats[SEATS_MAX];
    OPEN_STAGE("base");
    assert_true(dead_registration.state_bytes <= sizeof desk);
    dead_registration.open(stage.setup, desk);
    assert_int_equal(hear(7, DEAD_START_GAME), DEAD_NO_NOT_REGISTERED);
    assert_int_equal(hear(0, DEAD_START_GAME), DEAD_NO_NOT_REGISTERED);
    assert_int_equal(hear(7, DEAD_REGISTER), ACCEPTED);
    assert_int_equal(hear(7, DEAD_REGISTER), DEAD_NO_REGISTERED_ALREADY);
    assert_int_equal(dead_registration.status(stage.setup, desk), REGISTRATION_OPEN);
    assert_int_equal(hear(9, DEAD_REGISTER), ACCEPTED);
    assert_int_equal(dead_registration.status(stage.setup, desk), REGISTRATION_BEGINS);
    assert_int_equal(dead_registration.seats(stage.setup, desk, seats), 2);
    assert_int_equal(seats[1], 9);
    assert_int_equal(hear(7, DEAD_START_GAME), DEAD_NO_NOT_NOW);
    dead_registration.open(stage.setup, desk);
    assert_int_equal(hear(7, DEAD_REGISTER), ACCEPTED);
    assert_int_equal(hear(7, DEAD_START_GAME), ACCEPTED);
    assert_int_equal(dead_registration.status(stage.setup, desk), REGISTRATION_BEGINS);
    close_stage();
}

static void anything_else_and_silence_break_the_registration_off(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    dead_registration.open(stage.setup, desk);
    assert_int_equal(hear(7, DEAD_END_TURN), ACCEPTED);
    TOLD("registration_aborted");
    assert_int_equal(dead_registration.status(stage.setup, desk), REGISTRATION_ABORTED);
    dead_registration.open(stage.setup, desk);
    dead_registration.expire(stage.setup, desk, &stage.out);
    TOLD("registration_aborted");
    close_stage();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fate_card_comes_true_once_in_a_turn),
        cmocka_unit_test(a_fate_card_is_hidden_until_it_comes_true),
        cmocka_unit_test(a_fate_card_may_wait_for_a_place),
        cmocka_unit_test(waste_makes_fate_come_true_above_or_below_its_mark),
        cmocka_unit_test(a_choice_is_voted_on_and_a_tie_is_a_yes),
        cmocka_unit_test(silence_in_a_vote_fails_until_patience_takes_the_first),
        cmocka_unit_test(fate_brings_survivors_by_identifier_and_as_many_children),
        cmocka_unit_test(fate_whose_player_is_out_serves_who_is_on_turn_next),
        cmocka_unit_test(fate_sends_zombies_to_its_place_or_everywhere),
        cmocka_unit_test(registration_ends_when_the_table_is_full_or_somebody_starts),
        cmocka_unit_test(anything_else_and_silence_break_the_registration_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
