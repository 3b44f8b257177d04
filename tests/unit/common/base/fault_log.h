/* fault_log.h: faults of a set-up's tree as tests read them: "place what;", in the order in which they came. */
#ifndef ARBITER_TEST_FAULT_LOG_H
#define ARBITER_TEST_FAULT_LOG_H

#include "base/value.h"

struct fault_log {
    struct faults faults; /* First, so that a report finds the rest. */
    char          seen[4096];
};

/* Nothing has been said yet. */
void fault_log_begin(struct fault_log *log);

#endif
