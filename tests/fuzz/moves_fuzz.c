/* moves_fuzz.c: any bytes as the moves of a match of any game: every promise of game.h, after each.
 *
 * The first bytes choose game, set-up, number of seats and seed. Then come moves: commands from the
 * list, commands like those of the list, commands of any words from anybody, expiries, and removals
 * by the house. A refused one must have changed nothing; an accepted one must leave every invariant
 * whole, and events and views that the game's messages can carry. What `legal` lists and what
 * `apply` accepts must be the same. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "dice/kinds.h"
#include "fuzz.h"
#include "player.h"
#include "tables.h"
#include "wire/plan.h"

#define GAMES_MAX 16
#define TAKES_UNLISTED (COMMAND_OPEN | COMMAND_FORFEITS | COMMAND_ALIAS)

/* What all matches of a game share; made at its first use, and kept. */
struct known_game {
    const struct game_wire *wire;
    struct tables           tables;
    struct plan            *events, *views;
};

struct board {
    const struct known_game *known;
    const struct game       *game;
    const void              *setup;
    uint32_t                 seats;
    struct bounds            bounds;
    void                    *state, *kept;
    struct dice              dice, kept_dice;
    struct sink              out, look;
    struct legal             list;
    uint8_t                 *bytes; /* For encoded events and views. */
    size_t                   bytes_max;
};

static const struct known_game *know(const struct game_wire *wire)
{
    static struct known_game games[GAMES_MAX];
    struct known_game       *known = games;

    for (; known->wire != wire; known++) {
        assert(known < games + GAMES_MAX - 1);
        if (known->wire != NULL)
            continue;
        known->wire = wire;
        known->events = plan_new(wire->event);
        known->views = plan_new(wire->view);
        bool loaded = tables_load(wire, &known->tables);
        assert(loaded);
        break;
    }
    return known;
}

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    assert(memory != NULL);
    return memory;
}

static void board_open(struct board *board, struct input *input)
{
    memset(board, 0, sizeof *board);
    board->known = know(input_game(input));
    board->game = board->known->wire->game;
    const struct table *table =
        &board->known->tables.table[input_byte(input) % board->known->tables.count];
    board->setup = table->setup;
    board->seats = table->seats[input_byte(input) % table->seat_counts];
    board->game->bounds(board->setup, board->seats, &board->bounds);
    const struct bounds *bounds = &board->bounds;
    board->state = room(1, bounds->state_bytes);
    board->kept = room(1, bounds->state_bytes);
    board->out = (struct sink){ .words = room(bounds->event_words, sizeof(word)),
                                .capacity = bounds->event_words };
    board->look = (struct sink){ .words = room(bounds->view_words, sizeof(word)),
                                 .capacity = bounds->view_words };
    board->list = (struct legal){ .pattern = room(bounds->legal_patterns, sizeof(struct pattern)),
                                  .value = room(bounds->legal_values, sizeof(word)),
                                  .patterns_max = bounds->legal_patterns,
                                  .values_max = bounds->legal_values };
    board->bytes_max = ((size_t) bounds->event_words + bounds->view_words) * 12 + 64;
    board->bytes = room(1, board->bytes_max);
    dice_open(&board->dice, board->game->open_dice, input_number(input, 2));
}

static void board_close(struct board *board)
{
    free(board->state);
    free(board->kept);
    free(board->out.words);
    free(board->look.words);
    free(board->list.pattern);
    free(board->list.value);
    free(board->bytes);
}

static struct play begin_act(struct board *board)
{
    memcpy(board->kept, board->state, board->bounds.state_bytes);
    board->kept_dice = board->dice;
    board->out.used = board->out.events = 0;
    return (struct play){ board->setup, board->state, &board->dice, &board->out };
}

static void nothing_happened(const struct board *board)
{
    assert(memcmp(board->kept, board->state, board->bounds.state_bytes) == 0);
    assert(memcmp(&board->kept_dice, &board->dice, sizeof board->dice) == 0);
    assert(board->out.used == 0 && board->out.events == 0);
}

static seat_mask awaited(const struct board *board)
{
    return board->game->to_act(board->setup, board->state);
}

static void messages_carry_it(struct board *board)
{
    for (const word *event = sink_first(&board->out); event != NULL;
         event = sink_next(&board->out, event)) {
        size_t size = plan_encode_kind(board->known->events, event_kind(event), event_fields(event),
                                       event_length(event), board->bytes, board->bytes_max);
        assert(size > 0);
    }
}

/* Everybody's view in turn, one after each act. */
static void view_is_sound(struct board *board, uint32_t act)
{
    uint32_t viewer = act % (board->seats + 1);
    board->look.used = board->look.events = 0;
    board->game->view(board->setup, board->state, viewer < board->seats ? viewer : SPECTATOR,
                      &board->look);
    assert(board->look.used > 0 && board->look.used <= board->look.capacity);
    size_t size = plan_encode(board->known->views, board->look.words, board->look.used,
                              board->bytes, board->bytes_max);
    assert(size > 0);
}

static void something_happened(struct board *board, uint32_t act)
{
    const char *broken = board->game->check(board->setup, board->state);
    assert(broken == NULL);
    assert(awaited(board) >> board->seats == 0);
    assert(board->bounds.commands == 0 || act <= board->bounds.commands);
    messages_carry_it(board);
    view_is_sound(board, act);
    if (awaited(board) == 0) {
        int32_t outcome[SEATS_MAX];
        board->game->outcome(board->setup, board->state, outcome);
    }
}

/* Somebody who is awaited. */
static uint32_t some_seat(const struct board *board, uint32_t any)
{
    uint32_t seat = any % board->seats;
    for (uint32_t i = 0; i < board->seats && (awaited(board) >> seat & 1) == 0; i++)
        seat = (seat + 1) % board->seats;
    return seat;
}

static word some_value(const struct board *board, struct input *input)
{
    static const word edges[] = { ABSENT,    MISTYPED,  -1,        0,         INT32_MAX,
                                  INT32_MIN, INT64_MAX, INT16_MAX, UINT32_MAX };
    uint8_t           code = input_byte(input);
    if (code < sizeof edges / sizeof *edges)
        return edges[code];
    if (code < 128 && board->list.values > 0)
        return board->list.value[input_byte(input) % board->list.values];
    return code < 160 ? (word) input_number(input, 2) : (word) code - 160;
}

/* As a decoder makes them: nothing where the message has no field; a think time is always measured. */
static void mend_command(const struct board *board, struct command *command)
{
    uint32_t fields = player_fields(board->known->wire, command->kind);
    for (uint32_t i = fields; i < COMMAND_ARGS_MAX; i++)
        command->arg[i] = ABSENT;
    if (command->kind < board->game->command_kinds &&
        (board->game->commands[command->kind].flags & COMMAND_TIMED) != 0)
        command->arg[0] = ABSENT;
}

static void listed_command(const struct board *board, struct input *input, struct command *command)
{
    uint64_t count = legal_count(&board->list);
    memset(command, 0, sizeof *command);
    if (count > 0)
        legal_pick(&board->list, input_number(input, 2) % count, command);
}

static void any_command(const struct board *board, struct input *input, struct command *command)
{
    *command = (struct command){ .kind = input_byte(input) };
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command->arg[i] = i < player_fields(board->known->wire, command->kind)
                              ? some_value(board, input)
                              : ABSENT;
}

static bool is_mistyped(const struct command *command)
{
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        if (command->arg[i] == MISTYPED)
            return true;
    return false;
}

static bool command_happens(struct board *board, uint32_t seat, const struct command *command)
{
    const struct game *game = board->game;
    bool               listed = legal_has(&board->list, command);
    bool               is_kind = command->kind >= 1 && command->kind < game->command_kinds;
    uint32_t           flags = is_kind ? game->commands[command->kind].flags : 0;
    struct play        play = begin_act(board);
    verdict            answer = game->apply(&play, seat, command);
    if (answer == ACCEPTED) {
        assert(listed || ((flags & TAKES_UNLISTED) != 0 && !is_mistyped(command)));
        return true;
    }
    assert(!listed && answer < game->reason_kinds && game->reasons[answer].name != NULL);
    nothing_happened(board);
    return false;
}

static bool play_command(struct board *board, struct input *input, uint8_t how)
{
    struct command command;
    uint32_t       seat = some_seat(board, how >> 3);
    if ((how & 7) == 4)
        seat = input_byte(input);
    legal_clear(&board->list);
    if (seat < board->seats)
        board->game->legal(board->setup, board->state, seat, &board->list);
    if ((how & 7) == 4)
        any_command(board, input, &command);
    else
        listed_command(board, input, &command);
    if ((how & 7) == 3) {
        uint8_t place = input_byte(input);
        command.arg[place % COMMAND_ARGS_MAX] = some_value(board, input);
    }
    mend_command(board, &command);
    return command_happens(board, seat, &command);
}

static bool play_late(struct board *board, struct input *input)
{
    seat_mask   late = (seat_mask) input_number(input, 2) & ((1u << board->seats) - 1);
    seat_mask   before = awaited(board);
    struct play play = begin_act(board);
    if (board->game->expire == NULL)
        return false;
    bool happened = board->game->expire(&play, late);
    assert(happened == ((late & before) != 0));
    if (!happened)
        nothing_happened(board);
    return happened;
}

static bool play_house(struct board *board, struct input *input)
{
    uint8_t     what = input_byte(input);
    struct play play = begin_act(board);
    bool        happened = false;
    if (what == UINT8_MAX && board->game->annul != NULL)
        happened = board->game->annul(&play);
    else if (board->game->leave != NULL)
        happened = board->game->leave(&play, what % board->seats);
    if (!happened)
        nothing_happened(board);
    return happened;
}

static bool play_move(struct board *board, struct input *input)
{
    uint8_t how = input_byte(input);
    switch (how & 7) {
    case 6: return play_late(board, input);
    case 7: return play_house(board, input);
    default: return play_command(board, input, how);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input input = { bytes, bytes + size };
    struct board board;
    uint32_t     acts = 0;

    board_open(&board, &input);
    struct play play = begin_act(&board);
    board.game->start(&play, board.seats);
    something_happened(&board, acts);
    while (input.at < input.end)
        if (play_move(&board, &input))
            something_happened(&board, ++acts);
    board_close(&board);
    return 0;
}
