/* hotseat_seat.c: who sits in front of the terminal, what that player sees there, and what the
 * player has missed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "games/quests/quests_rules.h"
#include "services/console/faces/face_quests.h"
#include "services/console/play/hotseat.h"

static void news_open(struct hotseat_news *news)
{
    news->out = open_memstream(&news->bytes, &news->size);
    if (news->out == NULL)
        abort();
}

static void news_close(struct hotseat_news *news)
{
    fclose(news->out);
    free(news->bytes);
    memset(news, 0, sizeof *news);
}

void hotseat_open(struct hotseat *seat, FILE *out, bool is_terminal, bool is_coloured,
                  const struct quests_setup *setup)
{
    memset(seat, 0, sizeof *seat);
    seat->out = out;
    seat->is_terminal = is_terminal;
    seat->is_coloured = is_coloured;
    seat->sitter = NOBODY_SITS;
    seat->phrase.wire = registry_find("quests", 0);
    seat->phrase.setup = setup;
    for (uint32_t i = 0; i < QUESTS_SEATS; i++) {
        (void) snprintf(seat->phrase.players[i], PHRASE_NAME_MAX, "P%" PRIu32, i + 1);
        seat->shields[i] = setup->shields[i];
        news_open(&seat->news[i]);
    }
}

void hotseat_close(struct hotseat *seat)
{
    for (uint32_t i = 0; i < QUESTS_SEATS; i++)
        news_close(&seat->news[i]);
}

void hotseat_line(const struct hotseat *seat, enum colour colour, const char *line)
{
    terminal_put_in(seat->out, seat->is_coloured, colour, line);
    fputc('\n', seat->out);
}

#define LABEL_COLUMNS 11 /* "Hand of P1:" */

/* A card with its number. On a terminal the line goes on below before it would break within a card. */
static void put_held(const struct hotseat *seat, uint32_t position, uint32_t card, uint32_t *column)
{
    char     number[16];
    uint32_t size = (uint32_t) snprintf(number, sizeof number, " %" PRIu32 ":", position);
    size += (uint32_t) strlen(quests_card_names[QUESTS_ADVENTURE][card - 1]);
    if (seat->columns > 0 && *column + size > seat->columns && *column > LABEL_COLUMNS) {
        fprintf(seat->out, "\n%*s", LABEL_COLUMNS, "");
        *column = LABEL_COLUMNS;
    }
    *column += size;
    terminal_put_in(seat->out, seat->is_coloured, COLOUR_DIM, number);
    quests_put_card(&seat->phrase, seat->out, card);
}

/* Numbers and names of a hand, in its order. */
static void put_hand(struct hotseat *seat)
{
    uint32_t position = 0, column = LABEL_COLUMNS, rows;
    if (seat->is_terminal)
        terminal_size(&seat->columns, &rows);
    fprintf(seat->out, "Hand of P%" PRIu32 ":", seat->sitter + 1);
    for (uint32_t card = 1; card < QUESTS_CARDS; card++)
        for (uint32_t i = 0; i < seat->hand[seat->sitter][card]; i++)
            put_held(seat, ++position, card, &column);
    fputs(position == 0 ? " no cards\n" : "\n", seat->out);
    seat->has_drawn = false;
}

static void put_shields(const struct hotseat *seat)
{
    fputs("Shields:", seat->out);
    for (uint32_t i = 0; i < QUESTS_SEATS; i++)
        fprintf(seat->out, "%s P%" PRIu32 " %" PRIu32, i > 0 ? " " : "", i + 1, seat->shields[i]);
    fputc('\n', seat->out);
}

void hotseat_leave(struct hotseat *seat)
{
    char line[64];
    (void) snprintf(line, sizeof line, "P%" PRIu32 ": press <return> to leave the hot seat",
                    seat->sitter + 1);
    hotseat_line(seat, COLOUR_YELLOW, line);
    (void) fflush(seat->out);
}

void hotseat_flush(struct hotseat *seat)
{
    fputs(seat->is_terminal ? "\033[2J\033[3J\033[H" : "\f\n", seat->out);
    seat->sitter = NOBODY_SITS;
}

void hotseat_sit(struct hotseat *seat, uint32_t player)
{
    struct hotseat_news *news = &seat->news[player];
    char                 line[64];
    seat->sitter = player;
    (void) snprintf(line, sizeof line, "=== P%" PRIu32 " is in the hot seat ===", player + 1);
    hotseat_line(seat, COLOUR_BOLD, line);
    put_shields(seat);
    put_hand(seat);
    (void) fflush(news->out);
    fputs(news->bytes, seat->out);
    news_close(news);
    news_open(news);
    seat->is_fresh = true;
}

/* Keeping hands and shields. */

static void give(struct hotseat *seat, uint32_t player, const word *cards, uint32_t count, int by)
{
    for (uint32_t i = 0; i < count; i++) {
        uint16_t *held = &seat->hand[player][cards[i]];
        *held = (uint16_t) (*held + by);
    }
}

/* What a seat alone is told changes its hand. */
static void keep_hand(struct hotseat *seat, uint32_t player, uint32_t kind, const word *field)
{
    switch (kind) {
    case QUESTS_HAND_SHOWN:
    case QUESTS_STAGE_CLEARED:
        memset(seat->hand[player], 0, sizeof seat->hand[player]);
        give(seat, player, field + 2, (uint32_t) field[1], 1);
        break;
    case QUESTS_DREW:
        give(seat, player, field + 2, (uint32_t) field[1], 1);
        seat->has_drawn = seat->has_drawn || player == seat->sitter;
        break;
    case QUESTS_STAGE_CARD:
    case QUESTS_ATTACK_CARD: give(seat, player, field + 1, 1, -1); break;
    case QUESTS_DISCARDED: /* What belonged to a stage has left the hand long ago. */
        if (field[2 + field[1] + 1] == QUESTS_OF_TRIM)
            give(seat, player, field + 2, (uint32_t) field[1], -1);
        break;
    default: break;
    }
}

static bool is_told(audience to, uint32_t player)
{
    return to == TO_ALL || to == TO_SEAT(player) ||
           ((to & 0xff00) == TO_ALL_BUT(0) && to != TO_ALL_BUT(player));
}

static void tell(struct hotseat *seat, uint32_t player, const word *event)
{
    FILE  *out = player == seat->sitter ? seat->out : seat->news[player].out;
    char  *line = NULL;
    size_t size = 0;
    FILE  *words = open_memstream(&line, &size);
    if (words == NULL)
        abort();
    seat->phrase.seat = player;
    bool is_said = quests_tell(&seat->phrase, words, QUESTS_AT_HOT_SEAT, event_kind(event),
                               event_fields(event));
    fclose(words);
    if (is_said)
        fprintf(out, "%s\n", line);
    free(line);
}

/* The current player sits down, and is told whose turn it is. */
static void begin_turn(struct hotseat *seat, const word *event)
{
    uint32_t player = (uint32_t) event_fields(event)[0];
    for (uint32_t i = 0; i < QUESTS_SEATS; i++)
        tell(seat, i, event);
    hotseat_sit(seat, player);
}

/* A player who has discarded the last card that was too many sees what is left. */
static bool is_trimmed(const struct hotseat *seat, const word *event)
{
    const word *field = event_fields(event);
    return event_kind(event) == QUESTS_DISCARDED && event_to(event) == TO_SEAT(seat->sitter) &&
           field[2 + field[1] + 1] == QUESTS_OF_TRIM && seat->asked[4] == 1;
}

void hotseat_hear(struct hotseat *seat, const word *event)
{
    const word *field = event_fields(event);
    audience    to = event_to(event);
    uint32_t    kind = event_kind(event);
    if (kind == QUESTS_TURN_STARTED) {
        begin_turn(seat, event);
        return;
    }
    if (kind == QUESTS_PROMPT)
        memcpy(seat->asked, field, sizeof seat->asked);
    if (kind == QUESTS_SHIELDS_CHANGED)
        seat->shields[field[0]] = (uint32_t) field[2];
    if ((to & 0xff00) == TO_SEAT(0))
        keep_hand(seat, to & 0xff, kind, field);
    for (uint32_t i = 0; i < QUESTS_SEATS; i++)
        if (is_told(to, i))
            tell(seat, i, event);
    if (is_trimmed(seat, event))
        put_hand(seat);
}

/* Asking. */

void hotseat_explain(const struct hotseat *seat)
{
    static const struct {
        uint32_t    asked;
        const char *line;
    } says[] = {
        { QUESTS_ASKS_SPONSOR, "y: you build the quest from your hand. n: you do not." },
        { QUESTS_ASKS_BUILD, "a number: lays that card of your hand into the stage." },
        { QUESTS_ASKS_BUILD, "quit: the stage is complete. It has one foe, and no weapon twice." },
        { QUESTS_ASKS_BUILD, "    Each stage is worth more than the one before." },
        { QUESTS_ASKS_BUILD, "clear: takes the cards of this stage back into your hand." },
        { QUESTS_ASKS_BUILD,
          "restart: takes the cards of all stages back, to begin with stage 1." },
        { QUESTS_ASKS_PARTICIPATE, "t: you draw a card and attack. w: you leave this quest." },
        { QUESTS_ASKS_ATTACK, "a number: adds that weapon of your hand, none twice." },
        { QUESTS_ASKS_ATTACK, "quit: the attack is complete. It may be empty." },
        { QUESTS_ASKS_DISCARD, "a number: discards that card of your hand." },
    };
    for (uint32_t i = 0; i < sizeof says / sizeof says[0]; i++)
        if (says[i].asked == (uint32_t) seat->asked[1])
            hotseat_line(seat, COLOUR_DIM, says[i].line);
}

static void put_question(struct hotseat *seat, const char *line)
{
    hotseat_line(seat, COLOUR_YELLOW, line);
    (void) fflush(seat->out);
}

/* A player who has just sat down has seen the hand, and must see what was drawn since. */
static bool needs_hand(const struct hotseat *seat)
{
    word kind = seat->asked[1];
    if (kind == QUESTS_ASKS_DISCARD)
        return !seat->is_fresh || seat->has_drawn;
    return !seat->is_fresh && (kind == QUESTS_ASKS_BUILD || kind == QUESTS_ASKS_ATTACK);
}

void hotseat_ask(struct hotseat *seat)
{
    char       line[96];
    word       player = seat->asked[0] + 1, stages = seat->asked[2], stage = seat->asked[3];
    const char head[] = "Stage %" PRId64 ": position of the next card, or 'quit'%s";
    if (needs_hand(seat))
        put_hand(seat);
    seat->is_fresh = false;
    switch (seat->asked[1]) {
    case QUESTS_ASKS_SPONSOR:
        (void) snprintf(line, sizeof line,
                        "P%" PRId64 ": do you sponsor this quest of %" PRId64 " stages? (y/n)",
                        player, stages);
        break;
    case QUESTS_ASKS_BUILD:
        (void) snprintf(line, sizeof line, head, stage,
                        seat->is_guided ? ", 'clear', 'restart', '?'" : "");
        break;
    case QUESTS_ASKS_PARTICIPATE:
        (void) snprintf(line, sizeof line,
                        "P%" PRId64 ": do you tackle stage %" PRId64
                        " or withdraw from the quest? (t/w)",
                        player, stage);
        break;
    case QUESTS_ASKS_ATTACK:
        (void) snprintf(line, sizeof line,
                        "Attack on stage %" PRId64 ": position of the next card, or 'quit'", stage);
        break;
    case QUESTS_ASKS_DISCARD:
        (void) snprintf(line, sizeof line,
                        "Position of the next card to discard (%" PRId64 " to go)", seat->asked[4]);
        break;
    default: hotseat_leave(seat); return;
    }
    put_question(seat, line);
}
