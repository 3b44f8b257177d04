/* console.c: what all subcommands share: help, versions, complaints, reading their command line. */
#include "services/console/command/console.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/build.h"
#include "games/registry.h"
#include "services/console/command/terminal.h"
#include "wire/header.h"

static const struct console_command *const commands[] = {
    &command_admit,      &command_alive,
    &command_analyse,    &command_announce,
    &command_audit,      &command_backup,
    &command_bot,        &command_check_config,
    &command_completion, &command_conform,
    &command_doctor,     &command_drain,
    &command_games,      &command_grid,
    &command_help,       &command_hotseat,
    &command_judge,      &command_keygen,
    &command_keys,       &command_leaderboard,
    &command_match,      &command_play,
    &command_player,     &command_reload,
    &command_replay,     &command_restore,
    &command_results,    &command_retain,
    &command_serve,      &command_simulate,
    &command_store,      &command_top,
    &command_tournament, &command_trace,
    &command_up,         &command_verify,
    &command_watch,      NULL,
};

const struct console_command *const *console_commands(void)
{
    return commands;
}

const struct console_command *console_find(const char *name)
{
    const char *names[sizeof commands / sizeof commands[0]] = { NULL };
    for (uint32_t i = 0; commands[i] != NULL; i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
        names[i] = commands[i]->name;
    }
    const char *nearest = nearest_word(name, names);
    if (name[0] == '-')
        complain("there is no option \"%s\"; \"arbiter --help\" lists what there is.", name);
    else if (nearest != NULL)
        complain("there is no command \"%s\"; did you mean %s?", name, nearest);
    else
        complain("there is no command \"%s\"; \"arbiter --help\" lists them.", name);
    return NULL;
}

const char *console_program(void)
{
    bool is_found_by_path = strchr(program_invocation_name, '/') == NULL;
    return is_found_by_path ? "arbiter" : program_invocation_name;
}

void console_put_word(FILE *out, const char *typed)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./:@%+=,";
    if (typed[0] != '\0' && typed[strspn(typed, plain)] == '\0') {
        fputs(typed, out);
        return;
    }
    fputc('\'', out);
    for (; *typed != '\0'; typed++)
        if (*typed == '\'')
            fputs("'\\''", out);
        else
            fputc(*typed, out);
    fputc('\'', out);
}

static const char *spoken_of;

void console_speak_of(const char *what)
{
    spoken_of = what;
}

void console_complain(const char *line)
{
    /* The sentence may quote what somebody typed or a file holds. */
    fprintf(stderr, "arbiter: %s%s", spoken_of != NULL ? spoken_of : "",
            spoken_of != NULL ? ": " : "");
    terminal_put(stderr, line, strlen(line));
    fputc('\n', stderr);
}

bool console_seed(const char *typed, int64_t *seed)
{
    char *end = NULL;
    errno = 0;
    *seed = strtoll(typed, &end, 10);
    bool begins_well = (typed[0] >= '0' && typed[0] <= '9') || typed[0] == '-';
    if (begins_well && end != typed && *end == '\0' && errno == 0)
        return true;
    complain("--seed takes a whole number from %" PRId64 " to %" PRId64 ", not \"%s\".", INT64_MIN,
             INT64_MAX, typed);
    return false;
}

bool console_reads_once(const struct words *words, uint32_t first)
{
    uint32_t times = 0;
    for (uint32_t i = first; i < words->count; i++)
        times += strcmp(words->word[i], "-") == 0;
    if (times > 1)
        complain("\"-\" is the standard input, which can be read once, not %" PRIu32 " times.",
                 times);
    return times <= 1;
}

bool console_writes_file(const char *option, const char *path)
{
    if (path == NULL || strcmp(path, "-") != 0)
        return true;
    complain("--%s takes the name of a file to be written; \"-\" is none. One of that name is "
             "\"./-\".",
             option);
    return false;
}

void console_versions(FILE *out)
{
    fprintf(out, "arbiter %s, protocol %d, rules: ", arbiter_build.version, PROTOCOL_NEWEST);
    registry_put_versions(out);
    if (arbiter_build.described[0] != '\0')
        fprintf(out, ", build %s", arbiter_build.described);
    fputc('\n', out);
}

static void options_help(FILE *out, const struct option *options)
{
    fputs("\nOptions:\n", out);
    for (; options != NULL && options->name != NULL; options++) {
        char name[48];
        snprintf(name, sizeof name, "--%s%s%s", options->name, options->value ? " " : "",
                 options->value ? options->value : "");
        fprintf(out, "  %-24s %s\n", name, options->help);
    }
    fprintf(out, "  %-24s %s\n", "--help", "Shows this.");
}

void console_help(FILE *out, const struct console_command *command)
{
    fprintf(out, "usage: arbiter %s%s%s%s\n\n%s", command->name,
            command->options != NULL ? " [option...]" : "", command->arguments[0] ? " " : "",
            command->arguments, command->about);
    options_help(out, command->options);
    fputs("\nExit code: 0 success, 1 a check failed, 2 the command line is wrong,\n"
          "           3 a file cannot be read or written, or is not what it should be,\n"
          "           130 Ctrl-C.\n",
          out);
}

void console_overview(FILE *out)
{
    fputs("usage: arbiter COMMAND [option...] [word...]\n"
          "\n"
          "Arbiter is a server for turn-based games. Nobody has to trust its referee blindly.\n"
          "\n"
          "Commands:\n",
          out);
    for (uint32_t i = 0; commands[i] != NULL; i++)
        fprintf(out, "  %-14s %s\n", commands[i]->name, commands[i]->summary);
    fputs("\n"
          "Options:\n"
          "  --help         Shows this. After a command: the help of that command.\n"
          "  --version      Shows the versions of the product, the protocol and the rules.\n"
          "\n"
          "To see a whole game now: arbiter simulate nim --show\n",
          out);
}

bool console_read(const struct console_command *self, int argc, char **argv, void *into,
                  struct words *words)
{
    struct text fault;
    if (!options_read(self->options, argc, argv, into, words, &fault)) {
        const char *stop = fault.bytes[fault.size - 1] == '?' ? "" : ".";
        complain("%s%s \"arbiter %s --help\" lists what there is.", fault.bytes, stop, self->name);
        return false;
    }
    if (words->count >= self->words_least && words->count <= self->words_most)
        return true;
    if (words->count > self->words_most && self->words_most > 0)
        complain("%s takes %s, and \"%s\" is one word too many.", self->name, self->arguments,
                 words->word[self->words_most]);
    else if (words->count > self->words_most)
        complain("%s takes options only, not \"%s\".", self->name, words->word[0]);
    else
        complain("%s needs to be told \"%s\"%s. \"arbiter %s --help\" explains.", self->name,
                 self->arguments, words->count > 0 ? ", and something is missing" : "", self->name);
    return false;
}
