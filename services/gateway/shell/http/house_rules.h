/* house_rules.h: what the 2017 door is told of the set-up it plays: the part called `rest`. */
#ifndef ARBITER_GATEWAY_HOUSE_RULES_H
#define ARBITER_GATEWAY_HOUSE_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "services/gateway/rest/rest.h"
#include "json/config_file.h"

#define RULES_ADDRESS_MAX 128

struct house_rules {
    struct config config;
    char     address[RULES_ADDRESS_MAX]; /* Where the door opens ...                             */
    uint32_t port;
    uint32_t body_max;
};

/* Reads a set-up's file, or, if `path` is empty, takes the classic one. `seed` is a whole number as text,
 * or empty for hosted dice. False: every fault is on the standard error. */
bool house_rules_read(struct house_rules *rules, const char *path, const char *seed,
                      struct rest_settings *rest);
void house_rules_free(struct house_rules *rules);

/* "ADDRESS:PORT", the port "*" for any that is free (0); left out or empty: nothing is changed. */
bool house_rules_listen(struct house_rules *rules, const char *listen);

#endif
