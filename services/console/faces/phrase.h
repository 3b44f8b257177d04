/* phrase.h: what happens and what may be done, in plain English or German, with names instead of numbers.
 *
 * A game with a face (face.h) has sentences of its own, made from sayings with places for names.
 * Other games are told by their words.json and their messages (worded.h). Everything somebody else
 * wrote is shown without control characters, and in ASCII where the terminal knows no more. */
#ifndef ARBITER_PHRASE_H
#define ARBITER_PHRASE_H

#include <stdbool.h>
#include <stdio.h>

#include "games/registry.h"
#include "rules/command.h"

#define PHRASE_NAME_MAX 64
#define NOT_SEATED UINT32_MAX

enum language { ENGLISH, GERMAN, LANGUAGES };

struct phrase {
    enum language           language;
    bool                    is_ascii;
    const struct game_wire *wire;
    const void *setup; /* Compiled; NULL: only numbers are known.                                 */
    void       *texts; /* Of the set-up, both languages; NULL: none.                              */
    /* A words.json that was read; NULL: the one compiled in, if the game has one. */
    const void *words;
    char        players[SEATS_MAX][PHRASE_NAME_MAX];
    uint32_t    seat; /* The reader; NOT_SEATED: a spectator. */
    const void *view; /* The game's `View`, unpacked, of whoever reads this; NULL: not known.     */
};

/* The language asked for ("en", "de"), or the one of LC_ALL, LC_MESSAGES or LANG. */
enum language phrase_language(const char *asked);
/* Whether the terminal shows more than ASCII, by LC_ALL, LC_CTYPE or LANG. */
bool          phrase_knows_unicode(void);

/* Reads the texts of the set-up that comes with the game by this name, or that stand beside a file
 * ("hard.json" has "hard.texts.json"). Without them everything is said more soberly. */
void phrase_read_texts(struct phrase *phrase, const char *setup_name);
/* The same for a set-up of which only the text is known, if one of those that come with the game has it. */
void phrase_find_texts(struct phrase *phrase, const char *setup);
void phrase_close(struct phrase *phrase);

/* One of two sentences, by language. */
const char *phrase_say(const struct phrase *phrase, const char *english, const char *german);
/* Bytes of others, without control characters; in ASCII if there is nothing more. */
void        phrase_bytes(const struct phrase *phrase, FILE *out, const char *bytes, size_t size);
void        phrase_text(const struct phrase *phrase, FILE *out, const char *string);

/* Who sits there. */
void phrase_player(const struct phrase *phrase, FILE *out, uint32_t seat);

/* What happened, as the game's words. False: it is not worth a line. */
bool phrase_event(const struct phrase *phrase, FILE *out, uint32_t kind, const word *fields,
                  uint32_t count);
/* The same as an addition to the line of the event before it, which was of the same kind ("Ada
 * draws a, b"). False: the event gets a line of its own. */
bool phrase_goes_on(const struct phrase *phrase, FILE *out, uint32_t kind, const word *before,
                    const word *fields, uint32_t count);

/* A command in two parts: what is done, and on what. Commands of the same first part are one row of a
 * menu; the second part may be empty. */
void phrase_deed(const struct phrase *phrase, FILE *out, const struct command *command);
void phrase_choice(const struct phrase *phrase, FILE *out, const struct command *command);
/* The choice says all of the command, the deed what its row has in common. */
bool phrase_is_worded(const struct phrase *phrase);
/* The whole command. */
void phrase_command(const struct phrase *phrase, FILE *out, const struct command *command);

/* What the texts of a set-up say of it as a whole. False: nothing. */
enum phrase_noun { NOUN_TITLE, NOUN_STORY, NOUN_GOAL };
bool        phrase_noun(const struct phrase *phrase, FILE *out, enum phrase_noun noun);
/* A text of the set-up: TEXTS[language][group][key][part]; group and part may be NULL. The key is a number,
 * or a name if there is one. NULL: it has none. */
const char *phrase_lookup(const struct phrase *phrase, const char *group, word key,
                          const char *name, const char *part);

/* A sentence in each language, with places for what the fields of an event or a command name:
 *     {p0} the player whose seat is field 0   {n0} a number   {e0} a number counted from 1
 *     {t0} number of times   {s0} a number with its sign
 * All other letters, also without a field ({S}), are the business of the game's face. */
struct saying {
    const char *in[LANGUAGES];
};

/* Puts a sentence with its names. Fields beyond `count` are absent. */
void phrase_put(const struct phrase *phrase, FILE *out, const struct saying *saying,
                const word *fields, uint32_t count);

#endif
