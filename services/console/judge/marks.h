/* marks.h: what was judged, how it came out, and how many points that makes. */
#ifndef ARBITER_JUDGE_MARKS_H
#define ARBITER_JUDGE_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#include "services/console/judge/bout.h"

#define CHECK_NAME_MAX 96
#define CHECK_ABOUT_MAX 256

enum check_state {
    CHECK_PASSED,
    CHECK_FAILED,
    CHECK_UNSTEADY /* It differed once, and did not when it was played again: no points are lost. */
};

/* One game, one set-up or one command line. */
struct check {
    char              name[CHECK_NAME_MAX];
    char              about[CHECK_ABOUT_MAX];
    enum check_state  state;
    uint32_t          topics;  /* Bit t: it says something about topic t.                         */
    uint32_t          touches; /* The same, had it been played to its end.                        */
    struct difference difference;
    char             *output; /* The last that the program printed; NULL: it passed.              */
    double            seconds;
};

struct marks {
    struct check *check;
    uint32_t      count, capacity;
    uint32_t      topics; /* Bit t: topic t is judged.                                            */
    uint32_t      failed, unsteady;
};

struct topic_marks {
    uint32_t passed, failed;
    uint32_t
           most; /* Points there are; 0: nothing was asked of it. Without a check it was asked, but
                      * every game differed before.                                               */
    double points; /* Rounded down to a tenth: all of them only for no difference.              */
};

/* A new check behind the last. */
struct check      *marks_add(struct marks *marks, const char *name);
/* Counts what is decided now. */
void               marks_decide(struct marks *marks, struct check *check, enum check_state state);
struct topic_marks marks_of(const struct marks *marks, enum dead_topic topic);
/* All topics together. */
struct topic_marks marks_all(const struct marks *marks);
void               marks_close(struct marks *marks);

#endif
