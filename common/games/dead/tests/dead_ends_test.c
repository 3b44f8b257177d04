/* dead_ends_test.c: the ends of things: who has won, who is nobody's player, what a seat is asked.
 * Also a die that just suffices, and sets of more than sixty-four. */
#include "games/dead/tests/dead_stage_test.h"

/* The goal may be reached in any round; who has left by then has not won. */
static void those_still_in_the_game_win_together(void **unused)
{
    (void) unused;
    int32_t result[3] = { 7, 7, 7 };
    open_stage_with(STAGE("\"barricades\":2", ""), "{\"edition\":\"base\"}");
    place(HEALER, 0, 3);
    place(FEEDER, 1, 3);
    barricades_at(3)[1] = 2;
    on_stage.state->contributed = 1;
    dead_leave(&on_stage, 0);
    game_dead.outcome(stage.setup, stage.state, result);
    assert_int_equal(result[1], -1); /* Nobody has won before the end. */
    dead_go_on(&on_stage);
    all_told();
    assert_int_equal(act_as(1, DEAD_END_TURN, NO, NO, NO), ACCEPTED);
    TOLD("colony_phase_started; zombie_spawned 3 0; game_end 1");
    game_dead.outcome(stage.setup, stage.state, result);
    assert_int_equal(result[0], -1);
    assert_int_equal(result[1], 1);
    assert_int_equal(result[2], 7); /* There is no third player. */
    close_stage();
}

static void a_seat_beyond_the_last_is_nobodys(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(HEALER, 0, 1);
    place(FEEDER, 1, 1);
    struct play play = play_of(&stage);
    for (word id = BITE_TO_WOUND; id <= FROST_TO_BITE; id++)
        if (id != HEALER && id != FEEDER)
            into_pool(id); /* They lie behind the seats, and must not be taken for one. */
    assert_int_equal(act_as(2, DEAD_END_TURN, NO, NO, NO), DEAD_NO_NOT_IN_GAME);
    assert_false(game_dead.leave(&play, 2));
    all_told();
    game_dead.asks(stage.setup, stage.state, 2, &stage.out);
    TOLD("");
    close_stage();
}

static void who_is_awaited_is_told_for_what(void **unused)
{
    (void) unused;
    char  offer[sizeof told];
    void *setup = setup_of_text(STAGE("\"survive\":true", ""), "{}");
    stage = open_game(setup, 2, 1);
    start_game(&stage, 2);
    const char *begun = strstr(all_told(), "characters ");
    assert_non_null(begun);
    (void) snprintf(offer, sizeof offer, "%s", begun);
    game_dead.asks(setup, stage.state, 1, &stage.out);
    TOLD("");
    game_dead.asks(setup, stage.state, 0, &stage.out);
    TOLD(offer);
    free(setup);
    close_game(&stage);
    OPEN_STAGE("base");
    game_dead.asks(stage.setup, stage.state, 0, &stage.out);
    TOLD("act_now 0");
    close_stage();
}

/* The stage with another number behind the first such key. */
static const char *stage_with(const char *key, char digit)
{
    static char config[] = STAGE("\"survive\":true", "");
    static char changed[sizeof config];
    memcpy(changed, config, sizeof config);
    char *at = strstr(changed, key);
    assert_non_null(at);
    at[strlen(key)] = digit;
    return changed;
}

static void a_killer_whose_die_value_is_1_spends_any_die(void **unused)
{
    (void) unused;
    open_stage_with(stage_with("\"dieValue\":", '1'), "{\"edition\":\"base\"}");
    place(KILLER, 0, 2);
    zombies_at(2)[0] = 1;
    assert_int_equal(act(DEAD_USE_ABILITY, KILLER, 0, NO), DEAD_NO_DIE);
    give_die(0, 1);
    LOAD(NOTHING_SHOWS);
    assert_int_equal(act(DEAD_USE_ABILITY, KILLER, 0, NO), ACCEPTED);
    TOLD("ability_used 8 0; zombie_killed 8 2 0; act_now 0");
    assert_int_equal(dice_of(0), 0);
    close_stage();
}

/* A set-up with seventy characters and a hundred and thirty cards. */
#define ADD(...) at += snprintf(at, sizeof text - (size_t) (at - text), __VA_ARGS__)

static const char *crowd(void)
{
    static char text[1 << 15];
    char       *at = text;
    ADD("{\"maxPlayers\":2,\"goal\":{\"rounds\":1,\"moral\":200,\"zombiesColony\":0,"
        "\"zombiesLocations\":0,\"childrenInColony\":0,\"survive\":true},"
        "\"locations\":[{\"colony\":{\"identifier\":1,\"entrances\":1,"
        "\"startCards\":[1,2,3,4,5,6,7,8,9,10]}},{\"name\":\"B\",\"identifier\":2,"
        "\"entrances\":1,\"survivorSpaces\":90,\"cards\":[11");
    for (uint32_t i = 12; i <= 130; i++)
        ADD(",%u", i);
    ADD("]}],\"crises\":[{\"stuff\":{\"identifier\":7,\"moralChange\":1,"
        "\"requiredCards\":1}}],\"characters\":[");
    for (uint32_t i = 1; i <= 70; i++)
        ADD("%s{\"identifier\":%u,\"name\":\"P\",\"status\":%u,\"attack\":2,"
            "\"search\":2,\"ability\":{\"no_infection\":{}}}",
            i > 1 ? "," : "", i, i);
    ADD("],\"cards\":[");
    for (uint32_t i = 1; i <= 130; i++)
        ADD("%s{\"stuff\":{\"identifier\":%u}}", i > 1 ? "," : "", i);
    ADD("]}");
    return text;
}

static void a_crowd_of_seventy_acts_suffers_and_leaves_as_one(void **unused)
{
    (void) unused;
    open_stage_with(crowd(), "{\"edition\":\"base\"}");
    for (uint32_t who = 0; who < 70; who++)
        if (dead_person(stage.state, who)->place != DEAD_NOWHERE)
            dead_remove(&on_stage, who);
    for (word id = 1; id <= 69; id++)
        place(id, 0, 1);
    place(70, 1, 1);
    for (word card = 11; card <= 130; card++)
        give(0, card);
    list_for(0);
    assert_int_equal(legal_count(&stage.legal), 2 + 120 + 69); /* End, leave, give, move. */
    LOAD(NOTHING_SHOWS, NOTHING_SHOWS);
    assert_int_equal(act(DEAD_MOVE, 69, 2, 0), ACCEPTED);
    assert_int_equal(act(DEAD_MOVE, 65, 2, 0), ACCEPTED);
    assert_int_equal(dead_next_joined(stage.state, 0, 4 + 64), 64);
    all_told();
    assert_int_equal(act(DEAD_LEAVE, NO, NO, NO), ACCEPTED);
    assert_int_equal(on_stage.state->moral, 200 - 69);
    assert_true(set_empty(dead_ours(stage.state, 0), on_stage.state->people_words));
    assert_true(set_empty(dead_hand(stage.state, 0), on_stage.state->card_words));
    close_stage();
}

/* Of every card, what was put on before it: 42 of two bytes, in whole words of eight. */
static void only_the_later_editions_have_room_for_what_is_worn(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    uint32_t bytes = on_stage.state->bytes;
    assert_int_equal(bytes, stage.bounds.state_bytes);
    close_stage();
    OPEN_STAGE("equipment");
    assert_int_equal(on_stage.state->bytes, bytes + 88);
    close_stage();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_still_in_the_game_win_together),
        cmocka_unit_test(a_seat_beyond_the_last_is_nobodys),
        cmocka_unit_test(who_is_awaited_is_told_for_what),
        cmocka_unit_test(a_killer_whose_die_value_is_1_spends_any_die),
        cmocka_unit_test(a_crowd_of_seventy_acts_suffers_and_leaves_as_one),
        cmocka_unit_test(only_the_later_editions_have_room_for_what_is_worn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
