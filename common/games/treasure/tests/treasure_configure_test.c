/* treasure_configure_test.c: set-ups: what they leave out, their bounds, and their faults. */
#include "games/treasure/tests/treasure_test.h"

#include "json/config_file.h"

/* The one line of complaint about a set-up. */
static void assert_fault(const char *config, const char *expected)
{
    struct config_text text = { "c", config, strlen(config) }, none = { 0 };
    char              *said = NULL;
    size_t             size = 0, setup_size;
    FILE              *to = open_memstream(&said, &size);
    void              *setup = config_compile(&game_treasure, &text, &none, &setup_size, to);
    (void) fclose(to);
    assert_null(setup);
    if (strstr(said, expected) == NULL)
        fail_msg("expected \"%s\" in \"%s\"", expected, said);
    free(said);
}

static void profiles_fill_what_a_set_up_leaves_out(void **unused)
{
    static const char  text[] = "{\"game\": \"treasure\", \"profile\": \"course2020\"}";
    struct config_text config = { "c", text, sizeof text - 1 }, none = { 0 };
    size_t             size;
    (void) unused;
    open_table("{}");
    assert_int_equal(table.setup->min_grass, 5);
    assert_int_equal(table.setup->exact_cost, 0);
    assert_int_equal(table.setup->edge_long, 3);
    assert_int_equal(table.setup->edge_short, 1);
    assert_int_equal(table.setup->max_actions, 200);
    close_table();
    struct treasure_setup *course = config_compile(&game_treasure, &config, &none, &size, stderr);
    assert_non_null(course);
    assert_int_equal(course->min_grass, 15);
    assert_int_equal(course->exact_cost, 1);
    assert_int_equal(course->layout, TREASURE_RANDOM_LAYOUT);
    assert_int_equal(course->order_random, 1);
    assert_int_equal(course->mover_loses, 1);
    free(course);
}

static void a_hunt_has_no_options(void **unused)
{
    static const char  text[] = "{\"game\": \"treasure\"}", option[] = "{\"edition\": \"base\"}";
    struct config_text config = { "c", text, sizeof text - 1 };
    struct config_text options = { "o", option, sizeof option - 1 };
    char              *said = NULL;
    size_t             size = 0, setup_size;
    (void) unused;
    FILE *to = open_memstream(&said, &size);
    assert_null(config_compile(&game_treasure, &config, &options, &setup_size, to));
    (void) fclose(to);
    assert_non_null(strstr(said, "o:/edition"));
    free(said);
}

/* A set-up that is good, compiled; NULL if it is refused. */
static struct treasure_setup *compiled(const char *config)
{
    struct config_text text = { "c", config, strlen(config) }, none = { 0 };
    char               said[4096] = "";
    size_t             size;
    FILE              *to = fmemopen(said, sizeof said, "w");
    void              *setup = config_compile(&game_treasure, &text, &none, &size, to);
    (void) fclose(to);
    return setup;
}

/* Also where the profile would have said the other thing. */
static void the_first_of_two_words_is_taken_as_it_stands(void **unused)
{
    (void) unused;
    struct treasure_setup *course =
        compiled("{\"game\": \"treasure\", \"profile\": \"course2020\", "
                 "\"limits\": {\"limit_result\": \"both_lose\"}}");
    assert_non_null(course);
    assert_int_equal(course->mover_loses, 0);
    free(course);
}

/* As section 10 of the rules has them. */
static void what_a_set_up_leaves_out_is_as_in_2017(void **unused)
{
    static const struct treasure_setup wanted = {
        .width = 8,
        .height = 4,
        .min_mountain = 3,
        .min_grass = 5,
        .min_water = 4,
        .edge_long = 3,
        .edge_short = 1,
        .treasure_distance = 1,
        .enter_cost = { 1, 2, 1, 1 },
        .leave_cost = { 1, 2 },
        .max_actions = 200,
        .think_ms = 3000,
        .registration_ms = 600000,
        .mask_actions = 10,
        .mountain_radius = 1,
    };
    struct treasure_setup *setup = compiled("{\"game\": \"treasure\"}");
    (void) unused;
    assert_non_null(setup);
    assert_memory_equal(setup, &wanted, sizeof wanted);
    free(setup);
    setup = compiled("{\"game\": \"treasure\", \"map\": {\"half_width\": 4, \"half_height\": 9}}");
    assert_non_null(setup); /* Less than half of an edge may be water: 4 of 9, 1 of 4. */
    assert_int_equal(setup->edge_long, 4);
    assert_int_equal(setup->edge_short, 1);
    free(setup);
}

#define OF(member) offsetof(struct treasure_setup, member)
#define KEPT_NOWHERE SIZE_MAX
#define SMALL "\"min_mountain\": 0, \"min_grass\": 2, \"min_water\": 0"
#define LARGE "\"half_width\": 64, \"half_height\": 64"

/* Each number, in its place, and the least and the most it may be. */
static const struct {
    const char *format;
    int64_t     least, most;
    size_t      kept;
} numbers[] = {
    { "\"map\": {" SMALL ", \"half_width\": %lld}", 2, 64, OF(width) },
    { "\"map\": {" SMALL ", \"half_height\": %lld}", 2, 64, OF(height) },
    { "\"map\": {" LARGE ", \"min_mountain\": %lld}", 0, 4096 - 5 - 4, OF(min_mountain) },
    { "\"map\": {" LARGE ", \"min_grass\": %lld}", 2, 4096 - 3 - 4, OF(min_grass) },
    { "\"map\": {" LARGE ", \"min_water\": %lld}", 0, 4096 - 3 - 5, OF(min_water) },
    { "\"map\": {\"edge_water_max_long\": %lld}", 0, 64, OF(edge_long) },
    { "\"map\": {\"edge_water_max_short\": %lld}", 0, 64, OF(edge_short) },
    { "\"map\": {\"treasure_min_distance\": %lld}", 1, 8, OF(treasure_distance) },
    { "\"movement\": {\"enter_cost\": {\"grass\": %lld}}", 1, 9, OF(enter_cost[0]) },
    { "\"movement\": {\"enter_cost\": {\"mountain\": %lld}}", 1, 9, OF(enter_cost[1]) },
    { "\"movement\": {\"enter_cost\": {\"water\": %lld}}", 1, 9, OF(enter_cost[2]) },
    { "\"movement\": {\"enter_cost\": {\"water\": %lld}}", 1, 9, OF(enter_cost[3]) },
    { "\"movement\": {\"leave_cost\": {\"grass\": %lld}}", 0, 9, OF(leave_cost[0]) },
    { "\"movement\": {\"leave_cost\": {\"mountain\": %lld}}", 0, 9, OF(leave_cost[1]) },
    { "\"limits\": {\"max_actions\": %lld}", 2, 100000, OF(max_actions) },
    { "\"limits\": {\"think_ms\": %lld}", 0, 1000000000, OF(think_ms) },
    { "\"limits\": {\"registration_ms\": %lld}", 0, 1000000000, OF(registration_ms) },
    { "\"visibility\": {\"mask_actions\": %lld}", 0, 1000000000, OF(mask_actions) },
    { "\"visibility\": {\"mountain_radius\": %lld}", 1, 3, OF(mountain_radius) },
    { "\"visibility\": {\"spectator_delay_actions\": %lld}", 0, 1000, OF(delay) },
    { "\"rest\": {\"port\": %lld}", 1, 65535, KEPT_NOWHERE },
    { "\"rest\": {\"coordinate_base\": %lld}", 0, 1, KEPT_NOWHERE },
    { "\"rest\": {\"max_body\": %lld}", 1024, INT32_MAX, KEPT_NOWHERE },
    { "\"rest\": {\"retention_ms\": %lld}", 0, INT32_MAX, KEPT_NOWHERE },
};

static void number_is(size_t row, int64_t value, bool good)
{
    char part[256], config[320];
    (void) snprintf(part, sizeof part, numbers[row].format, (long long) value);
    (void) snprintf(config, sizeof config, "{\"game\": \"treasure\", %s}", part);
    struct treasure_setup *setup = compiled(config);
    if ((setup != NULL) != good)
        fail_msg("%s is %s", config, good ? "refused" : "accepted");
    if (good && numbers[row].kept != KEPT_NOWHERE) {
        uint32_t kept;
        memcpy(&kept, (const char *) setup + numbers[row].kept, sizeof kept);
        assert_int_equal(kept, value);
    }
    free(setup);
}

static void numbers_of_a_set_up_have_their_bounds(void **unused)
{
    (void) unused;
    for (size_t row = 0; row < sizeof numbers / sizeof *numbers; row++) {
        number_is(row, numbers[row].least - 1, false);
        number_is(row, numbers[row].least, true);
        number_is(row, numbers[row].most, true);
        number_is(row, numbers[row].most + 1, false);
    }
}

/* A half of 32 fields in 4 rows: the map has 64, in 8. What one act may say is pinned, so that nobody widens or
 * narrows it unknowingly. */
static void bounds_are_what_a_set_up_comes_to(void **unused)
{
    (void) unused;
    open_table("{}");
    assert_int_equal(table.bounds.state_bytes, sizeof(struct treasure_state) + 6 * 32);
    assert_int_equal(table.bounds.legal_patterns, 1);
    assert_int_equal(table.bounds.legal_values, 5);
    assert_int_equal(table.bounds.event_words, 616);
    assert_int_equal(table.bounds.view_words, 234);
    assert_int_equal(table.bounds.commands, 203);
    assert_int_equal(table.bounds.text_bytes, 64);
    const uint32_t boxes[4] = { 64, 584, 0, 0 };
    assert_memory_equal(table.bounds.box_bytes, boxes, sizeof boxes);
    close_table();
    open_table("{\"half_width\": 9, \"half_height\": 3, \"spectators\": \"all\", "
               "\"spectator_delay_actions\": 2}");
    assert_int_equal(table.bounds.state_bytes,
                     sizeof(struct treasure_state) + 164 + 3 * sizeof(struct treasure_snapshot));
    assert_int_equal(table.bounds.event_words, 6 * 54 + 4 * 6 + 200 + 4 * (54 + 6 + 90));
    close_table();
}

#define WITH(members) "{\"game\": \"treasure\", " members "}"

static void every_fault_of_a_set_up_is_told_where_it_is(void **unused)
{
    (void) unused;
    assert_fault("{\"game\": \"chess\"}", "c:/game");
    assert_fault(WITH("\"x\": 1"), "c:/x");
    assert_fault(WITH("\"map\": {\"x\": 1}"), "c:/map/x");
    assert_fault(WITH("\"map\": {\"half_width\": 65}"), "c:/map/half_width");
    assert_fault(WITH("\"map\": {\"min_water\": 25}"), "asks for 33 fields in a half of 32");
    assert_fault(WITH("\"map\": {\"layout\": \"heap\"}"), "c:/map/layout");
    assert_fault(WITH("\"map\": {\"edge_water_max_long\": -1}"), "c:/map/edge_water_max_long");
    assert_fault(WITH("\"movement\": {\"enter_cost\": {\"lava\": 1}}"), "enter_cost/lava");
    assert_fault(WITH("\"movement\": {\"leave_cost\": {\"water\": 1}}"), "leave_cost/water");
    assert_fault(WITH("\"movement\": {\"pace\": 1}"), "c:/movement/pace");
    assert_fault(WITH("\"limits\": {\"max_actions\": 7}"), "must be even");
    assert_fault(WITH("\"limits\": {\"think\": 7}"), "c:/limits/think");
    assert_fault(WITH("\"visibility\": {\"fog\": 7}"), "c:/visibility/fog");
    assert_fault(WITH("\"visibility\": {\"mountain_radius\": 4}"), "c:/visibility/mountain_radius");
    assert_fault(WITH("\"map\": {\"half_width\": 64, \"half_height\": 64}, \"visibility\": "
                      "{\"spectators\": \"all\", \"spectator_delay_actions\": 16}"),
                 "keeps 139264 fields for spectators, may keep at most 131072");
    void *most =
        compiled(WITH("\"map\": {\"half_width\": 64, \"half_height\": 64}, \"visibility\": "
                      "{\"spectators\": \"all\", \"spectator_delay_actions\": 15}"));
    assert_non_null(most); /* As many as there may be. */
    free(most);
}

static void the_doors_part_of_a_set_up_is_judged_too(void **unused)
{
    (void) unused;
    assert_fault(WITH("\"rest\": {\"port\": 0}"), "c:/rest/port");
    assert_fault(WITH("\"rest\": {\"bind\": 1}"), "c:/rest/bind");
    assert_fault(WITH("\"rest\": {\"default_dialect\": null}"), "c:/rest/default_dialect");
    assert_fault(WITH("\"rest\": {\"axis\": \"z\"}"), "c:/rest/axis");
    assert_fault(WITH("\"rest\": {\"coordinate_base\": 2}"), "c:/rest/coordinate_base");
    assert_fault(WITH("\"rest\": {\"id_mode\": 3}"), "c:/rest/id_mode");
    assert_fault(WITH("\"rest\": {\"x\": 3}"), "c:/rest/x");
    void *good = compiled(WITH("\"rest\": {\"axis\": null, \"coordinate_base\": null}"));
    assert_non_null(good);
    free(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profiles_fill_what_a_set_up_leaves_out),
        cmocka_unit_test(the_first_of_two_words_is_taken_as_it_stands),
        cmocka_unit_test(a_hunt_has_no_options),
        cmocka_unit_test(what_a_set_up_leaves_out_is_as_in_2017),
        cmocka_unit_test(numbers_of_a_set_up_have_their_bounds),
        cmocka_unit_test(bounds_are_what_a_set_up_comes_to),
        cmocka_unit_test(every_fault_of_a_set_up_is_told_where_it_is),
        cmocka_unit_test(the_doors_part_of_a_set_up_is_judged_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
