/* build.h: which state of the sources this program was made of. */
#ifndef ARBITER_BUILD_H
#define ARBITER_BUILD_H

struct build {
    const char *version;   /* "0.1.0".                                                            */
    const char *name;      /* "0.1.0+094ec42-dirty"; "0.1.0" where nobody knows more.             */
    const char *described; /* "094ec42-dirty", as git describes it; "".                           */
    const char *commit;    /* 40 characters; "".                                                  */
};

/* A program's own is made at each build (deploy/cmake/Build.cmake); build.c's is for what is no program. */
extern const struct build arbiter_build;

#endif
