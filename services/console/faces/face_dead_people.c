/* face_dead_people.c: players with dice and hands, their survivors, and whom one may choose. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "services/console/faces/face_dead_board.h"

static void put_dice(struct drawing *drawing, const Arbiter__Dead__View__Seat *seat)
{
    board_say(drawing, COLOUR_NONE, "  dice", "  Würfel");
    if (seat->n_dice == 0)
        board_text_put(&drawing->text, COLOUR_NONE, " -");
    for (size_t i = 0; i < seat->n_dice; i++)
        board_number(drawing, COLOUR_BOLD, seat->dice[i]);
}

/* A name with what stands before and behind it, as one piece: neither number, comma nor bracket is torn from it. */
static void put_whole(struct drawing *drawing, enum colour colour, const char *before,
                      const char *name, const char *behind)
{
    char *piece = NULL;
    if (asprintf(&piece, "%s%s%s", before, name, behind) < 0)
        abort();
    board_text_put(&drawing->text, colour, piece);
    free(piece);
}

/* Cards that are called the same, with their number. */
static void put_cards(struct drawing *drawing, const char *name, size_t same, const char *comma)
{
    char number[24] = " ";
    if (same > 1)
        (void) snprintf(number, sizeof number, " %zux ", same);
    put_whole(drawing, COLOUR_NONE, number, name, comma);
}

static void put_hand(struct drawing *drawing, const Arbiter__Dead__View__Seat *seat)
{
    char  **names = calloc(seat->n_cards + 1, sizeof *names);
    size_t *same = calloc(seat->n_cards + 1, sizeof *same);
    size_t  kinds = 0;
    if (names == NULL || same == NULL)
        abort();
    if (seat->n_cards == 0)
        board_text_put(&drawing->text, COLOUR_NONE, " -");
    for (size_t i = 0; i < seat->n_cards; i++) {
        size_t at = 0;
        names[kinds] = board_string(drawing, dead_put_card, seat->cards[i]);
        while (strcmp(names[at], names[kinds]) != 0)
            at++;
        if (at < kinds)
            free(names[kinds]);
        kinds += at == kinds;
        same[at]++;
    }
    for (size_t i = 0; i < kinds; i++) {
        put_cards(drawing, names[i], same[i], i + 1 < kinds ? "," : "");
        free(names[i]);
    }
    free(names);
    free(same);
}

static const Arbiter__Dead__View__Survivor *survivor_of(const struct drawing *drawing, int32_t id)
{
    for (size_t i = 0; i < dead_seen(drawing->phrase)->n_survivors; i++)
        if (dead_seen(drawing->phrase)->survivors[i]->character_id == id)
            return dead_seen(drawing->phrase)->survivors[i];
    return NULL;
}

/* What dice a survivor needs, and what the survivor is good at. */
static void put_figures(struct drawing *drawing, word character)
{
    uint32_t index = dead_character_index(dead_setup_of(drawing->phrase), character);
    char     dice[64];
    if (index == DEAD_NONE)
        return;
    const struct dead_character *who = dead_character(dead_setup_of(drawing->phrase), index);
    (void) snprintf(dice, sizeof dice,
                    drawing->phrase->language == GERMAN ? "  Angriff %u+ Suche %u+  "
                                                        : "  attack %u+ search %u+  ",
                    who->attack, who->search);
    char *skill = board_string(drawing, dead_put_skill, character);
    board_text_put(&drawing->text, COLOUR_NONE, dice);
    board_text_words(&drawing->text, COLOUR_DIM, skill);
    free(skill);
}

static void put_equipment(struct drawing *drawing, const Arbiter__Dead__View__Survivor *who)
{
    for (size_t i = 0; i < who->n_equipment; i++) {
        char *card = board_string(drawing, dead_put_card, who->equipment[i]->card_id);
        put_whole(drawing, who->equipment[i]->used ? COLOUR_DIM : COLOUR_GREEN,
                  i == 0 ? "  [" : " ", card, i + 1 < who->n_equipment ? "," : "]");
        free(card);
    }
}

static void put_survivor(struct drawing *drawing, int32_t id)
{
    const Arbiter__Dead__View__Survivor *who = survivor_of(drawing, id);
    if (who == NULL)
        return;
    drawing->text.indent = 6;
    board_text_put(&drawing->text, COLOUR_NONE, "    ");
    board_name(drawing, COLOUR_BOLD, dead_put_character, id);
    board_injuries(drawing, who);
    put_equipment(drawing, who);
    put_figures(drawing, id);
    if (who->moved)
        board_say(drawing, COLOUR_DIM, " (has moved)", " (ist gegangen)");
    board_text_line(&drawing->text);
    drawing->text.indent = 0;
}

/* All of them in as few lines as they take, with the dice they need. Skills stand in the menu. */
static void put_survivors_terse(struct drawing *drawing, const Arbiter__Dead__View__Seat *seat)
{
    const char *format =
        drawing->phrase->language == GERMAN ? " Angriff %u+ Suche %u+" : " attack %u+ search %u+";
    for (size_t i = 0; i < seat->n_survivors; i++) {
        const Arbiter__Dead__View__Survivor *who = survivor_of(drawing, seat->survivors[i]);
        uint32_t index = dead_character_index(dead_setup_of(drawing->phrase), seat->survivors[i]);
        char     dice[64];
        if (who == NULL || index == DEAD_NONE)
            continue;
        const struct dead_character *figure = dead_character(dead_setup_of(drawing->phrase), index);
        (void) snprintf(dice, sizeof dice, format, figure->attack, figure->search);
        board_text_put(&drawing->text, COLOUR_NONE, drawing->text.at == 0 ? "    " : "   ");
        board_name(drawing, COLOUR_BOLD, dead_put_character, seat->survivors[i]);
        board_injuries(drawing, who);
        board_text_put(&drawing->text, COLOUR_NONE, dice);
        put_equipment(drawing, who);
    }
    if (drawing->text.at > 0)
        board_text_line(&drawing->text);
}

static void put_seat(struct drawing *drawing, const Arbiter__Dead__View__Seat *seat)
{
    const Arbiter__Dead__View *view = dead_seen(drawing->phrase);
    bool                       is_own = seat->player == drawing->phrase->seat;
    bool                       is_awaited = view->has_player && view->player == seat->player;
    drawing->text.indent = 4;
    board_text_put(&drawing->text, COLOUR_GREEN, is_awaited ? "> " : "  ");
    board_name(drawing, is_own ? COLOUR_BOLD : COLOUR_NONE, board_player, seat->player);
    if (!seat->in_game) {
        board_say(drawing, COLOUR_DIM, ": out of the match", ": nicht mehr dabei");
        board_text_line(&drawing->text);
        return;
    }
    put_dice(drawing, seat);
    board_say(drawing, COLOUR_NONE, "  hand", "  Hand");
    if (is_own || drawing->is_roomy)
        put_hand(drawing, seat);
    else
        board_number(drawing, COLOUR_BOLD, (int64_t) seat->n_cards);
    if (drawing->is_terse && !is_own)
        return; /* The next one stands in the same line, if there is room. */
    board_text_line(&drawing->text);
    if (drawing->is_terse)
        put_survivors_terse(drawing, seat);
    for (size_t i = 0; i < seat->n_survivors && !drawing->is_terse && (is_own || drawing->is_roomy);
         i++)
        put_survivor(drawing, seat->survivors[i]);
    drawing->text.indent = 0;
}

void board_seats(struct drawing *drawing)
{
    for (size_t i = 0; i < dead_seen(drawing->phrase)->n_seats; i++) {
        const Arbiter__Dead__View__Seat *seat = dead_seen(drawing->phrase)->seats[i];
        if (seat->player == drawing->phrase->seat && drawing->text.at > 0)
            board_text_line(&drawing->text);
        put_seat(drawing, seat);
    }
    if (drawing->text.at > 0)
        board_text_line(&drawing->text);
    drawing->text.indent = 0;
}

void board_offer(struct drawing *drawing)
{
    board_say(drawing, COLOUR_GREEN,
              "Two of these four will be yours:", "Zwei von diesen vieren werden deine:");
    board_text_line(&drawing->text);
    for (size_t i = 0; i < dead_seen(drawing->phrase)->n_offer; i++) {
        drawing->text.indent = 6;
        board_text_put(&drawing->text, COLOUR_NONE, "    ");
        board_name(drawing, COLOUR_BOLD, dead_put_character, dead_seen(drawing->phrase)->offer[i]);
        put_figures(drawing, dead_seen(drawing->phrase)->offer[i]);
        board_text_line(&drawing->text);
    }
    drawing->text.indent = 0;
}
