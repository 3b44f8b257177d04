/* play_match.h: one match as somebody at its table, or beside it, follows it on a terminal.
 *
 * What happened is a line each, with names; how it stands is the board, drawn from the newest view. Both
 * `play` and `watch` show matches through this. */
#ifndef ARBITER_PLAY_MATCH_H
#define ARBITER_PLAY_MATCH_H

#include "client/client.h"
#include "contract/engine.pb-c.h"
#include "services/console/faces/phrase.h"
#include "services/console/play/play_mind.h"

/* What has room; all but what one can do without for a moment; its head alone; everything. */
enum play_board { PLAY_BOARD, PLAY_BOARD_TERSE, PLAY_BOARD_HEAD, PLAY_BOARD_WHOLE };

struct play_match {
    struct client *client;
    struct phrase  phrase;
    FILE          *out;
    bool           is_coloured;
    uint8_t        id[CLIENT_ID_SIZE];
    uint32_t       seat; /* NO_SEAT: watching.                                                    */
    struct play_mind mind; /* Of this seat.                                                      */
    bool     is_known;     /* Its set-up was read.                                              */
    bool     is_over;
    bool     is_awaited; /* As of the last view: it waits for this seat ...                  */
    uint64_t left_ms;    /* ... for so long; 0: for ever.                                    */
    uint64_t number;     /* The last act that was told.                                      */
    void    *setup;
    ProtobufCMessage *seen; /* The newest view.                                              */
    word     last[8]; /* Fields of the last event, which the next one may go on.             */
    uint32_t last_kind;
    uint32_t column;  /* Where its line stands.                                             */
    word     on_turn; /* The seat that was on turn last, by the face's turn_event; ABSENT: nobody
                       * yet. */
};

/* What the terminal is like: `asked` language or NULL, ASCII asked for or not. */
void play_match_init(struct play_match *match, struct client *client, const char *asked,
                     bool is_ascii);
void play_match_close(struct play_match *match);

/* CLIENT_ATTACHED: what is played and who plays. False: this build does not know the game. */
bool  play_match_attached(struct play_match *match, const struct client_event *event);
/* CLIENT_VIEW, and CLIENT_ATTACHED with a view: how it stands. */
void  play_match_view(struct play_match *match, const struct client_event *event);
/* CLIENT_ACT: prints what happened. */
void  play_match_act(struct play_match *match, const struct client_event *event);
/* The board, as a string of whole lines to be freed. */
char *play_match_board(const struct play_match *match, enum play_board what);
/* Prints the board. */
void  play_match_draw(const struct play_match *match);
/* Prints the set-up's story, and what the marks on the board mean or, without a face, the rules. */
void  play_match_story(const struct play_match *match);
void  play_match_marks(const struct play_match *match);

/* Prints words of our own in the reader's language, as they are; line feeds are theirs to say. */
void play_say(const struct play_match *match, const char *english, const char *german);

#endif
