/* report_text.c: what a judge found, on a terminal and as JSON. */
#include <stdlib.h>
#include <string.h>

#include "services/console/command/terminal.h"
#include "services/console/judge/report.h"

/* So many differences are told in full. */
#define TOLD_MAX 5

static const char *state_of(const struct check *check)
{
    static const char *const states[] = { [CHECK_PASSED] = "passed",
                                          [CHECK_FAILED] = "differs",
                                          [CHECK_UNSTEADY] = "differed once, not again" };
    return states[check->state];
}

/* The last line that is not empty, for it mostly says why. */
static void put_last_line(const char *output, FILE *out)
{
    size_t end = output != NULL ? strlen(output) : 0;
    while (end > 0 && strchr(" \r\n", output[end - 1]) != NULL)
        end--;
    size_t begin = end;
    while (begin > 0 && output[begin - 1] != '\n')
        begin--;
    if (end > begin)
        (void) fprintf(out, "  printed:   %.*s\n", (int) (end - begin), output + begin);
}

void report_check(const struct check *check, FILE *out)
{
    const struct difference *difference = &check->difference;
    FILE                    *plain = terminal_plain(out);
    if (plain == NULL)
        abort();
    (void) fprintf(plain, "%s: %s (%s)\n", check->name, state_of(check), check->about);
    if (difference->client != CALLERS_MAX || difference->steps > 0)
        (void) fprintf(plain, "  step %u:    %s\n", difference->steps + 1, difference->said);
    (void) fprintf(plain, "  expected:  %s\n", difference->expected);
    (void) fprintf(plain, "  came:      %s\n", difference->came);
    (void) fprintf(plain, "  topic:     %s\n", dead_topic_title(difference->cause.topic));
    (void) fprintf(plain, "  paragraph: %s. %s\n", difference->cause.section,
                   difference->cause.sentence);
    put_last_line(check->output, plain);
    (void) fclose(plain);
}

static void put_topics(const struct marks *marks, FILE *out)
{
    for (uint32_t topic = 0; topic < DEAD_TOPICS; topic++) {
        struct topic_marks of = marks_of(marks, topic);
        (void) fprintf(out, "%-26s", dead_topic_title(topic));
        if (of.most == 0 && of.failed == 0)
            (void) fprintf(out, "  not judged\n");
        else if (of.passed + of.failed == 0)
            (void) fprintf(out, "    0.0 of %2u points  no game came so far\n", of.most);
        else
            (void) fprintf(out, "  %5.1f of %2u points  %4u of %u right\n", of.points, of.most,
                           of.passed, of.passed + of.failed);
    }
    struct topic_marks all = marks_all(marks);
    (void) fprintf(out, "%-26s  %5.1f of %2u points\n", "All", all.points, all.most);
}

void report_text(const struct report *report, FILE *out)
{
    uint32_t told = 0;
    for (uint32_t i = 0; i < report->marks->count; i++) {
        const struct check *check = &report->marks->check[i];
        if (check->state == CHECK_PASSED || told++ >= TOLD_MAX)
            continue;
        (void) fflush(out);
        report_check(check, out);
        (void) fputc('\n', out);
    }
    if (told > TOLD_MAX)
        (void) fprintf(out, "... and %u more; --html FILE has them all.\n\n", told - TOLD_MAX);
    put_topics(report->marks, out);
}

static json_t *check_json(const struct check *check)
{
    const struct difference *difference = &check->difference;
    json_t *shown = json_pack("{s:s, s:s, s:s, s:f}", "name", check->name, "about", check->about,
                              "state", state_of(check), "seconds", check->seconds);
    if (check->state == CHECK_PASSED)
        return shown;
    json_object_update_new(
        shown,
        json_pack("{s:s, s:s, s:i, s:s, s:s, s:s, s:s, s:O, s:s}", "topic",
                  dead_topic_name(difference->cause.topic), "section", difference->cause.section,
                  "step", (int) difference->steps + 1, "said", difference->said, "expected",
                  difference->expected, "came", difference->came, "sentence",
                  difference->cause.sentence, "story", difference->story, "output", ""));
    json_t *output = json_string(check->output != NULL ? check->output : "");
    json_object_set_new(shown, "output", output != NULL ? output : json_string("(no UTF-8)"));
    return shown;
}

void report_json(const struct report *report, FILE *out)
{
    json_t            *topics = json_object(), *checks = json_array();
    struct topic_marks all = marks_all(report->marks);
    for (uint32_t topic = 0; topic < DEAD_TOPICS; topic++) {
        struct topic_marks of = marks_of(report->marks, topic);
        json_object_set_new(topics, dead_topic_name(topic),
                            json_pack("{s:f, s:i, s:i, s:i}", "points", of.points, "of",
                                      (int) of.most, "right", (int) of.passed, "wrong",
                                      (int) of.failed));
    }
    for (uint32_t i = 0; i < report->marks->count; i++)
        json_array_append_new(checks, check_json(&report->marks->check[i]));
    json_t *shown =
        json_pack("{s:s, s:f, s:i, s:i, s:i, s:o, s:o}", "program", report->program, "points",
                  all.points, "of", (int) all.most, "differences", (int) report->marks->failed,
                  "unsteady", (int) report->marks->unsteady, "topics", topics, "checks", checks);
    (void) json_dumpf(shown, out, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    (void) fputc('\n', out);
    json_decref(shown);
}
