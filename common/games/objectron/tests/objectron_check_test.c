/* objectron_check_test.c: each invariant is found broken when it is, by its sentence. */
#include "games/objectron/tests/objectron_stage_test.h"

static struct objectron_table table;

static const char *check(void)
{
    return game_objectron.check(table.setup, table.state);
}

/* Sets a number in the state, expects the sentence, and puts the number back; of a state that is good or is not. */
#define BROKEN_OF(place, value, sentence)                                                          \
    do {                                                                                           \
        __typeof__(place) was = place;                                                             \
        place = (__typeof__(place)) (value);                                                       \
        const char *said = check();                                                                \
        if (said == NULL || strcmp(said, sentence) != 0)                                           \
            fail_msg("%s = %s: expected \"%s\", came \"%s\"", #place, #value, sentence,            \
                     said ? said : "nothing");                                                     \
        place = was;                                                                               \
    } while (0)

#define BROKEN(place, value, sentence)                                                             \
    do {                                                                                           \
        BROKEN_OF(place, value, sentence);                                                         \
        assert_null(check());                                                                      \
    } while (0)

#define AT_ONCE(first, second, place, value, sentence)                                             \
    do {                                                                                           \
        __typeof__(first) before = first;                                                          \
        first = (__typeof__(first)) (second);                                                      \
        const char       *said = NULL;                                                             \
        __typeof__(place) was = place;                                                             \
        place = (__typeof__(place)) (value);                                                       \
        said = check();                                                                            \
        assert_non_null(said);                                                                     \
        assert_string_equal(said, sentence);                                                       \
        place = was;                                                                               \
        first = before;                                                                            \
        assert_null(check());                                                                      \
    } while (0)

static void open_it(void)
{
    stage(&table,
          "{\"mode\":\"ctf\",\"players\":2,\"power_failure_bp\":0,\"grid\":[\"1    2\",\"  #   \","
          "\"      \"],\"placements\":["
          "{\"id\":1,\"kind\":\"light_grenade\",\"at\":[1,1]},"
          "{\"id\":2,\"kind\":\"identity_disc\",\"in\":1},"
          "{\"id\":3,\"kind\":\"flag\",\"in\":1,\"owner\":2},"
          "{\"id\":4,\"kind\":\"flag\",\"at\":[5,1],\"owner\":1},"
          "{\"id\":5,\"kind\":\"force_field_generator\",\"at\":[3,2]},"
          "{\"id\":6,\"kind\":\"force_field_generator\",\"at\":[5,2]}]}",
          "{\"power_failures\":[{\"at\":[4,0],\"turns\":3,\"spread\":{\"dir\":\"S\",\"rotation\":"
          "\"cw\",\"tertiary\":\"S\"}}],\"players\":{\"1\":{\"at\":[0,1],\"trail\":[[0,0,1]]}}}",
          1);
    assert_null(check());
}

static void broken_turns_are_found(void **unused)
{
    struct objectron_state *state;
    (void) unused;
    open_it();
    state = table.state;
    BROKEN(state->current, 2, "nobody is on turn");
    BROKEN(state->current, -1, "nobody is on turn");
    BROKEN(state->left, -1, "there are more actions left than a turn has");
    BROKEN(state->left, 5, "there are more actions left than a turn has");
    BROKEN(state->granted, 5, "there are more actions left than a turn has");
    BROKEN(state->left, 0, "who is on turn cannot act");
    BROKEN(state->player[0].skip, 1, "who is on turn is to lose something yet");
    BROKEN(state->player[0].pending, 1, "who is on turn is to lose something yet");
    objectron_table_close(&table);
}

/* Behind the items stand the failures: one that looks like something in this pocket is still none. */
static void carries_what_no_item_is(void)
{
    struct objectron_state   *state = table.state;
    struct objectron_failure *failure = objectron_failures(state), kept = *failure;
    assert_ptr_equal(&objectron_items(state)[state->items], failure);
    failure->count = -1;
    failure->turns = 0;
    BROKEN_OF(state->player[0].inventory[0], state->items, "somebody carries what is elsewhere");
    *failure = kept;
    assert_null(check());
}

static void broken_players_are_found(void **unused)
{
    struct objectron_state  *state;
    struct objectron_player *first, *second;
    (void) unused;
    open_it();
    state = table.state;
    first = &state->player[0];
    second = &state->player[1];
    BROKEN(second->at, 8, "somebody stands on no free square");
    BROKEN(second->at, first->at, "two players stand on one square");
    AT_ONCE(second->alive, 0, second->pieces, 1,
            "somebody who is out has a trail or carries something");
    AT_ONCE(second->alive, 0, second->carried, 1,
            "somebody who is out has a trail or carries something");
    BROKEN(first->pieces, 4, "a player's numbers are none");
    BROKEN(second->pending, -1, "a player's numbers are none");
    BROKEN(second->skip, -1, "a player's numbers are none");
    BROKEN(first->trail[0].left, 3, "a piece of trail is none");
    BROKEN(first->trail[0].link, 2, "a piece of trail is none");
    BROKEN(first->trail[0].at, 8, "a piece of trail is none");
    AT_ONCE(first->pieces, 2, first->trail[1].left, 3, "a piece of trail is none");
    BROKEN(first->inventory[0], 5, "somebody carries what is elsewhere");
    carries_what_no_item_is();
    BROKEN(state->inventory, 1, "somebody carries too much");
    objectron_table_close(&table);
}

static void broken_items_are_found(void **unused)
{
    struct objectron_item *item;
    (void) unused;
    open_it();
    item = objectron_items(table.state);
    BROKEN(item[2].owner, 0, "somebody carries his own flag");
    AT_ONCE(item[1].kind, OBJECTRON_FLAG, item[1].owner, 1, "somebody carries two flags");
    BROKEN(item[1].at, 3, "somebody carries what is elsewhere");
    BROKEN(item[1].at, 0, "somebody carries what is elsewhere");
    BROKEN(item[1].holder, 1, "somebody carries what is elsewhere");
    BROKEN(item[1].id, 1, "items are out of order");
    BROKEN(item[0].at, 8, "an item lies where it cannot");
    BROKEN(item[0].holder, 0, "an item lies where it cannot");
    AT_ONCE(item[0].at, 0, item[0].holder, 0, "an item lies where it cannot");
    BROKEN(item[0].id, 2, "items are out of order");
    BROKEN(item[5].id, 5, "items are out of order");
    BROKEN(item[0].uses, 1, "an item is held by nobody, or still in flight");
    BROKEN(item[3].at, -1, "a flag is gone");
    AT_ONCE(item[0].at, -1, item[0].holder, 2, "an item is held by nobody, or still in flight");
    BROKEN(item[0].state, 0, "a grenade has no state, or something else has");
    BROKEN(item[4].state, 1, "a grenade has no state, or something else has");
    AT_ONCE(item[0].at, -1, item[0].state, OBJECTRON_PLACED,
            "a grenade that was placed lies nowhere");
    objectron_table_close(&table);
}

static void broken_fields_are_found(void **unused)
{
    struct objectron_field *field;
    struct objectron_item  *item;
    (void) unused;
    open_it();
    field = objectron_fields(table.state);
    item = objectron_items(table.state);
    assert_int_equal(table.state->fields, 1);
    BROKEN(field->a, field->b, "a field has no two ends");
    BROKEN(field->b, 6, "a field has no two ends");
    BROKEN(field->a, 3, "a field ends at no generator");
    BROKEN(field->a, 0, "a field ends at no generator");
    BROKEN(item[5].at, -1, "a field ends at no generator");
    BROKEN(item[4].at, -1, "a field ends at no generator");
    BROKEN(field->counter, 2, "a field's numbers are none");
    BROKEN(field->on, 2, "a field's numbers are none");
    BROKEN(field->length, 1, "a field's numbers are none");
    BROKEN(field->length, 5, "a field's numbers are none");
    BROKEN(field->length, 4, "a field does not go from one generator to the other");
    BROKEN(field->from, 0, "a field does not go from one generator to the other");
    objectron_table_close(&table);
}

static void broken_failures_are_found(void **unused)
{
    struct objectron_failure *failure;
    (void) unused;
    open_it();
    failure = objectron_failures(table.state);
    assert_int_equal(table.state->failures, 1);
    BROKEN(failure->turns, 0, "a power failure's numbers are none");
    BROKEN(failure->dir, 8, "a power failure's numbers are none");
    BROKEN(failure->rotation, 3, "a power failure's numbers are none");
    BROKEN(failure->primary, -1, "a power failure is where no power is");
    BROKEN(failure->secondary, -1, "a power failure is where no power is");
    AT_ONCE(failure->secondary, -1, failure->tertiary, 0, "a power failure is where no power is");
    failure->secondary = 0; /* The first square is one like any other. */
    assert_null(check());
    failure->tertiary = 0;
    assert_null(check());
    objectron_table_close(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_turns_are_found),    cmocka_unit_test(broken_players_are_found),
        cmocka_unit_test(broken_items_are_found),    cmocka_unit_test(broken_fields_are_found),
        cmocka_unit_test(broken_failures_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
