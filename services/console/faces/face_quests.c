/* face_quests.c: the face of quests: its menu, and its row. */
#include "services/console/faces/face_quests.h"

#include "services/console/faces/face.h"

static bool put_event(const struct phrase *phrase, FILE *out, uint32_t kind, const word *fields,
                      uint32_t count)
{
    (void) count;
    return quests_tell(phrase, out, QUESTS_BESIDE_BOARD, kind, fields);
}

/* The stage being built or played. */
static word stage_of(const struct phrase *phrase)
{
    const Arbiter__Quests__View *view = quests_seen(phrase);
    if (view == NULL || view->quest == NULL)
        return 1;
    return view->quest->stage > 0 ? (word) view->quest->stage : (word) view->quest->n_built + 1;
}

/* Our own cards on the table: those of an attack, or of the stage being built. */
static const Arbiter__Quests__Cards *laid_by_us(const struct phrase *phrase)
{
    const Arbiter__Quests__View *view = quests_seen(phrase);
    if (view == NULL || view->quest == NULL)
        return NULL;
    if (view->quest->building != NULL)
        return view->quest->building;
    for (size_t i = 0; i < view->quest->n_attacks; i++)
        if (view->quest->attacks[i]->player == phrase->seat)
            return view->quest->attacks[i]->cards;
    return NULL;
}

static void put_laid(const struct phrase *phrase, FILE *out, const struct saying *before)
{
    const Arbiter__Quests__Cards *laid = laid_by_us(phrase);
    word                          stage = stage_of(phrase);
    phrase_put(phrase, out, before, &stage, 1);
    if (laid == NULL || laid->n_cards == 0)
        quests_put_cards(phrase, out, NULL, 0);
    for (size_t i = 0; laid != NULL && i < laid->n_cards; i++) {
        fputs(i > 0 ? " " : "", out);
        quests_put_card(phrase, out, (word) laid->cards[i]);
    }
}

/* Who builds may say at any time that the stage is done, and lay any card: the rules say why not. */
static bool offer(const struct phrase *phrase, uint32_t number, struct command *command)
{
    const Arbiter__Quests__View *view = quests_seen(phrase);
    uint32_t                     phase = view != NULL ? view->phase : 0;
    if (phase != QUESTS_ASKS_BUILD && phase != QUESTS_ASKS_ATTACK)
        return false;
    if (number == 0) {
        face_command(command, phase == QUESTS_ASKS_BUILD ? QUESTS_STAGE_DONE : QUESTS_ATTACK_DONE);
        return true;
    }
    if (number > view->n_hand)
        return false;
    face_command(command, phase == QUESTS_ASKS_BUILD ? QUESTS_STAGE_ADD : QUESTS_ATTACK_ADD);
    command->arg[0] = (word) view->hand[number - 1];
    return true;
}

static void put_deed(const struct phrase *phrase, FILE *out, const struct command *command)
{
    static const struct saying sayings[QUESTS_COMMANDS] = {
        [QUESTS_STAGE_ADD] = { { "Lay a card into stage {n0}", "Eine Karte in Stufe {n0} legen" } },
        [QUESTS_STAGE_CLEAR] = { { "Take the cards of stage {n0} back",
                                   "Die Karten von Stufe {n0} zurücknehmen" } },
        [QUESTS_QUEST_RESTART] = { { "Take all stages back and begin again",
                                     "Alle Stufen zurücknehmen und von vorn beginnen" } },
        [QUESTS_ATTACK_ADD] = { { "Add a weapon to the attack", "Eine Waffe dazulegen" } },
        [QUESTS_END_TURN] = { { "End the turn", "Den Zug beenden" } },
    };
    static const struct saying sponsor[] = {
        { { "Do not sponsor it", "Die Quest nicht ausrichten" } },
        { { "Sponsor the quest", "Die Quest ausrichten" } },
    };
    static const struct saying tackle[] = { { { "Withdraw from the quest", "Sich zurückziehen" } },
                                            { { "Tackle stage {n0}",
                                                "Sich an Stufe {n0} wagen" } } };
    static const struct saying built = { { "Stage {n0} is done: ", "Stufe {n0} ist fertig: " } };
    static const struct saying attack = { { "Attack stage {n0} with ",
                                            "Stufe {n0} angreifen mit " } };
    static const struct saying discard = { { "Discard a card ({n0} to go)",
                                             "Eine Karte ablegen (noch {n0})" } };
    word                       stage = stage_of(phrase), left = quests_to_discard(phrase);
    bool                       is_yes = command->arg[0] == 1;
    switch (command->kind) {
    case QUESTS_SPONSOR: phrase_put(phrase, out, &sponsor[is_yes], &stage, 1); break;
    case QUESTS_PARTICIPATE: phrase_put(phrase, out, &tackle[is_yes], &stage, 1); break;
    case QUESTS_STAGE_DONE: put_laid(phrase, out, &built); break;
    case QUESTS_ATTACK_DONE: put_laid(phrase, out, &attack); break;
    case QUESTS_DISCARD: phrase_put(phrase, out, &discard, &left, 1); break;
    default: phrase_put(phrase, out, &sayings[command->kind], &stage, 1); break;
    }
}

/* Weapons have names; a foe is its value. */
static void put_choice(const struct phrase *phrase, FILE *out, const struct command *command)
{
    static const struct saying weapons[] = {
        { { " dagger", " Dolch" } }, { { " sword", " Schwert" } },
        { { " horse", " Pferd" } },  { { " battle-axe", " Streitaxt" } },
        { { " lance", " Lanze" } },  { { " excalibur", " Excalibur" } },
    };
    static const struct saying foe = { { " foe", " Gegner" } };
    word                       card = command->arg[0];
    if ((command->kind != QUESTS_STAGE_ADD && command->kind != QUESTS_ATTACK_ADD &&
         command->kind != QUESTS_DISCARD) ||
        card < 1 || card >= QUESTS_CARDS)
        return;
    quests_put_card(phrase, out, card);
    phrase_put(phrase, out, card > QUESTS_FOES ? &weapons[card - QUESTS_FOES - 1] : &foe, NULL, 0);
}

const struct face face_quests = {
    .game = &game_quests,
    .event = put_event,
    .deed = put_deed,
    .choice = put_choice,
    .offers = offer,
    .kinds_last = FACE_KIND(QUESTS_STAGE_CLEAR) | FACE_KIND(QUESTS_QUEST_RESTART),
    .field = quests_put_field,
    .draw = quests_draw_board,
    .marks = { "Cards: F is a foe, D dagger, S sword, H horse, B battle-axe, L lance, E excalibur; "
               "the number is the value. A stage is one foe and weapons, none twice; each stage is "
               "worth more than the one before. Whoever attacks with at least its value passes it. "
               "Between ( and ) stand cards you may not see, by their number.",
               "Karten: F ist ein Gegner, D Dolch, S Schwert, H Pferd, B Streitaxt, L Lanze, E "
               "Excalibur; die Zahl ist der Wert. Eine Stufe ist ein Gegner und Waffen, keine "
               "doppelt; jede Stufe ist mehr wert als die davor. Wer mit mindestens ihrem Wert "
               "angreift, schafft sie. In Klammern: Karten, die du nicht siehst, ihre Anzahl." },
};
