/* match_list.h: the matches that stand in an engine's journal. */
#ifndef ARBITER_MATCH_LIST_H
#define ARBITER_MATCH_LIST_H

#include <stdbool.h>

#include "services/console/records/export.h"

/* Prints them, the oldest first. A console_exit; what is wrong has been said. */
int match_list(const struct export_place *place, bool as_json);

#endif
