/* doctor.h: what `arbiter doctor` finds: a level, a sentence, and what to do about it. */
#ifndef ARBITER_DOCTOR_H
#define ARBITER_DOCTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "services/console/care/stores.h"
#include "services/console/home/home.h"

#define DOCTOR_FINDINGS_MAX 128
#define DOCTOR_SENTENCE_MAX 384

enum finding_level {
    FINDING_WELL,    /* It is as it should be.                                                   */
    FINDING_NOTE,    /* Worth knowing; nothing to do.                                            */
    FINDING_WARNING, /* It works, and may not for long or for many.                              */
    FINDING_WRONG    /* Somebody must act.                                                       */
};

struct finding {
    const char        *check; /* "keys": which part found it.                                    */
    enum finding_level level;
    char               what[DOCTOR_SENTENCE_MAX];
    char               remedy[DOCTOR_SENTENCE_MAX]; /* ""; or what to do.                         */
};

struct doctor {
    struct home    home;
    /* Where the operator's own key and the lobby's doors are: most often the same. */
    struct home    operators;
    bool           has_roles;  /* Its keys lie in a folder for each role (home.h).               */
    const char    *place;      /* The database of its engines; NULL: it was not named.            */
    bool           is_whole;   /* Read every page of every store.                                */
    bool           is_running; /* "arbiter up" has this home open.                               */
    bool           has_doors;  /* The home says where a lobby is.                                */
    struct stores  stores;
    uint32_t       count;
    struct finding findings[DOCTOR_FINDINGS_MAX];
};

/* One more finding; `remedy` as it stands, "" for none. */
void doctor_say(struct doctor *doctor, const char *check, enum finding_level level,
                const char *remedy, const char *form, ...) __attribute__((format(printf, 5, 6)));

/* The checks, in the order in which they are made. */
void doctor_keys(struct doctor *doctor);
void doctor_stores(struct doctor *doctor);
void doctor_limits(struct doctor *doctor);
void doctor_clock(struct doctor *doctor);
void doctor_services(struct doctor *doctor);
void doctor_builds(struct doctor *doctor);

#endif
