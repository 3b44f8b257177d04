/* face_dead.c: events and commands as sentences: which one, where that depends on their fields. */
#include <string.h>

#include "services/console/faces/face.h"
#include "services/console/faces/face_dead.h"

#define FIELDS_MAX 6

/* What a card or a skill is used on. */
enum target { TARGET_NONE, TARGET_ENTRANCE, TARGET_PERSON, TARGET_PLACE };

static enum target target_of_card(const struct phrase *phrase, word card)
{
    uint32_t index = dead_card_index(dead_setup_of(phrase), card);
    if (index == DEAD_NONE)
        return TARGET_NONE;
    switch (dead_card(dead_setup_of(phrase), index)->kind) {
    case DEAD_FOOD:
    case DEAD_STUFF: return TARGET_NONE;
    case DEAD_FUEL: return TARGET_PLACE;
    case DEAD_LOCK:
    case DEAD_SCISSORS: return TARGET_ENTRANCE;
    default: return TARGET_PERSON;
    }
}

static enum target target_of_skill(const struct phrase *phrase, word character)
{
    uint32_t index = dead_character_index(dead_setup_of(phrase), character);
    if (index == DEAD_NONE)
        return TARGET_NONE;
    switch (dead_character(dead_setup_of(phrase), index)->ability) {
    case DEAD_ABILITY_HEAL: return TARGET_PERSON;
    case DEAD_ABILITY_BARRICADE:
    case DEAD_ABILITY_KILL: return TARGET_ENTRANCE;
    default: return TARGET_NONE;
    }
}

static bool is_base(const struct phrase *phrase)
{
    return dead_setup_of(phrase)->edition == DEAD_BASE;
}

static const struct saying *saying_of_round(const struct phrase *phrase, word round)
{
    static const struct saying counted = { { "Round {n0} begins", "Runde {n0} beginnt" } };
    static const struct saying left = { { "A round begins; {n0} are left with it",
                                          "Eine Runde beginnt; mit ihr bleiben {n0}" } };
    static const struct saying last = { { "The last round begins", "Die letzte Runde beginnt" } };
    if (is_base(phrase))
        return &counted;
    return round == 1 ? &last : &left;
}

static const struct saying *saying_of_card(const struct phrase *phrase, word card)
{
    static const struct saying on[] = {
        [TARGET_NONE] = { { "{k0} is played", "{k0} wird gespielt" } },
        [TARGET_ENTRANCE] = { { "{c1} uses {k0}: {L1}, entrance {e2}",
                                "{c1} benutzt {k0}: {L1}, Eingang {e2}" } },
        [TARGET_PERSON] = { { "{c1} uses {k0} for {c2}", "{c1} benutzt {k0} für {c2}" } },
        [TARGET_PLACE] = { { "{c1} uses {k0}: on to {l2}", "{c1} benutzt {k0}: auf nach „{l2}“" } },
    };
    return &on[target_of_card(phrase, card)];
}

static const struct saying *saying_of_skill(const struct phrase *phrase, word character)
{
    static const struct saying on[] = {
        [TARGET_NONE] = { { "{c0} has brought food", "{c0} hat Essen gebracht" } },
        [TARGET_ENTRANCE] = { { "{c0} is at work: {L0}, entrance {e1}",
                                "{c0} packt an: {L0}, Eingang {e1}" } },
        [TARGET_PERSON] = { { "{c0} heals {c1}", "{c0} heilt {c1}" } },
        [TARGET_PLACE] = { { "", "" } },
    };
    return &on[target_of_skill(phrase, character)];
}

static const struct saying *saying_of_turn(const struct phrase *phrase, uint32_t kind, word player)
{
    static const struct saying your_turn = { { "It is your turn", "Du bist am Zug" } };
    static const struct saying your_vote = { { "You are asked for a vote",
                                               "Du wirst um deine Stimme gebeten" } };
    if (phrase->seat == NOT_SEATED || (word) phrase->seat != player)
        return &dead_event_words[kind];
    return kind == DEAD_ACT_NOW ? &your_turn : &your_vote;
}

static const struct saying *saying_of_change(uint32_t kind, word reason)
{
    if (kind == DEAD_FOOD_CHANGED)
        return &dead_food_words[reason >= 1 && reason <= 3 ? reason : DEAD_FOOD_ADDED];
    return &dead_moral_words[reason >= 1 && reason <= 5 ? reason : DEAD_MORAL_CROSSROAD];
}

/* The sentence of an event; NULL: none. */
static const struct saying *saying_of(const struct phrase *phrase, uint32_t kind, const word *field)
{
    static const struct saying crisis = { { "Crisis: {i0}", "Krise: {i0}" } };
    static const struct saying drives = { { "{c0} drives to {l1}", "{c0} fährt nach „{l1}“" } };
    static const struct saying child = { { "A child is bitten and dies",
                                           "Ein Kind wird gebissen und stirbt" } };
    static const struct saying waste[] = { { { "Waste {s0}", "Müll {s0}" } },
                                           { { "Waste: {n0} cards", "Müll: {n0} Karten" } },
                                           { { "Waste: 1 card", "Müll: 1 Karte" } } };
    static const struct saying vote[] = { { { "The vote says no", "Die Abstimmung sagt nein" } },
                                          { { "The vote says yes", "Die Abstimmung sagt ja" } } };
    static const struct saying end[] = { { { "All is lost", "Alles ist verloren" } },
                                         { { "{S} has held: you have won",
                                             "{S} hat gehalten: ihr habt gewonnen" } } };
    switch (kind) {
    case DEAD_NEXT_ROUND: return saying_of_round(phrase, field[0]);
    case DEAD_CRISIS: return &crisis;
    case DEAD_ACT_NOW:
    case DEAD_VOTE_NOW: return saying_of_turn(phrase, kind, field[0]);
    case DEAD_MOVED: return field[2] == 1 ? &drives : &dead_event_words[kind];
    case DEAD_WASTE_CHANGED: return &waste[!is_base(phrase) ? 0 : field[0] == 1 ? 2 : 1];
    case DEAD_CARD_USED: return saying_of_card(phrase, field[0]);
    case DEAD_ABILITY_USED: return saying_of_skill(phrase, field[0]);
    case DEAD_FOOD_CHANGED:
    case DEAD_MORAL_CHANGED: return saying_of_change(kind, field[1]);
    case DEAD_BITTEN: return field[0] == ABSENT ? &child : &dead_event_words[kind];
    case DEAD_VOTE_RESULT: return &vote[field[0] == 1];
    case DEAD_GAME_END: return &end[field[0] == 1];
    default: break;
    }
    bool is_said = kind < DEAD_EVENT_KINDS && dead_event_words[kind].in[ENGLISH] != NULL;
    return is_said ? &dead_event_words[kind] : NULL;
}

/* The fields one after the other, the missing ones absent. */
static void spread(word field[FIELDS_MAX], const word *fields, uint32_t count)
{
    for (uint32_t i = 0; i < FIELDS_MAX; i++)
        field[i] = i < count ? fields[i] : ABSENT;
}

static bool put_event(const struct phrase *phrase, FILE *out, uint32_t kind, const word *fields,
                      uint32_t count)
{
    word field[FIELDS_MAX];
    spread(field, fields, count);
    const struct saying *saying = saying_of(phrase, kind, field);
    if (saying == NULL)
        return false;
    phrase_put(phrase, out, saying, field, FIELDS_MAX);
    return true;
}

static bool put_more(const struct phrase *phrase, FILE *out, uint32_t kind, const word *before,
                     const word *fields, uint32_t count)
{
    word field[FIELDS_MAX];
    if (kind >= DEAD_EVENT_KINDS || dead_more_words[kind].in[ENGLISH] == NULL ||
        (kind != DEAD_ZOMBIE_SPAWNED && before[0] != fields[0]))
        return false;
    spread(field, fields, count);
    phrase_put(phrase, out, &dead_more_words[kind], field, FIELDS_MAX);
    return true;
}

static const struct saying *deed_of(const struct phrase *phrase, const struct command *command)
{
    static const struct saying food = { { "Put {k0} into the store", "{k0} in den Vorrat legen" } };
    static const struct saying stuff = { { "Play {k0}: throw the smallest die again",
                                           "{k0} spielen: den kleinsten Würfel neu werfen" } };
    static const struct saying drives = { { "{c1} drives ({k0}) to", "{c1} fährt ({k0}) nach" } };
    if (command->kind != DEAD_USE_CARD)
        return &dead_deed_words[command->kind];
    uint32_t index = dead_card_index(dead_setup_of(phrase), command->arg[0]);
    uint32_t kind = index == DEAD_NONE ? DEAD_SWAB : dead_card(dead_setup_of(phrase), index)->kind;
    if (kind == DEAD_FUEL)
        return &drives;
    return kind == DEAD_FOOD    ? &food
           : kind == DEAD_STUFF ? &stuff
                                : &dead_deed_words[DEAD_USE_CARD];
}

static void put_deed(const struct phrase *phrase, FILE *out, const struct command *command)
{
    phrase_put(phrase, out, deed_of(phrase, command), command->arg, COMMAND_ARGS_MAX);
    if (command->kind == DEAD_USE_ABILITY) {
        fputs(" (", out);
        dead_put_skill(phrase, out, command->arg[0]);
        fputc(')', out);
    }
}

static void choice_of_target(const struct phrase *phrase, FILE *out, enum target target, word who,
                             word on)
{
    static const struct saying sayings[] = {
        [TARGET_NONE] = { { "", "" } },
        [TARGET_ENTRANCE] = { { "{L0}, entrance {e1}", "{L0}, Eingang {e1}" } },
        [TARGET_PERSON] = { { "for {c1}", "für {c1}" } },
        [TARGET_PLACE] = { { "{l1}", "{l1}" } },
    };
    const word fields[] = { who, on };
    phrase_put(phrase, out, &sayings[target], fields, 2);
}

static void choice_of_vote(const struct phrase *phrase, FILE *out, word answer)
{
    const char *text = NULL;
    if (phrase->view != NULL && dead_seen(phrase)->has_crossroad_id)
        text = phrase_lookup(phrase, "crossroads", dead_seen(phrase)->crossroad_id, NULL,
                             answer == 1 ? "yes" : "no");
    fputs(answer == 1 ? phrase_say(phrase, "yes", "ja") : phrase_say(phrase, "no", "nein"), out);
    if (text != NULL) {
        fputs(": ", out);
        phrase_text(phrase, out, text);
    }
}

static void choice_of_move(const struct phrase *phrase, FILE *out, const struct command *command)
{
    phrase_put(phrase, out, &dead_choice_words[DEAD_MOVE], command->arg, COMMAND_ARGS_MAX);
    if (command->arg[2] == 1)
        phrase_text(phrase, out,
                    phrase_say(phrase, ", by car: spends a card, no infection",
                               ", mit dem Wagen: kostet eine Karte, keine Ansteckung"));
}

static void put_choice(const struct phrase *phrase, FILE *out, const struct command *command)
{
    const word *arg = command->arg;
    if (command->kind == DEAD_MOVE)
        choice_of_move(phrase, out, command);
    else if (command->kind == DEAD_USE_CARD)
        choice_of_target(phrase, out, target_of_card(phrase, arg[0]), arg[1], arg[2]);
    else if (command->kind == DEAD_USE_ABILITY)
        choice_of_target(phrase, out, target_of_skill(phrase, arg[0]), arg[0], arg[1]);
    else if (command->kind == DEAD_VOTE)
        choice_of_vote(phrase, out, arg[0]);
    else if (dead_choice_words[command->kind].in[ENGLISH] != NULL)
        phrase_put(phrase, out, &dead_choice_words[command->kind], arg, COMMAND_ARGS_MAX);
}

/* Two survivors are the same whichever is named first. */
static bool is_mirrored(const struct command *command)
{
    return command->kind == DEAD_SELECT_CHARACTERS && command->arg[0] > command->arg[1];
}

/* The names of set-ups say which edition they are for. */
static const char *edition_of(const char *setup_name)
{
    return strstr(setup_name, "-crossroads") != NULL ? "edition=crossroads" : NULL;
}

const struct face face_dead = {
    .game = &game_dead,
    .usual_setup = "intro", /* A short evening, with the fewest places. */
    .usual_seats = 3,
    .option_of = edition_of,
    .event = put_event,
    .goes_on = put_more,
    .turn_event = DEAD_ACT_NOW,
    .deed = put_deed,
    .choice = put_choice,
    .is_twin = is_mirrored,
    .kinds_last = FACE_KIND(DEAD_END_TURN) | FACE_KIND(DEAD_LEAVE),
    .kinds_sure = FACE_KIND(DEAD_LEAVE),
    .field = dead_put_field,
    .draw = dead_draw,
    .head = dead_draw_head,
    .marks = { "On the board: a place, how many cards are left to find there, and its entrances "
               "with "
               "Z zombies, ▓ barricades, · free places; who is there, with ! for a wound and * for "
               "a "
               "frostbite. Three injuries kill.",
               "Auf dem Brett: ein Ort, wie viele Karten dort noch liegen, und seine Eingänge mit "
               "Z "
               "Zombies, ▓ Barrikaden, · freien Plätzen; wer dort ist, mit ! für eine Wunde und * "
               "für "
               "eine Erfrierung. Drei Verletzungen töten." },
};
