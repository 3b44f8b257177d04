/* sandbox.h: other people's programs behind bubblewrap: what they may see, and how much they may take.
 *
 * A program sees the system's programs and libraries, the folders of the files that its command line names,
 * an empty /tmp and nothing else. It writes nothing that stays. A program that speaks over its standard
 * input has no network at all. One that comes by a door shares this machine's, because the door is there. */
#ifndef ARBITER_SANDBOX_H
#define ARBITER_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>

#define SANDBOX_WORDS_MAX 160

/* A command line that runs `words` in a sandbox. */
struct sandbox {
    char    *words[SANDBOX_WORDS_MAX + 1];
    uint32_t count;
};

/* Whether sandboxes can be made here; else false, after a complaint that says what is missing. */
bool sandbox_is_there(void);
/* Builds it; the words are copies. */
void sandbox_make(struct sandbox *sandbox, char *const *words, bool has_door);
void sandbox_drop(struct sandbox *sandbox);
/* Between fork and exec: so much memory for this process and each that it starts, and no large files. */
void sandbox_limit(uint64_t memory_mb);

#endif
