/* dead_verdicts_conform.c: recorded verdicts on set-ups, held against what the rules say of them.
 *
 * One verdict a line: the set-up's file, the edition it is for, and whether it is "valid" or "invalid".
 * What else a line says is for people. */
#include "games/dead/conform/dead_verdicts_conform.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "games/dead/conform/dead_table_conform.h"
#include "games/lines_conform.h"

#define OPTIONS_MAX_BYTES 128

bool dead_has_verdicts(FILE *file)
{
    char   *text = NULL;
    size_t  capacity = 0;
    json_t *line = getline(&text, &capacity, file) > 0 ? json_loads(text, 0, NULL) : NULL;
    bool    has = json_object_get(line, "verdict") != NULL;
    json_decref(line);
    free(text);
    rewind(file);
    return has;
}

static bool is_verdict(const json_t *line)
{
    const char *verdict = json_string_value(json_object_get(line, "verdict"));
    return verdict != NULL && (strcmp(verdict, "valid") == 0 || strcmp(verdict, "invalid") == 0) &&
           json_is_string(json_object_get(line, "config")) &&
           json_is_string(json_object_get(line, "edition"));
}

/* The faults of a set-up that should have none are printed behind the line that says so. */
static bool judge(const char *path, uint32_t number, const json_t *line, FILE *complaints)
{
    char   found[DEAD_PATH_MAX], options[OPTIONS_MAX_BYTES];
    char  *faults = NULL;
    size_t size, faults_size = 0;
    if (!is_verdict(line)) {
        (void) fprintf(complaints, "%s:%u: expected a verdict on a set-up, came none\n", path,
                       number);
        return false;
    }
    char *text = dead_config_text(line, path, number, complaints, found, &size);
    if (text == NULL)
        return false;
    (void) snprintf(options, sizeof options, "{\"edition\": \"%.32s\"}",
                    json_string_value(json_object_get(line, "edition")));
    const struct house_table table = { .found = found, .setup = text, .options = options };
    const char              *verdict = json_string_value(json_object_get(line, "verdict"));
    FILE                    *said = open_memstream(&faults, &faults_size);
    const char *came = said != NULL && dead_config_is_good(&table, said) ? "valid" : "invalid";
    if (said != NULL)
        (void) fclose(said);
    bool agrees = strcmp(came, verdict) == 0;
    if (!agrees)
        (void) fprintf(complaints, "%s:%u: expected that %s is %s, came that it is %s\n%s", path,
                       number, json_string_value(json_object_get(line, "config")), verdict, came,
                       faults != NULL ? faults : "");
    free(faults);
    free(text);
    return agrees;
}

void dead_play_verdicts(const char *path, FILE *file, FILE *complaints, uint32_t *agreed,
                        uint32_t *disagreed)
{
    char    *text = NULL;
    size_t   capacity = 0;
    uint32_t number = 0;
    while (recording_line(file, &text, &capacity, &number)) {
        json_t *line = json_loads(text, 0, NULL);
        if (judge(path, number, line, complaints))
            ++*agreed;
        else
            ++*disagreed;
        json_decref(line);
    }
    free(text);
}
