/* treasure_record.c: the tables of section 11 of the rules: Game, Player, Play and ActionList.
 *
 * Coordinates count from 1 there, seats too, and times are UTC. The last row of a match's Game, with its
 * result, comes in the same transaction as its last action. */
#include <string.h>

#include "games/treasure/treasure_rules.h"

#define NUMBER(of)                                                                                 \
    {                                                                                              \
        (of), false                                                                                \
    }
#define TEXT(of)                                                                                   \
    {                                                                                              \
        (of), true                                                                                 \
    }
#define COLUMNS(of) of, (uint32_t) (sizeof(of) / sizeof *(of))

enum { GAME, PLAYER, PLAY, ACTION_LIST, TABLES };

static const struct record_column game_columns[] = {
    NUMBER("gameid"),     TEXT("beginning"),  TEXT("ending"),      NUMBER("roundnumber"),
    TEXT("map"),          NUMBER("mapwidth"), NUMBER("mapheight"), TEXT("layout"),
    NUMBER("firsthalf"),  TEXT("dicekind"),   TEXT("dicesecret"),  TEXT("countdown"),
    NUMBER("maxactions"), TEXT("result"),     TEXT("reason"),      TEXT("configjson"),
};
static const struct record_column player_columns[] = {
    NUMBER("playerid"),          TEXT("surname"), TEXT("firstname"), TEXT("matriculationnumber"),
    TEXT("startingcoordinates"),
};
static const struct record_column play_columns[] = {
    NUMBER("gameid"),
    NUMBER("playerid1"),
    NUMBER("playerid2"),
    TEXT("startingcoordinates1"),
    TEXT("startingcoordinates2"),
};
static const struct record_column action_columns[] = {
    NUMBER("gameid"),  NUMBER("actionid"),  TEXT("action"),    NUMBER("targetx"),
    NUMBER("targety"), NUMBER("turnsleft"), NUMBER("thinkms"), TEXT("violation"),
};

static const struct record_table tables[TABLES] = {
    [GAME] = { "game", COLUMNS(game_columns), 1 },
    [PLAYER] = { "player", COLUMNS(player_columns), 1 },
    [PLAY] = { "play", COLUMNS(play_columns), 3 },
    [ACTION_LIST] = { "actionlist", COLUMNS(action_columns), 2 },
};

/* What is at hand while a match's rows are written. */
struct writing {
    const struct treasure_setup *setup;
    const struct treasure_state *state;
    const struct record_facts   *facts;
    const struct recorder       *to;
};

static const struct record_cell nothing = { .number = ABSENT };

static struct record_cell number(word value)
{
    return (struct record_cell){ .number = value };
}

static struct record_cell bytes(const char *text, size_t size)
{
    return (struct record_cell){ .number = ABSENT, .text = text, .size = size };
}

static struct record_cell words(const char *text)
{
    return text != NULL ? bytes(text, text_length(text)) : nothing;
}

/* Two digits, or three. */
static void put_padded(struct text *text, uint64_t value, uint32_t digits)
{
    for (uint64_t least = digits == 3 ? 100 : 10; least > 1 && value < least; least /= 10)
        text_put(text, "0");
    text_put_number(text, (int64_t) value);
}

/* The date of a day since 1970-01-01, counted in years that begin with March, so that a leap day is
 * the last of its year. */
static void put_date(struct text *text, uint64_t day)
{
    uint64_t since = day + 719468; /* Since 0000-03-01. */
    uint64_t era = since / 146097, of_era = since % 146097;
    uint64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    uint64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    uint64_t month = (5 * of_year + 2) / 153;
    uint64_t of_month = of_year - (153 * month + 2) / 5 + 1;
    text_put_number(text, (int64_t) (era * 400 + year + (month >= 10 ? 1 : 0)));
    text_put(text, "-");
    put_padded(text, month < 10 ? month + 3 : month - 9, 2);
    text_put(text, "-");
    put_padded(text, of_month, 2);
}

static struct record_cell put_time(struct text *text, uint64_t ms)
{
    text_clear(text);
    put_date(text, ms / 86400000);
    text_put(text, " ");
    put_padded(text, ms / 3600000 % 24, 2);
    text_put(text, ":");
    put_padded(text, ms / 60000 % 60, 2);
    text_put(text, ":");
    put_padded(text, ms / 1000 % 60, 2);
    text_put(text, ".");
    put_padded(text, ms % 1000, 3);
    return words(text->bytes);
}

static struct record_cell put_place(struct text *text, bool known, int32_t x, int32_t y)
{
    text_clear(text);
    if (!known)
        return nothing;
    text_put_number(text, (int64_t) x + 1);
    text_put(text, "/");
    text_put_number(text, (int64_t) y + 1);
    return words(text->bytes);
}

/* The map as it was hidden: treasures that have been found stay on it. */
static void write_map(const struct writing *at, char *map)
{
    int32_t columns = treasure_columns(at->setup, at->state);
    int32_t rows = treasure_rows(at->setup, at->state);
    for (int32_t y = 0; y < rows; y++)
        for (int32_t x = 0; x < columns; x++) {
            char *field = map + 2 * ((size_t) y * (size_t) columns + (size_t) x);
            field[0] = '0';
            field[1] = "GMW"[treasure_terrain(at->setup, at->state, x, y)];
        }
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++) {
        const struct treasure_seat *of = &at->state->seat[seat];
        char *castle = map + 2 * ((size_t) of->castle_y * (size_t) columns + (size_t) of->castle_x);
        char *hidden =
            map + 2 * ((size_t) of->treasure_y * (size_t) columns + (size_t) of->treasure_x);
        castle[0] = hidden[0] = (char) ('1' + seat);
        castle[1] = 'C';
        hidden[1] = 'T';
    }
}

static void put_game(const struct writing *at)
{
    const struct record_facts   *facts = at->facts;
    const struct treasure_state *state = at->state;
    char                         map[4 * TREASURE_FIELDS_MAX];
    struct text                  beginning, ending;
    bool                         is_over = state->result != 0;
    uint64_t over_ms = facts->now_ms > facts->beginning_ms ? facts->now_ms : facts->beginning_ms;
    int32_t  columns = treasure_columns(at->setup, state), rows = treasure_rows(at->setup, state);
    if (state->merged)
        write_map(at, map);
    const struct record_cell cells[] = {
        number((word) facts->number),
        put_time(&beginning, facts->beginning_ms),
        is_over ? put_time(&ending, over_ms) : nothing,
        is_over ? number(state->n) : nothing,
        state->merged ? bytes(map, 2 * (size_t) columns * (size_t) rows) : nothing,
        number(columns),
        number(rows),
        words(state->side ? "side_by_side" : "stack"),
        number(state->first + 1),
        words(facts->dice),
        words(facts->secret),
        words(at->setup->exact_cost ? "exact_cost" : "until_zero"),
        number(at->setup->max_actions),
        words(treasure_result_name(state->result)),
        words(treasure_reason_name(state->reason)),
        bytes(facts->config, facts->config_size),
    };
    at->to->put(at->to->owner, GAME, cells);
}

/* The number that the person got at registration. Older matches have none; their players get
 * numbers made of the match's own, two to each match. */
static word person_key(const struct record_seat *who, word number, uint32_t seat)
{
    return who->number > 0 ? (word) who->number : 2 * (number - 1) + (word) seat + 1;
}

static word player_id(const struct writing *at, uint32_t seat)
{
    return person_key(&at->facts->seats[seat], (word) at->facts->number, seat);
}

/* The next line of what somebody registered with; without one, nothing. */
static struct record_cell next_line(const struct record_seat *seat, size_t *from)
{
    size_t first = *from < seat->person_size ? *from : seat->person_size, end = first;
    while (end < seat->person_size && seat->person[end] != '\n')
        end++;
    *from = end + 1;
    return bytes(seat->person + first, end - first);
}

static const char hex_digits[] = "0123456789abcdef";

/* A person who gave a name alone has no number. What stands in its place is made of the house's id,
 * so that a leaderboard knows the person again. No number of a university begins with an h. */
static struct record_cell stand_in(const struct record_seat *seat, char text[9])
{
    text[0] = 'h';
    for (uint32_t i = 0; i < 8; i++)
        text[1 + i] = hex_digits[seat->player[i / 2] >> (i % 2 == 0 ? 4 : 0) & 15];
    return bytes(text, 9);
}

static void put_person(const struct record_seat *who, word key, struct record_cell place,
                       const struct recorder *to)
{
    char                     text[9];
    size_t                   from = 0;
    struct record_cell       first = next_line(who, &from), last = next_line(who, &from);
    struct record_cell       matriculation = next_line(who, &from);
    const struct record_cell cells[] = {
        number(key), last, first, matriculation.size > 0 ? matriculation : stand_in(who, text),
        place,
    };
    to->put(to->owner, PLAYER, cells);
}

static void put_player(const struct writing *at, uint32_t seat)
{
    const struct treasure_seat *of = &at->state->seat[seat];
    struct text                 place;
    put_person(&at->facts->seats[seat], player_id(at, seat),
               put_place(&place, at->state->merged, of->castle_x, of->castle_y), at->to);
}

/* The person has no castle yet. */
static void enter(const struct record_seat *who, const struct recorder *to)
{
    put_person(who, who->number, nothing, to);
}

static void put_play(const struct writing *at)
{
    const struct treasure_state *state = at->state;
    struct text                  one, two;
    const struct record_cell     cells[] = {
            number((word) at->facts->number),
            number(player_id(at, 0)),
            number(player_id(at, 1)),
            put_place(&one, state->merged, state->seat[0].castle_x, state->seat[0].castle_y),
            put_place(&two, state->merged, state->seat[1].castle_x, state->seat[1].castle_y),
    };
    at->to->put(at->to->owner, PLAY, cells);
}

/* A column holds 32 bits, and what was sent is one less than what is stored. */
static struct record_cell stored(bool readable, int64_t value)
{
    return readable && value <= INT32_MAX ? number(value) : nothing;
}

static void put_action(const struct writing *at, const struct command *command)
{
    const struct treasure_last *last = &at->state->last;
    const struct record_cell    cells[] = {
           number((word) at->facts->number),
           number(last->id),
           words(treasure_action_name(last->action)),
           stored(last->readable, (int64_t) last->x + 1),
           stored(last->readable, (int64_t) last->y + 1),
           stored(last->readable, last->turns),
           number(command->arg[0] == ABSENT ? 0 : command->arg[0]),
           words(treasure_reason_name(last->violation)),
    };
    at->to->put(at->to->owner, ACTION_LIST, cells);
}

/* What loses without being an action - out of turn, late, without a half - leaves the last one as it was. */
bool treasure_is_action(const struct treasure_state *state, const struct record_deed *deed)
{
    if (deed->command == NULL || (uint32_t) state->last.seat != deed->seat || state->last.id == 0)
        return false;
    return state->phase == TREASURE_MOVES || state->reason == state->last.violation ||
           state->reason == TREASURE_CASTLE_TAKEN || state->reason == TREASURE_ACTION_LIMIT;
}

static void tell(const void *setup, const void *of, const struct record_facts *facts,
                 const struct record_deed *deed, const struct recorder *to)
{
    const struct treasure_state *state = of;
    const struct writing         at = { setup, state, facts, to };
    bool                         is_action = treasure_is_action(state, deed);
    bool is_joined = state->merged && state->n == 0 && state->phase == TREASURE_MOVES;
    if (deed->begins || is_joined) {
        for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++)
            put_player(&at, seat);
        put_play(&at);
    }
    if (is_action)
        put_action(&at, deed->command);
    if (deed->begins || is_joined || state->result != 0)
        put_game(&at);
    treasure_log(setup, state, facts, deed, to);
}

static bool is_same(struct record_cell one, struct record_cell other)
{
    return one.text != NULL && one.size == other.size &&
           memcmp(one.text, other.text, one.size) == 0;
}

static void make_nobody(struct record_cell *cells, struct record_cell nobody, struct text *room)
{
    text_clear(room);
    text_put_bytes(room, nobody.text, nobody.size);
    cells[1] = cells[2] = bytes(room->bytes, 0);
    cells[3] = bytes(room->bytes, room->size);
}

/* A leaderboard goes on counting the person as somebody; the castle's place is the match's. */
static bool forget(const struct record_seat *who, struct record_cell *cells, struct text *room)
{
    char               text[9];
    size_t             from = 0;
    struct record_cell first = next_line(who, &from), last = next_line(who, &from);
    if (!is_same(cells[2], first) || !is_same(cells[1], last))
        return false; /* Somebody else held the seat when this was written. */
    make_nobody(cells, stand_in(who, text), room);
    return true;
}

/* "Ann Muster"; or "Ann", who gave no more. */
static bool is_called(const struct record_cell *cells, const char *name, size_t size)
{
    const struct record_cell *first = &cells[2], *last = &cells[1];
    size_t                    behind = last->size > 0 ? last->size + 1 : 0;
    if (first->size == 0 || first->size + behind != size ||
        memcmp(name, first->text, first->size) != 0)
        return false;
    return behind == 0 || (name[first->size] == ' ' &&
                           memcmp(name + first->size + 1, last->text, last->size) == 0);
}

/* Nothing tells by which id the house knew the person, so the number in the table stands in. */
static bool forget_named(const char *name, size_t size, struct record_cell *cells,
                         struct text *room)
{
    char text[9] = { 'h' };
    if (!is_called(cells, name, size))
        return false;
    for (uint32_t i = 0; i < 8; i++)
        text[1 + i] = hex_digits[(uint64_t) cells[0].number >> (28 - 4 * i) & 15];
    bool is_alone = cells[3].size == sizeof text && cells[3].text[0] == 'h';
    make_nobody(cells, is_alone ? cells[3] : bytes(text, sizeof text), room);
    return true;
}

const struct game_record treasure_record = { .tables = tables,
                                             .table_count = TABLES,
                                             .tell = tell,
                                             .enter = enter,
                                             .person_table = PLAYER,
                                             .person_key = person_key,
                                             .forget = forget,
                                             .forget_named = forget_named };
