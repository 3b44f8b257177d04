/* quests_table_test.c: the table of the game: what is listed is accepted and nothing else, every malformed
 * command, every broken invariant, bounds and outcome. */
#include "games/quests/tests/quests_game_test.h"

static struct game_at_hand game, trial;

static verdict try_on_a_copy(uint32_t seat, const struct command *command)
{
    trial = game;
    trial.out.words = trial.words;
    trial.out.used = 0;
    struct play play = { &trial.setup, &trial.state, &trial.dice, &trial.out };
    return game_quests.apply(&play, seat, command);
}

static bool is_listed(const struct command *command)
{
    for (uint64_t k = 0; k < legal_count(&game.list); k++) {
        struct command other;
        legal_pick(&game.list, k, &other);
        if (other.kind == command->kind && other.arg[0] == command->arg[0])
            return true;
    }
    return false;
}

static struct command command_of(uint32_t kind, word argument, word position)
{
    struct command command = { .kind = kind };
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command.arg[i] = ABSENT;
    command.arg[0] = argument;
    command.arg[1] = position;
    return command;
}

/* Every kind with every argument there may be, and by position what is said of the card there. */
static void all_that_is_listed_is_accepted(void)
{
    uint32_t seat = game.state.asked;
    game_quests.legal(&game.setup, &game.state, seat, &game.list);
    for (uint32_t kind = 1; kind < QUESTS_COMMANDS; kind++)
        for (word argument = -1; argument <= QUESTS_CARDS; argument++) {
            struct command command = command_of(kind, argument < 0 ? ABSENT : argument, ABSENT);
            bool           is_accepted = try_on_a_copy(seat, &command) == ACCEPTED;
            assert_int_equal(is_accepted, is_listed(&command));
            assert_int_not_equal(try_on_a_copy((seat + 1) % QUESTS_SEATS, &command), ACCEPTED);
        }
    for (uint32_t position = 1; position <= game.state.hand_count[seat]; position++) {
        uint32_t       card = quests_at(game.state.hand[seat], position);
        struct command named = command_of(QUESTS_DISCARD, card, ABSENT);
        struct command placed = command_of(QUESTS_DISCARD, ABSENT, position);
        verdict        judged = try_on_a_copy(seat, &named);
        assert_int_equal(try_on_a_copy(seat, &placed), judged);
    }
    game_quests.legal(&game.setup, &game.state, (seat + 1) % QUESTS_SEATS, &game.list);
    assert_true(legal_count(&game.list) == 0);
}

static void what_is_listed_is_what_is_accepted(void **unused)
{
    (void) unused;
    struct play play = begin(&game, "{\"winning_shields\": 3, \"hand_limit\": 9}", 3);
    while (game_quests.to_act(&game.setup, &game.state) != 0) {
        struct command command;
        all_that_is_listed_is_accepted();
        choose(&game, game.state.asked, &command);
        game.out.used = 0;
        assert_int_equal(game_quests.apply(&play, game.state.asked, &command), ACCEPTED);
    }
    all_that_is_listed_is_accepted();
    assert_false(game_quests.expire(&play, 0xf));
}

/* Seat 0 is asked to build, with F5, F10 and D5 in hand. */
static void begin_building(void)
{
    struct play play = begin(
        &game, "{\"event_deck\": [\"Q2\"], \"hands\": {\"P1\": [\"F5\", \"F10\", \"D5\"]}}", 1);
    struct command yes = command_of(QUESTS_SPONSOR, 1, ABSENT);
    assert_int_equal(game_quests.apply(&play, 0, &yes), ACCEPTED);
    assert_int_equal(game.state.phase, QUESTS_ASKS_BUILD);
}

static void a_malformed_command_is_that_before_all(void **unused)
{
    static const struct {
        uint32_t kind;
        word     arg[3];
        verdict  judged;
    } rows[] = {
        { 0, { ABSENT, ABSENT, ABSENT }, QUESTS_BAD_COMMAND },
        { QUESTS_COMMANDS, { ABSENT, ABSENT, ABSENT }, QUESTS_BAD_COMMAND },
        { QUESTS_STAGE_ADD, { ABSENT, ABSENT, ABSENT }, QUESTS_BAD_COMMAND },
        { QUESTS_STAGE_ADD, { 1, 1, ABSENT }, QUESTS_BAD_COMMAND },
        { QUESTS_STAGE_ADD, { MISTYPED, ABSENT, ABSENT }, QUESTS_BAD_COMMAND },
        { QUESTS_STAGE_ADD, { ABSENT, MISTYPED, ABSENT }, QUESTS_BAD_COMMAND },
        { QUESTS_STAGE_ADD, { 1, ABSENT, 1 }, QUESTS_BAD_COMMAND },
        { QUESTS_STAGE_DONE, { 1, ABSENT, ABSENT }, QUESTS_BAD_COMMAND },
        { QUESTS_SPONSOR, { 2, ABSENT, ABSENT }, QUESTS_BAD_COMMAND },
        { QUESTS_SPONSOR, { -1, ABSENT, ABSENT }, QUESTS_BAD_COMMAND },
        { QUESTS_SPONSOR, { 1, 1, ABSENT }, QUESTS_BAD_COMMAND },
        { QUESTS_SPONSOR, { 1, ABSENT, ABSENT }, QUESTS_WRONG_PHASE },
        { QUESTS_END_TURN, { ABSENT, ABSENT, ABSENT }, QUESTS_WRONG_PHASE },
        { QUESTS_STAGE_ADD, { 0, ABSENT, ABSENT }, QUESTS_NO_SUCH_CARD },
        { QUESTS_STAGE_ADD, { -1, ABSENT, ABSENT }, QUESTS_NO_SUCH_CARD },
        { QUESTS_STAGE_ADD, { QUESTS_CARDS, ABSENT, ABSENT }, QUESTS_NO_SUCH_CARD },
        { QUESTS_STAGE_ADD, { INT64_MAX, ABSENT, ABSENT }, QUESTS_NO_SUCH_CARD },
        { QUESTS_STAGE_ADD, { 4, ABSENT, ABSENT }, QUESTS_NO_SUCH_CARD },
        { QUESTS_STAGE_ADD, { ABSENT, 0, ABSENT }, QUESTS_BAD_POSITION },
        { QUESTS_STAGE_ADD, { ABSENT, 4, ABSENT }, QUESTS_BAD_POSITION },
        { QUESTS_STAGE_ADD, { ABSENT, INT64_MAX, ABSENT }, QUESTS_BAD_POSITION },
        { QUESTS_STAGE_DONE, { ABSENT, ABSENT, ABSENT }, QUESTS_STAGE_EMPTY },
        { QUESTS_STAGE_ADD, { ABSENT, 3, ABSENT }, ACCEPTED },
    };
    (void) unused;
    begin_building();
    game.state.hand[0][0] = 1; /* No card; a hand that had one would be found out by it. */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct command command = command_of(rows[i].kind, rows[i].arg[0], rows[i].arg[1]);
        command.arg[2] = rows[i].arg[2];
        assert_int_equal(try_on_a_copy(0, &command), rows[i].judged);
        command.text = (const uint8_t *) "x";
        command.text_size = 1;
        assert_int_equal(try_on_a_copy(0, &command), QUESTS_BAD_COMMAND);
    }
    struct command add = command_of(QUESTS_STAGE_ADD, 1, ABSENT);
    assert_int_equal(try_on_a_copy(1, &add), QUESTS_NOT_YOUR_TURN);
    assert_int_equal(try_on_a_copy(UINT32_MAX, &add), QUESTS_NOT_YOUR_TURN);
}

static void only_who_is_awaited_runs_out_of_time(void **unused)
{
    (void) unused;
    begin_building();
    struct play         play = { &game.setup, &game.state, &game.dice, &game.out };
    struct quests_state before = game.state;
    game.out.used = 0;
    assert_false(game_quests.expire(&play, 0xe));
    assert_memory_equal(&before, &game.state, sizeof before);
    assert_int_equal(game.out.used, 0);
    assert_true(game_quests.expire(&play, 0xf));
}

/* Asserts the only event of the last act that this seat alone is told. */
static void assert_told(uint32_t seat, uint32_t kind, const word *fields, uint32_t count)
{
    const word *event = sink_first(&game.out);
    while (event != NULL && event_to(event) != TO_SEAT(seat))
        event = sink_next(&game.out, event);
    assert_non_null(event);
    assert_int_equal(event_kind(event), kind);
    assert_int_equal(event_length(event), count);
    assert_memory_equal(event_fields(event), fields, count * sizeof(word));
}

static void what_was_laid_comes_back(void **unused)
{
    (void) unused;
    begin_building();
    struct play    play = { &game.setup, &game.state, &game.dice, &game.out };
    struct command add = command_of(QUESTS_STAGE_ADD, 2, ABSENT);
    struct command done = command_of(QUESTS_STAGE_DONE, ABSENT, ABSENT);
    struct command clear = command_of(QUESTS_STAGE_CLEAR, ABSENT, ABSENT);
    assert_int_equal(game_quests.apply(&play, 0, &add), ACCEPTED);
    game.out.used = 0;
    assert_int_equal(game_quests.apply(&play, 0, &clear), ACCEPTED);
    assert_told(0, QUESTS_STAGE_CLEARED, (const word[]){ 1, 3, 1, 2, 11 }, 5);
    add.arg[0] = 1;
    assert_int_equal(game_quests.apply(&play, 0, &add), ACCEPTED);
    assert_int_equal(game_quests.apply(&play, 0, &done), ACCEPTED);
    add.arg[0] = 11;
    assert_int_equal(game_quests.apply(&play, 0, &add), ACCEPTED);
    game.out.used = 0;
    assert_int_equal(game_quests.apply(&play, 0, &clear), ACCEPTED);
    assert_told(0, QUESTS_STAGE_CLEARED, (const word[]){ 2, 2, 2, 11 }, 4);
    assert_null(game_quests.check(&game.setup, &game.state));
}

static void what_a_viewer_must_not_know_is_marked(void **unused)
{
    static uint8_t             mask[sizeof(struct quests_state)];
    const struct quests_state *hidden = (const void *) mask;
    (void) unused;
    (void) begin(&game, "{\"event_deck\": [\"Q2\"]}", 1);
    game_quests.hidden(&game.setup, &game.state, 0, mask);
    assert_int_equal(hidden->able, 0); /* This player is asked, and knows. */
    assert_int_equal(hidden->hand[0][1], 0);
    assert_int_equal(hidden->hand[1][1], UINT16_MAX);
    assert_int_equal(hidden->attack_card[3][5], UINT16_MAX);
    assert_int_equal(hidden->stage_card[0][0], UINT16_MAX);
    assert_int_equal(hidden->deck[1].card[0], UINT16_MAX);
    assert_int_equal(hidden->discard[0].card[0], UINT16_MAX);
    assert_int_equal(hidden->discard[1].card[0], 0); /* All have seen it played. */
    assert_int_equal(hidden->shields[1], 0);
    memset(mask, 0, sizeof mask);
    game_quests.hidden(&game.setup, &game.state, 1, mask);
    assert_int_equal(hidden->able, UINT16_MAX);
    assert_int_equal(hidden->hand[0][1], UINT16_MAX);
    assert_int_equal(hidden->hand[1][1], 0);
    assert_int_equal(hidden->attack_card[0][0], UINT16_MAX);
}

/* P1 was dealt more than the limit and has drawn nothing: two queens later P1 still has it all. */
static void only_who_has_drawn_trims(void **unused)
{
    struct command end = command_of(QUESTS_END_TURN, ABSENT, ABSENT);
    struct command discard = command_of(QUESTS_DISCARD, ABSENT, 1);
    (void) unused;
    struct play play = begin(&game,
                             "{\"first_player\": \"P2\", \"hand_limit\": 11, "
                             "\"event_deck\": [\"QUEEN\", \"QUEEN\", \"PLAGUE\"]}",
                             1);
    for (uint32_t seat = 1; seat < 3; seat++) {
        for (uint32_t i = 0; i < 3; i++)
            assert_int_equal(game_quests.apply(&play, seat, &discard), ACCEPTED);
        assert_int_equal(game.state.hand_count[seat], 11);
        game.out.used = 0;
        assert_int_equal(game_quests.apply(&play, seat, &end), ACCEPTED);
    }
    assert_int_equal(game.state.hand_count[0], 12);
    assert_int_equal(game.state.turn, 3);
}

/* One card is left in the game beside four empty hands, and a queen draws two. */
static void who_draws_too_few_is_told_how_many_are_missing(void **unused)
{
    static const word missing[] = { 0, 1 };
    (void) unused;
    (void) begin(&game,
                 "{\"event_deck\": [\"QUEEN\"], \"adventure_fill\": \"none\", \"adventure_deck\": "
                 "[\"F5\"], \"hands\": {\"P1\": [], \"P2\": [], \"P3\": [], \"P4\": []}}",
                 1);
    const word *event = sink_first(&game.out), *last = event;
    while (event != NULL && event_kind(event) != QUESTS_DREW) {
        last = event;
        event = sink_next(&game.out, event);
    }
    assert_non_null(event); /* What is missing is told just before the draw. */
    assert_int_equal(event_kind(last), QUESTS_DRAW_SHORT);
    assert_int_equal(event_to(last), TO_ALL);
    assert_memory_equal(event_fields(last), missing, sizeof missing);
    assert_int_equal(game.state.hand_count[0], 1);
}

/* The question to P1, who may sponsor, is the last that the start has said. All hear it; only P1
 * hears whether P1 could. */
static void who_is_asked_may_ask_again_what(void **unused)
{
    static const word prompt[] = { 0, QUESTS_ASKS_SPONSOR, 2, ABSENT, ABSENT }, able[] = { 0, 1 };
    (void) unused;
    (void) begin(&game, "{\"event_deck\": [\"Q2\"], \"hands\": {\"P1\": [\"F5\", \"F10\"]}}", 1);
    game.out.used = game.out.events = 0;
    for (uint32_t seat = 1; seat < QUESTS_SEATS; seat++)
        game_quests.asks(&game.setup, &game.state, seat, &game.out);
    assert_int_equal(game.out.events, 0);
    game_quests.asks(&game.setup, &game.state, 0, &game.out);
    const word *event = sink_first(&game.out);
    assert_int_equal(event_kind(event), QUESTS_PROMPT);
    assert_memory_equal(event_fields(event), prompt, sizeof prompt);
    assert_told(0, QUESTS_CAN_SPONSOR, able, 2);
    game.state.phase = QUESTS_OVER;
    game.out.used = game.out.events = 0;
    game_quests.asks(&game.setup, &game.state, 0, &game.out);
    assert_int_equal(game.out.events, 0);
}

static void bounds_are_what_is_counted(void **unused)
{
    struct bounds bounds;
    uint32_t      least = 0, most = 0;
    (void) unused;
    (void) begin(&game, "{}", 1);
    game_quests.seats(&game.setup, &least, &most);
    assert_int_equal(least, 4);
    assert_int_equal(most, 4);
    game_quests.bounds(&game.setup, 4, &bounds);
    assert_int_equal(bounds.state_bytes, sizeof game.state);
    assert_int_equal(bounds.legal_patterns, 4);
    assert_int_equal(bounds.legal_values, 17);
    assert_int_equal(bounds.event_words, 410);
    assert_int_equal(bounds.view_words, 143);
    assert_int_equal(bounds.box_bytes[0], 65);
    assert_int_equal(bounds.box_bytes[1], 97);
}

static void who_wins_wins_and_all_others_lose(void **unused)
{
    int32_t outcome[QUESTS_SEATS + 1] = { 7, 7, 7, 7, 7 };
    (void) unused;
    (void) begin(&game, "{}", 1);
    game.state.winners = 0x6;
    game_quests.outcome(&game.setup, &game.state, outcome);
    const int32_t expected[] = { -1, 1, 1, -1, 7 };
    assert_memory_equal(outcome, expected, sizeof outcome);
}

/* Invariants. */

static struct quests_state *state;

static void finds(const char *sentence)
{
    const char *wrong = game_quests.check(&game.setup, &game.state);
    assert_non_null(wrong);
    assert_string_equal(wrong, sentence);
    begin_building();
}

#define BREAK(change, sentence)                                                                    \
    do {                                                                                           \
        change;                                                                                    \
        finds(sentence);                                                                           \
    } while (0)

static void broken_numbers_are_found(void **unused)
{
    (void) unused;
    begin_building();
    state = &game.state;
    assert_null(game_quests.check(&game.setup, state));
    BREAK(state->phase = 0, "something is being asked, or it is over");
    BREAK(state->phase = 8, "something is being asked, or it is over");
    BREAK(state->asked = 4, "whoever is named sits at the table");
    BREAK(state->current = 4, "whoever is named sits at the table");
    BREAK(state->sponsor = 5, "whoever is named sits at the table");
    BREAK(state->polled = 5, "whoever is named sits at the table");
    BREAK(state->eligible = 16, "there are four players");
    BREAK(state->participants = 16, "there are four players");
    BREAK(state->attacking = 16, "there are four players");
    BREAK(state->winners = 16, "there are four players");
    BREAK(state->trimming = 16, "there are four players");
    BREAK(state->stages = 6, "stages are built, begun and resolved in this order");
    BREAK(state->built = 3, "stages are built, begun and resolved in this order");
    BREAK(state->stage = 1, "stages are built, begun and resolved in this order");
    BREAK(state->resolved = 1, "stages are built, begun and resolved in this order");
    BREAK(state->participants = 2, "who attacks takes part, and who takes part was eligible");
    BREAK(state->attacking = 2, "who attacks takes part, and who takes part was eligible");
    BREAK(state->eligible = 1, "the sponsor attacks nothing");
}

static void broken_phases_are_found(void **unused)
{
    (void) unused;
    begin_building();
    state = &game.state;
    BREAK(state->stages = 0, "there is a quest while it is offered, built and played");
    BREAK(state->phase = QUESTS_ASKS_END_TURN,
          "there is a quest while it is offered, built and played");
    BREAK(state->asked = 1, "who builds is the sponsor, and something is left to build");
    BREAK(state->built = 2, "who builds is the sponsor, and something is left to build");
    BREAK((state->built = 1, state->stage = 1, state->phase = QUESTS_ASKS_ATTACK),
          "a quest that is played is built");
    BREAK(state->able = 1, "who could sponsor is known only while he is asked");
    BREAK(state->winners = 1, "a game is over when somebody has won");
    BREAK((state->stages = 0, state->phase = QUESTS_OVER), "a game is over when somebody has won");
    BREAK(state->phase = QUESTS_ASKS_DISCARD, "who discards has drawn");
    BREAK((state->stages = 0, state->phase = QUESTS_ASKS_END_TURN),
          "no event card is in play when the turn has ended");
}

static void broken_cards_are_found(void **unused)
{
    (void) unused;
    begin_building();
    state = &game.state;
    BREAK(state->hand_count[3]--, "a hand has as many cards as it says");
    BREAK(state->hand[3][0] = 1, "a hand has as many cards as it says");
    BREAK(state->hand[3][16] += 1, "a hand has as many cards as it says");
    BREAK(state->attack_count[3] = 1, "an attack is made of cards");
    BREAK(state->attack_count[0] = QUESTS_WEAPONS + 1, "an attack is made of cards");
    BREAK(state->stage_count[4] = 1, "a stage is made of cards");
    BREAK(state->attack_card[3][0] = 11, "an attack is made of cards");
    BREAK(state->attack_card[0][QUESTS_WEAPONS - 1] = 11, "an attack is made of cards");
    BREAK(state->stage_card[4][0] = 1, "a stage is made of cards");
    BREAK(state->stage_card[0][QUESTS_STAGE_MAX - 1] = 1, "a stage is made of cards");
    BREAK((state->stage_count[0] = 1, state->stage_card[0][0] = QUESTS_CARDS),
          "a stage is made of cards");
    BREAK(state->stage_count[0] = QUESTS_STAGE_MAX + 1, "a stage is made of cards");
    BREAK(state->event_card = QUESTS_CARDS, "the event card in play is a card");
    BREAK(state->deck[0].card[state->deck[0].first] = 0, "decks and piles are made of cards");
    BREAK(state->deck[1].first = QUESTS_ADVENTURES, "decks and piles are made of cards");
    BREAK(state->discard[1].count = 1, "decks and piles are made of cards");
    BREAK(state->deck[0].count--, "there are as many of each card as at the start");
    BREAK(state->deck[1].count--, "there are as many of each card as at the start");
    BREAK(state->event_card = 0, "there are as many of each card as at the start");
    BREAK((state->attack_count[1] = 1, state->attack_card[1][0] = 16),
          "there are as many of each card as at the start");
    BREAK((state->stage_count[4] = 1, state->stage_card[4][0] = 1),
          "there are as many of each card as at the start");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_listed_is_what_is_accepted),
        cmocka_unit_test(a_malformed_command_is_that_before_all),
        cmocka_unit_test(only_who_is_awaited_runs_out_of_time),
        cmocka_unit_test(what_was_laid_comes_back),
        cmocka_unit_test(what_a_viewer_must_not_know_is_marked),
        cmocka_unit_test(only_who_has_drawn_trims),
        cmocka_unit_test(who_draws_too_few_is_told_how_many_are_missing),
        cmocka_unit_test(who_is_asked_may_ask_again_what),
        cmocka_unit_test(bounds_are_what_is_counted),
        cmocka_unit_test(who_wins_wins_and_all_others_lose),
        cmocka_unit_test(broken_numbers_are_found),
        cmocka_unit_test(broken_phases_are_found),
        cmocka_unit_test(broken_cards_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
