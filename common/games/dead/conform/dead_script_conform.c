/* dead_script_conform.c: see dead_script_conform.h. */
#include "games/dead/conform/dead_script_conform.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "games/dead/conform/dead_names_conform.h"
#include "games/dead/conform/dead_table_conform.h"
#include "games/lines_conform.h"

#define OPTIONS_MAX_BYTES 64

struct dead_step *dead_script_add(struct dead_script *script)
{
    if (script->count == script->capacity) {
        script->capacity = script->capacity * 2 + 64;
        script->step = realloc(script->step, script->capacity * sizeof *script->step);
        if (script->step == NULL)
            abort();
    }
    struct dead_step *step = &script->step[script->count++];
    memset(step, 0, sizeof *step);
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        step->command.arg[i] = ABSENT;
    return step;
}

void dead_script_close(struct dead_script *script)
{
    free(script->config);
    free(script->step);
    memset(script, 0, sizeof *script);
}

struct command dead_step_command(const struct dead_step *step)
{
    struct command command = step->command;
    if (command.text_size > 0 || step->name[0] != '\0') {
        command.text = (const uint8_t *) step->name;
        command.text_size = (uint32_t) strlen(step->name);
    }
    return command;
}

/* Reading a recording. */

static bool read_command(struct dead_script *script, const json_t *line)
{
    const char    *name = json_string_value(json_object_get(line, "cmd"));
    const json_t  *from = json_object_get(line, "from");
    json_int_t     client = json_integer_value(from);
    struct command command;
    if (name == NULL || !json_is_integer(from) || client < 0 || client >= DEAD_CLIENTS_MAX ||
        !dead_read_command(name, json_object_get(line, "args"), &command) ||
        command.text_size >= DEAD_PLAYER_NAME_MAX)
        return false;
    struct dead_step *step = dead_script_add(script);
    step->kind = DEAD_SAYS;
    step->client = (uint32_t) client;
    step->command = command;
    if (command.text_size > 0)
        memcpy(step->name, command.text, command.text_size);
    step->command.text = NULL;
    return true;
}

static bool read_line(struct dead_script *script, const json_t *line)
{
    if (json_object_get(line, "ev") != NULL)
        return true;
    if (!json_is_true(json_object_get(line, "timeout")))
        return read_command(script, line);
    dead_script_add(script)->kind = DEAD_SILENCE;
    script->silences++;
    return true;
}

static void put_name(char name[DEAD_LABEL_MAX], const char *text)
{
    (void) snprintf(name, DEAD_LABEL_MAX, "%.*s", DEAD_LABEL_MAX - 1, text);
}

static bool read_header(struct dead_script *script, const json_t *header, const char *path,
                        FILE *complaints)
{
    char        found[DEAD_PATH_MAX], copy[DEAD_PATH_MAX];
    size_t      size;
    const char *edition = json_string_value(json_object_get(header, "edition"));
    const char *config = json_string_value(json_object_get(header, "config"));
    if (edition == NULL || config == NULL || !json_is_integer(json_object_get(header, "seed"))) {
        (void) fprintf(complaints, "%s:1: no header of a recorded game of the dead\n", path);
        return false;
    }
    (void) snprintf(copy, sizeof copy, "%s", path);
    put_name(script->label, basename(copy));
    put_name(script->setup, config);
    (void) snprintf(script->edition, sizeof script->edition, "%.15s", edition);
    script->seed = json_integer_value(json_object_get(header, "seed"));
    script->config = dead_config_text(header, path, 1, complaints, found, &size);
    return script->config != NULL;
}

static bool read_file(struct dead_script *script, FILE *file, const char *path, FILE *complaints)
{
    char    *text = NULL;
    size_t   capacity = 0;
    uint32_t number = 0;
    bool     good = true;
    while (good && recording_line(file, &text, &capacity, &number)) {
        json_t *line = json_loads(text, 0, NULL);
        good = number == 1 ? read_header(script, line, path, complaints) : read_line(script, line);
        if (!good && number > 1)
            (void) fprintf(complaints, "%s:%u: no line of a recorded game\n", path, number);
        json_decref(line);
    }
    free(text);
    return good && number > 0;
}

bool dead_script_read(struct dead_script *script, const char *path, FILE *complaints)
{
    FILE *file = fopen(path, "r");
    memset(script, 0, sizeof *script);
    if (file == NULL) {
        (void) fprintf(complaints, "%s: %s\n", path, strerror(errno));
        return false;
    }
    bool good = read_file(script, file, path, complaints);
    (void) fclose(file);
    if (!good)
        dead_script_close(script);
    return good;
}

/* In a house. */

bool dead_script_open(const struct dead_script *script, struct house *house, FILE *complaints)
{
    char options[OPTIONS_MAX_BYTES];
    (void) snprintf(options, sizeof options, "{\"edition\": \"%s\"}", script->edition);
    const struct house_table table = {
        .found = script->setup, .setup = script->config, .options = options, .seed = script->seed
    };
    return house->open(house, &table, complaints);
}

void dead_script_take(const struct dead_step *step, struct house *house)
{
    const struct command command = dead_step_command(step);
    if (step->kind == DEAD_SILENCE)
        (void) house->expire(house);
    else if (step->kind != DEAD_PAUSE)
        (void) house->say(house, step->client, &command);
}
