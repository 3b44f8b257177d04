/* face.h: how a game looks in a terminal: its sentences, its board, and what a menu must know of it.
 *
 * `play` and `watch` ask for a game's face once and through this table only. A game without a face
 * is shown by its words and messages (worded.h) and played just the same. A part of a face may be
 * missing unless it says that it is needed. To give a game a face, write `face_NAME.c`, which ends
 * with the row `const struct face face_NAME`. CMake finds it; nothing else is edited.
 *
 * All functions are handed a phrase (phrase.h). It has the language, the texts, the names of
 * players and the compiled set-up (`setup`, never NULL here). It also has the newest view, unpacked
 * (`view`, NULL while there is none). */
#ifndef ARBITER_FACE_H
#define ARBITER_FACE_H

#include "services/console/faces/board.h"
#include "services/console/faces/phrase.h"

/* A set of kinds of commands, all of them below 64. */
#define FACE_KIND(kind) (UINT64_C(1) << (kind))

enum face_reading { FACE_KNOWS_NOT, FACE_PLAYS, FACE_SAYS };

struct face {
    const struct game *game;

    /* What is played if nobody says what. */
    const char *usual_setup; /* NULL: the first that comes with the game.                         */
    uint32_t    usual_seats; /* 0: as many as the set-up has room for.                            */
    /* Options that a set-up of this name wants, as "key=value"; NULL: none. */
    const char *(*option_of)(const char *setup_name);

    /* What happened, as phrase_event and phrase_goes_on. `event` is needed. */
    bool (*event)(const struct phrase *phrase, FILE *out, uint32_t kind, const word *fields,
                  uint32_t count);
    bool (*goes_on)(const struct phrase *phrase, FILE *out, uint32_t kind, const word *before,
                    const word *fields, uint32_t count);
    /* The event that says in field 0 who is on turn: told only if that is somebody else now. 0: none. */
    uint32_t turn_event;

    /* A command in its two parts, as phrase_deed and phrase_choice. `deed` is needed. */
    void (*deed)(const struct phrase *phrase, FILE *out, const struct command *command);
    void (*choice)(const struct phrase *phrase, FILE *out, const struct command *command);
    /* Another listed command does exactly the same, so that this one is left out. */
    bool (*is_twin)(const struct command *command);
    /* A command that is sent as `asked` first. The rules refuse that, and say what would come of
     * it. A player who types it again means it. NULL: no command is. `warning` puts what such a
     * refusal means. */
    bool (*asks_first)(const struct command *command, struct command *asked);
    void (*warning)(const struct phrase *phrase, FILE *out, uint32_t refused);
    /* What a line means that is no number, such as "ne", or half a map. `command` stays good until the
     * next line. FACE_SAYS: it is none, and why not was put to `out`. NULL: no line does. */
    enum face_reading (*reads)(const struct phrase *phrase, FILE *out, const char *line,
                               struct command *command);
    /* Commands that stand in the menu though the engine does not list them: the rules refuse them, and
     * say why. Counted from 0; false: there is none of this number. NULL: none is. */
    bool (*offers)(const struct phrase *phrase, uint32_t number, struct command *command);
    uint64_t kinds_last; /* Stand last in a menu, besides those that the game seldom plays.       */
    uint64_t kinds_sure; /* Ask twice. Without a face those ask that the game seldom plays.       */

    /* Puts a place of a sentence that phrase.h does not know: {c0}. `value` is the field's, or ABSENT if
     * the place names none. */
    void (*field)(const struct phrase *phrase, FILE *out, char letter, word value);

    /* The board, from a view; NULL: the one that is made from words. */
    void (*draw)(struct drawing *drawing);
    /* Its first lines: put once more above a menu where the whole has no room. NULL: it always has. */
    void (*head)(struct drawing *drawing);
    /* What the marks on it mean, in every language. */
    const char *marks[LANGUAGES];
};

/* The face of a game; NULL: it has none. */
const struct face *face_find(const struct game *game);
/* A command of this kind, without arguments. */
void               face_command(struct command *command, uint32_t kind);
/* The one of what is shown; NULL also while its set-up is not known. */
const struct face *face_of(const struct phrase *phrase);

#endif
