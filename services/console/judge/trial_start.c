/* trial_start.c: a server's start, and what a judge waits for then. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bus/port.h"
#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/terminal.h"
#include "services/console/judge/trial.h"

#define LOOK_NS 5000000
#define FIRST_PORT 10000u
#define JUDGES 1000u
#define PORTS 22u
#define OUTPUT_MAX 4096
#define START_S 15.0

/* A start may take longer than an answer. */
static double start_s(const struct trial *trial)
{
    return 3 * trial->patience_s > START_S ? 3 * trial->patience_s : START_S;
}

static void rest(void)
{
    (void) nanosleep(&(struct timespec){ .tv_nsec = LOOK_NS }, NULL);
}

const char *trial_write_config(struct trial *trial, const char *text)
{
    static char path[SCRATCH_MAX + 16];
    (void) snprintf(path, sizeof path, "%s/config.json", trial->folder);
    FILE *file = fopen(path, "w");
    bool  good = file != NULL && fwrite(text, 1, strlen(text), file) == strlen(text);
    if (file != NULL)
        good = fclose(file) == 0 && good;
    if (good)
        return path;
    complain("%s cannot be written: %s.", path, strerror(errno));
    return NULL;
}

/* Another port each time, as the system may keep the last one for a minute, and ports of its own for each
 * judge, as several may judge at once. They lie below those that the system gives away itself. */
static uint32_t next_port(struct trial *trial)
{
    uint32_t first = FIRST_PORT + (uint32_t) getpid() % JUDGES * PORTS;
    uint32_t at = trial->starts % PORTS;
    uint32_t port = port_free(first + at, PORTS - at);
    return port != 0 ? port : port_free(first, PORTS);
}

bool trial_start(struct trial *trial, const struct trial_ask *ask, struct text *fault)
{
    static uint32_t chosen;
    char            port[16];
    if (trial->starts++ == 0)
        chosen = trial->port;
    trial->port = chosen != 0 ? chosen : next_port(trial);
    (void) snprintf(port, sizeof port, "%u", trial->port);
    (void) snprintf(trial->started.said, sizeof trial->started.said, "%s/said", trial->folder);
    (void) unlink(trial->started.said);
    const char *const holes[START_HOLES] = {
        [START_PORT] = ask->port != NULL && ask->port[0] == '\0' ? port : ask->port,
        [START_CONFIG] = ask->config,
        [START_SEED] = ask->seed,
        [START_TIMEOUT] = ask->timeout,
        [START_EDITION] = ask->edition,
    };
    return started_begin(&trial->started, trial->line, holes, ask->more, fault);
}

/* The last bytes, without what a terminal or a reader of XML would choke on. */
char *trial_output(const struct trial *trial)
{
    char   bytes[OUTPUT_MAX];
    char  *text = NULL;
    size_t size;
    FILE  *file = fopen(trial->started.said, "r");
    FILE  *out = open_memstream(&text, &size);
    FILE  *plain = out != NULL ? terminal_plain(out) : NULL;
    if (plain == NULL)
        abort();
    if (file != NULL && fseek(file, -OUTPUT_MAX, SEEK_END) != 0)
        rewind(file);
    size_t got = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
    (void) fwrite(bytes, 1, got, plain);
    (void) fclose(plain);
    (void) fclose(out);
    if (file != NULL)
        (void) fclose(file);
    return text;
}

static void differ(struct difference *difference, enum dead_topic topic, const char *sentence,
                   const char *section, const char *expected, const char *came)
{
    memset(difference, 0, sizeof *difference);
    difference->cause = (struct dead_cause){ topic, section, sentence };
    difference->client = CALLERS_MAX;
    difference->said = strdup("the program is started");
    difference->expected = strdup(expected);
    difference->came = strdup(came);
    difference->story = json_array();
}

bool trial_await_door(struct trial *trial, struct difference *difference)
{
    double begun = seconds_now();
    char   expected[96], came[96];
    while (!interrupted() && started_runs(&trial->started)) {
        if (port_is_open(trial->port))
            return true;
        if (seconds_now() - begun > start_s(trial))
            break;
        rest();
    }
    (void) snprintf(expected, sizeof expected, "it listens at port %u", trial->port);
    if (trial->started.pid != 0)
        (void) snprintf(came, sizeof came, "nobody listens there %.0f s later", start_s(trial));
    else
        (void) snprintf(came, sizeof came, "it ends with exit code %d",
                        started_code(&trial->started));
    differ(difference, DEAD_TOPIC_START, "With a valid set-up the server waits for clients.", "2.5",
           expected, came);
    return false;
}

bool trial_await_refusal(struct trial *trial, struct difference *difference)
{
    static const char expected[] = "it says why, opens no port, and ends with another code than 0";
    double            begun = seconds_now();
    bool              opened = false;
    while (!interrupted() && started_runs(&trial->started) && !opened &&
           seconds_now() - begun < start_s(trial)) {
        opened = port_is_open(trial->port);
        rest();
    }
    char  came[96] = "";
    char *output = trial_output(trial);
    if (opened)
        (void) snprintf(came, sizeof came, "it listens at port %u", trial->port);
    else if (trial->started.pid != 0)
        (void) snprintf(came, sizeof came, "it still runs %.0f s later", start_s(trial));
    else if (started_code(&trial->started) == 0)
        (void) snprintf(came, sizeof came, "it ends with exit code 0");
    else if (output[strspn(output, " \t\r\n")] == '\0')
        (void) snprintf(came, sizeof came, "it ends without a word");
    free(output);
    if (came[0] == '\0')
        return true;
    differ(difference, DEAD_TOPIC_START,
           "What makes no sense is said; no port is opened; the exit code is not 0.", "2.5",
           expected, came);
    return false;
}
