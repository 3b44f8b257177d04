/* quests_table_conform.c: the table of a scenario: its match, and a look at all of its cards. */
#include "games/quests/conform/quests_table_conform.h"

#include <stdlib.h>
#include <string.h>

#include "dice/kinds.h"
#include "games/quests/conform/quests_names_conform.h"
#include "games/quests/quests_rules.h"
#include "wire/arena.h"
#include "json/json.h"

static void count_fault(struct faults *faults, const struct value *at, const char *key,
                        const char *what)
{
    (void) faults, (void) at, (void) key, (void) what; /* They are counted; a refusal is enough. */
}

static void *compile(const json_t *config)
{
    static const char options[] = "{\"rigged\": true}"; /* Scenarios are what the switch is for. */
    char             *text = json_dumps(config, JSON_COMPACT);
    size_t            bytes = JSON_VALUE_BYTES(strlen(text)) + JSON_VALUE_BYTES(sizeof options);
    void             *memory = malloc(bytes);
    void             *setup = NULL;
    struct faults     faults = { 0, count_fault };
    struct arena      arena;

    assert(memory != NULL);
    arena_init(&arena, memory, bytes);
    const struct value *tree = json_value(text, strlen(text), &arena, &faults);
    const struct value *chosen = json_value(options, strlen(options), &arena, &faults);
    size_t              size = tree != NULL ? quests_configure(tree, chosen, NULL, 0, &faults) : 0;
    if (size > 0) {
        setup = calloc(1, size);
        assert(setup != NULL);
        quests_configure(tree, chosen, setup, size, &faults);
    }
    free(memory);
    free(text);
    return setup;
}

static void take_said(struct quests_table *table)
{
    for (const word *event = sink_first(&table->out); event != NULL;
         event = sink_next(&table->out, event))
        json_array_append_new(table->said, quests_show_event(event));
    table->out.used = 0;
}

static struct play play_of(struct quests_table *table)
{
    return (struct play){ table->setup, table->state, &table->dice, &table->out };
}

bool quests_table_open(struct quests_table *table, const json_t *config)
{
    *table = (struct quests_table){ .setup = compile(config) };
    if (table->setup == NULL)
        return false;
    game_quests.bounds(table->setup, QUESTS_SEATS, &table->bounds);
    table->state = calloc(1, table->bounds.state_bytes);
    table->out.words = calloc(table->bounds.event_words, sizeof(word));
    assert(table->state != NULL && table->out.words != NULL);
    table->out.capacity = table->bounds.event_words;
    table->said = json_array();
    dice_java(&table->dice, table->setup->seed);
    struct play play = play_of(table);
    game_quests.start(&play, QUESTS_SEATS);
    take_said(table);
    return true;
}

void quests_table_close(struct quests_table *table)
{
    json_decref(table->said);
    free(table->out.words);
    free(table->state);
    free(table->setup);
}

/* Our sentences end with a full stop; those of the scenarios do not. */
static const char *refuse(struct quests_table *table, const json_t *by, verdict why)
{
    const struct reason *reason = &game_quests.reasons[why];
    json_array_append_new(table->said, json_pack("{s:O, s:s, s:s, s:s%}", "to", by, "ev", "error",
                                                 "code", reason->name, "text", reason->sentence,
                                                 strlen(reason->sentence) - 1));
    return reason->name;
}

/* A view is no command of the rules: who hosts the match answers it, at any time. */
static bool asks_for_view(const json_t *step)
{
    const json_t *command = json_object_get(step, "cmd");
    return json_is_string(command) && strcmp(json_string_value(command), "view") == 0 &&
           json_object_size(step) == 2;
}

const char *quests_table_step(struct quests_table *table, const json_t *step)
{
    struct play   play = play_of(table);
    const json_t *late = json_object_get(step, "expire");
    const json_t *by = json_object_get(step, "by");
    verdict       refused = ACCEPTED;

    if (late != NULL) {
        (void) game_quests.expire(&play, 1u << quests_read_player(late));
    } else if (!asks_for_view(step)) {
        struct command command = quests_read_command(step);
        refused = game_quests.apply(&play, quests_read_player(by), &command);
    }
    take_said(table);
    return refused != ACCEPTED ? refuse(table, by, refused) : NULL;
}

json_t *quests_table_view(const struct quests_table *table, const json_t *player)
{
    word       *words = calloc(table->bounds.view_words, sizeof *words);
    struct sink out = { .words = words, .capacity = table->bounds.view_words };

    assert(words != NULL);
    game_quests.view(table->setup, table->state, quests_read_player(player), &out);
    json_t *view = quests_show_view(words);
    free(words);
    return view;
}

/* Behind the screens. */

static json_t *show_row(enum quests_deck deck, const uint16_t *cards, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, json_string(quests_card_names[deck][cards[i] - 1]));
    return list;
}

static json_t *show_top(const struct quests_table *table, enum quests_deck deck, uint32_t most)
{
    const struct quests_pile *pile = &table->state->deck[deck];
    return show_row(deck, pile->card + pile->first, pile->count < most ? pile->count : most);
}

static json_t *show_pile(const struct quests_table *table, enum quests_deck deck)
{
    const struct quests_pile *pile = &table->state->discard[deck];
    return show_row(deck, pile->card + pile->first, pile->count);
}

static json_t *show_hand(const struct quests_state *state, uint32_t seat)
{
    json_t *list = json_array();
    for (uint32_t position = 1; position <= state->hand_count[seat]; position++) {
        uint32_t card = quests_at(state->hand[seat], position);
        json_array_append_new(list, json_string(quests_card_names[QUESTS_ADVENTURE][card - 1]));
    }
    return list;
}

/* The public part of it is in everybody's view. */
json_t *quests_table_final(const struct quests_table *table)
{
    const struct quests_state *state = table->state;
    json_t                    *view = quests_table_view(table, NULL);
    json_t                    *hands = json_object(), *shields = json_object();

    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++) {
        char name[] = { 'P', (char) ('1' + seat), '\0' };
        json_object_set_new(hands, name, show_hand(state, seat));
        json_object_set_new(shields, name, json_integer(state->shields[seat]));
    }
    json_t *final = json_pack(
        "{s:o, s:o, s:b, s:O, s:O, s:O, s:O, s:i, s:o, s:o, s:i, s:o, s:o}", "hands", hands,
        "shields", shields, "over", state->phase == QUESTS_OVER, "winners",
        json_object_get(view, "winners"), "pending", json_object_get(view, "pending"), "turn",
        json_object_get(view, "turn"), "current", json_object_get(view, "current"),
        "adventure_deck_count", state->deck[QUESTS_ADVENTURE].count, "adventure_deck_top",
        show_top(table, QUESTS_ADVENTURE, 10), "adventure_discard",
        show_pile(table, QUESTS_ADVENTURE), "event_deck_count", state->deck[QUESTS_EVENT].count,
        "event_deck_top", show_top(table, QUESTS_EVENT, 5), "event_discard",
        show_pile(table, QUESTS_EVENT));
    json_decref(view);
    return final;
}

static void count_pile(const struct quests_pile *pile, uint32_t counts[QUESTS_CARDS])
{
    for (uint32_t i = 0; i < pile->count; i++)
        counts[pile->card[pile->first + i]]++;
}

static json_t *show_counts(enum quests_deck deck, const uint32_t counts[QUESTS_CARDS])
{
    json_t *shown = json_object();
    for (uint32_t card = 1; quests_card_names[deck][card - 1] != NULL; card++)
        json_object_set_new(shown, quests_card_names[deck][card - 1], json_integer(counts[card]));
    return shown;
}

/* Before the first step no card lies in a stage or an attack. */
json_t *quests_table_distribution(const struct quests_table *table)
{
    static const char *const   names[] = { "adventure", "events" };
    const struct quests_state *state = table->state;
    json_t                    *shown = json_object();

    for (uint32_t deck = 0; deck < QUESTS_DECKS; deck++) {
        uint32_t in_deck[QUESTS_CARDS] = { 0 }, total[QUESTS_CARDS] = { 0 };
        count_pile(&state->deck[deck], in_deck);
        count_pile(&state->deck[deck], total);
        count_pile(&state->discard[deck], total);
        for (uint32_t seat = 0; deck == QUESTS_ADVENTURE && seat < QUESTS_SEATS; seat++)
            for (uint32_t card = 1; card < QUESTS_CARDS; card++)
                total[card] += state->hand[seat][card];
        if (deck == QUESTS_EVENT)
            total[state->event_card] += state->event_card > 0;
        json_object_set_new(shown, names[deck],
                            json_pack("{s:o, s:o}", "total", show_counts(deck, total), "deck",
                                      show_counts(deck, in_deck)));
    }
    return shown;
}
