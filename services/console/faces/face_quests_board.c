/* face_quests_board.c: the board of quests.
 *
 *     Quests   Turn 12   Ben is to attack   Event card: Q3
 *     Shields to win: 7   Adventures: 31, discarded 20   Events: 9, discarded 7
 *     > Ada (you)   2 shields   11 cards
 *       Ben         4 shields   12 cards   sponsor
 *     Stage 1  F5 D5 (10)
 *     Stage 2  (3 cards)
 *     Stage 3  (1 card)  Chloé: (2 cards)  Ada: S10 H10 (20)
 *     Your hand  F10 F15 S10 B15 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "games/quests/quests_rules.h"
#include "services/console/faces/face_quests.h"

#define NAME_COLUMNS 24
#define SHIELDS_COLUMNS 14
#define CARDS_COLUMNS 14
#define LABEL_COLUMNS 11

static const Arbiter__Quests__View *view_of(const struct drawing *drawing)
{
    return quests_seen(drawing->phrase);
}

static void put_sum(const struct phrase *phrase, FILE *out, word value)
{
    static const struct saying sum = { { " ({n0})", " ({n0})" } };
    phrase_put(phrase, out, &sum, &value, 1);
}

static void put_count(const struct phrase *phrase, FILE *out, word count)
{
    quests_put_field(phrase, out, 'c', count);
}

static void put_shields(const struct phrase *phrase, FILE *out, word count)
{
    quests_put_field(phrase, out, 'h', count);
}

/* Cards that may be seen with their value, or how many there are. */
static void put_laid(struct drawing *drawing, const Arbiter__Quests__Cards *cards, uint32_t count)
{
    word value = 0;
    if (cards == NULL || cards->n_cards == 0) {
        board_text_put(&drawing->text, COLOUR_DIM, "(");
        board_name(drawing, COLOUR_DIM, put_count, cards == NULL ? count : 0);
        board_text_put(&drawing->text, COLOUR_DIM, ")");
        return;
    }
    for (size_t i = 0; i < cards->n_cards; i++) {
        uint32_t card = cards->cards[i];
        board_text_put(&drawing->text, COLOUR_NONE, i > 0 ? " " : "");
        board_name(drawing, COLOUR_BOLD, quests_put_card, card);
        value += card < QUESTS_CARDS ? quests_value[card] : 0;
    }
    board_name(drawing, COLOUR_NONE, put_sum, value);
}

word quests_to_discard(const struct phrase *phrase)
{
    const Arbiter__Quests__View *view = quests_seen(phrase);
    const struct quests_setup   *setup = phrase->setup;
    if (view == NULL || setup == NULL || view->pending == NULL ||
        (uint32_t) view->pending->kind != QUESTS_ASKS_DISCARD)
        return 0;
    for (size_t i = 0; i < view->n_players; i++)
        if (view->players[i]->id == view->pending->player &&
            view->players[i]->hand_count > setup->hand_limit)
            return (word) view->players[i]->hand_count - (word) setup->hand_limit;
    return 0;
}

static void put_asked(struct drawing *drawing)
{
    static const struct {
        const char *english, *german;
    } does[] = {
        [QUESTS_ASKS_SPONSOR] = { "sponsor the quest?", "die Quest ausrichten?" },
        [QUESTS_ASKS_BUILD] = { "build the quest", "die Quest bauen" },
        [QUESTS_ASKS_PARTICIPATE] = { "tackle the stage?", "sich an die Stufe wagen?" },
        [QUESTS_ASKS_ATTACK] = { "attack the stage", "die Stufe angreifen" },
        [QUESTS_ASKS_DISCARD] = { "discard", "ablegen:" },
        [QUESTS_ASKS_END_TURN] = { "end the turn", "den Zug beenden" },
    };
    const Arbiter__Quests__View__Pending *pending = view_of(drawing)->pending;
    board_text_put(&drawing->text, COLOUR_NONE, "   ");
    if (pending == NULL) {
        board_say(drawing, COLOUR_BOLD, "The game is over", "Die Partie ist zu Ende");
        return;
    }
    uint32_t kind = pending->kind;
    bool     is_own = pending->player == drawing->phrase->seat;
    if (is_own)
        board_say(drawing, COLOUR_GREEN, "You", "Du");
    else
        board_name(drawing, COLOUR_BOLD, board_seat, pending->player);
    board_text_put(&drawing->text, COLOUR_NONE, ": ");
    if (kind >= QUESTS_ASKS_SPONSOR && kind <= QUESTS_ASKS_END_TURN)
        board_say(drawing, COLOUR_NONE, does[kind].english, does[kind].german);
    if (kind == QUESTS_ASKS_DISCARD) {
        board_text_put(&drawing->text, COLOUR_NONE, " ");
        board_name(drawing, COLOUR_BOLD, put_count, quests_to_discard(drawing->phrase));
    }
}

static void put_title(const struct phrase *phrase, FILE *out, word unused)
{
    (void) unused;
    if (!phrase_noun(phrase, out, NOUN_TITLE))
        fputs("Quests", out);
}

static void put_head(struct drawing *drawing)
{
    const Arbiter__Quests__View *view = view_of(drawing);
    board_name(drawing, COLOUR_BOLD, put_title, 0);
    board_say(drawing, COLOUR_NONE, "   Turn", "   Zug");
    board_number(drawing, COLOUR_BOLD, view->turn);
    if (view->has_event_card) {
        board_say(drawing, COLOUR_NONE, "   Event card: ", "   Ereigniskarte: ");
        board_name(drawing, COLOUR_YELLOW, quests_put_event_card, view->event_card);
    }
    put_asked(drawing);
    board_text_line(&drawing->text);
}

static void put_piles(struct drawing *drawing, const char *english, const char *german,
                      const Arbiter__Quests__View__Piles *piles)
{
    if (piles == NULL)
        return;
    board_say(drawing, COLOUR_NONE, english, german);
    board_number(drawing, COLOUR_BOLD, piles->deck);
    board_say(drawing, COLOUR_DIM, ", discarded", ", abgelegt");
    board_number(drawing, COLOUR_DIM, piles->discard);
}

static void put_figures(struct drawing *drawing)
{
    const Arbiter__Quests__View *view = view_of(drawing);
    board_say(drawing, COLOUR_NONE, "Shields to win:", "Schilde zum Sieg:");
    board_number(drawing, COLOUR_BOLD, view->winning_shields);
    put_piles(drawing, "   Adventures:", "   Abenteuer:", view->adventure);
    put_piles(drawing, "   Events:", "   Ereignisse:", view->events);
    board_text_line(&drawing->text);
}

static bool is_among(const uint32_t *players, size_t count, uint32_t player)
{
    for (size_t i = 0; i < count; i++)
        if (players[i] == player)
            return true;
    return false;
}

/* What part a player has in the quest, and whose turn it is. */
static void put_part(struct drawing *drawing, uint32_t player)
{
    const Arbiter__Quests__View        *view = view_of(drawing);
    const Arbiter__Quests__View__Quest *quest = view->quest;
    if (is_among(view->winners, view->n_winners, player))
        board_say(drawing, COLOUR_GREEN, "has won  ", "hat gewonnen  ");
    if (quest != NULL && quest->has_sponsor && quest->sponsor == player)
        board_say(drawing, COLOUR_YELLOW, "sponsor  ", "richtet aus  ");
    else if (quest != NULL && is_among(quest->participants, quest->n_participants, player))
        board_say(drawing, COLOUR_NONE, "tackles the stage  ", "wagt sich an die Stufe  ");
    else if (quest != NULL && is_among(quest->eligible, quest->n_eligible, player))
        board_say(drawing, COLOUR_NONE, "may tackle the stage  ", "darf mitmachen  ");
    if (view->current == player && view->pending != NULL)
        board_say(drawing, COLOUR_DIM, "on turn", "am Zug");
}

static void put_cell(struct drawing *drawing, enum colour                   colour,
                     void (*put)(const struct phrase *, FILE *, word), word value, uint32_t columns)
{
    char *string = board_string(drawing, put, value);
    board_text_cell(&drawing->text, colour, string, columns);
    free(string);
}

static void put_player(struct drawing *drawing, const Arbiter__Quests__View__Player *player)
{
    const Arbiter__Quests__View__Pending *pending = view_of(drawing)->pending;
    bool is_awaited = pending != NULL && pending->player == player->id;
    bool is_own = player->id == drawing->phrase->seat;
    board_text_put(&drawing->text, COLOUR_GREEN, is_awaited ? "> " : "  ");
    put_cell(drawing, is_own ? COLOUR_BOLD : COLOUR_NONE, board_player, player->id, NAME_COLUMNS);
    put_cell(drawing, COLOUR_BOLD, put_shields, player->shields, SHIELDS_COLUMNS);
    put_cell(drawing, COLOUR_NONE, put_count, player->hand_count, CARDS_COLUMNS);
    put_part(drawing, player->id);
    board_text_line(&drawing->text);
}

static void put_label(const struct phrase *phrase, FILE *out, word stage)
{
    static const struct saying label = { { "Stage {n0}", "Stufe {n0}" } };
    phrase_put(phrase, out, &label, &stage, 1);
}

static void put_attacks(struct drawing *drawing, const Arbiter__Quests__View__Quest *quest)
{
    for (size_t i = 0; i < quest->n_attacks; i++) {
        const Arbiter__Quests__View__Attack *attack = quest->attacks[i];
        board_text_put(&drawing->text, COLOUR_NONE, i > 0 ? ", " : "   <- ");
        board_name(drawing, COLOUR_NONE, board_seat, attack->player);
        board_text_put(&drawing->text, COLOUR_NONE, " ");
        put_laid(drawing, attack->cards, attack->count);
    }
}

static void put_stages(struct drawing *drawing, const Arbiter__Quests__View__Quest *quest)
{
    for (uint32_t stage = 1; stage <= quest->stages && quest->has_sponsor; stage++) {
        bool is_now = quest->stage == stage;
        drawing->text.indent = LABEL_COLUMNS + 2;
        board_text_put(&drawing->text, COLOUR_GREEN, is_now ? "> " : "  ");
        put_cell(drawing, is_now ? COLOUR_BOLD : COLOUR_NONE, put_label, stage, LABEL_COLUMNS);
        if (stage <= quest->n_built)
            put_laid(drawing, quest->built[stage - 1]->cards, quest->built[stage - 1]->count);
        else if (stage == quest->n_built + 1 && quest->building != NULL)
            put_laid(drawing, quest->building, 0);
        else
            board_text_put(&drawing->text, COLOUR_DIM, "-");
        if (is_now)
            put_attacks(drawing, quest);
        board_text_line(&drawing->text);
        drawing->text.indent = 0;
    }
}

static void put_hand(struct drawing *drawing)
{
    const Arbiter__Quests__View *view = view_of(drawing);
    if (!view->has_you)
        return;
    drawing->text.indent = LABEL_COLUMNS + 2;
    board_say(drawing, COLOUR_NONE, "Your hand: ", "Deine Hand: ");
    for (size_t i = 0; i < view->n_hand; i++) {
        board_text_put(&drawing->text, COLOUR_NONE, " ");
        board_name(drawing, COLOUR_BOLD, quests_put_card, (word) view->hand[i]);
    }
    board_text_line(&drawing->text);
    drawing->text.indent = 0;
}

void quests_draw_board(struct drawing *drawing)
{
    const Arbiter__Quests__View *view = view_of(drawing);
    put_head(drawing);
    put_figures(drawing);
    for (size_t i = 0; i < view->n_players; i++)
        put_player(drawing, view->players[i]);
    if (view->quest != NULL)
        put_stages(drawing, view->quest);
    put_hand(drawing);
}
