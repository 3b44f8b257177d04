/* face_objectron.c: the face of objectron: its sentences, its menu, and its row. */
#include "services/console/faces/face_objectron.h"

#include <inttypes.h>
#include <strings.h>

#include "games/objectron/objectron.h"
#include "services/console/faces/face.h"

#define FIELDS_MAX 8
#define SIDE 1000 /* A square as one word: row and column. */

void objectron_put_direction(const struct phrase *phrase, FILE *out, word direction)
{
    static const struct saying names[] = {
        { { "nowhere", "nirgends" } },     { { "north", "Norden" } },
        { { "northeast", "Nordosten" } },  { { "east", "Osten" } },
        { { "southeast", "Südosten" } },   { { "south", "Süden" } },
        { { "southwest", "Südwesten" } },  { { "west", "Westen" } },
        { { "northwest", "Nordwesten" } },
    };
    phrase_put(phrase, out, &names[direction >= 1 && direction <= 8 ? direction : 0], NULL, 0);
}

void objectron_put_kind(const struct phrase *phrase, FILE *out, word kind)
{
    static const struct saying names[OBJECTRON_KINDS] = {
        [0] = { { "something", "etwas" } },
        [OBJECTRON_GRENADE] = { { "a grenade", "eine Granate" } },
        [OBJECTRON_DISC] = { { "a disc", "eine Scheibe" } },
        [OBJECTRON_CHARGED_DISC] = { { "a charged disc", "eine geladene Scheibe" } },
        [OBJECTRON_TELEPORTER] = { { "a teleporter", "einen Teleporter" } },
        [OBJECTRON_GENERATOR] = { { "a generator", "einen Generator" } },
        [OBJECTRON_FLAG] = { { "a flag", "eine Flagge" } },
    };
    phrase_put(phrase, out, &names[kind >= 1 && kind < OBJECTRON_KINDS ? kind : 0], NULL, 0);
}

/* An item of a list; NULL: it is not there. */
static const Arbiter__Objectron__View__Item *find(Arbiter__Objectron__View__Item **items,
                                                  size_t count, word id)
{
    for (size_t i = 0; i < count; i++)
        if (items[i]->id == id)
            return items[i];
    return NULL;
}

static const Arbiter__Objectron__View__Item *find_anywhere(const struct phrase *phrase, word id)
{
    const Arbiter__Objectron__View *view = objectron_seen(phrase);
    if (view == NULL)
        return NULL;
    const Arbiter__Objectron__View__Item *item = find(view->items, view->n_items, id);
    for (size_t i = 0; item == NULL && i < view->n_players; i++)
        item = find(view->players[i]->inventory, view->players[i]->n_inventory, id);
    return item;
}

void objectron_put_item(const struct phrase *phrase, FILE *out, word id)
{
    static const struct saying            flag = { { "{p0}'s flag", "die Flagge von {p0}" } };
    const Arbiter__Objectron__View__Item *item = find_anywhere(phrase, id);
    word                                  owner = item != NULL ? (word) item->owner : ABSENT;
    if (item != NULL && item->kind == ARBITER__OBJECTRON__ITEM_KIND__ITEM_KIND_FLAG)
        phrase_put(phrase, out, &flag, &owner, 1);
    else
        objectron_put_kind(phrase, out, item != NULL ? (word) item->kind : 0);
}

static void put_field(const struct phrase *phrase, FILE *out, char letter, word value)
{
    switch (letter) {
    case 'q': fprintf(out, "%" PRId64 ",%" PRId64, value % SIDE + 1, value / SIDE + 1); break;
    case 'd': objectron_put_direction(phrase, out, value); break;
    case 'k': objectron_put_kind(phrase, out, value); break;
    default: objectron_put_item(phrase, out, value); break;
    }
}

/* Events. A shape has a letter for each field that is told. The letter s is a square: three words,
 * or one if there is none. The letter l is the flight of a disc, which is a list; w is any
 * other. */
struct telling {
    const char   *shape;
    struct saying saying;
};

static const struct telling tellings[OBJECTRON_EVENT_KINDS] = {
    [OBJECTRON_GAME_STARTED] = { "", { { "The match begins", "Die Partie beginnt" } } },
    [OBJECTRON_TURN_STARTED] = { "www",
                                 { { "It is {p0}'s turn; actions: {n2}",
                                     "{p0} ist am Zug; Aktionen: {n2}" } } },
    [OBJECTRON_TURN_SKIPPED] = { "www", { { "{p0} skips a turn", "{p0} setzt aus" } } },
    [OBJECTRON_EXPIRED] = { "w", { { "{p0} has run out of time", "{p0} hat keine Zeit mehr" } } },
    [OBJECTRON_PLAYER_MOVED] = { "wssw",
                                 { { "{p0} goes {d3}, to {q2}",
                                     "{p0} geht nach {d3}, auf {q2}" } } },
    [OBJECTRON_PLAYER_TELEPORTED] = { "wss",
                                      { { "{p0} is teleported to {q2}",
                                          "{p0} wird nach {q2} teleportiert" } } },
    [OBJECTRON_PENALTY] = { "www",
                            { { "{p0} loses actions: {n2}", "{p0} verliert Aktionen: {n2}" } } },
    [OBJECTRON_TURN_CUT] = { "wsw",
                             { { "No power at {q1}: {p0}'s turn is over",
                                 "Kein Strom auf {q1}: {p0}s Zug ist vorbei" } } },
    [OBJECTRON_ITEM_PICKED_UP] = { "wwws", { { "{p0} picks up {k2}", "{p0} nimmt {k2}" } } },
    [OBJECTRON_ITEM_PLACED] = { "wwws",
                                { { "{p0} puts down {k2} at {q3}", "{p0} legt {k2} auf {q3}" } } },
    [OBJECTRON_GRENADE_ARMED] = { "ws",
                                  { { "The grenade at {q1} is armed; nobody sees it any more",
                                      "Die Granate auf {q1} ist scharf; niemand sieht sie "
                                      "mehr" } } },
    [OBJECTRON_GRENADE_EXPLODED] = { "wsw",
                                     { { "{p2} steps on a grenade at {q1}",
                                         "{p2} tritt auf {q1} auf eine Granate" } } },
    [OBJECTRON_DISC_THROWN] = { "wwwwslws",
                                { { "{p0} throws {k2} {d3}; it lands at {q7}",
                                    "{p0} wirft {k2} nach {d3}; sie landet auf {q7}" } } },
    [OBJECTRON_PLAYER_HIT] = { "ww",
                               { { "{p0} is hit by {p1} and will skip a turn",
                                   "{p0} wird von {p1} getroffen und setzt einmal aus" } } },
    [OBJECTRON_FLAG_DROPPED] = { "wws",
                                 { { "{p1} drops the flag of {p0} at {q2}",
                                     "{p1} verliert die Flagge von {p0} auf {q2}" } } },
    [OBJECTRON_FLAG_CAPTURED] = { "ww",
                                  { { "{p1} captures the flag of {p0}",
                                      "{p1} erobert die Flagge von {p0}" } } },
    [OBJECTRON_FLAG_RETURNED] = { "wws",
                                  { { "The flag of {p0} is back at {q2}",
                                      "Die Flagge von {p0} ist wieder auf {q2}" } } },
    [OBJECTRON_POWER_FAILED] = { "ws", { { "The power fails at {q1}", "Stromausfall auf {q1}" } } },
    [OBJECTRON_POWER_RESTORED] = { "ws",
                                   { { "The power is back at {q1}", "{q1} hat wieder Strom" } } },
    [OBJECTRON_PLAYER_HELD] = { "ws",
                                { { "A force field holds {p0}",
                                    "Ein Kraftfeld hält {p0} fest" } } },
    [OBJECTRON_PLAYER_RELEASED] = { "ws", { { "{p0} is free again", "{p0} ist wieder frei" } } },
};

/* The fields that are told, a word each. */
static void spread(const char *shape, const word *fields, uint32_t count, word *told)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < FIELDS_MAX; i++)
        told[i] = ABSENT;
    for (uint32_t i = 0; i < FIELDS_MAX && shape[i] != '\0' && at < count; i++) {
        word value = fields[at++];
        told[i] = value;
        if (shape[i] == 's' && value == 1 && at + 1 < count) {
            told[i] = fields[at + 1] * SIDE + fields[at];
            at += 2;
        }
        if (shape[i] == 'l' && value >= 0 && value < count)
            at += 3 * (uint32_t) value;
    }
}

static const struct saying *saying_of_exit(word reason)
{
    static const struct saying sayings[] = {
        { { "{p0} is out", "{p0} ist draußen" } },
        { { "{p0} cannot move and is out", "{p0} ist eingeschlossen und draußen" } },
        { { "{p0} has not moved and is out", "{p0} hat sich nicht bewegt und ist draußen" } },
        { { "The same field catches {p0} again: out",
            "Dasselbe Feld fängt {p0} noch einmal: draußen" } },
        { { "{p0} gives up", "{p0} gibt auf" } },
    };
    return &sayings[reason >= 1 && reason <= 4 ? reason : 0];
}

static const struct saying *saying_of_end(word reason)
{
    static const struct saying sayings[] = {
        { { "Nobody wins", "Niemand gewinnt" } },
        { { "{p0} has reached the other's start and wins",
            "{p0} hat den Start des anderen erreicht und gewinnt" } },
        { { "{p0} has captured every flag and wins",
            "{p0} hat alle Flaggen erobert und gewinnt" } },
        { { "{p0} is the last one left and wins", "{p0} bleibt als Letzter übrig und gewinnt" } },
        { { "Nobody is left: a draw", "Niemand bleibt übrig: unentschieden" } },
    };
    return &sayings[reason >= 1 && reason <= 4 ? reason : 0];
}

/* The sentence of an event; NULL: none. */
static const struct saying *saying_of(const struct phrase *phrase, uint32_t kind, const word *told)
{
    static const struct saying own = { { "It is your turn; actions: {n2}",
                                         "Du bist am Zug; Aktionen: {n2}" } };
    static const struct saying gone = {
        { "{p0} throws {k2} {d3}; a force field destroys it",
          "{p0} wirft {k2} nach {d3}; ein Kraftfeld zerstört sie" }
    };
    if (kind == OBJECTRON_PLAYER_ELIMINATED)
        return saying_of_exit(told[1]);
    if (kind == OBJECTRON_GAME_OVER)
        return saying_of_end(told[1]);
    if (kind >= OBJECTRON_EVENT_KINDS || tellings[kind].shape == NULL)
        return NULL;
    if (kind == OBJECTRON_TURN_STARTED && phrase->seat != NOT_SEATED &&
        told[0] == (word) phrase->seat)
        return &own;
    if (kind == OBJECTRON_DISC_THROWN && told[6] == 3)
        return &gone;
    return &tellings[kind].saying;
}

static bool put_event(const struct phrase *phrase, FILE *out, uint32_t kind, const word *fields,
                      uint32_t count)
{
    word        told[FIELDS_MAX];
    const char *shape =
        kind < OBJECTRON_EVENT_KINDS && tellings[kind].shape != NULL ? tellings[kind].shape : "ww";
    spread(shape, fields, count, told);
    const struct saying *saying = saying_of(phrase, kind, told);
    if (saying == NULL)
        return false;
    phrase_put(phrase, out, saying, told, FIELDS_MAX);
    return true;
}

/* Commands. */

static void put_deed(const struct phrase *phrase, FILE *out, const struct command *command)
{
    static const struct saying sayings[OBJECTRON_COMMAND_KINDS] = {
        [OBJECTRON_MOVE] = { { "Go", "Gehen" } },
        [OBJECTRON_PICK_UP] = { { "Pick up", "Aufheben" } },
        [OBJECTRON_USE] = { { "Put down", "Hinlegen" } },
        [OBJECTRON_END_TURN] = { { "End the turn", "Den Zug beenden" } },
        [OBJECTRON_RESIGN] = { { "Give up and leave the match",
                                 "Aufgeben und die Partie verlassen" } },
    };
    static const struct saying thrown = { { "Throw {i0}", "{i0} werfen" } };
    bool                       flies = command->kind == OBJECTRON_USE && command->arg[1] != ABSENT;
    phrase_put(phrase, out, flies ? &thrown : &sayings[command->kind], command->arg,
               COMMAND_ARGS_MAX);
}

static void put_choice(const struct phrase *phrase, FILE *out, const struct command *command)
{
    static const struct saying to = { { "{d0}", "nach {d0}" } };
    static const struct saying way = { { "{d1}", "nach {d1}" } };
    static const struct saying item = { { "{i0}", "{i0}" } };
    bool                       flies = command->kind == OBJECTRON_USE && command->arg[1] != ABSENT;
    if (command->kind == OBJECTRON_MOVE)
        phrase_put(phrase, out, &to, command->arg, COMMAND_ARGS_MAX);
    else if (flies)
        phrase_put(phrase, out, &way, command->arg, COMMAND_ARGS_MAX);
    else if (command->kind == OBJECTRON_PICK_UP || command->kind == OBJECTRON_USE)
        phrase_put(phrase, out, &item, command->arg, COMMAND_ARGS_MAX);
}

/* "ne" is a move. East is "ea", since "e" ends the turn in every game. */
static enum face_reading read_line(const struct phrase *phrase, FILE *out, const char *line,
                                   struct command *command)
{
    static const char *const words[][4] = {
        { "n", "north", "Norden", "" }, { "ne", "northeast", "Nordosten", "no" },
        { "ea", "east", "Osten", "o" }, { "se", "southeast", "Südosten", "so" },
        { "s", "south", "Süden", "" },  { "sw", "southwest", "Südwesten", "" },
        { "w", "west", "Westen", "" },  { "nw", "northwest", "Nordwesten", "" },
    };
    (void) phrase;
    (void) out;
    for (uint32_t i = 0; i < sizeof words / sizeof words[0]; i++)
        for (uint32_t k = 0; k < 4; k++) {
            if (strcasecmp(line, words[i][k]) != 0)
                continue;
            face_command(command, OBJECTRON_MOVE);
            command->arg[0] = (word) i + 1;
            return FACE_PLAYS;
        }
    return FACE_KNOWS_NOT;
}

/* Ending a turn is asked without its confirmation first; the rules answer what would come of it. */
static bool ask_first(const struct command *command, struct command *asked)
{
    *asked = *command;
    asked->arg[0] = 0;
    return command->kind == OBJECTRON_END_TURN;
}

static void put_warning(const struct phrase *phrase, FILE *out, uint32_t refused)
{
    static const struct saying lost = { { "Who ends this turn has lost.",
                                          "Wer diesen Zug beendet, hat verloren." } };
    static const struct saying empty = { { "The actions that are left pass without effect.",
                                           "Die übrigen Aktionen verfallen." } };
    bool                       loses =
        refused == OBJECTRON_NO_WARNING_LOSES || refused == OBJECTRON_NO_WARNING_MOVED_LOSES;
    phrase_put(phrase, out, loses ? &lost : &empty, NULL, 0);
}

const struct face face_objectron = {
    .game = &game_objectron,
    .usual_setup = "duel", /* A race of two on a small grid. */
    .event = put_event,
    .turn_event = OBJECTRON_TURN_STARTED,
    .deed = put_deed,
    .choice = put_choice,
    .asks_first = ask_first,
    .reads = read_line,
    .warning = put_warning,
    .kinds_last = FACE_KIND(OBJECTRON_END_TURN) | FACE_KIND(OBJECTRON_RESIGN),
    .kinds_sure = FACE_KIND(OBJECTRON_RESIGN),
    .field = put_field,
    .draw = objectron_draw_board,
    .marks = { "On the grid: numbers are players, ▓ walls, = trails, x a force field that is on, : "
               "one that is "
               "off, ░ no power, + where you may go. g is a grenade, d a disc, D a charged one, O "
               "a teleporter, "
               "G a generator, F a flag, h a start; a dot is a free square. n, ne, ea, se, s, sw, "
               "w, nw "
               "move; e ends the turn.",
               "Auf dem Gitter: Zahlen sind Spieler, ▓ Wände, = Spuren, x ein Kraftfeld unter "
               "Strom, : eines "
               "ohne, ░ Stromausfall, + wohin du gehen darfst. g ist eine Granate, d eine Scheibe, "
               "D eine "
               "geladene, O ein Teleporter, G ein Generator, F eine Flagge, h ein Start; ein Punkt "
               "ist frei. n, no, o, so, s, sw, w, nw gehen; e beendet den Zug." },
};
