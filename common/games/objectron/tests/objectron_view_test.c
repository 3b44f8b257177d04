/* objectron_view_test.c: one view that has all there can be in it, number by number. Section 12.4
 * of the rules says what; seats count from 0. Also what a view tells before the first turn and
 * behind the last. */
#include "games/objectron/tests/objectron_stage_test.h"

static struct objectron_table table;

/* All kinds of things, one of each that is carried; a field, two failures, and a player who is out. */
static void stage_all(void)
{
    stage(&table,
          "{\"mode\":\"ctf\",\"players\":3,\"power_failure_bp\":0,\"inventory_limit\":5,"
          "\"actions_per_turn\":6,\"grid\":[\"1    2\",\" #    \",\"  3  *\"],\"placements\":["
          "{\"id\":1,\"kind\":\"light_grenade\",\"at\":[0,1]},"
          "{\"id\":2,\"kind\":\"light_grenade\",\"at\":[2,1],\"state\":\"placed\",\"by\":3},"
          "{\"id\":3,\"kind\":\"light_grenade\",\"at\":[0,0],\"state\":\"exploded\",\"allow_"
          "start\":true},"
          "{\"id\":4,\"kind\":\"light_grenade\",\"at\":[4,1],\"state\":\"active\",\"by\":1},"
          "{\"id\":5,\"kind\":\"light_grenade\",\"in\":2},"
          "{\"id\":6,\"kind\":\"flag\",\"in\":2,\"owner\":1},"
          "{\"id\":7,\"kind\":\"teleporter\",\"at\":[4,2],\"dest\":8},"
          "{\"id\":8,\"kind\":\"teleporter\",\"at\":[5,1],\"dest\":7},"
          "{\"id\":9,\"kind\":\"force_field_generator\",\"at\":[1,0]},"
          "{\"id\":10,\"kind\":\"force_field_generator\",\"at\":[4,0]},"
          "{\"id\":11,\"kind\":\"charged_identity_disc\",\"at\":[1,0]},"
          "{\"id\":12,\"kind\":\"identity_disc\",\"in\":1}]}",
          "{\"players\":{\"1\":{\"at\":[3,2],\"trail\":[[3,1,2],[2,0,0]],\"captured\":[2,3]},"
          "\"2\":{\"at\":[2,0],\"pending_actions\":3,\"skip_turns\":1}},\"power_failures\":["
          "{\"at\":[1,1],\"turns\":2,"
          "\"spread\":{\"dir\":\"E\",\"rotation\":\"ccw\",\"tertiary\":\"SE\"}},{\"at\":[0,2],"
          "\"turns\":1}]}",
          1);
    struct objectron_field *field = objectron_fields(table.state);
    *field = (struct objectron_field){ .id = 1,
                                       .a = field->a,
                                       .b = field->b,
                                       .from = field->from,
                                       .step = field->step,
                                       .length = field->length,
                                       .trapped = 6,
                                       .on = 1,
                                       .counter = 1 };
    table.state->player[0].trail[1].link = 0;
    table.state->player[2].alive = 0;
    table.state->player[2].at = 3;
}

/* Under this key the view has this; "": nothing. */
static void has_under(const char *key, const char *wanted)
{
    json_t *view = objectron_table_view(&table);
    json_t *part = json_object_get(view, key);
    char   *text = part ? json_dumps(part, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY) : NULL;
    if (strcmp(text ? text : "", wanted) != 0)
        fail_msg("%s: expected %s, came %s", key, wanted, text ? text : "nothing");
    free(text);
    json_decref(view);
}

static void a_view_tells_of_the_turn_and_of_the_grid(void **unused)
{
    (void) unused;
    stage_all();
    has_under("mode", "\"ctf\"");
    has_under("width", "6");
    has_under("height", "3");
    has_under("rows", "[\"      \",\" #    \",\"     *\"]");
    has_under("homes", "[[0,0],[5,0],[2,2]]");
    has_under("turn", "1");
    has_under("current_player", "1");
    has_under("actions_left", "5");
    has_under("moved", "false");
    has_under("turn_start", "[3,2]");
    has_under("over", "false");
    has_under("winner", "");
    has_under("legal_moves", "[\"NE\",\"E\",\"W\",\"NW\"]");
    has_under("limits",
              "{\"actions_per_turn\":6,\"disc_range\":4,\"field_period\":2,\"generator_reach\":3,"
              "\"grenade\":3,\"grenade_unpowered\":4,\"inventory_limit\":5,\"power_failure_bp\":0,"
              "\"primary_turns\":3,\"secondary_period\":2,\"trail_life\":2}");
    objectron_table_close(&table);
}

static void a_view_tells_of_players_and_what_they_carry(void **unused)
{
    (void) unused;
    stage_all();
    has_under("players",
              "[{\"alive\":true,\"at\":[3,2],\"captured\":[1,2],\"held\":false,\"id\":0,"
              "\"inventory\":[{\"id\":12,\"kind\":\"identity_disc\"}],\"pending_actions\":0,"
              "\"skip_turns\":0,\"trail\":[[3,1,true,2],[2,0,false,0]]},"
              "{\"alive\":true,\"at\":[2,0],\"held\":true,\"id\":1,"
              "\"inventory\":[{\"id\":5,\"kind\":\"light_grenade\"},"
              "{\"id\":6,\"kind\":\"flag\",\"owner\":1}],\"pending_actions\":3,\"skip_turns\":1},"
              "{\"alive\":false,\"at\":[3,0],\"held\":false,\"id\":2,\"pending_actions\":0,"
              "\"skip_turns\":0}]");
    objectron_table_close(&table);
}

static void a_view_tells_what_lies_on_the_grid(void **unused)
{
    (void) unused;
    stage_all();
    has_under("items", "[{\"at\":[0,1],\"id\":1,\"kind\":\"light_grenade\",\"state\":\"idle\"},"
                       "{\"at\":[2,1],\"id\":2,\"kind\":\"light_grenade\",\"state\":\"placed\"},"
                       "{\"at\":[0,0],\"id\":3,\"kind\":\"light_grenade\",\"state\":\"exploded\"},"
                       "{\"at\":[4,2],\"dest\":8,\"id\":7,\"kind\":\"teleporter\"},"
                       "{\"at\":[5,1],\"dest\":7,\"id\":8,\"kind\":\"teleporter\"},"
                       "{\"at\":[1,0],\"id\":9,\"kind\":\"force_field_generator\"},"
                       "{\"at\":[4,0],\"id\":10,\"kind\":\"force_field_generator\"},"
                       "{\"at\":[1,0],\"id\":11,\"kind\":\"charged_identity_disc\"},"
                       "{\"at\":[5,0],\"id\":902,\"kind\":\"flag\",\"owner\":2},"
                       "{\"at\":[2,2],\"id\":903,\"kind\":\"flag\",\"owner\":3}]");
    has_under("failures",
              "[{\"count\":0,\"dir\":\"E\",\"id\":1,\"primary\":[1,1],\"rotation\":\"ccw\","
              "\"secondary\":[2,1],\"tertiary\":[3,2],\"turns\":2},"
              "{\"count\":0,\"id\":2,\"primary\":[0,2],\"turns\":1}]");
    has_under("fields", "[{\"a\":9,\"b\":10,\"counter\":1,\"id\":1,\"on\":true,"
                        "\"squares\":[[1,0],[2,0],[3,0],[4,0]],\"trapped\":[1,2]}]");
    objectron_table_close(&table);
}

/* Before the first turn nobody is on turn; once the match is over nobody may move. */
static void a_view_before_the_first_turn_and_behind_the_last(void **unused)
{
    (void) unused;
    stage_all();
    table.state->turn = 0;
    has_under("turn", "0");
    has_under("current_player", "");
    has_under("turn_start", "");
    has_under("legal_moves", "");
    table.state->turn = 1;
    table.state->over = 1;
    table.state->winner = 0;
    has_under("over", "true");
    has_under("winner", "1");
    has_under("legal_moves", "");
    table.state->winner = 2;
    has_under("winner", "3");
    objectron_table_close(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_view_tells_of_the_turn_and_of_the_grid),
        cmocka_unit_test(a_view_tells_of_players_and_what_they_carry),
        cmocka_unit_test(a_view_tells_what_lies_on_the_grid),
        cmocka_unit_test(a_view_before_the_first_turn_and_behind_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
