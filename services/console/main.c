/* main.c: `arbiter`: finds the subcommand and runs it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"

static bool asks_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0)
            return true;
    return false;
}

static bool asks_version(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--version") == 0)
            return true;
    return false;
}

/* A result that did not arrive is no result, whatever the exit code was going to be. */
static int delivered(int code)
{
    bool arrived = fflush(stdout) == 0 && ferror(stdout) == 0;
    if (arrived)
        return code;
    interrupt_if_unread();
    complain("the standard output cannot be written: %s.", strerror(errno));
    return code == CONSOLE_OK ? CONSOLE_BAD_INPUT : code;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        console_overview(stderr);
        return CONSOLE_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0) {
        console_overview(stdout);
        return CONSOLE_OK;
    }
    if (asks_version(argc - 1, argv + 1)) {
        console_versions(stdout);
        return CONSOLE_OK;
    }
    const struct console_command *command = console_find(argv[1]);
    if (command == NULL)
        return CONSOLE_USAGE;
    if (asks_help(argc - 2, argv + 2)) {
        console_help(stdout, command);
        return CONSOLE_OK;
    }
    interrupt_watch();
    return command->run(command, argc - 2, argv + 2);
}

int main(int argc, char **argv)
{
    return delivered(run(argc, argv));
}
