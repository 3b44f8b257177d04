/* face_dead_board.c: the head and the places of the dead's board, and how its parts stand together. */
#include "services/console/faces/face_dead_board.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME_COLUMNS 22
#define CARDS_COLUMNS 6
#define PLACES_COLUMNS 66 /* Of the left half, where there are two. */

void board_injuries(struct drawing *drawing, const Arbiter__Dead__View__Survivor *survivor)
{
    char    marks[8] = "";
    int32_t wounds = survivor->wounds, frost = survivor->frostbites;
    size_t  size = 0;
    for (int32_t i = 0; i < wounds + frost && size + 1 < sizeof marks; i++)
        marks[size++] = i < wounds ? '!' : '*';
    marks[size] = '\0';
    board_text_put(&drawing->text, COLOUR_RED, marks);
}

static void put_title(const struct phrase *phrase, FILE *out, word unused)
{
    (void) unused;
    if (!phrase_noun(phrase, out, NOUN_TITLE))
        phrase_text(phrase, out, phrase_say(phrase, "The dead", "Die Toten"));
}

/* Base counts rounds up, the later editions down. */
static void put_round(struct drawing *drawing)
{
    const Arbiter__Dead__View *view = dead_seen(drawing->phrase);
    int64_t                    rounds = dead_setup_of(drawing->phrase)->rounds;
    if (view->round == 0)
        return;
    board_say(drawing, COLOUR_NONE, "   Round", "   Runde");
    board_number(drawing, COLOUR_BOLD,
                 dead_setup_of(drawing->phrase)->edition == DEAD_BASE ? view->round
                                                                      : rounds - view->round + 1);
    board_say(drawing, COLOUR_NONE, " of", " von");
    board_number(drawing, COLOUR_NONE, rounds);
}

static void put_awaited(struct drawing *drawing)
{
    const Arbiter__Dead__View *view = dead_seen(drawing->phrase);
    bool                       is_own = view->has_player && view->player == drawing->phrase->seat;
    board_text_put(&drawing->text, COLOUR_NONE, "   ");
    if (!view->has_player) {
        board_say(drawing, COLOUR_BOLD, view->win ? "won" : "lost",
                  view->win ? "gewonnen" : "verloren");
        return;
    }
    if (is_own)
        board_say(drawing, COLOUR_GREEN, "You", "Du");
    else
        board_name(drawing, COLOUR_BOLD, board_seat, view->player);
    switch (view->phase) {
    case ARBITER__DEAD__VIEW__PHASE__PREPARATION:
        board_say(drawing, COLOUR_NONE, is_own ? " choose survivors" : " chooses survivors",
                  is_own ? " wählst Überlebende" : " wählt Überlebende");
        break;
    case ARBITER__DEAD__VIEW__PHASE__VOTE:
        board_say(drawing, COLOUR_NONE, is_own ? " vote" : " votes",
                  is_own ? " stimmst ab" : " stimmt ab");
        break;
    default:
        board_say(drawing, COLOUR_NONE, is_own ? " are on turn" : " is on turn",
                  is_own ? " bist am Zug" : " ist am Zug");
        break;
    }
}

static void put_figure(struct drawing *drawing, const char *english, const char *german,
                       int64_t number, bool is_bad)
{
    board_say(drawing, COLOUR_NONE, english, german);
    board_number(drawing, is_bad ? COLOUR_RED : COLOUR_BOLD, number);
    board_text_put(&drawing->text, COLOUR_NONE, "   ");
}

static void put_figures(struct drawing *drawing)
{
    const Arbiter__Dead__View *view = dead_seen(drawing->phrase);
    put_figure(drawing, "Morale", "Moral", view->moral, view->moral <= 2);
    put_figure(drawing, "Food", "Essen", view->food, view->food <= 2);
    put_figure(drawing, "Waste", "Müll", view->waste, view->waste >= 10);
    put_figure(drawing, "Hunger", "Hunger", view->starvation_tokens, view->starvation_tokens > 0);
    put_figure(drawing, "Children", "Kinder", view->children, false);
    board_text_line(&drawing->text);
}

/* With its comma, which so stays beside its last word. */
static void put_crisis_told(const struct phrase *phrase, FILE *out, word crisis)
{
    dead_put_crisis(phrase, out, crisis);
    fputc(',', out);
}

static void put_crisis(struct drawing *drawing)
{
    const Arbiter__Dead__View *view = dead_seen(drawing->phrase);
    if (!view->has_crisis_id)
        return;
    char *crisis = board_string(drawing, put_crisis_told, view->crisis_id);
    drawing->text.indent = 2;
    board_say(drawing, COLOUR_NONE, "Crisis: ", "Krise: ");
    board_text_words(&drawing->text, COLOUR_YELLOW, crisis);
    board_say(drawing, COLOUR_NONE, " given:", " gegeben:");
    board_number(drawing, COLOUR_BOLD, view->contributed);
    board_text_line(&drawing->text);
    free(crisis);
}

/* How many barricades stand, or how many places have zombies. */
static int64_t count_goal(const struct drawing *drawing)
{
    int64_t barricades = 0, places = 0;
    for (size_t i = 0; i < dead_seen(drawing->phrase)->n_locations; i++) {
        const Arbiter__Dead__View__Location *place = dead_seen(drawing->phrase)->locations[i];
        int64_t                              zombies = 0;
        for (size_t k = 0; k < place->n_entrances; k++) {
            barricades += place->entrances[k]->barricades;
            zombies += place->entrances[k]->zombies;
        }
        places += zombies > 0;
    }
    return dead_setup_of(drawing->phrase)->goal == DEAD_BARRICADES ? barricades : places;
}

static void put_goal(struct drawing *drawing)
{
    board_say(drawing, COLOUR_NONE, "Goal: ", "Ziel: ");
    if (dead_setup_of(drawing->phrase)->goal == DEAD_SURVIVE) {
        board_say(drawing, COLOUR_NONE, "hold out to the end of the last round",
                  "durchhalten bis zum Ende der letzten Runde");
    } else {
        bool is_barricades = dead_setup_of(drawing->phrase)->goal == DEAD_BARRICADES;
        board_say(drawing, COLOUR_NONE,
                  is_barricades ? "barricades at the end of a round, at least"
                                : "places with zombies at the end of a round, at most",
                  is_barricades ? "Barrikaden am Ende einer Runde, mindestens"
                                : "Orte mit Zombies am Ende einer Runde, höchstens");
        board_number(drawing, COLOUR_BOLD, dead_setup_of(drawing->phrase)->goal_amount);
        board_say(drawing, COLOUR_NONE, "; now", "; jetzt");
        board_number(drawing, COLOUR_BOLD, count_goal(drawing));
    }
    board_text_line(&drawing->text);
}

void dead_draw_head(struct drawing *drawing)
{
    const Arbiter__Dead__View *view = dead_seen(drawing->phrase);
    board_name(drawing, COLOUR_BOLD, put_title, 0);
    put_round(drawing);
    put_awaited(drawing);
    board_text_line(&drawing->text);
    put_figures(drawing);
    put_crisis(drawing);
    put_goal(drawing);
    if (view->has_crossroad_id) {
        char *fate = board_string(drawing, dead_put_fate, view->crossroad_id);
        board_say(drawing, COLOUR_NONE, "Fate: ", "Schicksal: ");
        board_text_words(&drawing->text, COLOUR_YELLOW, fate);
        board_text_line(&drawing->text);
        free(fate);
    }
}

/* Three places each: zombies, barricades, what is free. */
static void put_entrance(struct drawing *drawing, uint32_t number,
                         const Arbiter__Dead__View__Entrance *entrance)
{
    char    label[16];
    int32_t zombies = entrance->zombies, barricades = entrance->barricades;
    bool    is_ascii = drawing->phrase->is_ascii;
    if (drawing->text.at + 7 > drawing->text.columns) {
        board_text_line(&drawing->text);
        board_text_cell(&drawing->text, COLOUR_NONE, "", NAME_COLUMNS + CARDS_COLUMNS);
    }
    (void) snprintf(label, sizeof label, "%2" PRIu32 " ", number);
    board_text_put(&drawing->text, COLOUR_DIM, label);
    for (int32_t i = 0; i < 3; i++) {
        if (i < zombies)
            board_text_put(&drawing->text, COLOUR_RED, "Z");
        else if (i < zombies + barricades)
            board_text_put(&drawing->text, COLOUR_GREEN, is_ascii ? "#" : "▓");
        else
            board_text_put(&drawing->text, COLOUR_DIM, is_ascii ? "." : "·");
    }
    board_text_put(&drawing->text, COLOUR_NONE, " ");
}

static void put_people(struct drawing *drawing, int32_t location)
{
    const Arbiter__Dead__View *view = dead_seen(drawing->phrase);
    for (size_t i = 0; i < view->n_survivors; i++) {
        const Arbiter__Dead__View__Survivor *who = view->survivors[i];
        if (who->location_id != location)
            continue;
        board_text_put(&drawing->text, COLOUR_NONE, "  ");
        board_name(drawing, who->player == drawing->phrase->seat ? COLOUR_BOLD : COLOUR_NONE,
                   dead_put_character, who->character_id);
        board_injuries(drawing, who);
    }
}

static void put_place(struct drawing *drawing, const Arbiter__Dead__View__Location *place)
{
    char  cards[16] = "";
    char *name = board_string(drawing, dead_put_place, place->location_id);
    drawing->text.indent = 4;
    board_text_cell(&drawing->text, COLOUR_BOLD, name, NAME_COLUMNS);
    if (place->cards_left > 0)
        (void) snprintf(cards, sizeof cards, "%4" PRId32, place->cards_left);
    board_text_cell(&drawing->text, COLOUR_DIM, cards, CARDS_COLUMNS);
    for (size_t i = 0; i < place->n_entrances; i++)
        put_entrance(drawing, (uint32_t) i + 1, place->entrances[i]);
    put_people(drawing, place->location_id);
    board_text_line(&drawing->text);
    drawing->text.indent = 0;
    free(name);
}

void board_places(struct drawing *drawing)
{
    for (size_t i = 0; i < dead_seen(drawing->phrase)->n_locations; i++)
        put_place(drawing, dead_seen(drawing->phrase)->locations[i]);
}

static void draw_people(struct drawing *drawing)
{
    if (dead_seen(drawing->phrase)->n_offer > 0)
        board_offer(drawing);
    board_seats(drawing);
}

static void draw_both(struct drawing *drawing)
{
    struct drawing left = *drawing, right = *drawing;
    bool has_both = board_text_begin(&left.text, PLACES_COLUMNS - 2, drawing->look->coloured) &&
                    board_text_begin(&right.text, drawing->look->columns - PLACES_COLUMNS,
                                     drawing->look->coloured);
    if (!has_both)
        abort();
    dead_draw_head(&left);
    board_text_line(&left.text);
    board_places(&left);
    draw_people(&right);
    board_text_end(&left.text);
    board_text_end(&right.text);
    board_text_join(&drawing->text, &left.text, &right.text, PLACES_COLUMNS);
    board_text_free(&left.text);
    board_text_free(&right.text);
}

void dead_draw(struct drawing *drawing)
{
    if (drawing->is_wide) {
        draw_both(drawing);
        return;
    }
    dead_draw_head(drawing);
    if (drawing->is_roomy)
        board_text_line(&drawing->text);
    board_places(drawing);
    if (drawing->is_roomy)
        board_text_line(&drawing->text);
    draw_people(drawing);
}
