/* dead_variant_conform.h: set-ups that are like others, but odder: to show rules that seldom matter. */
#ifndef ARBITER_DEAD_VARIANT_CONFORM_H
#define ARBITER_DEAD_VARIANT_CONFORM_H

#include <stdbool.h>

#include "dice/dice.h"

/* Another set-up, made of this one by the dice; whether it is valid is for the caller to ask. The caller
 * frees it. NULL: the text is no set-up. */
char *dead_variant(const char *text, bool has_fates, struct dice *dice);

#endif
