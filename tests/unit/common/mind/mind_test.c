/* mind_test.c: a process that holds no state thinks as one that does, by what its seat is sent.
 *
 * Greedy players play set-ups of each game that can be thought about. Each seat gets the bytes that its
 * player would get: acts with its own boxes, and its View. What a mind makes of them is compared with
 * the notes and the command of a thinker beside the match (match/thinker.h), which knows no more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "dice/kinds.h"
#include "match/thinker.h"
#include "mind/mind.h"
#include "tables.h"
#include "wire/act.h"
#include "wire/act_read.h"
#include "wire/box.h"

#define NODES 12
#define SEED 4711
#define ACTS_MAX 120
#define THINKS_ONE_IN 7
#define TABLES_MAX 3
#define VIEW_MAX (64u << 10)

struct evening {
    struct match_terms   terms;
    struct match_form    form;
    struct match_room    room;
    struct match_act     act;
    struct match        *match;
    struct policy        policy;
    struct thinker       thinker;
    struct sink          view;
    struct mind_game     game;
    struct mind_settings settings;
    struct mind         *mind;
    struct mind_text     text;
    uint32_t             setup;
    word                 notes[SEATS_MAX][NOTES_WORDS_MAX];
    uint8_t              bytes[VIEW_MAX];
    void                *memory[7];
    uint32_t             thoughts;
};

static const struct table *playing; /* What `compile` gives: its text was compiled by others. */

static size_t compile(const struct game *game, const struct mind_text *text, void *setup,
                      size_t capacity)
{
    (void) game, (void) text;
    if (playing->setup_bytes > capacity)
        return 0;
    memcpy(setup, playing->setup, playing->setup_bytes);
    return playing->setup_bytes;
}

static void *room_of(struct evening *evening, uint32_t which, size_t size)
{
    evening->memory[which] = calloc(1, size);
    assert_non_null(evening->memory[which]);
    return evening->memory[which];
}

static void open_mind(struct evening *evening, const struct table *table)
{
    mind_defaults(&evening->settings);
    evening->settings.compile = compile;
    evening->settings.crypto = &crypto_sodium;
    evening->settings.setups_max = 2;
    evening->mind =
        mind_init(room_of(evening, 6, mind_bytes(&evening->settings)), &evening->settings);
    evening->game = (struct mind_game){ .game = table->wire->game,
                                        .commands = evening->form.commands,
                                        .event = evening->form.events,
                                        .view = plan_new(table->wire->view) };
    evening->text =
        (struct mind_text){ .setup = table->config, .setup_size = strlen(table->config) };
    evening->setup =
        mind_take_setup(evening->mind, &evening->game, &evening->text, table->seats[0]);
    assert_int_not_equal(evening->setup, MIND_NO_SETUP);
}

static void begin(struct evening *evening, const struct table *table)
{
    struct match_begin how = { .epoch = 1, .id = { 1 }, .secret = { 2 } };
    struct dice        dice;
    memset(evening, 0, sizeof *evening);
    playing = table;
    dice_splitmix(&dice, 7);
    how.dice = &dice;
    evening->form = (struct match_form){ plan_new(table->wire->command),
                                         plan_new(table->wire->event), &crypto_sodium };
    match_terms_init(&evening->terms, table->wire->game, table->setup, table->seats[0],
                     MATCH_CHAINED | MATCH_SEALED, &evening->form);
    const struct match_terms *terms = &evening->terms;
    match_room_init(&evening->room, terms, room_of(evening, 0, match_room_bytes(terms)));
    policy_init(&evening->policy, POLICY_GREEDY, 1000, 7, terms,
                room_of(evening, 1, policy_bytes(terms)));
    thinker_init(&evening->thinker, terms, NODES + 1,
                 room_of(evening, 2, thinker_bytes(terms, NODES + 1)));
    evening->view.words = room_of(evening, 3, terms->bounds.view_words * sizeof(word));
    evening->view.capacity = terms->bounds.view_words;
    open_mind(evening, table);
    evening->match = match_start(room_of(evening, 4, match_bytes(terms)), terms, &how,
                                 &evening->room, &evening->act);
}

static void end(struct evening *evening)
{
    struct plan *view = (struct plan *) evening->game.view;
    struct plan *commands = (struct plan *) evening->form.commands;
    struct plan *events = (struct plan *) evening->form.events;
    for (uint32_t i = 0; i < 7; i++)
        free(evening->memory[i]);
    plan_destroy(&view);
    plan_destroy(&commands);
    plan_destroy(&events);
}

/* The act as this seat's client tells it: the body, and what was in the seat's box. */
static void tell(struct evening *evening, uint32_t seat)
{
    static uint8_t          text[1u << 17];
    const struct match_act *act = &evening->act;
    const struct match     *match = evening->match;
    struct mind_act event = { .seat = seat, .body = act->body, .body_size = act->body_size };
    const uint8_t  *box;
    size_t          size;
    if (act_find_box(act->body, act->body_size, seat, &box, &size)) {
        struct box_place place = { .epoch = match->epoch, .number = act->number };
        memcpy(place.match_id, match->id, sizeof place.match_id);
        assert_true(size < sizeof text);
        assert_true(box_open(text, &crypto_sodium, match_keys(match, seat), &place, box, size));
        event.box = text;
        event.box_size = size - BOX_OVERHEAD;
    }
    mind_hear(evening->mind, evening->setup, evening->notes[seat], &event);
}

static void hear(struct evening *evening)
{
    uint32_t words = evening->terms.game->foresight->notes_words;
    thinker_hear(&evening->thinker, &evening->act);
    for (uint32_t seat = 0; seat < evening->terms.seats; seat++) {
        tell(evening, seat);
        if (memcmp(evening->notes[seat], evening->thinker.notes + (size_t) seat * words,
                   words * sizeof(word)) != 0)
            fail_msg("%s: at act %llu seat %u noted something else", evening->terms.game->name,
                     (unsigned long long) evening->act.number, seat);
    }
}

static struct command think_there(struct evening *evening, uint32_t seat)
{
    const struct mind_task task = { .setup = evening->setup,
                                    .seat = seat,
                                    .view = evening->bytes,
                                    .view_size = plan_encode(
                                        evening->game.view, evening->view.words, evening->view.used,
                                        evening->bytes, sizeof evening->bytes),
                                    .notes = evening->notes[seat],
                                    .skill = { .nodes = NODES },
                                    .seed = SEED,
                                    .until_ms = 1000 };
    static uint8_t         arena_memory[1u << 16], bytes[1u << 16];
    struct arena           arena;
    struct command         command = { 0 };
    uint32_t               slices = 0;
    assert_true(task.view_size > 0);
    assert_true(mind_begin(evening->mind, &task, 0));
    while (!mind_go_on(evening->mind, 0))
        assert_true(++slices < NODES);
    arena_init(&arena, arena_memory, sizeof arena_memory);
    assert_true(plan_decode_command(evening->form.commands, bytes,
                                    mind_best(evening->mind, bytes, sizeof bytes), &arena,
                                    &command));
    return command;
}

static void think_twice(struct evening *evening, uint32_t seat)
{
    struct search *search = &evening->thinker.search;
    struct command here = { 0 };
    match_legal(evening->match, seat, &evening->policy.list);
    if (evening->policy.list.patterns == 0)
        return;
    evening->view.used = evening->view.events = evening->view.header = 0;
    match_view(evening->match, seat, &evening->view);
    const struct known known = { .seat = seat,
                                 .seats = evening->terms.seats,
                                 .view = evening->view.words,
                                 .view_words = evening->view.used,
                                 .notes = evening->notes[seat] };
    assert_true(search_begin(search, &known, SEED));
    search_think(search, NODES - 1);
    search_best(search, &here);
    struct command there = think_there(evening, seat);
    evening->thoughts++;
    if (here.kind != there.kind || memcmp(here.arg, there.arg, sizeof here.arg) != 0)
        fail_msg("%s: after act %llu seat %u would do something else elsewhere",
                 evening->terms.game->name, (unsigned long long) evening->match->number, seat);
}

static uint32_t play(const struct table *table)
{
    static struct evening evening;
    begin(&evening, table);
    hear(&evening);
    for (uint32_t i = 0; i < ACTS_MAX && match_to_act(evening.match) != 0; i++) {
        struct command command;
        uint32_t       seat = policy_seat(&evening.policy, match_to_act(evening.match));
        if (i % THINKS_ONE_IN == 0)
            think_twice(&evening, seat);
        assert_true(policy_pick(&evening.policy, evening.match, seat, &command));
        assert_int_equal(match_play(evening.match, seat, &command, &evening.room, &evening.act),
                         ACCEPTED);
        hear(&evening);
    }
    end(&evening);
    return evening.thoughts;
}

static void who_holds_no_state_thinks_the_same(void **unused)
{
    (void) unused;
    for (const struct game_wire *const *wire = registry_games(); *wire != NULL; wire++) {
        struct tables tables;
        uint32_t      thoughts = 0;
        if ((*wire)->game->foresight == NULL)
            continue;
        assert_true(tables_load(*wire, &tables));
        for (uint32_t i = 0; i < tables.count && i < TABLES_MAX; i++)
            thoughts +=
                play(&tables.table[tables.count <= TABLES_MAX ? i : i * tables.count / TABLES_MAX]);
        print_message("%s: %u thoughts\n", (*wire)->game->name, thoughts);
        assert_true(thoughts > 0);
        tables_free(&tables);
    }
}

/* Seats that play with the same set-up share it; a place that nobody needs is given to another one. */
static void set_ups_are_shared_and_bounded(void **unused)
{
    (void) unused;
    static struct evening  evening;
    const struct mind_text other = { .setup = "{}", .setup_size = 2 },
                           third = { .setup = "[]", .setup_size = 2 };
    struct tables tables;
    assert_true(tables_load(registry_find("nim", 0), &tables));
    const struct table *table = &tables.table[0];
    uint32_t            seats = table->seats[0];
    begin(&evening, table);
    assert_int_equal(mind_take_setup(evening.mind, &evening.game, &evening.text, seats),
                     evening.setup);
    uint32_t second = mind_take_setup(evening.mind, &evening.game, &other, seats);
    assert_int_not_equal(second, evening.setup);
    assert_int_equal(mind_take_setup(evening.mind, &evening.game, &third, seats), MIND_NO_SETUP);
    mind_leave_setup(evening.mind, second);
    assert_int_equal(mind_take_setup(evening.mind, &evening.game, &third, seats), second);
    end(&evening);
    tables_free(&tables);
}

/* A view may have come from anywhere. */
static void what_is_no_view_is_not_thought_about(void **unused)
{
    (void) unused;
    static struct evening evening;
    static const uint8_t  nonsense[] = { 0xff, 0xff, 0xff };
    struct mind_task      task = { .view = nonsense,
                                   .view_size = sizeof nonsense,
                                   .skill = { .nodes = NODES } };
    struct tables         tables;
    assert_true(tables_load(registry_find("nim", 0), &tables));
    begin(&evening, &tables.table[0]);
    task.setup = evening.setup;
    task.notes = evening.notes[0];
    assert_false(mind_begin(evening.mind, &task, 0));
    task.view_size = 0;
    assert_false(mind_begin(evening.mind, &task, 0));
    end(&evening);
    tables_free(&tables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_holds_no_state_thinks_the_same),
        cmocka_unit_test(set_ups_are_shared_and_bounded),
        cmocka_unit_test(what_is_no_view_is_not_thought_about),
    };
    if (sodium_init() < 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
