/* completion.c: `arbiter completion`: a script by which a shell completes this program's command line.
 *
 * It is made from the same tables as parser and help, so it can offer nothing that is not there. What a value may be
 * follows from what the help calls it: FILE, DIR, a list of words, a game. */
#include <stdio.h>
#include <string.h>

#include "games/registry.h"
#include "services/console/command/console.h"

static const char *const shells[] = { "bash", "zsh", NULL };

/* What an option's value is completed from, as words of bash. */
static void put_values(const struct option *option)
{
    printf("    '%s') ", option->name);
    if (option->words != NULL) {
        fputs("words='", stdout);
        for (uint32_t i = 0; option->words[i] != NULL; i++)
            printf("%s%s", i > 0 ? " " : "", option->words[i]);
        fputs("'", stdout);
    } else if (strcmp(option->value, "DIR") == 0) {
        fputs("kind=folders", stdout);
    } else if (strcmp(option->value, "FILE") == 0 || strcmp(option->value, "PATH") == 0) {
        fputs("kind=files", stdout);
    } else {
        fputs("kind=nothing", stdout);
    }
    puts(" ;;");
}

/* Words of the usage line in lower case are words to be typed: "export ID [FILE] | abort ID". */
static void put_deeds(const char *arguments)
{
    bool begins = true;
    for (const char *at = arguments; *at != '\0'; at++) {
        bool is_letter = *at >= 'a' && *at <= 'z';
        if (begins && is_letter) {
            size_t size = strspn(at, "abcdefghijklmnopqrstuvwxyz-");
            printf(" %.*s", (int) size, at);
            at += size - 1;
        }
        begins = *at == ' ' || *at == '|';
    }
}

static void put_games(void)
{
    const char *last = "";
    for (const struct game_wire *const *games = registry_games(); *games != NULL; games++) {
        if (strcmp((*games)->game->name, last) != 0)
            printf(" %s", (*games)->game->name);
        last = (*games)->game->name;
    }
}

static void put_commands(void)
{
    for (const struct console_command *const *commands = console_commands(); *commands != NULL;
         commands++)
        printf(" %s", (*commands)->name);
}

/* What stands where no option does. */
static void put_words(const struct console_command *command)
{
    fputs("    words='", stdout);
    put_deeds(command->arguments);
    if (strstr(command->arguments, "GAME") != NULL)
        put_games();
    if (strstr(command->arguments, "COMMAND") != NULL)
        put_commands();
    if (command->words_most > 0 && strstr(command->arguments, "SHELL") != NULL)
        for (uint32_t i = 0; shells[i] != NULL; i++)
            printf(" %s", shells[i]);
    puts("'");
    if (strstr(command->arguments, "FILE") != NULL)
        puts("    kind=files");
    else if (strstr(command->arguments, "DIR") != NULL)
        puts("    kind=folders");
}

static void put_command(const struct console_command *command)
{
    printf("  '%s')\n    options='--help", command->name);
    for (const struct option *option = command->options; option != NULL && option->name != NULL;
         option++)
        printf(" --%s", option->name);
    puts("'\n    case $before in");
    for (const struct option *option = command->options; option != NULL && option->name != NULL;
         option++)
        if (option->value != NULL)
            put_values(option);
    puts("    *) is_value= ;;\n    esac\n    [[ $is_value ]] && return");
    put_words(command);
    puts("    ;;");
}

/* `before` is the option whose value is being typed, `now` what is typed of it so far. bash takes "=" for a word of
 * its own. */
static const char head[] =
    "# Completes arbiter's command line in bash; made by `arbiter completion`.\n"
    "_arbiter_offers() {\n"
    "  local command=$1 before=$2\n"
    "  words= options= kind= is_value=1\n"
    "  case $command in\n";
static const char tail[] =
    "  esac\n"
    "}\n"
    "_arbiter() {\n"
    "  local words options kind is_value before= now=${COMP_WORDS[COMP_CWORD]} last= command=\n"
    "  (( COMP_CWORD > 0 )) && last=${COMP_WORDS[COMP_CWORD-1]}\n"
    "  (( COMP_CWORD > 1 )) && command=${COMP_WORDS[1]}\n"
    "  [[ $now == '=' ]] && now= && last='='\n"
    "  [[ $last == '=' ]] && (( COMP_CWORD > 1 )) && [[ ${COMP_WORDS[COMP_CWORD]} == '=' ]] &&\n"
    "    last=${COMP_WORDS[COMP_CWORD-1]}\n"
    "  [[ $last == '=' ]] && (( COMP_CWORD > 2 )) && last=${COMP_WORDS[COMP_CWORD-2]}\n"
    "  [[ $last == --* ]] && before=${last#--}\n"
    "  _arbiter_offers \"$command\" \"$before\"\n"
    "  COMPREPLY=()\n"
    "  if [[ ! $is_value && $now == -* ]]; then\n"
    "    COMPREPLY=($(compgen -W \"$options\" -- \"$now\"))\n"
    "    return\n"
    "  fi\n"
    "  COMPREPLY=($(compgen -W \"$words\" -- \"$now\"))\n"
    "  [[ $kind ]] && compopt -o filenames 2>/dev/null\n"
    "  [[ $kind == files ]] && COMPREPLY+=($(compgen -f -- \"$now\"))\n"
    "  [[ $kind == folders ]] && COMPREPLY+=($(compgen -d -- \"$now\"))\n"
    "  return 0\n"
    "}\n"
    "complete -F _arbiter arbiter\n";

static void put_script(bool is_zsh)
{
    if (is_zsh)
        puts("#compdef arbiter\nautoload -U +X bashcompinit && bashcompinit");
    fputs(head, stdout);
    for (const struct console_command *const *commands = console_commands(); *commands != NULL;
         commands++)
        put_command(*commands);
    fputs("  *)\n    options='--help --version' is_value=\n    words='", stdout);
    put_commands();
    puts("'\n    ;;");
    fputs(tail, stdout);
}

static int run(const struct console_command *self, int argc, char **argv)
{
    struct words words;
    char         nothing = 0;
    if (!console_read(self, argc, argv, &nothing, &words))
        return CONSOLE_USAGE;
    for (uint32_t i = 0; shells[i] != NULL; i++) {
        if (strcmp(words.word[0], shells[i]) != 0)
            continue;
        put_script(strcmp(shells[i], "zsh") == 0);
        return CONSOLE_OK;
    }
    complain("there is a completion for bash and, through it, for zsh, not for \"%s\".",
             words.word[0]);
    return CONSOLE_USAGE;
}

const struct console_command command_completion = {
    .name = "completion",
    .arguments = "SHELL",
    .summary = "Prints a script that completes this command line in bash or zsh.",
    .about = "  source <(arbiter completion bash)      for this shell, now\n"
             "\n"
             "Prints a script that completes commands, options, games and files in bash. zsh\n"
             "can load the same script. \"cmake --install\" puts it where both shells look for\n"
             "it.\n",
    .words_least = 1,
    .words_most = 1,
    .run = run,
};
