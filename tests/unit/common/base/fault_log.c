/* fault_log.c: see fault_log.h. */
#include "common/base/fault_log.h"

#include <stdio.h>
#include <string.h>

static void note(struct faults *faults, const struct value *at, const char *key, const char *what)
{
    struct fault_log *log = (struct fault_log *) faults;
    struct text       place;
    size_t            used = strlen(log->seen);
    value_place(&place, at);
    (void) snprintf(log->seen + used, sizeof log->seen - used, "%s%s%s %s;", place.bytes,
                    key != NULL ? "/" : "", key != NULL ? key : "", what);
}

void fault_log_begin(struct fault_log *log)
{
    memset(log, 0, sizeof *log);
    log->faults.report = note;
}
