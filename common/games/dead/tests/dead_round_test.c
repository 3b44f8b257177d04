/* dead_round_test.c: what happens around the commands: preparation, injuries and deaths, the colony
 * phase, leaving, and the end. */
#include "games/dead/tests/dead_stage_test.h"

/* The first sequence diagram of the README. */
/* What was told, by name alone and how often in a row: the order of a sequence diagram. */
static void assert_order(const char *text, const char *expected)
{
    char   order[512] = "";
    size_t size = 0;
    while (*text != '\0') {
        size_t      length = strcspn(text, " ;");
        uint32_t    count = 0;
        const char *name = text;
        while (strncmp(text, name, length) == 0 && strchr(" ;", text[length]) != NULL) {
            count++;
            text += strcspn(text, ";");
            if (*text == '\0')
                break;
            text += 2;
        }
        size += (size_t) snprintf(order + size, sizeof order - size, "%s%.*s x%u",
                                  size > 0 ? "; " : "", (int) length, name, count);
        assert_true(size < sizeof order);
    }
    assert_string_equal(order, expected);
}

static void a_game_begins_with_its_players_and_an_offer_to_each(void **unused)
{
    (void) unused;
    void          *setup = setup_of_text(STAGE("\"survive\":true", ""), "{}");
    struct command command = { .kind = DEAD_SELECT_CHARACTERS, .arg = { NO, NO, NO, NO, NO, NO } };
    stage = open_game(setup, 2, 1);
    start_game(&stage, 2);
    const word *offer = stage.out.words + stage.out.used - 4;
    assert_int_equal(event_to(offer - 1), TO_SEAT(0));
    command.arg[0] = offer[0] > offer[2] ? offer[0] : offer[2];
    command.arg[1] = offer[0] > offer[2] ? offer[2] : offer[0];
    const char *text = all_told();
    assert_memory_equal(text, "game_started; player 0 -; player 1 -; characters ", 49);
    assert_order(text, "game_started x1; player x2; characters x1");

    struct command wrong = command;
    wrong.arg[1] = wrong.arg[0];
    assert_int_equal(apply_to(&stage, 0, &wrong), DEAD_NO_SAME_TWICE);
    wrong.arg[1] = 4711;
    assert_int_equal(apply_to(&stage, 0, &wrong), DEAD_NO_NOT_OFFERED);
    assert_int_equal(apply_to(&stage, 1, &command), DEAD_NO_NOT_YOUR_CHOICE);
    assert_int_equal(apply_to(&stage, 0, &command), ACCEPTED);
    assert_int_equal(stage.out.words[2], command.arg[1]); /* The lower identifier first. */
    assert_int_equal(stage.out.words[5], command.arg[0]);
    text = all_told();
    assert_non_null(strstr(text, "; card_drawn 0 10"));
    assert_order(text, "character_spawned x2; card_drawn x5; characters x1");
    game_dead.legal(setup, stage.state, 1, &stage.legal);
    assert_int_equal(legal_count(&stage.legal), 12);
    legal_pick(&stage.legal, 0, &command);
    assert_int_equal(apply_to(&stage, 1, &command), ACCEPTED);
    text = all_told();
    assert_non_null(strstr(text, "; next_round 1; crisis "));
    assert_order(text, "character_spawned x2; card_drawn x5; next_round x1; crisis x1; "
                       "die_rolled x6; act_now x1");
    free(setup);
    close_game(&stage);
}

static bool time_runs_out(void)
{
    struct play play = play_of(&stage);
    stage.out.used = 0;
    return game_dead.expire(&play, 1u << awaited(&stage));
}

/* A state keeps nothing of what is over: matches that stand alike have the same bytes. */
static void nobody_is_left_behind_the_pool(void)
{
    const struct dead_state *state = stage.state;
    for (uint32_t i = state->pool_count; i < 10; i++)
        assert_int_equal(dead_u16(state, state->at.pool)[i], 0);
}

static void silence_in_the_choice_fails_until_patience_ends(void **unused)
{
    (void) unused;
    void *setup = setup_of_text(STAGE("\"survive\":true", ""), "{\"patience\":3}");
    stage = open_game(setup, 1, 1);
    start_game(&stage, 1);
    struct play play = play_of(&stage);
    assert_false(game_dead.expire(&play, 2));
    assert_false(game_dead.leave(&play, 0));
    assert_true(time_runs_out());
    TOLD("command_failed 0 -");
    assert_true(time_runs_out());
    TOLD("command_failed 0 -");
    assert_true(time_runs_out());
    assert_memory_equal(all_told(), "character_spawned 0 ", 20);
    const struct dead_state *state =
        stage.state; /* Of ten cards to start with five are left over. */
    assert_int_equal(set_count(dead_u64(state, state->at.gone), state->card_words), 5);
    free(setup);
    close_game(&stage);
}

static void silence_is_counted_for_each_player_anew(void **unused)
{
    (void) unused;
    void          *setup = setup_of_text(STAGE("\"survive\":true", ""), "{\"patience\":2}");
    struct command any = { .kind = 0 };
    stage = open_game(setup, 2, 1);
    start_game(&stage, 2);
    for (uint32_t seat = 0; seat < 2; seat++) {
        assert_true(time_runs_out());
        assert_string_equal(all_told(), seat == 0 ? "command_failed 0 -" : "command_failed 1 -");
        game_dead.legal(setup, stage.state, seat, &stage.legal);
        legal_pick(&stage.legal, 0, &any);
        assert_int_equal(apply_to(&stage, seat, &any), ACCEPTED);
        nobody_is_left_behind_the_pool();
    }
    assert_int_equal(((struct dead_state *) stage.state)->timeouts, 0);
    assert_int_equal(((struct dead_state *) stage.state)->fate, DEAD_NONE); /* Base has none. */
    free(setup);
    close_game(&stage);
}

static void frost_wounds_at_the_start_of_every_turn_and_the_third_injury_kills(void **unused)
{
    (void) unused;
    OPEN_STAGE("equipment");
    place(HEALER, 0, 1);
    place(FEEDER, 1, 1);
    place(CLEANER, 1, 1);
    person(FEEDER)->frostbites = 2;
    person(CLEANER)->frostbites = 1;
    assert_int_equal(act(DEAD_END_TURN, NO, NO, NO), ACCEPTED);
    TOLD("wounded 4; survivor_killed 4; moral_changed -1 1; wounded 5; act_now 1");
    close_stage();
}

static void base_is_silent_about_a_death_by_injuries(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(HEALER, 0, 1);
    place(CLEAN_BLOOD, 0, 1);
    person(HEALER)->wounds = 2;
    LOAD(SHOWS_FROST);
    assert_int_equal(act(DEAD_MOVE, HEALER, 2, 0), ACCEPTED);
    TOLD("moved 2 2 0; frostbitten 2; moral_changed -1 1; act_now 0");
    close_stage();
}

static void a_bite_spreads_to_children_first_and_then_to_the_weakest(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(HEALER, 0, 2);
    place(FEEDER, 0, 1);
    place(CLEANER, 1, 1);
    place(BUILDER, 1, 3);
    on_stage.state->children = 1;
    LOAD(SHOWS_BITE, SHOWS_WOUND, SHOWS_FROST, NOTHING_SHOWS);
    assert_int_equal(act(DEAD_MOVE, HEALER, 1, 0), ACCEPTED);
    TOLD("moved 2 1 0; bitten 2; moral_changed -1 1; bitten -; moral_changed -1 1; bitten 4; "
         "moral_changed -1 1; left 0; act_now 1");
    close_stage();
}

static void the_last_survivor_is_replaced_from_the_pool_and_the_turn_ends(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(HEALER, 0, 1);
    place(BUILDER, 1, 3);
    into_pool(FEEDER);
    give(0, FOOD_3);
    give_die(0, 6);
    LOAD(SHOWS_BITE);
    assert_int_equal(act(DEAD_MOVE, HEALER, 2, 0), ACCEPTED);
    TOLD("moved 2 2 0; bitten 2; moral_changed -1 1; character_spawned 0 4; act_now 1");
    nobody_is_left_behind_the_pool();
    assert_int_equal(dice_of(0), 0);
    assert_int_equal(dead_seat(on_stage.state, 0)->skips, 0); /* The turn has been. */
    assert_false(holds(0, FOOD_3));
    close_stage();
}

/* Player 1 loses the last survivor by the infection player 0 brought: in base player 1 sits out. */
static void who_is_replaced_before_the_own_turn_sits_out_in_base_and_plays_later(void **unused)
{
    (void) unused;
    const char *const editions[] = { "{\"edition\":\"base\"}", "{\"edition\":\"equipment\"}" };
    for (uint32_t later = 0; later < 2; later++) {
        open_stage_with(STAGE("\"survive\":true", ""), editions[later]);
        place(FEEDER, 0, 2);
        place(BUILDER, 0, 3);
        place(HEALER, 1, 2);
        into_pool(CLEANER);
        into_pool(FINDER);
        give_die(0, 6);
        give_die(1, 3);
        zombies_at(2)[0] = 1;
        LOAD(SHOWS_BITE, SHOWS_WOUND);
        assert_int_equal(act(DEAD_ATTACK, FEEDER, 0, NO), ACCEPTED);
        TOLD("zombie_killed 4 2 0; bitten 4; moral_changed -1 1; bitten 2; moral_changed -1 1; "
             "character_spawned 1 5; act_now 0");
        assert_int_equal(dice_of(1), later);
        if (!later)
            LOAD(1, 1, 1, 1);
        assert_int_equal(act(DEAD_END_TURN, NO, NO, NO), ACCEPTED);
        assert_int_equal(strstr(all_told(), later ? "act_now 1" : "colony_phase_started") == told,
                         1);
        close_stage();
    }
}

/* Each player's last survivor stands at one place, where player 0 may attack. */
static void stand_together(const char *config, const char *options)
{
    open_stage_with(config, options);
    place(FEEDER, 0, 2);
    place(HEALER, 1, 2);
    into_pool(CLEANER);
    into_pool(FINDER);
    give_die(0, 6);
    give_die(1, 3);
    zombies_at(2)[0] = 1;
}

#define BOTH_REPLACED                                                                              \
    "zombie_killed 4 2 0; bitten 4; moral_changed -1 1; character_spawned 0 5; "                   \
    "bitten 2; moral_changed -1 1; character_spawned 1 7; "
#define FATE(id)                                                                                   \
    "{\"equip\":{\"identifier\":" id ",\"consequence\":{\"changeFood\":{\"amount\":1}}}}"
#define FATES                                                                                      \
    ",\"crossroads\":[" FATE("21") "," FATE("22") "," FATE("23") "," FATE("24") "," FATE(          \
        "25") "," FATE("26") "]"

/* In crossroads, as was recorded, it is player 1's turn already when player 0's has ended: the same infection can
 * end it, too. */
static void an_infection_that_ended_a_turn_can_end_the_next_one_too(void **unused)
{
    (void) unused;
    static const char said[] = BOTH_REPLACED "colony_phase_started";
    stand_together(STAGE("\"survive\":true", FATES), "{\"edition\":\"crossroads\"}");
    LOAD(SHOWS_BITE, SHOWS_WOUND, 1, 1, 1, 1);
    assert_int_equal(act(DEAD_ATTACK, FEEDER, 0, NO), ACCEPTED);
    assert_memory_equal(all_told(), said, sizeof said - 1);
    close_stage();
}

/* In equipment player 1's turn is still to come, and the dice stay for it. */
static void in_equipment_an_infection_ends_one_turn_only(void **unused)
{
    (void) unused;
    stand_together(STAGE("\"survive\":true", ""), "{\"edition\":\"equipment\"}");
    LOAD(SHOWS_BITE, SHOWS_WOUND);
    assert_int_equal(act(DEAD_ATTACK, FEEDER, 0, NO), ACCEPTED);
    TOLD(BOTH_REPLACED "act_now 1");
    assert_int_equal(dice_of(0), 0);
    assert_int_equal(dice_of(1), 1);
    close_stage();
}

static void without_a_pool_the_player_is_out_and_the_last_one_ends_the_game(void **unused)
{
    (void) unused;
    OPEN_STAGE("equipment");
    place(FEEDER, 0, 2);
    place(HEALER, 1, 2);
    give_die(0, 6);
    zombies_at(2)[0] = 1;
    LOAD(SHOWS_BITE, SHOWS_WOUND);
    assert_int_equal(act(DEAD_ATTACK, FEEDER, 0, NO), ACCEPTED);
    TOLD("zombie_killed 4 2 0; bitten 4; moral_changed -1 1; left 0; bitten 2; moral_changed -1 1; "
         "left 1");
    int32_t result[2];
    game_dead.outcome(stage.setup, stage.state, result);
    assert_int_equal(result[0], -1);
    assert_int_equal(act_as(1, DEAD_END_TURN, NO, NO, NO), DEAD_NO_IS_OVER);
    close_stage();
}

static void without_morale_the_game_is_lost_and_nothing_follows(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(FEEDER, 0, 2);
    place(HEALER, 1, 2);
    on_stage.state->moral = 1;
    LOAD(SHOWS_BITE);
    assert_int_equal(act(DEAD_MOVE, FEEDER, 3, 0), ACCEPTED);
    TOLD("moved 4 3 0; bitten 4; moral_changed -1 1; game_end 0");
    close_stage();
}

static void a_leaver_takes_his_survivors_along_by_descending_status(void **unused)
{
    (void) unused;
    OPEN_STAGE("equipment");
    place(HEALER, 0, 1);
    place(CLEANER, 0, 2);
    place(FEEDER, 1, 1);
    give(0, FOOD_3);
    assert_int_equal(act(DEAD_LEAVE, NO, NO, NO), ACCEPTED);
    assert_false(holds(0, FOOD_3));
    TOLD("left 0; survivor_killed 5; moral_changed -1 1; survivor_killed 2; moral_changed -1 1; "
         "act_now 1");
    assert_int_equal(act(DEAD_END_TURN, NO, NO, NO), DEAD_NO_NOT_IN_GAME);
    assert_true(time_runs_out());
    TOLD("left 1");
    assert_int_equal(game_dead.to_act(stage.setup, stage.state), 0);
    close_stage();
}

static void the_house_may_remove_a_player_in_anybodys_turn(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(HEALER, 0, 1);
    place(FEEDER, 1, 1);
    struct play play = play_of(&stage);
    assert_false(game_dead.leave(&play, 2));
    stage.out.used = 0;
    assert_true(game_dead.leave(&play, 1));
    TOLD("left 1; moral_changed -1 1");
    assert_false(game_dead.leave(&play, 1));
    assert_true(game_dead.leave(&play, 0));
    TOLD("left 0");
    close_stage();
}

static void the_colony_eats_smells_and_meets_the_crisis_before_zombies_come(void **unused)
{
    (void) unused;
    OPEN_STAGE("equipment");
    place(HEALER, 0, 1);
    place(FEEDER, 1, 3);
    on_stage.state->upcoming = 2;
    on_stage.state->on_turn = 1;
    on_stage.state->food = 1;
    on_stage.state->waste = 25;
    on_stage.state->hunger = 1;
    on_stage.state->contributed = 3;
    LOAD(1, 1, 1, 1);
    assert_int_equal(act_as(1, DEAD_END_TURN, NO, NO, NO), ACCEPTED);
    assert_memory_equal(
        all_told(),
        "colony_phase_started; food_changed -1 2; moral_changed -1 3; moral_changed "
        "-2 4; moral_changed 1 2; zombie_spawned 1 0; zombie_spawned 3 0; next_round 2; crisis ",
        160);
    close_stage();
}

static void hunger_adds_up_and_a_failed_crisis_costs(void **unused)
{
    (void) unused;
    OPEN_STAGE("equipment");
    place(HEALER, 0, 1);
    place(CLEANER, 0, 1);
    place(FEEDER, 1, 1);
    on_stage.state->on_turn = 1;
    on_stage.state->hunger = 1;
    LOAD(1, 1, 1, 1, 1);
    assert_int_equal(act_as(1, DEAD_END_TURN, NO, NO, NO), ACCEPTED);
    assert_memory_equal(all_told(),
                        "colony_phase_started; starvation_token_added; moral_changed -2 3; "
                        "moral_changed -1 2; zombie_spawned 1 0; zombie_spawned 1 1; next_round 2",
                        138);
    close_stage();
}

static void a_zombie_without_room_breaks_a_barricade_or_kills(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(HEALER, 0, 1);
    place(FEEDER, 1, 3);
    zombies_at(1)[0] = 2;
    barricades_at(1)[0] = 1;
    zombies_at(1)[1] = 3;
    on_stage.state->children = 1;
    dead_spawn_zombies(&on_stage, 0, 5);
    assert_string_equal(all_told() + strlen("character_spawned 0 2; character_spawned 1 4; "),
                        "barricade_destroyed 1 0; child_killed; moral_changed -1 1; "
                        "zombie_spawned 1 0; survivor_killed 2; moral_changed -1 1; left 0");
    dead_spawn_zombies(&on_stage, 0, 1);
    TOLD("");
    close_stage();
}

static void play_last_round(const char *config, const char *expected)
{
    open_stage_with(config, "{\"edition\":\"base\"}");
    place(FEEDER, 1, 3);
    place(HEALER, 0, 3);
    on_stage.state->round = 3;
    on_stage.state->on_turn = 1;
    on_stage.state->contributed = 1;
    assert_int_equal(act_as(1, DEAD_END_TURN, NO, NO, NO), ACCEPTED);
    assert_string_equal(strstr(all_told(), "game_end"), expected);
    close_stage();
}

static void the_last_round_can_still_be_won_and_else_is_lost(void **unused)
{
    (void) unused;
    play_last_round(STAGE("\"survive\":false", ""), "game_end 1");
    play_last_round(STAGE("\"barricades\":0", ""), "game_end 1");
    play_last_round(STAGE("\"barricades\":1", ""), "game_end 0");
    play_last_round(STAGE("\"locationWithZombies\":1", ""), "game_end 1");
    play_last_round(STAGE("\"locationWithZombies\":0", ""), "game_end 0");
}

/* One flat block; the README says how large for these. */
static void a_state_takes_as_many_bytes_as_the_readme_says(void **unused)
{
    static const struct {
        const char *setup, *options;
        uint32_t    seats, bytes;
    } rows[] = {
        { "standard", "{\"edition\": \"base\"}", 4, 1144 },
        { "standard", "{\"edition\": \"equipment\"}", 4, 1424 },
        { "standard-crossroads", "{\"edition\": \"crossroads\"}", 4, 1480 },
        { "big-crossroads", "{\"edition\": \"crossroads\"}", 6, 2240 },
    };
    (void) unused;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bounds bounds;
        char          name[64];
        (void) snprintf(name, sizeof name, "../../../../configs/dead/%s", rows[i].setup);
        void *setup = setup_of_file(name, rows[i].options);
        game_dead.bounds(setup, rows[i].seats, &bounds);
        assert_int_equal(bounds.state_bytes, rows[i].bytes);
        free(setup);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_zombie_without_room_breaks_a_barricade_or_kills),
        cmocka_unit_test(a_game_begins_with_its_players_and_an_offer_to_each),
        cmocka_unit_test(a_state_takes_as_many_bytes_as_the_readme_says),
        cmocka_unit_test(silence_in_the_choice_fails_until_patience_ends),
        cmocka_unit_test(silence_is_counted_for_each_player_anew),
        cmocka_unit_test(frost_wounds_at_the_start_of_every_turn_and_the_third_injury_kills),
        cmocka_unit_test(base_is_silent_about_a_death_by_injuries),
        cmocka_unit_test(a_bite_spreads_to_children_first_and_then_to_the_weakest),
        cmocka_unit_test(the_last_survivor_is_replaced_from_the_pool_and_the_turn_ends),
        cmocka_unit_test(who_is_replaced_before_the_own_turn_sits_out_in_base_and_plays_later),
        cmocka_unit_test(an_infection_that_ended_a_turn_can_end_the_next_one_too),
        cmocka_unit_test(in_equipment_an_infection_ends_one_turn_only),
        cmocka_unit_test(without_a_pool_the_player_is_out_and_the_last_one_ends_the_game),
        cmocka_unit_test(without_morale_the_game_is_lost_and_nothing_follows),
        cmocka_unit_test(a_leaver_takes_his_survivors_along_by_descending_status),
        cmocka_unit_test(the_house_may_remove_a_player_in_anybodys_turn),
        cmocka_unit_test(the_colony_eats_smells_and_meets_the_crisis_before_zombies_come),
        cmocka_unit_test(hunger_adds_up_and_a_failed_crisis_costs),
        cmocka_unit_test(the_last_round_can_still_be_won_and_else_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
