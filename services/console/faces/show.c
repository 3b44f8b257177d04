/* show.c: prints acts and results of a match. */
#include "services/console/faces/show.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "contract/stream.pb-c.h"
#include "services/console/command/terminal.h"
#include "services/console/faces/board.h"
#include "services/console/faces/face.h"
#include "services/console/faces/worded.h"
#include "wire/arena.h"
#include "wire/order.h"
#include "json/json.h"

#define COMMAND_BYTES ((size_t) 1 << 17)

static bool is_worded(const struct show *show)
{
    return face_find(show->lines.wire->game) == NULL;
}

/* Who sits where may change while a match is shown. */
static struct phrase phrase_now(const struct show *show)
{
    struct phrase phrase = { .wire = show->lines.wire,
                             .setup = show->lines.setup,
                             .language = is_worded(show) ? phrase_language(NULL) : ENGLISH,
                             .is_ascii = !phrase_knows_unicode(),
                             .seat = NOT_SEATED };
    for (uint32_t seat = 0; seat < SEATS_MAX; seat++) {
        const char *name = show->name != NULL ? show->name(show->names, seat) : NULL;
        char       *player = phrase.players[seat];
        if (name != NULL) /* Else by the number that reports and options call it by. */
            (void) snprintf(player, PHRASE_NAME_MAX, "%s", name);
        else
            (void) snprintf(player, PHRASE_NAME_MAX, "%s %" PRIu32,
                            phrase_say(&phrase, "Seat", "Platz"), seat);
    }
    return phrase;
}

/* A sentence of our own; those of a game with a face stay English, as its messages are. */
static void say(const struct show *show, const char *english, const char *german)
{
    struct phrase phrase = phrase_now(show);
    phrase_text(&phrase, show->lines.out, phrase_say(&phrase, english, german));
}

static void put_player(const struct show *show, uint32_t seat)
{
    struct phrase phrase = phrase_now(show);
    char         *name = NULL;
    size_t        size = 0;
    FILE         *out = open_memstream(&name, &size);
    if (out == NULL)
        abort();
    phrase_player(&phrase, out, seat);
    fclose(out);
    terminal_put_in(show->lines.out, show->coloured, COLOUR_BOLD, name);
    free(name);
}

void show_seat(const struct show *show, uint32_t seat)
{
    const char *name = show->name != NULL ? show->name(show->names, seat) : NULL;
    char        plain[24];
    if (is_worded(show)) {
        put_player(show, seat);
        return;
    }
    snprintf(plain, sizeof plain, "seat %" PRIu32, seat);
    terminal_put_in(show->lines.out, show->coloured, COLOUR_BOLD, name != NULL ? name : plain);
    if (name != NULL)
        fprintf(show->lines.out, " (%s)", plain);
}

static void put_seats(const struct show *show, seat_mask seats)
{
    for (uint32_t seat = 0; seat < SEATS_MAX; seat++) {
        if ((seats >> seat & 1) == 0)
            continue;
        show_seat(show, seat);
        seats &= ~(1u << seat);
        fputs(seats != 0 ? ", " : "", show->lines.out);
    }
}

void show_command(const struct show *show, const struct command *command)
{
    struct phrase phrase = phrase_now(show);
    if (is_worded(show))
        worded_command(&phrase, show->lines.out, command);
    else
        lines_command(&show->lines, command);
}

static void put_command(const struct show *show, const struct match_act *act)
{
    static _Alignas(max_align_t) uint8_t memory[COMMAND_BYTES];
    struct arena                         arena;
    struct command                       command;
    arena_init(&arena, memory, sizeof memory);
    show_seat(show, act->actor);
    fputs(": ", show->lines.out);
    if (!plan_decode_command(show->commands, act->command, act->command_size, &arena, &command))
        return;
    show_command(show, &command);
}

/* An event of the house by its name, and its fields as JSON. */
static void put_saying(const struct show *show, const struct match_act *act)
{
    ProtobufCMessage *message = protobuf_c_message_unpack(&arbiter__stream__house_event__descriptor,
                                                          NULL, act->command_size, act->command);
    json_t           *json = message != NULL ? json_of_message(message) : NULL;
    const char       *name = json_object_iter_key(json_object_iter(json));
    char *text = json_dumps(json_object_get(json, name), JSON_COMPACT | JSON_ENSURE_ASCII);
    say(show, "the house says ", "das Haus sagt ");
    fputs(name != NULL ? name : "nothing", show->lines.out);
    if (text != NULL)
        fprintf(show->lines.out, " %s", text);
    free(text);
    json_decref(json);
    if (message != NULL)
        protobuf_c_message_free_unpacked(message, NULL);
}

static void put_actor(const struct show *show, const struct match_act *act)
{
    const uint8_t *at = act->command;
    uint32_t       number = act->command_size == 4 ? (uint32_t) order_get(&at, 4) : 0;
    switch (act->actor) {
    case ACTOR_START: say(show, "the match begins", "die Partie beginnt"); break;
    case ACTOR_TIME:
        say(show, "time is up for ", "die Zeit ist um für ");
        put_seats(show, number);
        break;
    case ACTOR_HOUSE:
        say(show, "the house removes ", "das Haus entfernt ");
        show_seat(show, number);
        break;
    case ACTOR_ANNUL: say(show, "the house ends the match", "das Haus beendet die Partie"); break;
    case ACTOR_SAY: put_saying(show, act); break;
    default: put_command(show, act); break;
    }
}

/* Which seat may know an event, if not everybody does. */
static void put_audience(const struct show *show, audience to)
{
    char text[48] = "";
    if (is_worded(show) && (to & 0xff00) == TO_SEAT(0)) {
        fputc('[', show->lines.out);
        put_player(show, to & 0xff);
        fputs("] ", show->lines.out);
        return;
    }
    if ((to & 0xff00) == TO_SEAT(0))
        snprintf(text, sizeof text, "[only seat %" PRIu32 "] ", to & 0xff);
    else if ((to & 0xff00) == TO_ALL_BUT(0))
        snprintf(text, sizeof text, "[all but seat %" PRIu32 "] ", to & 0xff);
    else if (to == TO_SEATS_NOW)
        snprintf(text, sizeof text, "[seats] ");
    else if (to == TO_SPECTATORS_LATER)
        snprintf(text, sizeof text, "[spectators] ");
    terminal_put_in(show->lines.out, show->coloured, COLOUR_YELLOW, text);
}

/* A line for an event of a game without a face, unless it is one that is not told. */
static void put_sentence(const struct show *show, const word *event)
{
    struct phrase phrase = phrase_now(show);
    char         *words = NULL;
    size_t        size = 0;
    FILE         *out = open_memstream(&words, &size);
    if (out == NULL)
        abort();
    bool is_told =
        worded_event(&phrase, out, event_kind(event), event_fields(event), event_length(event));
    fclose(out);
    if (is_told && (event_to(event) & 0xff00) != TO_ALL_BUT(0)) { /* Its secret was told before. */
        fputs("         ", show->lines.out);
        put_audience(show, event_to(event));
        fprintf(show->lines.out, "%s\n", words);
    }
    free(words);
}

void show_act(const struct show *show, const struct match_act *act)
{
    char number[24];
    snprintf(number, sizeof number, "%5" PRIu64 "  ", act->number);
    terminal_put_in(show->lines.out, show->coloured, COLOUR_DIM, number);
    put_actor(show, act);
    fputc('\n', show->lines.out);
    for (const word *event = sink_first(act->events); event != NULL;
         event = sink_next(act->events, event)) {
        if (is_worded(show)) {
            put_sentence(show, event);
            continue;
        }
        fputs("         ", show->lines.out);
        put_audience(show, event_to(event));
        lines_event(&show->lines, event);
        fputc('\n', show->lines.out);
    }
}

/* The board of a game without a face, from the words of its view. */
static void put_board(const struct show *show, const struct match *match, const struct sink *view,
                      uint32_t viewer)
{
    struct phrase     phrase = phrase_now(show);
    struct board_look look = { .phrase = &phrase, .coloured = show->coloured };
    struct plan      *plan = plan_new(phrase.wire->view);
    size_t            room = (size_t) view->used * 16 + 64;
    uint8_t          *bytes = malloc(room);
    if (bytes == NULL)
        abort();
    size_t            size = plan_encode(plan, view->words, view->used, bytes, room);
    ProtobufCMessage *seen = protobuf_c_message_unpack(phrase.wire->view, NULL, size, bytes);
    for (uint32_t seat = match->terms->seats; seat < SEATS_MAX; seat++)
        phrase.players[seat][0] = '\0'; /* Nobody sits there. */
    phrase.view = seen;
    phrase.seat = viewer == SPECTATOR ? NOT_SEATED : viewer;
    terminal_size(&look.columns, &look.rows);
    if (seen != NULL)
        board_draw(&look, show->lines.out);
    if (seen != NULL)
        protobuf_c_message_free_unpacked(seen, NULL);
    plan_destroy(&plan);
    free(bytes);
}

/* Does something with what a viewer may know. */
static void look(const struct show *show, const struct match *match, uint32_t viewer,
                 void (*put)(const struct show *, const struct match *, const struct sink *,
                             uint32_t))
{
    struct sink sink = { .capacity = match->terms->bounds.view_words };
    sink.words = calloc(sink.capacity > 0 ? sink.capacity : 1, sizeof(word));
    if (sink.words == NULL)
        abort();
    match_view(match, viewer, &sink);
    put(show, match, &sink, viewer);
    free(sink.words);
}

static void put_lines(const struct show *show, const struct match *match, const struct sink *view,
                      uint32_t viewer)
{
    (void) match;
    (void) viewer;
    lines_view(&show->lines, view->words, view->used);
}

void show_view(const struct show *show, const struct match *match, uint32_t viewer)
{
    bool is_board = is_worded(show);
    if (viewer == SPECTATOR) {
        say(show, "what a spectator may know:", "was ein Zuschauer wissen darf:");
    } else {
        say(show, "what ", "was ");
        if (is_board)
            put_player(show, viewer);
        else
            fprintf(show->lines.out, "seat %" PRIu32, viewer);
        say(show, " may know:", " wissen darf:");
    }
    if (is_board)
        fputc('\n', show->lines.out);
    look(show, match, viewer, is_board ? put_board : put_lines);
}

void show_board(const struct show *show, const struct match *match)
{
    if (is_worded(show))
        look(show, match, SPECTATOR, put_board);
}

/* What became of a seat. */
static void put_outcome(const struct show *show, uint32_t seat, int32_t outcome)
{
    struct phrase phrase = phrase_now(show);
    show_seat(show, seat);
    fputc(' ', show->lines.out);
    terminal_put_in(show->lines.out, show->coloured,
                    outcome > 0   ? COLOUR_GREEN
                    : outcome < 0 ? COLOUR_RED
                                  : COLOUR_NONE,
                    outcome > 0   ? phrase_say(&phrase, "wins", "gewinnt")
                    : outcome < 0 ? phrase_say(&phrase, "loses", "verliert")
                                  : phrase_say(&phrase, "draws", "spielt unentschieden"));
    fputc('\n', show->lines.out);
}

void show_end(const struct show *show, const struct match *match)
{
    int32_t   outcome[SEATS_MAX] = { 0 };
    char      number[48];
    seat_mask awaited = match_to_act(match);
    if (awaited != 0) {
        (void) snprintf(number, sizeof number, " %" PRIu64 " ", match->number);
        say(show, "after act", "nach Akt");
        fputs(number, show->lines.out);
        say(show, "the match waits for ", "wartet die Partie auf ");
        put_seats(show, awaited);
        fputc('\n', show->lines.out);
        return;
    }
    match_outcome(match, outcome);
    for (uint32_t seat = 0; seat < match->terms->seats; seat++)
        put_outcome(show, seat, outcome[seat]);
}
