/* report.h: what a judge found, for people and for programs. */
#ifndef ARBITER_JUDGE_REPORT_H
#define ARBITER_JUDGE_REPORT_H

#include <stdio.h>

#include "services/console/judge/marks.h"

/* What a report is about. */
struct report {
    const struct marks *marks;
    const char         *program; /* As it was started, or where it runs.                          */
    const char         *again;   /* What to type for one game once more; "NUMBER" stands in it.   */
    double              seconds;
};

/* One check that failed, as a few lines. */
void report_check(const struct check *check, FILE *out);
/* Points by topic, and the differences. */
void report_text(const struct report *report, FILE *out);
void report_json(const struct report *report, FILE *out);
void report_page(const struct report *report, FILE *out);
void report_junit(const struct report *report, FILE *out);

#endif
