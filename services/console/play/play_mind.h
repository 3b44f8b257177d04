/* play_mind.h: thinks ahead for the seat that is played here, from what the seat was shown and told.
 *
 * A bot of a level plays what it finds. A person asks it for a hint. Nobody else is asked for that: this
 * process holds the seat's view, and that is all there is to know. */
#ifndef ARBITER_PLAY_MIND_H
#define ARBITER_PLAY_MIND_H

#include "client/client.h"
#include "search/search.h"

/* So many milliseconds a hint takes at most, and the thought of a bot. */
#define PLAY_HINT_MS 50u
#define PLAY_THOUGHT_MS 1000u

struct play_mind {
    const struct game *game;  /* NULL: nobody thinks ahead in it, or nothing was opened.          */
    uint32_t           nodes; /* So many the tree has room for. */
    struct search      search;
    void              *memory;
    word              *view;
    uint32_t           view_words; /* 0: none was seen. */
    uint32_t           seat, seats;
    uint64_t           seed;
    word               notes[NOTES_WORDS_MAX];
};

/* A seat of a match; the set-up has to stay. */
void play_mind_open(struct play_mind *mind, const struct game *game, const void *setup,
                    uint32_t seat, uint32_t seats);
void play_mind_close(struct play_mind *mind);
/* The seat hears something, and sees how it stands. */
void play_mind_hear(struct play_mind *mind, const void *setup,
                    const struct client_happening *happening);
void play_mind_see(struct play_mind *mind, const word *view, uint32_t words);
/* The best command within so many nodes and milliseconds. False: there is nothing to think about. */
bool play_mind_best(struct play_mind *mind, uint32_t nodes, uint32_t most_ms,
                    struct command *command);

#endif
