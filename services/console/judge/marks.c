/* marks.c: see marks.h. */
#include "services/console/judge/marks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Points of a topic; a hundred in all. */
static const uint32_t weights[DEAD_TOPICS] = {
    [DEAD_TOPIC_RULES] = 40,    [DEAD_TOPIC_ORDER] = 10, [DEAD_TOPIC_DICE] = 10,
    [DEAD_TOPIC_AUDIENCE] = 10, [DEAD_TOPIC_CLOCK] = 10, [DEAD_TOPIC_VALIDATION] = 10,
    [DEAD_TOPIC_START] = 10,
};

struct check *marks_add(struct marks *marks, const char *name)
{
    if (marks->count == marks->capacity) {
        marks->capacity = marks->capacity * 2 + 64;
        marks->check = realloc(marks->check, marks->capacity * sizeof *marks->check);
        if (marks->check == NULL)
            abort();
    }
    struct check *check = &marks->check[marks->count++];
    memset(check, 0, sizeof *check);
    (void) snprintf(check->name, sizeof check->name, "%s", name);
    return check;
}

/* What differs in one topic says nothing of the others: it was not played to its end. */
void marks_decide(struct marks *marks, struct check *check, enum check_state state)
{
    check->state = state;
    check->touches = check->topics;
    marks->failed += state == CHECK_FAILED;
    marks->unsteady += state == CHECK_UNSTEADY;
    if (state == CHECK_FAILED)
        check->topics = 1u << check->difference.cause.topic;
}

struct topic_marks marks_of(const struct marks *marks, enum dead_topic topic)
{
    struct topic_marks of = { .passed = 0 };
    bool               is_asked = false;
    for (uint32_t i = 0; i < marks->count; i++) {
        const struct check *check = &marks->check[i];
        is_asked = is_asked || (check->touches >> topic & 1) != 0;
        if ((check->topics >> topic & 1) == 0 || check->state == CHECK_UNSTEADY)
            continue;
        of.passed += check->state == CHECK_PASSED;
        of.failed += check->state == CHECK_FAILED;
    }
    uint32_t all = of.passed + of.failed;
    of.most = is_asked && (marks->topics >> topic & 1) != 0 ? weights[topic] : 0;
    of.points = all > 0 ? floor(10.0 * of.most * of.passed / all) / 10 : 0;
    return of;
}

struct topic_marks marks_all(const struct marks *marks)
{
    struct topic_marks all = { .passed = 0 };
    for (uint32_t topic = 0; topic < DEAD_TOPICS; topic++) {
        struct topic_marks of = marks_of(marks, topic);
        all.most += of.most;
        all.points += of.points;
    }
    for (uint32_t i = 0; i < marks->count; i++)
        all.passed += marks->check[i].state == CHECK_PASSED;
    all.failed = marks->failed;
    return all;
}

void marks_close(struct marks *marks)
{
    for (uint32_t i = 0; i < marks->count; i++) {
        difference_close(&marks->check[i].difference);
        free(marks->check[i].output);
    }
    free(marks->check);
    memset(marks, 0, sizeof *marks);
}
