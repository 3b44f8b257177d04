/* face_quests_words.c: what happens in quests, as sentences in English and German.
 *
 * The English ones are those of the course's text interface, word by word. Recordings hold the hot
 * seat to them (common/games/quests/recorded/hotseat). */
#include <inttypes.h>

#include "games/quests/quests_rules.h"
#include "services/console/faces/face_quests.h"

/* One sentence in the making. */
struct telling {
    const struct phrase *phrase;
    FILE                *out;
    enum quests_telling  how;
    const word          *at; /* The field that is read next. */
};

/* A list among the fields: its elements. */
struct list {
    const word *element;
    uint32_t    count;
};

static word next(struct telling *telling)
{
    return *telling->at++;
}

static struct list next_list(struct telling *telling)
{
    uint32_t    count = (uint32_t) next(telling);
    struct list list = { telling->at, count };
    telling->at += count;
    return list;
}

void quests_put_card(const struct phrase *phrase, FILE *out, word card)
{
    bool is_known = card >= 1 && card < QUESTS_CARDS;
    phrase_text(phrase, out, is_known ? quests_card_names[QUESTS_ADVENTURE][card - 1] : "?");
}

void quests_put_cards(const struct phrase *phrase, FILE *out, const word *cards, uint32_t count)
{
    if (count == 0)
        phrase_text(phrase, out, phrase_say(phrase, "no cards", "keine Karten"));
    for (uint32_t i = 0; i < count; i++) {
        fputs(i > 0 ? " " : "", out);
        quests_put_card(phrase, out, cards[i]);
    }
}

void quests_put_event_card(const struct phrase *phrase, FILE *out, word card)
{
    static const char *const english[] = {
        "?", "Q2", "Q3", "Q4", "Q5", "Plague", "Queen's favor", "Prosperity"
    };
    static const char *const german[] = {
        "?", "Q2", "Q3", "Q4", "Q5", "Pest", "Gunst der Königin", "Wohlstand"
    };
    uint32_t at = card >= 1 && card <= QUESTS_PROSPERITY ? (uint32_t) card : 0;
    phrase_text(phrase, out, phrase_say(phrase, english[at], german[at]));
}

void quests_put_field(const struct phrase *phrase, FILE *out, char letter, word value)
{
    static const struct saying cards[] = { { { "{n0} cards", "{n0} Karten" } },
                                           { { "1 card", "1 Karte" } } };
    static const struct saying shields[] = { { { "{n0} shields", "{n0} Schilde" } },
                                             { { "1 shield", "1 Schild" } } };
    static const struct saying decks[] = { { { "adventure", "Abenteuer" } },
                                           { { "event", "Ereignis" } } };
    switch (letter) {
    case 'c': phrase_put(phrase, out, &cards[value == 1], &value, 1); break;
    case 'h': phrase_put(phrase, out, &shields[value == 1], &value, 1); break;
    case 'E': quests_put_event_card(phrase, out, value); break;
    case 'd': phrase_put(phrase, out, &decks[value == 1 + QUESTS_EVENT], &value, 1); break;
    default: break;
    }
}

/* A value of an enum from 1 to `most`; what another machine sends may be anything. */
static uint32_t one_of(word value, uint32_t most)
{
    return value >= 1 && value <= most ? (uint32_t) value : 1;
}

/* A sentence of one saying, of the fields from here on. */
static void put(struct telling *telling, const struct saying *saying, uint32_t fields)
{
    phrase_put(telling->phrase, telling->out, saying, telling->at, fields);
}

/* The same with cards in it: what stands before them, they, and what stands behind. */
static void put_cards(struct telling *telling, const struct saying *before, word number,
                      struct list cards, const struct saying *after, word value)
{
    phrase_put(telling->phrase, telling->out, before, &number, 1);
    quests_put_cards(telling->phrase, telling->out, cards.element, cards.count);
    phrase_put(telling->phrase, telling->out, after, &value, 1);
}

static const struct saying full_stop = { { ".", "." } };
static const struct saying value_stop = { { " ({n0}).", " ({n0})." } };

static void put_players(struct telling *telling, struct list players)
{
    for (uint32_t i = 0; i < players.count; i++) {
        if (i > 0)
            fputs(telling->how == QUESTS_AT_HOT_SEAT ? " " : ", ", telling->out);
        phrase_player(telling->phrase, telling->out, (uint32_t) players.element[i]);
    }
}

static void tell_shields(struct telling *telling)
{
    static const struct saying loses = { { "{p0} loses {h1} and has {n2}.",
                                           "{p0} verliert {h1} und hat {n2}." } };
    static const struct saying earns = { { "{p0} earns {h1} and has {n2}.",
                                           "{p0} erhält {h1} und hat {n2}." } };
    word player = next(telling), delta = next(telling), shields = next(telling);
    bool is_plague = next(telling) == QUESTS_BY_PLAGUE;
    phrase_put(telling->phrase, telling->out, is_plague ? &loses : &earns,
               (const word[]){ player, delta < 0 ? -delta : delta, shields }, 3);
}

static void tell_drew(struct telling *telling)
{
    static const struct saying mine = { { "You draw: ", "Du ziehst: " } };
    static const struct saying others = { { "{p0} draws {c1}.", "{p0} zieht {c1}." } };
    word                       player = next(telling);
    struct list                cards = next_list(telling);
    word                       count = next(telling);
    if (count == ABSENT)
        put_cards(telling, &mine, player, cards, &full_stop, 0);
    else
        phrase_put(telling->phrase, telling->out, &others, (const word[]){ player, count }, 2);
}

static void tell_discarded(struct telling *telling)
{
    static const struct saying mine[] = {
        [QUESTS_OF_TRIM] = { { "You discard: ", "Du legst ab: " } },
        [QUESTS_OF_QUEST] = { { "You discard the quest: ", "Du legst die Quest ab: " } },
        [QUESTS_OF_ATTACK] = { { "{p0} discards the attack: ", "{p0} legt den Angriff ab: " } },
    };
    static const struct saying others[] = {
        [QUESTS_OF_TRIM] = { { "{p0} discards {c1}.", "{p0} legt {c1} ab." } },
        [QUESTS_OF_QUEST] = { { "{p0} discards the quest: {c1}.",
                                "{p0} legt die Quest ab: {c1}." } },
    };
    word        player = next(telling);
    struct list cards = next_list(telling);
    word        count = next(telling), why = next(telling);
    if (count == ABSENT)
        put_cards(telling, &mine[one_of(why, QUESTS_OF_ATTACK)], player, cards, &full_stop, 0);
    else
        phrase_put(telling->phrase, telling->out, &others[one_of(why, QUESTS_OF_QUEST)],
                   (const word[]){ player, count }, 2);
}

static void tell_card_laid(struct telling *telling, const struct saying *saying)
{
    word stage = next(telling);
    (void) next(telling); /* The card, which is the last one of the list. */
    struct list cards = next_list(telling);
    put_cards(telling, saying, stage, cards, &value_stop, next(telling));
}

static void tell_built(struct telling *telling)
{
    static const struct saying mine = { { "Stage {n0} is built: ", "Stufe {n0} steht: " } };
    static const struct saying others = { { "Stage {n0} is built ({c1}).",
                                            "Stufe {n0} steht ({c1})." } };
    word                       stage = next(telling);
    struct list                cards = next_list(telling);
    word                       value = next(telling), count = next(telling);
    if (value != ABSENT)
        put_cards(telling, &mine, stage, cards, &value_stop, value);
    else
        phrase_put(telling->phrase, telling->out, &others, (const word[]){ stage, count }, 2);
}

static void tell_attack_set(struct telling *telling)
{
    static const struct saying mine = { { "Your attack: ", "Dein Angriff: " } };
    static const struct saying others = { { "{p0} has set up an attack ({c1}).",
                                            "{p0} hat den Angriff aufgestellt ({c1})." } };
    word                       player = next(telling);
    (void) next(telling); /* The stage, of which there is one at a time. */
    struct list cards = next_list(telling);
    word        value = next(telling), count = next(telling);
    if (value != ABSENT)
        put_cards(telling, &mine, player, cards, &value_stop, value);
    else
        phrase_put(telling->phrase, telling->out, &others, (const word[]){ player, count }, 2);
}

static void tell_resolved(struct telling *telling)
{
    static const struct saying stage = { { "Stage {n0} was: ", "Stufe {n0} war: " } };
    static const struct saying attack = { { "{p0} attacked with ", "{p0} hat angegriffen mit " } };
    static const struct saying ends[] = { { { " ({n0}): failure.", " ({n0}): gescheitert." } },
                                          { { " ({n0}): success.", " ({n0}): geschafft." } } };
    word                       number = next(telling);
    struct list                cards = next_list(telling);
    put_cards(telling, &stage, number, cards, &value_stop, next(telling));
    for (word left = next(telling); left > 0; left--) {
        word        player = next(telling);
        struct list weapons = next_list(telling);
        word        value = next(telling);
        fputs(telling->how == QUESTS_AT_HOT_SEAT ? "\n" : "\n    ", telling->out);
        put_cards(telling, &attack, player, weapons, &ends[next(telling) == 1], value);
    }
}

static void tell_quest_ended(struct telling *telling)
{
    static const struct saying ends[] = {
        [QUESTS_WON] = { { "The quest has ended: won by ",
                           "Die Quest ist zu Ende: geschafft von " } },
        [QUESTS_NO_WINNER] = { { "The quest has ended: no winner.",
                                 "Die Quest ist zu Ende: niemand hat sie geschafft." } },
        [QUESTS_NO_PARTICIPANTS] = { { "The quest has ended: no participants.",
                                       "Die Quest ist zu Ende: niemand hat sie versucht." } },
    };
    uint32_t result = one_of(next(telling), QUESTS_NO_PARTICIPANTS);
    (void) next(telling); /* The stage reached. */
    struct list winners = next_list(telling);
    phrase_put(telling->phrase, telling->out, &ends[result], NULL, 0);
    if (result != QUESTS_WON)
        return;
    put_players(telling, winners);
    fputc('.', telling->out);
}

/* A number and a list of players. */
static void tell_players(struct telling *telling, const struct saying *before)
{
    word number = next(telling);
    phrase_put(telling->phrase, telling->out, before, &number, 1);
    put_players(telling, next_list(telling));
    fputc('.', telling->out);
}

static void tell_started(struct telling *telling)
{
    static const struct saying started = { { "A game of Quests: {h0} to win.",
                                             "Eine Partie Quests: {h0} gewinnen." } };
    (void) next_list(telling);
    put(telling, &started, 1);
}

/* Sentences that need nothing but the fields in their order. */
static const struct saying plain[QUESTS_EVENTS] = {
    [QUESTS_RESHUFFLED] = { { "The {d0} discard pile is shuffled and becomes the {d0} deck ({c1}).",
                              "Der Ablagestapel ({d0}) wird gemischt und wird zum Stapel "
                              "({c1})." } },
    [QUESTS_DRAW_SHORT] = { { "No adventure cards are left: {p0} draws {n1} fewer.",
                              "Keine Abenteuerkarten mehr: {p0} zieht {n1} weniger." } },
    [QUESTS_TURN_STARTED] = { { "Turn {n1}: it is the turn of {p0}.",
                                "Zug {n1}: {p0} ist am Zug." } },
    [QUESTS_EVENT_CARD] = { { "{p0} draws the event card {E1}.",
                              "{p0} deckt die Ereigniskarte {E1} auf." } },
    [QUESTS_SPONSOR_DECLINED] = { { "{p0} declines to sponsor.",
                                    "{p0} richtet keine Quest aus." } },
    [QUESTS_SPONSOR_FOUND] = { { "{p0} sponsors the quest of {n1} stages.",
                                 "{p0} richtet die Quest mit {n1} Stufen aus." } },
    [QUESTS_NO_SPONSOR] = { { "Nobody sponsors the quest.", "Niemand richtet die Quest aus." } },
    [QUESTS_STAGE_CLEARED] = { { "Stage {n0} is emptied.", "Stufe {n0} ist wieder leer." } },
    [QUESTS_QUEST_RESTARTED] = { { "{p0} starts building the quest again.",
                                   "{p0} baut die Quest von vorn." } },
    [QUESTS_QUEST_READY] = { { "The quest is ready.", "Die Quest steht." } },
    [QUESTS_PARTICIPATES] = { { "{p0} tackles stage {n1}.", "{p0} wagt sich an Stufe {n1}." } },
    [QUESTS_WITHDREW] = { { "{p0} withdraws from the quest.", "{p0} zieht sich zurück." } },
    [QUESTS_TURN_ENDED] = { { "The turn of {p0} has ended.", "Der Zug von {p0} ist zu Ende." } },
    [QUESTS_EXPIRED] = { { "The time of {p0} has run out.", "Die Zeit von {p0} ist um." } },
};

/* What a board beside the lines needs and the hot seat asks or says in its own way. */
static bool tell_beside_board(struct telling *telling, uint32_t kind)
{
    static const struct saying unable = { { "Your cards make no quest of this size.",
                                            "Deine Karten ergeben keine so große Quest." } };
    static const struct saying winners = { { "The game is won by ", "Gewonnen hat: " } };
    if (telling->how == QUESTS_AT_HOT_SEAT)
        return false;
    if (kind == QUESTS_CAN_SPONSOR && telling->at[1] == 0) {
        put(telling, &unable, 0);
        return true;
    }
    if (kind != QUESTS_GAME_OVER)
        return false;
    put(telling, &winners, 0);
    put_players(telling, next_list(telling));
    fputc('.', telling->out);
    return true;
}

bool quests_tell(const struct phrase *phrase, FILE *out, enum quests_telling how, uint32_t kind,
                 const word *fields)
{
    static const struct saying stage = { { "Stage {n0}: ", "Stufe {n0}: " } };
    static const struct saying attack = { { "Attack: ", "Angriff: " } };
    static const struct saying begins = { { "Stage {n0} begins. Eligible participants: ",
                                            "Stufe {n0} beginnt. Es dürfen mitmachen: " } };
    static const struct saying takers = { { "Participants of stage {n0}: ",
                                            "Bei Stufe {n0} machen mit: " } };
    struct telling             telling = { phrase, out, how, fields };
    switch (kind) {
    case QUESTS_GAME_STARTED: tell_started(&telling); return true;
    case QUESTS_SHIELDS_CHANGED: tell_shields(&telling); return true;
    case QUESTS_DREW: tell_drew(&telling); return true;
    case QUESTS_DISCARDED: tell_discarded(&telling); return true;
    case QUESTS_STAGE_CARD: tell_card_laid(&telling, &stage); return true;
    case QUESTS_STAGE_BUILT: tell_built(&telling); return true;
    case QUESTS_STAGE_STARTED: tell_players(&telling, &begins); return true;
    case QUESTS_PARTICIPANTS: tell_players(&telling, &takers); return true;
    case QUESTS_ATTACK_CARD: tell_card_laid(&telling, &attack); return true;
    case QUESTS_ATTACK_SET: tell_attack_set(&telling); return true;
    case QUESTS_STAGE_RESOLVED: tell_resolved(&telling); return true;
    case QUESTS_QUEST_ENDED: tell_quest_ended(&telling); return true;
    default: break;
    }
    if (kind >= QUESTS_EVENTS || plain[kind].in[ENGLISH] == NULL)
        return tell_beside_board(&telling, kind);
    put(&telling, &plain[kind], 2);
    return true;
}
