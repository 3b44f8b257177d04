/* hotseat.h: four players at one terminal, who take turns in front of it.
 *
 * The rules play behind it as everywhere; what it knows, it knows from the events each seat may
 * see. The player who is to act sits down (the screen is flushed in between), sees what happened
 * meanwhile, and is asked. A turn begins with an empty seat: the current player sits down before
 * the event card takes effect. So what the rules have already done waits until then. */
#ifndef ARBITER_HOTSEAT_H
#define ARBITER_HOTSEAT_H

#include <stdbool.h>
#include <stdio.h>

#include "games/quests/quests.h"
#include "services/console/command/terminal.h"
#include "services/console/faces/phrase.h"

#define NOBODY_SITS QUESTS_SEATS

/* Lines somebody has not seen. */
struct hotseat_news {
    char  *bytes;
    size_t size;
    FILE  *out; /* Writes there. */
};

struct hotseat {
    FILE *out;
    bool  is_terminal, is_coloured;
    bool
        is_guided; /* Prompts name every way out, and '?' explains them. Else all is as in the course. */
    uint32_t columns; /* Of the terminal; 0: there is none, and lines are as long as they are. */
    struct phrase phrase; /* Players are called P1 to P4; the reader is the one who is told
                           * something. */
    uint32_t sitter;    /* Or NOBODY_SITS.                                                       */
    bool     is_fresh;  /* The sitter has just been shown everything.                       */
    bool     has_drawn; /* Since the hand was last shown. */
    word     asked[5];  /* Fields of the newest prompt.                                     */
    uint32_t shields[QUESTS_SEATS];
    uint16_t hand[QUESTS_SEATS][QUESTS_CARDS]; /* How many of each.                           */
    struct hotseat_news news[QUESTS_SEATS];
};

/* Shields as the set-up has them; hands come with the first events. */
void hotseat_open(struct hotseat *seat, FILE *out, bool is_terminal, bool is_coloured,
                  const struct quests_setup *setup);
void hotseat_close(struct hotseat *seat);

/* Takes in an event of an act: tells the sitter what a sitter may see of it, and keeps it for the
 * others. */
void hotseat_hear(struct hotseat *seat, const word *event);
/* The player empties the seat, having pressed return; the next one finds an empty screen. */
void hotseat_flush(struct hotseat *seat);
/* The player sits down: the others' shields, the own hand, the news. */
void hotseat_sit(struct hotseat *seat, uint32_t player);
/* Puts the question that is open, to the sitter. */
void hotseat_ask(struct hotseat *seat);
/* "P1: press <return> to leave the hot seat". */
void hotseat_leave(struct hotseat *seat);
/* What may be typed at the open question, a line each. */
void hotseat_explain(const struct hotseat *seat);
/* A line of our own, in a colour. */
void hotseat_line(const struct hotseat *seat, enum colour colour, const char *line);

/* What somebody typed, without blanks around it, as the answer to the open question; false: it is none. */
bool hotseat_read(const struct hotseat *seat, const char *line, size_t size,
                  struct command *command);

#endif
