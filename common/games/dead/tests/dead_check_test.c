/* dead_check_test.c: every invariant finds the state that breaks it; and what a view shows. */
#include "games/dead/tests/dead_stage_test.h"

static struct dead_state *state;

static void make_sound(void)
{
    state = stage.state;
    place(HEALER, 0, 1);
    place(FEEDER, 1, 2);
    give(0, STUFF);
    into_pool(CLEANER);
    for (uint32_t card = 0; card < on_stage.setup->cards.count; card++)
        if (dead_card(on_stage.setup, card)->id < 100)
            set_take(dead_hand(state, 0), card); /* What lies in no deck is nobody's. */
    assert_null(dead_check(stage.setup, state));
}

static void open_sound(void)
{
    OPEN_STAGE("equipment");
    make_sound();
}

static void expect_broken(const char *words)
{
    const char *broken = dead_check(stage.setup, state);
    assert_non_null(broken);
    assert_non_null(strstr(broken, words));
    close_stage();
}

/* Opens a sound state, breaks it, and expects a sentence. */
#define BREAKS(breaking, words)                                                                    \
    do {                                                                                           \
        open_sound();                                                                              \
        breaking;                                                                                  \
        expect_broken(words);                                                                      \
    } while (0)

/* The same for what is unusual, but can be. */
#define BEARS(change)                                                                              \
    do {                                                                                           \
        open_sound();                                                                              \
        change;                                                                                    \
        assert_null(dead_check(stage.setup, state));                                               \
        close_stage();                                                                             \
    } while (0)

static void a_state_that_is_laid_out_wrongly_or_asks_nobody_is_found(void **unused)
{
    (void) unused;
    BREAKS(state->seats = 0, "laid out");
    BREAKS(state->seats = 3, "laid out");
    BREAKS(dead_lay_out(stage.setup, 0, state), "laid out");
    BREAKS(dead_lay_out(stage.setup, 3, state), "laid out");
    BREAKS(state->bytes++, "laid out");
    BREAKS(state->card_words++, "laid out");
    BREAKS(state->people_words++, "laid out");
    BREAKS(state->at.deck++, "laid out");
    BREAKS(state->phase = 0, "phase");
    BREAKS(state->phase = 9, "phase");
    BREAKS((state->phase = 0, state->round = 0), "phase");
    BREAKS((state->phase = 9, state->round = 0), "phase");
    BREAKS(state->round = 0, "phase");
    BREAKS(state->round = 99, "phase");
    BREAKS(state->turn_over = 1, "asked");
    BREAKS(state->on_turn = 2, "asked");
    BREAKS((state->on_turn = 2, dead_seat(state, 2)->in_game = 1), "asked"); /* No such seat. */
    BREAKS(dead_seat(state, 0)->in_game = 0, "asked");
    BREAKS(state->on_turn = 31, "asked");
}

static void impossible_numbers_are_found(void **unused)
{
    (void) unused;
    BREAKS(state->votes_for = 1, "votes");
    BREAKS((state->phase = DEAD_VOTING, state->votes_for = 1), "votes");
    BREAKS(state->moral = 0, "morale");
    BREAKS((state->moral = 0, state->phase = DEAD_OVER, state->won = 1), "morale");
    BREAKS(state->food = -1, "food");
    BREAKS(state->contributed = 999, "food");
    BREAKS(state->waste = 999, "food");
    BREAKS(state->children = 999, "food");
    BREAKS((zombies_at(1)[0] = 2, barricades_at(1)[0] = 2), "entrance");
    BREAKS(zombies_at(3)[1] = 4, "entrance");
}

/* 42 cards; ten characters, each of whom brings four children at most. */
static void numbers_at_their_limits_are_borne(void **unused)
{
    (void) unused;
    BEARS(state->contributed = 42);
    BREAKS(state->contributed = 43, "food");
    BEARS(state->waste = 42);
    BREAKS(state->waste = 43, "food");
    BEARS(state->children = 40);
    BREAKS(state->children = 41, "food");
    BEARS((zombies_at(3)[1] = 2, barricades_at(3)[1] = 1));
    BEARS(zombies_at(3)[2] = 4); /* There is no third entrance. */
    BEARS((person(HEALER)->wounds = 1, person(HEALER)->frostbites = 1));
    BREAKS((person(HEALER)->wounds = 2, person(HEALER)->frostbites = 1), "character");
}

static void people_in_two_places_or_none_are_found(void **unused)
{
    (void) unused;
    uint32_t healer = HEALER - 1;
    BREAKS(set_put(dead_here(state, 1), healer), "character");
    BREAKS(set_put(dead_ours(state, 1), healer), "character");
    BREAKS(person(HEALER)->wounds = 3, "character");
    BREAKS(person(HEALER)->place = 2, "character");
    BREAKS(person(HEALER)->place = 3, "character");
    BREAKS(person(HEALER)->place = 99, "character");
    BREAKS(person(HEALER)->owner = 1, "character");
    BREAKS((person(HEALER)->owner = 2, set_put(dead_ours(state, 2), healer)), "character");
    BREAKS(person(HEALER)->owner = 99, "character");
    BREAKS(person(BITE_TO_WOUND)->owner = 1, "character");
    BREAKS(person(HEALER)->place = DEAD_NOWHERE, "character");
    BREAKS(person(CLEANER)->owner = 1, "character");
    BREAKS(set_put(dead_ours(state, 1), CLEANER - 1), "character");
    BREAKS(into_pool(CLEANER), "pool");
    BREAKS(into_pool(HEALER), "pool");
    BREAKS(dead_u16(state, state->at.pool)[0] = (uint16_t) healer, "pool");
    BREAKS(dead_u16(state, state->at.pool)[0] = 10, "pool");
    BREAKS(dead_u16(state, state->at.pool)[0] = 77, "pool");
    BREAKS(dead_remove(&on_stage, HEALER - 1), "without survivors");
    BREAKS(dead_remove(&on_stage, FEEDER - 1), "without survivors");
    BREAKS(dead_seat(state, 1)->in_game = 0, "without survivors");
}

static void cards_lost_or_twice_are_found(void **unused)
{
    (void) unused;
    uint32_t first = 0; /* The card 100, of the start deck, which is gone. */
    BREAKS(dead_u16(state, state->at.deck)[0] = dead_u16(state, state->at.deck)[1], "shuffled");
    BREAKS(dead_u16(state, state->at.deck)[0] = 999, "shuffled");
    BREAKS(dead_u16(state, state->at.deck)[0] = 42, "shuffled");
    BREAKS(dead_u16(state, state->at.crises)[0] = 9, "shuffled");
    BREAKS(state->fates_used = 1, "shuffled");
    BREAKS(set_take(dead_u64(state, state->at.gone), first), "lost");
    BREAKS(set_put(dead_hand(state, 1), first), "lost");
    BREAKS(dead_u16(state, state->at.taken)[1] = 1, "lost");
    BREAKS(dead_u16(state, state->at.taken)[1] = 99, "lost");
}

#define FATE(n) "{\"equip\":{\"identifier\":" n ",\"consequence\":{\"changeFood\":{\"amount\":1}}}}"
#define FATES                                                                                      \
    ",\"crossroads\":[" FATE("21") "," FATE("22") "," FATE("23") "," FATE("24") "," FATE(          \
        "25") "," FATE("26") "]"

static void a_fate_card_that_is_there_twice_is_found(void **unused)
{
    (void) unused;
    open_stage_with(STAGE("\"survive\":true", FATES), "{\"edition\":\"crossroads\"}");
    make_sound();
    uint16_t *fates = dead_u16(state, state->at.fates);
    fates[0] = fates[1];
    expect_broken("shuffled");
}

/* Puts a row of cards on the healer, without asking whether they are equipment. */
static void wear(uint32_t from, uint32_t end)
{
    uint16_t *next = dead_u16(state, state->at.next);
    person(HEALER)->equipment = (uint16_t) from;
    for (uint32_t card = from; card < end; card++) {
        set_put(dead_u64(state, state->at.worn), card);
        next[card] = (uint16_t) (card + 1 < end ? card + 1 : DEAD_NONE);
    }
}

static void wear_everything(void)
{
    *dead_u64(state, state->at.gone) = 0;
    *dead_hand(state, 0) = 0;
    for (uint32_t place = 0; place < 3; place++)
        dead_u16(state, state->at.taken)[place] = 10;
    wear(0, 42);
}

static void equipment_of_nobody_and_in_circles_is_found(void **unused)
{
    (void) unused;
    BREAKS(person(HEALER)->equipment = 999, "equipment");
    BREAKS(person(HEALER)->equipment = 40, "equipment");
    BREAKS(set_put(dead_u64(state, state->at.worn), 40), "equipment");
    BREAKS(set_put(dead_u64(state, state->at.spent), 40), "equipment");
    BEARS(wear(40, 42));
    BEARS(wear_everything());
    BREAKS(wear(42, 43), "equipment"); /* There are cards 0 to 41. */
    BREAKS((wear(40, 41), person(HEALER)->equipment = 41,
            dead_u16(state, state->at.next)[41] = DEAD_NONE),
           "equipment");
    BREAKS((wear(40, 41), dead_u16(state, state->at.next)[40] = 40), "equipment");
}

/* A set of many cards is several words, each of which counts. */
static void use_is_found_of_the_last_of_many_cards(void **unused)
{
    (void) unused;
    struct dead_setup  *setup = setup_of_file("standard-equipment", "{\"edition\":\"equipment\"}");
    struct game_at_hand game = open_game(setup, 2, 1);
    start_game(&game, 2);
    assert_true(setup->cards.count > 64);
    assert_null(dead_check(setup, game.state));
    set_put(dead_u64(game.state, ((struct dead_state *) game.state)->at.spent),
            setup->cards.count - 1);
    assert_non_null(dead_check(setup, game.state));
    close_game(&game);
    free(setup);
}

/* The newest piece comes first; the field of food is smaller than what set-ups may bring about. */
static void a_view_shows_equipment_and_no_more_food_than_its_field_holds(void **unused)
{
    (void) unused;
    word words[512];
    OPEN_STAGE("equipment");
    struct sink out = { .words = words, .capacity = 512 };
    place(HEALER, 0, 1);
    give(0, COLT);
    assert_int_equal(act(DEAD_USE_CARD, COLT, HEALER, HEALER), ACCEPTED);
    on_stage.state->food = (int64_t) 1 << 40;
    game_dead.view(stage.setup, stage.state, SPECTATOR, &out);
    const word colony[] = { DEAD_TURN, 3, 0, 0, 10, INT32_MAX, 0, 0, 0 };
    assert_memory_equal(words, colony, sizeof colony);
    assert_int_equal(words[13], 0); /* No offer. */
    const word healer[] = { HEALER, 0, 1, 0, 0, 0, 0, 1, COLT, 0 };
    bool       shown = false;
    for (uint32_t i = 0; i + 10 <= out.used; i++)
        shown |= memcmp(words + i, healer, sizeof healer) == 0;
    assert_true(shown);
    close_stage();
}

static bool is_hidden(const uint8_t *mask, size_t at, size_t bytes)
{
    uint32_t hidden = 0;
    for (size_t i = 0; i < bytes; i++)
        hidden += mask[at + i] == 0xff;
    assert_true(hidden == 0 || hidden == bytes);
    return hidden > 0;
}

/* Found cards and past crises are known; what still lies face down is not, to anybody. */
static void what_lies_face_down_is_hidden_from_everybody(void **unused)
{
    (void) unused;
    uint8_t mask[2048] = { 0 };
    open_sound();
    dead_u16(state, state->at.taken)[1] = 3;
    game_dead.hidden(stage.setup, state, 0, mask);
    assert_false(is_hidden(mask, state->at.deck, 26));
    assert_true(is_hidden(mask, state->at.deck + 26u, 34));
    assert_false(is_hidden(mask, state->at.crises, 2));
    assert_true(is_hidden(mask, state->at.crises + 2u, 4));
    assert_true(is_hidden(mask, state->at.pool, 2));
    assert_true(is_hidden(mask, offsetof(struct dead_state, votes_for), 2));
    assert_false(is_hidden(mask, state->at.hands, 16));
    close_stage();
}

static void nobody_is_asked_who_is_not_awaited(void **unused)
{
    (void) unused;
    open_sound();
    stage.out.used = 0;
    game_dead.asks(stage.setup, state, 1, &stage.out);
    game_dead.asks(stage.setup, state, 9, &stage.out);
    TOLD("");
    game_dead.asks(stage.setup, state, 0, &stage.out);
    TOLD("act_now 0");
    close_stage();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_state_that_is_laid_out_wrongly_or_asks_nobody_is_found),
        cmocka_unit_test(impossible_numbers_are_found),
        cmocka_unit_test(people_in_two_places_or_none_are_found),
        cmocka_unit_test(cards_lost_or_twice_are_found),
        cmocka_unit_test(a_fate_card_that_is_there_twice_is_found),
        cmocka_unit_test(numbers_at_their_limits_are_borne),
        cmocka_unit_test(equipment_of_nobody_and_in_circles_is_found),
        cmocka_unit_test(use_is_found_of_the_last_of_many_cards),
        cmocka_unit_test(a_view_shows_equipment_and_no_more_food_than_its_field_holds),
        cmocka_unit_test(what_lies_face_down_is_hidden_from_everybody),
        cmocka_unit_test(nobody_is_asked_who_is_not_awaited),

    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
