/* play_match.c: a match's acts as lines, and its views as boards. */
#include "services/console/play/play_match.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/stream.pb-c.h"
#include "services/console/command/terminal.h"
#include "services/console/faces/face.h"
#include "services/console/faces/vocabulary.h"
#include "services/console/faces/worded.h"
#include "wire/header.h"
#include "json/config_file.h"

#define TOLD_INDENT 4 /* Of a line that goes on. */

void play_match_init(struct play_match *match, struct client *client, const char *asked,
                     bool is_ascii)
{
    memset(match, 0, sizeof *match);
    match->client = client;
    match->out = stdout;
    match->is_coloured = terminal_has_colour(stdout);
    match->seat = NO_SEAT;
    match->on_turn = ABSENT;
    match->phrase.language = phrase_language(asked);
    match->phrase.is_ascii = is_ascii || !phrase_knows_unicode();
    match->phrase.seat = NOT_SEATED;
}

static void forget_view(struct play_match *match)
{
    if (match->seen != NULL)
        protobuf_c_message_free_unpacked(match->seen, NULL);
    match->seen = NULL;
    match->phrase.view = NULL;
}

void play_match_close(struct play_match *match)
{
    forget_view(match);
    play_mind_close(&match->mind);
    phrase_close(&match->phrase);
    free(match->setup);
    match->setup = NULL;
}

void play_say(const struct play_match *match, const char *english, const char *german)
{
    const char *at = phrase_say(&match->phrase, english, german);
    while (*at != '\0') { /* Line feeds of our own are none of the controls that are taken out. */
        size_t size = strcspn(at, "\n");
        phrase_bytes(&match->phrase, match->out, at, size);
        at += size;
        if (*at == '\n')
            fputc(*at++, match->out);
    }
}

static struct config_text text_of(const char *where, const char *bytes)
{
    return (struct config_text){ where, bytes, bytes == NULL ? 0 : strlen(bytes) };
}

static void keep_players(struct play_match *match, const Arbiter__Engine__MatchFacts *facts)
{
    for (size_t i = 0; i < facts->n_seat; i++) {
        const Arbiter__Engine__SeatFacts *seat = facts->seat[i];
        if (seat->seat < SEATS_MAX && seat->name != NULL)
            (void) snprintf(match->phrase.players[seat->seat], PHRASE_NAME_MAX, "%s", seat->name);
    }
}

/* Compiles what the table was created with: names are in it. */
static bool read_setup(struct play_match *match, const Arbiter__Engine__MatchFacts *facts)
{
    struct config_text config = text_of("set-up", facts->setup);
    struct config_text options = text_of("options", facts->options);
    size_t             size = 0;
    match->phrase.wire =
        facts->game == NULL ? NULL : registry_find(facts->game, facts->rules_version);
    if (match->phrase.wire == NULL || facts->setup == NULL)
        return false;
    match->setup = config_compile(match->phrase.wire->game, &config, &options, &size, stderr);
    match->phrase.setup = match->setup;
    phrase_find_texts(&match->phrase, facts->setup);
    return match->setup != NULL;
}

bool play_match_attached(struct play_match *match, const struct client_event *event)
{
    const Arbiter__Engine__Attached *attached =
        (const Arbiter__Engine__Attached *) (const void *) client_message(match->client, event);
    if (attached == NULL || attached->match == NULL)
        return false;
    memcpy(match->id, event->match_id, sizeof match->id);
    match->seat = event->seat;
    match->phrase.seat = event->seat == NO_SEAT ? NOT_SEATED : event->seat;
    match->number = event->number;
    match->is_over = attached->has_over && attached->over;
    if (!match->is_known && read_setup(match, attached->match)) {
        match->is_known = true;
        play_mind_open(&match->mind, match->phrase.wire->game, match->setup, event->seat,
                       attached->match->seats);
    }
    keep_players(match, attached->match);
    play_match_view(match, event);
    return match->is_known;
}

void play_match_view(struct play_match *match, const struct client_event *event)
{
    const Arbiter__Engine__Attached *attached =
        (const Arbiter__Engine__Attached *) (const void *) client_message(match->client, event);
    if (attached == NULL)
        return;
    match->is_awaited = attached->has_to_act && attached->to_act;
    match->left_ms = attached->has_left_ms ? attached->left_ms : 0;
    match->is_over = match->is_over || (attached->has_over && attached->over);
    if (!attached->has_view || !match->is_known)
        return;
    forget_view(match);
    match->seen = protobuf_c_message_unpack(match->phrase.wire->view, NULL, attached->view.len,
                                            attached->view.data);
    match->phrase.view = match->seen;
    uint32_t    words = 0;
    const word *view = client_view(match->client, event, &words);
    play_mind_see(&match->mind, view, words);
}

/* In one long turn the player is asked again after every command, which is no news. */
static bool is_asked_again(struct play_match *match, const struct client_happening *happening)
{
    const struct face *face = face_of(&match->phrase);
    if (face == NULL || face->turn_event == 0 || happening->kind != face->turn_event)
        return false;
    bool is_again = happening->words[0] == match->on_turn;
    match->on_turn = happening->words[0];
    return is_again;
}

/* Puts words into the line at hand. A terminal's go on in the next one where it has no room for them. */
static void put_told(struct play_match *match, const char *words)
{
    struct board_text text;
    uint32_t          columns, rows;
    terminal_size(&columns, &rows);
    if (isatty(STDOUT_FILENO) != 1)
        columns = UINT32_MAX;
    if (!board_text_begin(&text, columns, false))
        abort();
    text.indent = TOLD_INDENT;
    text.at = match->column;
    board_text_words(&text, COLOUR_NONE, words);
    match->column = text.at;
    text.at = 0; /* The line is not at its end yet: the next event may go on in it. */
    board_text_end(&text);
    fputs(text.bytes, match->out);
    board_text_free(&text);
}

static void put_event(struct play_match *match, const struct client_happening *happening)
{
    char  *words = NULL;
    size_t size = 0;
    word   fields[8] = { 0 };
    if (is_asked_again(match, happening))
        return;
    FILE *out = open_memstream(&words, &size);
    if (out == NULL)
        abort();
    bool goes_on = happening->kind == match->last_kind &&
                   phrase_goes_on(&match->phrase, out, happening->kind, match->last,
                                  happening->words, happening->count);
    bool is_said = goes_on || phrase_event(&match->phrase, out, happening->kind, happening->words,
                                           happening->count);
    fclose(out);
    if (is_said && !goes_on) {
        fputs("\n  ", match->out);
        match->column = 2;
    }
    if (is_said)
        put_told(match, words);
    free(words);
    if (goes_on)
        return;
    for (uint32_t i = 0; i < 8 && i < happening->count; i++)
        fields[i] = happening->words[i];
    memcpy(match->last, fields, sizeof fields);
    match->last_kind = happening->kind;
}

static void put_seat_changed(struct play_match *match, const Arbiter__Stream__SeatChanged *changed)
{
    fputs("\n  ", match->out);
    phrase_player(&match->phrase, match->out, changed->seat);
    if (changed->has_bot && changed->bot)
        play_say(match, ": a bot of the house plays on", ": ein Bot des Hauses spielt weiter");
    else
        play_say(match, ": somebody else plays on", ": jemand anders spielt weiter");
}

static void put_house_event(struct play_match *match, const Arbiter__Stream__HouseEvent *said)
{
    switch (said->kind_case) {
    case ARBITER__STREAM__HOUSE_EVENT__KIND_SEAT_CHANGED:
        put_seat_changed(match, said->seat_changed);
        break;
    case ARBITER__STREAM__HOUSE_EVENT__KIND_WAIT_RESTARTED:
        play_say(match, "\n  The clock begins anew", "\n  Die Uhr beginnt von vorn");
        break;
    case ARBITER__STREAM__HOUSE_EVENT__KIND_MATCH_ABORTED:
        play_say(match,
                 "\n  The house has ended the match: ", "\n  Das Haus hat die Partie beendet: ");
        if (said->match_aborted->reason != NULL)
            phrase_text(&match->phrase, match->out, said->match_aborted->reason);
        break;
    default: break; /* Of the dice; the library takes part in that. */
    }
}

static void put_house(struct play_match *match, const struct client_happening *happening)
{
    Arbiter__Stream__HouseEvent *said =
        arbiter__stream__house_event__unpack(NULL, happening->size, happening->bytes);
    if (said != NULL)
        put_house_event(match, said);
    if (said != NULL)
        arbiter__stream__house_event__free_unpacked(said, NULL);
}

void play_match_act(struct play_match *match, const struct client_event *event)
{
    struct client_act       act = client_read_act(match->client, event);
    struct client_happening happening;
    match->number = event->number;
    while (client_happening(match->client, &act, &happening)) {
        play_mind_hear(&match->mind, match->setup, &happening);
        if (happening.is_house)
            put_house(match, &happening);
        else if (happening.kind != 0)
            put_event(match, &happening);
    }
}

char *play_match_board(const struct play_match *match, enum play_board what)
{
    char             *board = NULL;
    size_t            size = 0;
    FILE             *out = open_memstream(&board, &size);
    struct board_look look = { .phrase = &match->phrase,
                               .coloured = match->is_coloured,
                               .terse = what == PLAY_BOARD_TERSE,
                               .whole = what == PLAY_BOARD_WHOLE };
    if (out == NULL)
        abort();
    terminal_size(&look.columns, &look.rows);
    if (board_exists(&match->phrase) && what == PLAY_BOARD_HEAD)
        board_draw_head(&look, out);
    else if (board_exists(&match->phrase))
        board_draw(&look, out);
    fclose(out);
    return board;
}

void play_match_draw(const struct play_match *match)
{
    char *board = play_match_board(match, PLAY_BOARD);
    fputs(board, match->out);
    free(board);
}

/* Puts a paragraph, wrapped at the terminal's edge. */
static void put_words(const struct play_match *match, enum colour colour, const char *words)
{
    struct board_text text;
    uint32_t          columns, rows;
    terminal_size(&columns, &rows);
    if (words[0] == '\0' || !board_text_begin(&text, columns, match->is_coloured))
        return;
    board_text_words(&text, colour, words);
    board_text_end(&text);
    fputs(text.bytes, match->out);
    board_text_free(&text);
}

/* Puts what such a function puts as a paragraph. False: it puts nothing. */
static bool put_noun(const struct play_match *match, enum phrase_noun noun)
{
    char  *words = NULL;
    size_t size = 0;
    FILE  *out = open_memstream(&words, &size);
    if (out == NULL)
        abort();
    bool is_said = phrase_noun(&match->phrase, out, noun);
    fclose(out);
    put_words(match, noun == NOUN_TITLE ? COLOUR_BOLD : COLOUR_NONE, words);
    free(words);
    return is_said;
}

/* Puts a text of the game's words as a paragraph. */
static void put_text(const struct play_match *match, enum colour colour, const char *text)
{
    char  *words = NULL;
    size_t size = 0;
    FILE  *out = open_memstream(&words, &size);
    if (out == NULL)
        abort();
    phrase_text(&match->phrase, out, text);
    fclose(out);
    put_words(match, colour, words);
    free(words);
}

void play_match_story(const struct play_match *match)
{
    const char *about = vocabulary_word(&match->phrase, NULL, "about");
    bool        has_title = put_noun(match, NOUN_TITLE);
    bool        has_story = put_noun(match, NOUN_STORY);
    if (!has_title && !has_story && about != NULL)
        put_text(match, COLOUR_NONE, about);
    (void) put_noun(match, NOUN_GOAL);
}

void play_match_marks(const struct play_match *match)
{
    const struct face *face = face_of(&match->phrase);
    const json_t      *rules = vocabulary_rules(&match->phrase);
    for (size_t i = 0; face == NULL && i < json_array_size(rules); i++) {
        const char *paragraph = json_string_value(json_array_get(rules, i));
        if (paragraph != NULL)
            put_text(match, COLOUR_DIM, paragraph);
    }
    if (face != NULL && face->marks[match->phrase.language] != NULL)
        put_text(match, COLOUR_DIM, face->marks[match->phrase.language]);
}
