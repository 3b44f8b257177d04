/* face_treasure.c: the face of the treasure hunt: its sentences, and the map as whoever looks may see it.
 *
 *     Treasure Hunt   Action 13 of seat 1   your treasure: not found
 *     . . ^ ~ . . . .      C your castle    X the enemy's castle    T your treasure
 *     . C @ ~ ...          @ you            E the enemy             e where he only seems to be */
#include "services/console/faces/face_treasure.h"

#include <stdlib.h>
#include <string.h>

static const struct saying events[TREASURE_EVENTS] = {
    [TREASURE_HALF_ACCEPTED] = { { "Your half is good", "Deine Hälfte ist gut" } },
    [TREASURE_HALF_REJECTED] = { { "Your half is not allowed", "Deine Hälfte ist nicht erlaubt" } },
    [TREASURE_MAP_READY] = { { "The halves are joined: {n0} columns, {n1} rows",
                               "Die Hälften sind vereint: {n0} Spalten, {n1} Zeilen" } },
    [TREASURE_SIGHTED] = { { "You see your treasure, in column {e0}, row {e1}",
                             "Du siehst deinen Schatz, Spalte {e0}, Zeile {e1}" } },
    [TREASURE_COLLECTED] = { { "You have your treasure", "Du hast deinen Schatz" } },
    [TREASURE_CASTLE_SIGHTED] = { { "You see the enemy's castle, in column {e0}, row {e1}",
                                    "Du siehst die feindliche Burg, Spalte {e0}, Zeile {e1}" } },
    [TREASURE_PLAYER] = { { "{p0} plays", "{p0} spielt" } },
    [TREASURE_GAME_STARTED] = { { "{p0} begins", "{p0} beginnt" } },
    [TREASURE_LEFT] = { { "{p0} leaves", "{p0} geht" } },
    [TREASURE_REGISTRATION_ABORTED] = { { "There is no game", "Es gibt keine Partie" } },
};

static const struct saying results[] = {
    [TREASURE_P1_WIN] = { { "Seat 1 wins", "Platz 1 gewinnt" } },
    [TREASURE_P2_WIN] = { { "Seat 2 wins", "Platz 2 gewinnt" } },
    [TREASURE_BOTH_LOSE] = { { "Both lose", "Beide verlieren" } },
    [TREASURE_ABORTED] = { { "The house ended it", "Das Haus hat sie beendet" } },
};

static const struct saying reasons[] = {
    [TREASURE_CASTLE_TAKEN] = { { "the enemy's castle is taken", "die Burg ist genommen" } },
    [TREASURE_IN_WATER] = { { "a step into water", "ein Schritt ins Wasser" } },
    [TREASURE_OFF_MAP] = { { "a step off the map", "ein Schritt von der Karte" } },
    [TREASURE_BAD_POSITION] = { { "a wrong position", "eine falsche Position" } },
    [TREASURE_ILLEGAL_STEP] = { { "no step to a neighbour", "kein Schritt zum Nachbarfeld" } },
    [TREASURE_BAD_COUNTDOWN] = { { "a wrong countdown", "ein falscher Countdown" } },
    [TREASURE_NOT_YOUR_TURN] = { { "an action out of turn", "eine Aktion außer der Reihe" } },
    [TREASURE_BAD_MAP] = { { "a bad half", "eine schlechte Hälfte" } },
    [TREASURE_BAD_MESSAGE] = { { "a message without sense", "eine unsinnige Nachricht" } },
    [TREASURE_THINK_TIME] = { { "time ran out", "die Zeit lief ab" } },
    [TREASURE_HAS_LEFT] = { { "somebody left", "jemand ging" } },
    [TREASURE_ACTION_LIMIT] = { { "no actions are left", "keine Aktionen mehr" } },
    [TREASURE_SHUTDOWN] = { { "the house shuts", "das Haus schließt" } },
};

static bool put_end(const struct phrase *phrase, FILE *out, const word *fields)
{
    static const struct saying actions = { { " after {n2} actions", " nach {n2} Aktionen" } };
    if (fields[0] < TREASURE_P1_WIN || fields[0] > TREASURE_ABORTED ||
        fields[1] < TREASURE_CASTLE_TAKEN || fields[1] > TREASURE_SHUTDOWN)
        return false;
    phrase_put(phrase, out, &results[fields[0]], NULL, 0);
    fputs(": ", out);
    phrase_put(phrase, out, &reasons[fields[1]], NULL, 0);
    phrase_put(phrase, out, &actions, fields, 3);
    return true;
}

/* What is told of every action is on the map already. */
static bool put_event(const struct phrase *phrase, FILE *out, uint32_t kind, const word *fields,
                      uint32_t count)
{
    if (kind == TREASURE_GAME_END && count >= 3)
        return put_end(phrase, out, fields);
    if (kind >= TREASURE_EVENTS || events[kind].in[ENGLISH] == NULL)
        return false;
    phrase_put(phrase, out, &events[kind], fields, count);
    return true;
}

static void put_deed(const struct phrase *phrase, FILE *out, const struct command *command)
{
    static const struct saying deeds[TREASURE_COMMANDS] = {
        [TREASURE_SUBMIT_HALF] = { { "Hand in half a map", "Eine Kartenhälfte abgeben" } },
        [TREASURE_SUBMIT_ROWS] = { { "Hand in half a map", "Eine Kartenhälfte abgeben" } },
        [TREASURE_UPDATE] = { { "Announce a step", "Einen Schritt ankündigen" } },
        [TREASURE_STEP] = { { "Go", "Gehen" } },
        [TREASURE_LEAVE] = { { "Leave and lose", "Gehen und verlieren" } },
    };
    if (command->kind < TREASURE_COMMANDS && deeds[command->kind].in[ENGLISH] != NULL)
        phrase_put(phrase, out, &deeds[command->kind], NULL, 0);
}

/* The way on which a countdown runs says so, and how often it must be said again. */
static void put_announced(const struct phrase *phrase, FILE *out, uint32_t way)
{
    static const struct saying     announced = { { " (announced; {n0} more)",
                                                   " (angekündigt; noch {n0})" } };
    static const int32_t           dx[] = { 0, 0, 0, -1, 1 }, dy[] = { 0, -1, 1, 0, 0 };
    const Arbiter__Treasure__View *view = phrase->view;
    if (view == NULL || view->viewer_case != ARBITER__TREASURE__VIEW__VIEWER_PLAYER)
        return;
    const Arbiter__Treasure__PlayerView *seen = view->player;
    if (seen->pending == NULL || seen->pending->target == NULL || seen->pos == NULL ||
        seen->pending->target->x != seen->pos->x + dx[way] ||
        seen->pending->target->y != seen->pos->y + dy[way])
        return;
    word left = (word) seen->pending->next + 1;
    phrase_put(phrase, out, &announced, &left, 1);
}

static void put_choice(const struct phrase *phrase, FILE *out, const struct command *command)
{
    static const struct saying ways[] = {
        [TREASURE_UP] = { { "up", "nach oben" } },
        [TREASURE_DOWN] = { { "down", "nach unten" } },
        [TREASURE_TO_LEFT] = { { "left", "nach links" } },
        [TREASURE_TO_RIGHT] = { { "right", "nach rechts" } },
    };
    if (command->kind == TREASURE_SUBMIT_HALF)
        treasure_put_half(phrase, out, command);
    if (command->kind != TREASURE_STEP || command->arg[1] < TREASURE_UP ||
        command->arg[1] > TREASURE_TO_RIGHT)
        return;
    phrase_put(phrase, out, &ways[command->arg[1]], NULL, 0);
    put_announced(phrase, out, (uint32_t) command->arg[1]);
}

/* A letter that stands on a field instead of its terrain. */
struct mark {
    const Arbiter__Treasure__Field *field; /* NULL: it is nowhere, or nobody knows where.         */
    char                            letter;
    enum colour                     colour;
};

static void put_map_field(struct drawing *drawing, char terrain, bool explored,
                          const struct mark *mark)
{
    const char  letter = mark != NULL     ? mark->letter
                         : terrain == 'M' ? '^'
                         : terrain == 'W' ? '~'
                         : explored       ? ','
                                          : '.';
    const char  cell[] = { letter, '\0' };
    enum colour colour = mark != NULL ? mark->colour : explored ? COLOUR_NONE : COLOUR_DIM;
    board_text_cell(&drawing->text, colour, cell, 2);
}

/* The last mark on a field is the one that is seen. */
static void put_map(struct drawing *drawing, char **terrain, size_t rows, char **explored,
                    const struct mark *marks, uint32_t count)
{
    for (size_t y = 0; y < rows; y++) {
        size_t columns = strlen(terrain[y]);
        for (size_t x = 0; x < columns; x++) {
            const struct mark *found = NULL;
            for (uint32_t i = 0; i < count; i++)
                if (marks[i].field != NULL && (size_t) marks[i].field->x == x &&
                    (size_t) marks[i].field->y == y)
                    found = &marks[i];
            bool is_explored = explored != NULL && strlen(explored[y]) > x && explored[y][x] == 'x';
            put_map_field(drawing, terrain[y][x], is_explored, found);
        }
        board_text_line(&drawing->text);
    }
}

static void put_head(struct drawing *drawing, uint32_t n, bool has_turn, uint32_t turn)
{
    char line[64];
    board_text_put(&drawing->text, COLOUR_BOLD,
                   phrase_say(drawing->phrase, "Treasure Hunt", "Schatzsuche"));
    (void) snprintf(line, sizeof line, "   %s %u",
                    phrase_say(drawing->phrase, "Actions so far:", "Aktionen bisher:"), n);
    board_text_put(&drawing->text, COLOUR_NONE, line);
    if (has_turn) {
        board_text_put(&drawing->text, COLOUR_NONE,
                       phrase_say(drawing->phrase, "   Next: ", "   Am Zug: "));
        board_name(drawing, COLOUR_NONE, board_player, turn);
    }
}

static void draw_player(struct drawing *drawing, const Arbiter__Treasure__PlayerView *view)
{
    char              line[96];
    bool              is_masked = view->has_enemy_masked && view->enemy_masked;
    const struct mark marks[] = {
        { view->castle, 'C', COLOUR_GREEN },
        { view->treasure_pos, 'T', COLOUR_YELLOW },
        { view->enemy_castle, 'X', COLOUR_RED },
        { view->enemy, is_masked ? 'e' : 'E', is_masked ? COLOUR_DIM : COLOUR_RED },
        { view->pos, '@', COLOUR_BOLD },
    };
    put_head(drawing, view->n, view->has_turn, view->turn);
    if (view->n_terrain > 0)
        board_text_put(&drawing->text, COLOUR_NONE,
                       view->treasure ? phrase_say(drawing->phrase, "   You have your treasure",
                                                   "   Du hast deinen Schatz")
                                      : phrase_say(drawing->phrase, "   You look for your treasure",
                                                   "   Du suchst deinen Schatz"));
    board_text_line(&drawing->text);
    if (view->n_terrain == 0)
        treasure_draw_half(drawing);
    put_map(drawing, view->terrain, view->n_terrain,
            view->n_explored == view->n_terrain ? view->explored : NULL, marks,
            sizeof marks / sizeof *marks);
    if (view->pending != NULL && view->pending->target != NULL) {
        (void) snprintf(line, sizeof line, "%s %d/%d: %u",
                        phrase_say(drawing->phrase, "On the way to", "Unterwegs nach"),
                        view->pending->target->x + 1, view->pending->target->y + 1,
                        view->pending->next);
        board_text_put(&drawing->text, COLOUR_NONE, line);
        board_text_line(&drawing->text);
    }
}

/* What the set-up lets spectators see: with common knowledge, figures once nothing masks them. */
static void draw_spectator(struct drawing *drawing, const Arbiter__Treasure__SpectatorView *view)
{
    struct mark marks[3 * TREASURE_SEATS] = { { NULL, 0, COLOUR_NONE } };
    for (size_t i = 0; i < view->n_seats && i < TREASURE_SEATS; i++) {
        const Arbiter__Treasure__SpectatorView__Seat *seat = view->seats[i];
        enum colour                                   colour = i == 0 ? COLOUR_GREEN : COLOUR_RED;
        marks[i] = (struct mark){ seat->castle, (char) ('A' + i), colour };
        marks[TREASURE_SEATS + i] =
            (struct mark){ seat->treasure ? NULL : seat->treasure_pos, (char) ('a' + i), colour };
        marks[2 * TREASURE_SEATS + i] = (struct mark){ seat->pos, (char) ('1' + i), COLOUR_BOLD };
    }
    put_head(drawing, view->n, view->has_turn, view->turn);
    board_text_line(&drawing->text);
    put_map(drawing, view->terrain, view->n_terrain, NULL, marks, sizeof marks / sizeof *marks);
}

static void draw(struct drawing *drawing)
{
    const Arbiter__Treasure__View *view = drawing->phrase->view;
    if (view == NULL)
        return;
    if (view->viewer_case == ARBITER__TREASURE__VIEW__VIEWER_PLAYER)
        draw_player(drawing, view->player);
    else if (view->viewer_case == ARBITER__TREASURE__VIEW__VIEWER_SPECTATOR)
        draw_spectator(drawing, view->spectator);
}

const struct face face_treasure = {
    .game = &game_treasure,
    .usual_setup = "unhurried", /* A person steers more slowly than the programs of the course. */
    .event = put_event,
    .deed = put_deed,
    .choice = put_choice,
    .reads = treasure_read_line,
    .kinds_last = FACE_KIND(TREASURE_LEAVE),
    .kinds_sure = FACE_KIND(TREASURE_LEAVE),
    .draw = draw,
    .marks = { "The map: . grass, , explored grass, ^ mountain, ~ water; @ you, C your castle, "
               "T your treasure, E the enemy, e where he only seems to be, X his castle. To "
               "spectators: 1 and 2 the figures, A and B their castles, a and b their treasures. "
               "n, s, w "
               "and ea go up, down, left and right; a step is announced, and said again until it "
               "is 0.",
               "Die Karte: . Gras, , erkundetes Gras, ^ Berg, ~ Wasser; @ du, C deine Burg, "
               "T dein Schatz, E der Gegner, e wo er nur zu sein scheint, X seine Burg. Für "
               "Zuschauer: 1 und 2 die Figuren, A und B ihre Burgen, a und b ihre Schätze. oben, "
               "unten, "
               "links und rechts gehen; ein Schritt wird angekündigt und wiederholt, bis er bei 0 "
               "ist." },
};
