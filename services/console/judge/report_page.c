/* report_page.c: what a judge found, as one page of HTML and as JUnit's XML. */
#include <inttypes.h>
#include <string.h>

#include "services/console/judge/report.h"

static const char style[] =
    ":root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--faint:#5a6470;--rule:#d5dae0;"
    "--bad:#b3261e;--good:#1c7a3c;--box:#f4f6f8}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#15181c;--ink:#e6e9ed;--faint:#a3adb8;"
    "--rule:#3a424b;--bad:#ff8a80;--good:#7bd694;--box:#1e2329}}\n"
    "body{font:16px/1.45 system-ui,sans-serif;margin:0 auto;padding:1rem;max-width:60rem;"
    "background:var(--paper);color:var(--ink)}\n"
    "h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}p{margin:.3rem 0}"
    ".faint{color:var(--faint)}.bad{color:var(--bad)}.good{color:var(--good)}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "td,th{border-bottom:1px solid var(--rule);padding:.3rem .7rem;text-align:right}"
    "td:first-child,th:first-child{text-align:left}\n"
    "article{border:1px solid var(--rule);border-radius:6px;padding:.6rem 1rem;margin:1rem 0}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:.5rem 0}"
    "dt{color:var(--faint)}dd{margin:0;overflow-wrap:anywhere}"
    "pre{background:var(--box);padding:.6rem;overflow-x:auto;font-size:.85rem;"
    "border-radius:4px}summary{cursor:pointer;color:var(--faint)}\n";

/* What XML cannot say at all becomes a question mark; bytes above 127 are UTF-8 or the reader's to see. */
static void put(FILE *out, const char *text)
{
    for (; text != NULL && *text != '\0'; text++)
        switch (*text) {
        case '<': (void) fputs("&lt;", out); break;
        case '>': (void) fputs("&gt;", out); break;
        case '&': (void) fputs("&amp;", out); break;
        case '"': (void) fputs("&quot;", out); break;
        case '\n':
        case '\t': (void) fputc(*text, out); break;
        default: (void) fputc((unsigned char) *text < 32 || *text == 127 ? '?' : *text, out);
        }
}

static void put_row(FILE *out, const char *name, const char *text)
{
    (void) fprintf(out, "<dt>%s</dt><dd>", name);
    put(out, text);
    (void) fputs("</dd>\n", out);
}

static void put_story(FILE *out, const struct difference *difference)
{
    size_t  i;
    json_t *line;
    if (json_array_size(difference->story) == 0)
        return;
    (void) fputs("<details><summary>What happened before</summary><pre>", out);
    json_array_foreach(difference->story, i, line)
    {
        put(out, json_string_value(line));
        (void) fputc('\n', out);
    }
    (void) fputs("</pre></details>\n", out);
}

static void put_check(const struct report *report, const struct check *check, FILE *out)
{
    const struct difference *difference = &check->difference;
    char                     paragraph[256], step[32];
    (void) snprintf(paragraph, sizeof paragraph, "%s. %s", difference->cause.section,
                    difference->cause.sentence);
    (void) snprintf(step, sizeof step, "Step %u", difference->steps + 1);
    (void) fputs("<article><h3>", out);
    put(out, check->name);
    (void) fprintf(out, "</h3><p class=faint>");
    put(out, check->about);
    (void) fputs("</p>", out);
    if (check->state == CHECK_UNSTEADY)
        (void) fputs("<p>This showed once, and not when the same was played again. "
                     "It costs no points.</p>",
                     out);
    (void) fputs("<dl>\n", out);
    put_row(out, step, difference->said);
    put_row(out, "Expected", difference->expected);
    put_row(out, "Came", difference->came);
    put_row(out, "Topic", dead_topic_title(difference->cause.topic));
    put_row(out, "Paragraph", paragraph);
    if (strncmp(check->name, "game ", 5) == 0 && report->again != NULL) {
        char again[8192];
        (void) snprintf(again, sizeof again, "%.8000s --only %.20s", report->again,
                        check->name + 5);
        put_row(out, "Once more", again);
    }
    (void) fputs("</dl>\n", out);
    put_story(out, difference);
    if (check->output != NULL && check->output[0] != '\0') {
        (void) fputs("<details><summary>The last that the program printed</summary><pre>", out);
        put(out, check->output);
        (void) fputs("</pre></details>\n", out);
    }
    (void) fputs("</article>\n", out);
}

static void put_topics(const struct marks *marks, FILE *out)
{
    (void) fputs("<table><tr><th>Topic</th><th>Points</th><th>of</th><th>Right</th>"
                 "<th>Wrong</th></tr>\n",
                 out);
    for (uint32_t topic = 0; topic < DEAD_TOPICS; topic++) {
        struct topic_marks of = marks_of(marks, topic);
        (void) fprintf(out, "<tr><td>%s</td>", dead_topic_title(topic));
        if (of.most == 0)
            (void) fputs("<td class=faint colspan=4>not judged</td></tr>\n", out);
        else
            (void) fprintf(out, "<td>%.1f</td><td>%u</td><td>%u</td><td class=%s>%u</td></tr>\n",
                           of.points, of.most, of.passed, of.failed > 0 ? "bad" : "good",
                           of.failed);
    }
    struct topic_marks all = marks_all(marks);
    (void) fprintf(out,
                   "<tr><th>All</th><th>%.1f</th><th>%u</th><th>%u</th><th>%u</th></tr>"
                   "</table>\n",
                   all.points, all.most, all.passed, all.failed);
}

void report_page(const struct report *report, FILE *out)
{
    (void) fprintf(out,
                   "<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
                   "<meta name=viewport content=\"width=device-width\">"
                   "<title>A server of the dead, judged</title>\n<style>\n%s</style></head>"
                   "<body>\n<h1>A server of the dead, judged</h1>\n<p class=faint>",
                   style);
    put(out, report->program);
    (void) fprintf(out, "</p><p class=faint>%u checks in %.0f s</p>\n<h2>Points</h2>\n",
                   report->marks->count, report->seconds);
    put_topics(report->marks, out);
    (void) fputs("<h2>Differences</h2>\n", out);
    if (report->marks->failed + report->marks->unsteady == 0)
        (void) fputs("<p class=good>None.</p>\n", out);
    for (uint32_t i = 0; i < report->marks->count; i++)
        if (report->marks->check[i].state != CHECK_PASSED)
            put_check(report, &report->marks->check[i], out);
    (void) fputs("</body></html>\n", out);
}

/* JUnit: a suite for each topic. What passed stands in the suite of the first topic it is about. */

static enum dead_topic suite_of(const struct check *check)
{
    return check->state == CHECK_FAILED ? check->difference.cause.topic
                                        : (enum dead_topic) __builtin_ctz(check->topics);
}

static void put_case(const struct check *check, enum dead_topic topic, FILE *out)
{
    const struct difference *difference = &check->difference;
    (void) fprintf(out, "  <testcase classname=\"dead.%s\" name=\"", dead_topic_name(topic));
    put(out, check->name);
    (void) fprintf(out, ": ");
    put(out, check->about);
    (void) fprintf(out, "\" time=\"%.3f\"", check->seconds);
    if (check->state == CHECK_PASSED) {
        (void) fputs("/>\n", out);
        return;
    }
    (void) fputs(check->state == CHECK_FAILED ? "><failure message=\"" : "><skipped message=\"",
                 out);
    (void) fputs("expected ", out);
    put(out, difference->expected);
    (void) fputs(", came ", out);
    put(out, difference->came);
    if (check->state == CHECK_UNSTEADY) {
        (void) fputs("; not again\"/></testcase>\n", out);
        return;
    }
    (void) fprintf(out, "\">step %u: ", difference->steps + 1);
    put(out, difference->said);
    (void) fprintf(out, "\nparagraph %s: %s</failure><system-out>", difference->cause.section,
                   difference->cause.sentence);
    put(out, check->output);
    (void) fputs("</system-out></testcase>\n", out);
}

void report_junit(const struct report *report, FILE *out)
{
    const struct marks *marks = report->marks;
    (void) fprintf(out,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                   "<testsuites name=\"dead\" tests=\"%u\" failures=\"%u\" time=\"%.3f\">\n",
                   marks->count, marks->failed, report->seconds);
    for (uint32_t topic = 0; topic < DEAD_TOPICS; topic++) {
        uint32_t tests = 0, failures = 0;
        for (uint32_t i = 0; i < marks->count; i++) {
            bool is_here = suite_of(&marks->check[i]) == topic;
            tests += is_here;
            failures += is_here && marks->check[i].state == CHECK_FAILED;
        }
        (void) fprintf(out, " <testsuite name=\"%s\" tests=\"%u\" failures=\"%u\">\n",
                       dead_topic_name(topic), tests, failures);
        for (uint32_t i = 0; i < marks->count; i++)
            if (suite_of(&marks->check[i]) == topic)
                put_case(&marks->check[i], topic, out);
        (void) fputs(" </testsuite>\n", out);
    }
    (void) fputs("</testsuites>\n", out);
}
