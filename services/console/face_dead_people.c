/* face_dead_people.c: players with dice and hands, their survivors, and whom one may choose. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "services/console/face_dead_board.h"

static void put_dice(struct drawing *drawing, const Arbiter__Dead__View__Seat *seat)
{
    board_say(drawing, COLOUR_NONE, "  dice", "  Würfel");
    if (seat->n_dice == 0)
        board_text_put(&drawing->text, COLOUR_NONE, " -");
    for (size_t i = 0; i < seat->n_dice; i++)
        board_number(drawing, COLOUR_BOLD, seat->dice[i]);
}

static bool is_said_already(char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], names[count]) == 0)
            return true;
    return false;
}

/* Cards that are called the same are named once, with their number. */
static void put_hand(struct drawing *drawing, const Arbiter__Dead__View__Seat *seat)
{
    if (seat->n_cards == 0)
        board_text_put(&drawing->text, COLOUR_NONE, " -");
    char **names = calloc(seat->n_cards + 1, sizeof *names);
    bool   is_first = true;
    if (names == NULL)
        abort();
    for (size_t i = 0; i < seat->n_cards; i++)
        names[i] = board_string(drawing, dead_put_card, seat->cards[i]);
    for (size_t i = 0; i < seat->n_cards; i++) {
        size_t same = 0;
        if (is_said_already(names, i))
            continue;
        for (size_t k = i; k < seat->n_cards; k++)
            same += strcmp(names[k], names[i]) == 0;
        board_text_put(&drawing->text, COLOUR_NONE, is_first ? " " : ", ");
        is_first = false;
        if (same > 1) {
            char times[24];
            (void) snprintf(times, sizeof times, "%zux ", same);
            board_text_put(&drawing->text, COLOUR_DIM, times);
        }
        board_text_put(&drawing->text, COLOUR_NONE, names[i]);
    }
    for (size_t i = 0; i < seat->n_cards; i++)
        free(names[i]);
    free(names);
}

static const Arbiter__Dead__View__Survivor *survivor_of(const struct drawing *drawing, int32_t id)
{
    for (size_t i = 0; i < dead_seen(drawing->phrase)->n_survivors; i++)
        if (dead_seen(drawing->phrase)->survivors[i]->character_id == id)
            return dead_seen(drawing->phrase)->survivors[i];
    return NULL;
}

/* What dice he needs and what he is good at. */
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
        board_text_put(&drawing->text, COLOUR_NONE, i == 0 ? "  [" : ", ");
        board_name(drawing, who->equipment[i]->used ? COLOUR_DIM : COLOUR_GREEN, dead_put_card,
                   who->equipment[i]->card_id);
    }
    if (who->n_equipment > 0)
        board_text_put(&drawing->text, COLOUR_NONE, "]");
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
        board_say(drawing, COLOUR_DIM, "; has moved", "; ist gegangen");
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
        board_text_put(&drawing->text, COLOUR_NONE, drawing->text.at == 0 ? "    " : ";  ");
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
        return; /* The next one stands in the same line, if he has room there. */
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
