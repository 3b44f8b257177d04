/* worded_board.c: the view of a game without a face as a board: labelled values, piles, tables and grids.
 *
 *     Nim   It is your turn.
 *     Who takes the last counter: wins
 *     Heaps
 *       1  ooo    3
 *       2  oooo   4
 *     Still in: Ada (you), Ben */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "services/console/faces/sentence.h"
#include "services/console/faces/vocabulary.h"
#include "services/console/faces/worded.h"
#include "services/console/faces/worded_grid.h"
#include "json/json.h"

#define PILES_BELOW_MAX 10 /* More piles stand in one line. */
#define DEPTH_MAX 4        /* Of messages in messages that are drawn as boards of their own. */

static char *label_text(const struct drawing *drawing, const char *field)
{
    char  *text = NULL;
    size_t size = 0;
    FILE  *out = open_memstream(&text, &size);
    if (out == NULL)
        abort();
    sentence_label(drawing->phrase, out, field);
    fclose(out);
    return text;
}

static void end_line(struct drawing *drawing)
{
    if (drawing->text.at > 0)
        board_text_line(&drawing->text);
}

/* A field's label in a line of its own, above what it holds. */
static void put_heading(struct drawing *drawing, const char *field)
{
    char *label = label_text(drawing, field);
    end_line(drawing);
    if (label[0] != '\0') {
        board_text_put(&drawing->text, COLOUR_NONE, label);
        board_text_line(&drawing->text);
    }
    free(label);
}

/* "Label: value", behind another one where there is room. */
static void put_item(struct drawing *drawing, const char *label, const char *value)
{
    struct board_text *text = &drawing->text;
    uint32_t           width =
        board_text_width(label, strlen(label)) + 2 + board_text_width(value, strlen(value));
    if (text->at > 0 && text->at + 3 + width > text->columns)
        board_text_line(text);
    if (text->at > 0)
        board_text_put(text, COLOUR_NONE, "   ");
    text->indent = 2;
    board_text_words(text, COLOUR_NONE, label);
    board_text_put(text, COLOUR_NONE, ":");
    board_text_put(text, COLOUR_NONE, value[0] != '\0' ? " " : "");
    board_text_words(text, COLOUR_NONE, value);
    text->indent = 0;
}

static void put_value(struct drawing *drawing, const ProtobufCFieldDescriptor *field,
                      const json_t *value)
{
    char *label = label_text(drawing, field->name),
         *text = sentence_text(drawing->phrase, field, value);
    put_item(drawing, label, text);
    free(label);
    free(text);
}

static uint32_t largest_in(const json_t *list)
{
    json_int_t largest = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_int_t amount = json_integer_value(json_array_get(list, i));
        largest = amount > largest && amount <= UINT16_MAX ? amount : largest;
    }
    return (uint32_t) largest;
}

/* "Heaps  1: 3  2: 4  3: 5": a place and what is there. */
static void put_piles_in_line(struct drawing *drawing, const ProtobufCFieldDescriptor *field,
                              const json_t *list)
{
    struct board_text *text = &drawing->text;
    char              *label = label_text(drawing, field->name);
    end_line(drawing);
    text->indent = 2;
    board_text_words(text, COLOUR_NONE, label);
    for (size_t i = 0; i < json_array_size(list); i++) {
        char  place[64];
        char *amount = sentence_text(drawing->phrase, field, json_array_get(list, i));
        (void) snprintf(place, sizeof place, "  %zu: %s", i + 1, amount);
        board_text_put(text, COLOUR_NONE, place);
        free(amount);
    }
    text->indent = 0;
    board_text_line(text);
    free(label);
}

/* One below the other, with a sign for each piece. */
static void put_piles_below(struct drawing *drawing, const ProtobufCFieldDescriptor *field,
                            const json_t *list, uint32_t most)
{
    struct board_text *text = &drawing->text;
    put_heading(drawing, field->name);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *pile = json_array_get(list, i);
        char          place[24];
        char         *amount = sentence_text(drawing->phrase, field, pile);
        (void) snprintf(place, sizeof place, "%4zu  ", i + 1);
        board_text_put(text, COLOUR_DIM, place);
        for (uint32_t k = 0; k < most; k++)
            board_text_cell(text, COLOUR_YELLOW,
                            k >= json_integer_value(pile) ? ""
                            : drawing->phrase->is_ascii   ? "o"
                                                          : "●",
                            1);
        board_text_put(text, COLOUR_NONE, "  ");
        board_text_put(text, COLOUR_NONE, amount);
        board_text_line(text);
        free(amount);
    }
}

static void put_piles(struct drawing *drawing, const ProtobufCFieldDescriptor *field,
                      const json_t *list)
{
    uint32_t most = largest_in(list);
    bool     has_room = most + 16 <= drawing->text.columns;
    if (drawing->is_terse || !has_room || json_array_size(list) > PILES_BELOW_MAX)
        put_piles_in_line(drawing, field, list);
    else
        put_piles_below(drawing, field, list, most);
}

/* The elements of a list, each in a line behind its place or, of a list by seats, its player. */
static void put_rows(struct drawing *drawing, const ProtobufCFieldDescriptor *field,
                     const json_t *list, bool is_per_seat)
{
    put_heading(drawing, field->name);
    for (size_t i = 0; i < json_array_size(list); i++) {
        char  number[24];
        char *value = sentence_text(drawing->phrase, field, json_array_get(list, i));
        char *name = is_per_seat ? board_string(drawing, board_seat, (word) i) : NULL;
        (void) snprintf(number, sizeof number, "%zu", i + 1);
        drawing->text.indent = 4;
        board_text_put(&drawing->text, COLOUR_NONE, "  ");
        board_text_words(&drawing->text, name != NULL ? COLOUR_NONE : COLOUR_DIM,
                         name != NULL ? name : number);
        board_text_put(&drawing->text, COLOUR_NONE, name != NULL ? ": " : "  ");
        board_text_words(&drawing->text, COLOUR_NONE, value);
        drawing->text.indent = 0;
        board_text_line(&drawing->text);
        free(value);
        free(name);
    }
}

/* "Points: Ada (you) 3, Ben 5". */
static void put_per_seat(struct drawing *drawing, const ProtobufCFieldDescriptor *field,
                         const json_t *list)
{
    char  *text = NULL, *label = label_text(drawing, field->name);
    size_t size = 0;
    if (field->type == PROTOBUF_C_TYPE_MESSAGE) {
        free(label);
        put_rows(drawing, field, list, true);
        return;
    }
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        abort();
    for (size_t i = 0; i < json_array_size(list); i++) {
        fputs(i > 0 ? ", " : "", out);
        board_seat(drawing->phrase, out, (word) i);
        fputc(' ', out);
        sentence_value(drawing->phrase, out, field, json_array_get(list, i));
    }
    fclose(out);
    put_item(drawing, label, text);
    free(label);
    free(text);
}

/* The label and, of a grid of seats, which sign is whose stand in one line above it. */
static void put_grid(struct drawing *drawing, struct said said,
                     const ProtobufCFieldDescriptor *field, const struct field_use *use)
{
    char *label = label_text(drawing, field->name);
    end_line(drawing);
    board_text_put(&drawing->text, COLOUR_NONE, label);
    if (use->of_seats)
        worded_grid_legend(drawing);
    end_line(drawing);
    worded_grid(drawing, said, field, use);
    free(label);
}

static void put_message(struct drawing *drawing, struct said said, uint32_t depth);

static void put_field(struct drawing *drawing, struct said said,
                      const ProtobufCFieldDescriptor *field, const json_t *value, uint32_t depth)
{
    struct field_use use = vocabulary_field(drawing->phrase, field->name);
    bool             is_list = json_is_array(value);
    if (use.kind == FIELD_HIDDEN || use.kind == FIELD_TURN || use.kind == FIELD_WINNERS)
        return;
    if (use.kind == FIELD_GRID && is_list)
        put_grid(drawing, said, field, &use);
    else if (use.kind == FIELD_PILES && is_list)
        put_piles(drawing, field, value);
    else if (use.kind == FIELD_PER_SEAT && is_list)
        put_per_seat(drawing, field, value);
    else if (is_list && field->type == PROTOBUF_C_TYPE_MESSAGE)
        put_rows(drawing, field, value, false);
    else if (json_is_object(value) && depth < DEPTH_MAX)
        put_message(drawing, (struct said){ field->descriptor, value }, depth + 1);
    else
        put_value(drawing, field, value);
}

static void put_message(struct drawing *drawing, struct said said, uint32_t depth)
{
    for (unsigned i = 0; i < said.message->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &said.message->fields[i];
        const json_t                   *value = json_object_get(said.fields, field->name);
        if (value != NULL)
            put_field(drawing, said, field, value, depth);
    }
    end_line(drawing);
}

/* The first value of this kind, in the message or in one inside it; NULL: there is none. */
static const json_t *find(const struct phrase *phrase, struct said said, enum field_kind kind,
                          uint32_t depth)
{
    for (unsigned i = 0; i < said.message->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &said.message->fields[i];
        const json_t                   *value = json_object_get(said.fields, field->name);
        bool                            is_deeper = json_is_object(value) && depth < DEPTH_MAX;
        if (value != NULL && vocabulary_field(phrase, field->name).kind == kind)
            return value;
        const json_t *inside =
            is_deeper ? find(phrase, (struct said){ field->descriptor, value }, kind, depth + 1)
                      : NULL;
        if (inside != NULL)
            return inside;
    }
    return NULL;
}

/* The names of seats, a number or a list; how many there are. */
static uint32_t put_names(const struct phrase *phrase, FILE *out, const json_t *seats)
{
    uint32_t count = json_is_array(seats) ? (uint32_t) json_array_size(seats) : 1;
    for (uint32_t i = 0; i < count; i++) {
        const json_t *seat = json_is_array(seats) ? json_array_get(seats, i) : seats;
        fputs(i > 0 ? ", " : "", out);
        phrase_player(phrase, out, (uint32_t) json_integer_value(seat));
    }
    return count;
}

/* Whether these seats are the reader's alone. */
static bool is_reader(const struct phrase *phrase, const json_t *seats)
{
    const json_t *seat = json_array_size(seats) == 1 ? json_array_get(seats, 0) : seats;
    return json_is_integer(seat) && phrase->seat == (uint32_t) json_integer_value(seat);
}

/* Who has won, or who is on turn. */
static void put_state(const struct phrase *phrase, FILE *out, struct said view)
{
    const json_t *winners = find(phrase, view, FIELD_WINNERS, 0);
    const json_t *turn = find(phrase, view, FIELD_TURN, 0);
    if (winners != NULL && is_reader(phrase, winners)) {
        fputs(phrase_say(phrase, "You have won.", "Du hast gewonnen."), out);
    } else if (winners != NULL) {
        bool is_one = put_names(phrase, out, winners) == 1;
        fputs(is_one ? phrase_say(phrase, " has won.", " hat gewonnen.")
                     : phrase_say(phrase, " have won.", " haben gewonnen."),
              out);
    } else if (turn != NULL && is_reader(phrase, turn)) {
        fputs(phrase_say(phrase, "It is your turn.", "Du bist am Zug."), out);
    } else if (turn != NULL) {
        bool is_one = put_names(phrase, out, turn) == 1;
        fputs(is_one ? phrase_say(phrase, " is on turn.", " ist am Zug.")
                     : phrase_say(phrase, " are on turn.", " sind am Zug."),
              out);
    }
}

static void put_head(struct drawing *drawing, struct said view)
{
    char  *title = NULL, *state = NULL;
    size_t size = 0;
    FILE  *out = open_memstream(&title, &size);
    FILE  *other = open_memstream(&state, &size);
    if (out == NULL || other == NULL)
        abort();
    worded_title(drawing->phrase, out);
    put_state(drawing->phrase, other, view);
    fclose(out);
    fclose(other);
    board_text_put(&drawing->text, COLOUR_BOLD, title);
    board_text_put(&drawing->text, COLOUR_NONE, state[0] != '\0' ? "   " : "");
    board_text_words(&drawing->text, COLOUR_NONE, state);
    board_text_line(&drawing->text);
    free(title);
    free(state);
}

/* On a board the reader's own name says whose it is. */
static struct phrase with_reader(const struct phrase *phrase)
{
    struct phrase with = *phrase;
    if (phrase->seat >= SEATS_MAX)
        return with;
    char *name = with.players[phrase->seat];
    FILE *out = fmemopen(name, PHRASE_NAME_MAX, "w");
    if (out == NULL)
        abort();
    phrase_player(phrase, out, phrase->seat);
    fputs(phrase_say(phrase, " (you)", " (du)"), out);
    fclose(out);
    return with;
}

static void draw(struct drawing *drawing, bool is_whole)
{
    const struct phrase     phrase = with_reader(drawing->phrase);
    const ProtobufCMessage *message = phrase.view;
    json_t                 *tree = json_of_message(message);
    struct said             view = { message->descriptor, tree };
    drawing->phrase = &phrase;
    put_head(drawing, view);
    if (is_whole)
        put_message(drawing, view, 0);
    if (is_whole && !drawing->is_terse)
        board_text_line(&drawing->text);
    json_decref(tree);
}

void worded_draw(struct drawing *drawing)
{
    draw(drawing, true);
}

void worded_draw_head(struct drawing *drawing)
{
    draw(drawing, false);
}
