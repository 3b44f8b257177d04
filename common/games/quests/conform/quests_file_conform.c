/* quests_file_conform.c: reads a file of scenarios, a line each, for whoever plays them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "games/lines_conform.h"
#include "games/quests/conform/quests_conform.h"

bool quests_complain(const struct quests_show *show, const char *what, size_t step,
                     const json_t *expected, const json_t *came)
{
    char *wanted = expected ? json_dumps(expected, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    char *got = came ? json_dumps(came, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    (void) fprintf(show->complaints, "%s:%u: %s, after %zu steps, %s: expected %s, came %s\n",
                   show->path, show->line, show->name, step, what, wanted ? wanted : "nothing",
                   got ? got : "nothing");
    free(wanted);
    free(got);
    return false;
}

/* Whether a line holds a scenario at all; everything in it that is not must be refused as unreadable. */
static bool is_scenario(const json_t *line)
{
    const json_t *expect = json_object_get(line, "expect");
    if (!json_is_string(json_object_get(line, "name")) ||
        !json_is_object(json_object_get(line, "config")))
        return false;
    if (json_is_string(expect))
        return true;
    return json_is_array(json_object_get(line, "steps")) &&
           json_is_array(json_object_get(expect, "events")) &&
           json_is_object(json_object_get(expect, "final"));
}

bool quests_play_file(struct quests_show *show, uint32_t *agreed, uint32_t *disagreed)
{
    FILE  *file = fopen(show->path, "r");
    char  *text = NULL;
    size_t capacity = 0;
    bool   readable = true;

    *agreed = *disagreed = 0;
    if (file == NULL) {
        (void) fprintf(show->complaints, "%s: %s\n", show->path, strerror(errno));
        return false;
    }
    while (readable && recording_line(file, &text, &capacity, &show->line)) {
        json_t *line = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
        show->name = json_string_value(json_object_get(line, "name"));
        readable = is_scenario(line);
        if (!readable)
            (void) fprintf(show->complaints, "%s:%u: no scenario of quests\n", show->path,
                           show->line);
        else
            ++*(show->play(show, line) ? agreed : disagreed);
        json_decref(line);
    }
    if (show->line == 0)
        (void) fprintf(show->complaints, "%s: there is no scenario in it\n", show->path);
    free(text);
    (void) fclose(file);
    return readable && show->line > 0;
}
