/* replay.c: `arbiter replay`: a match file act by act, for people or as JSON. */
#include "match/replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "match/replay_json.h"

#include "services/console/command/console.h"
#include "services/console/command/files.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/terminal.h"
#include "services/console/faces/show.h"
#include "services/console/records/export.h"

struct replay_ask {
    struct export_place place;
    uint64_t            to;
    bool                json, view;
};

static const struct option options[] = {
    { .name = "to",
      .value = "N",
      .kind = OPTION_NUMBER,
      .least = 1,
      .most = UINT32_MAX,
      .offset = offsetof(struct replay_ask, to),
      .help = "Stops after act N. Default: the end." },
    { .name = "view",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct replay_ask, view),
      .help = "Prints at the end what each seat and a spectator may know." },
    { .name = "json",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct replay_ask, json),
      .help = "Prints JSON, one act per line." },
    EXPORT_OPTIONS(struct replay_ask, place),
    { .name = NULL },
};

static const char *name_of(const void *names, uint32_t seat)
{
    return replay_name(names, seat);
}

static void print_views(const struct show *show, const struct replay *replay)
{
    for (uint32_t seat = 0; seat < replay->seats; seat++)
        show_view(show, replay->match, seat);
    show_view(show, replay->match, SPECTATOR);
}

static bool print_json(const struct replay_json *json)
{
    char *text = replay_json_act(json);
    if (text == NULL)
        complain("there is not enough memory to print an act.");
    else
        puts(text);
    free(text);
    return text != NULL;
}

static bool print_act(const struct show *show, const struct replay *replay,
                      const struct replay_json *json)
{
    if (json->replay != NULL)
        return print_json(json);
    show_act(show, &replay->act);
    return true;
}

/* Walks to the act asked for. A replay that stops before the end has compared what it has seen. */
static int walk(struct replay *replay, const struct show *show, const struct replay_json *json,
                const struct replay_ask *ask)
{
    while (ask->to == 0 || replay->number < ask->to) {
        if (interrupted())
            return CONSOLE_INTERRUPTED;
        enum replay_step step = replay_next(replay);
        if (step == REPLAY_DONE)
            break;
        if (step == REPLAY_BAD) {
            complain("%s.", replay->file.fault.bytes);
            return CONSOLE_DISAGREES;
        }
        if (!print_act(show, replay, json))
            return CONSOLE_BAD_INPUT;
    }
    if (!replay->begun && !ask->json)
        puts("the match has not begun"); /* There is nothing to be seen, and nobody is awaited. */
    if (replay->begun && ask->view)
        print_views(show, replay);
    else if (replay->begun && !ask->json)
        show_board(show, replay->match);
    if (replay->begun && !ask->json)
        show_end(show, replay->match);
    if (replay->number >= ask->to)
        return CONSOLE_OK;
    complain("the match has no act %" PRIu64 ": it ends with act %" PRIu64 ".", ask->to,
             (uint64_t) replay->number);
    return CONSOLE_USAGE;
}

static int replay_bytes(const uint8_t *bytes, size_t size, const char *path,
                        const struct replay_ask *ask)
{
    struct replay replay;
    int           code = CONSOLE_BAD_INPUT;
    if (!replay_open(&replay, bytes, size, stderr)) {
        complain("%s: %s.", path, replay.file.fault.bytes);
        code = match_file_is_one(bytes, size) ? CONSOLE_DISAGREES : CONSOLE_BAD_INPUT;
    } else if (replay.wire == NULL) {
        complain("%s is a match of %s, rules %" PRIu32 ", which this build does not have; "
                 "\"arbiter games\" lists those it has, \"arbiter verify\" checks its chain.",
                 path, replay.game, replay.rules_version);
    } else {
        struct show        show = { .lines = { stdout, replay.wire, replay.setup },
                                    .coloured = terminal_has_colour(stdout),
                                    .commands = replay.commands,
                                    .name = name_of,
                                    .names = &replay };
        struct replay_json json = { .replay = NULL };
        if (!ask->json || replay_json_open(&json, &replay, REPLAY_JSON_NO_VIEW))
            code = walk(&replay, &show, &json, ask);
        else
            complain("there is not enough memory to print an act.");
        replay_json_close(&json);
    }
    replay_close(&replay);
    return code;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    struct replay_ask ask = { 0 };
    struct words      words;
    size_t            size = 0;
    if (!console_read(self, argc, argv, &ask, &words))
        return CONSOLE_USAGE;
    if (ask.json && ask.view) {
        complain("--view is for people and --json for programs: choose one.");
        return CONSOLE_USAGE;
    }
    uint8_t *bytes = export_bytes(&ask.place, words.word[0], &size);
    if (bytes == NULL)
        return CONSOLE_BAD_INPUT;
    int code = replay_bytes(bytes, size, words.word[0], &ask);
    free(bytes);
    return code;
}

const struct console_command command_replay = {
    .name = "replay",
    .arguments = "FILE | ID",
    .summary = "Shows a match file act by act.",
    .about = "  arbiter replay nim.match               every act of the match\n"
             "  arbiter replay nim.match --to 3        the first three acts only\n"
             "  arbiter replay nim.match --view        and, at the end, what each seat may know\n"
             "\n"
             "Plays a finished match again from its file and shows every act with its events.\n"
             "ID is a match's id: then the match comes out of the journal in --home.\n"
             "It compares what it shows with the file. \"arbiter verify\" compares everything.\n"
             "\n"
             "If --to names an act behind the last one, all acts are shown and the exit code\n"
             "is 2.\n" CONSOLE_STDIN "\n",
    .options = options,
    .words_least = 1,
    .words_most = 1,
    .run = run,
};
