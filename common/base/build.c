/* build.c: what is no program knows nothing of its build: tests, and the client library. */
#include "base/build.h"

const struct build arbiter_build = { .version = "", .name = "", .described = "", .commit = "" };
