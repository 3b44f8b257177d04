/* alive.c: `arbiter alive`: whether a service is well, for whoever watches containers. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "bus/port.h"
#include "services/console/command/console.h"
#include "services/console/command/progress.h"

/* A pulse comes four times a second. */
#define PATIENCE_S 3.0

static void rest(void)
{
    struct timespec pause = { .tv_nsec = 50000000 };
    (void) nanosleep(&pause, NULL);
}

/* Whether the file is touched while we look: no clock of anybody's is compared with another. */
static bool has_pulse(const char *path)
{
    struct stat before, now;
    double      begun = seconds_now();
    if (stat(path, &before) != 0)
        return false;
    while (seconds_now() - begun < PATIENCE_S) {
        rest();
        if (stat(path, &now) == 0 && memcmp(&now.st_mtim, &before.st_mtim, sizeof now.st_mtim) != 0)
            return true;
    }
    return false;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    struct words words;
    uint32_t     port = 0;
    char         rest_of_it;
    if (!console_read(self, argc, argv, NULL, &words))
        return CONSOLE_USAGE;
    /* NOLINTNEXTLINE(cert-err34-c): what is no number is a path. */
    bool is_port = sscanf(words.word[0], "%5u%c", &port, &rest_of_it) == 1;
    if (is_port ? port_is_open(port) : has_pulse(words.word[0]))
        return CONSOLE_OK;
    complain(is_port ? "nobody listens at port %s of this machine."
                     : "%s was not touched for three seconds: its service is dead, or stuck.",
             words.word[0]);
    return CONSOLE_DISAGREES;
}

static const struct option options[] = { { .name = NULL } };

const struct console_command command_alive = {
    .name = "alive",
    .arguments = "PULSE|PORT",
    .summary = "Tells whether a service is alive.",
    .about = "  arbiter alive /run/arbiter/pulse       the file that a service touches (--pulse)\n"
             "  arbiter alive 8080                     a port of this machine\n"
             "\n"
             "Made for the health checks of containers. Exit code 0: the file was touched\n"
             "within the last three seconds, or somebody listens at the port. Else 1.\n",
    .options = options,
    .words_least = 1,
    .words_most = 1,
    .run = run,
};
