/* help.c: `arbiter help`: the list of commands, or the help of one. */
#include <string.h>

#include "services/console/command/console.h"

static int run(const struct console_command *self, int argc, char **argv)
{
    struct words words;
    char         nothing = 0;
    if (!console_read(self, argc, argv, &nothing, &words))
        return CONSOLE_USAGE;
    if (words.count == 0) {
        console_overview(stdout);
        return CONSOLE_OK;
    }
    const struct console_command *command = console_find(words.word[0]);
    if (command == NULL)
        return CONSOLE_USAGE;
    console_help(stdout, command);
    return CONSOLE_OK;
}

const struct console_command command_help = {
    .name = "help",
    .arguments = "[COMMAND]",
    .summary = "Explains a command.",
    .about = "Explains a command, or lists all of them.\n",
    .words_most = 1,
    .run = run,
};
