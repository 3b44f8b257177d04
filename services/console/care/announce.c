/* announce.c: `arbiter announce`: tells everybody who plays something, above all that the house will stop. */
#include <string.h>

#include "clock/clock.h"
#include "services/console/care/operator.h"
#include "services/console/command/console.h"
#include "wire/utf8.h"

#define TEXT_BYTES_MAX 200u /* As the lobby has it. */

struct announce_ask {
    struct play_where where;
    uint64_t          minutes; /* 0: no stop is announced. */
    bool              undo;
};

static bool is_text(const char *text)
{
    size_t size = strlen(text);
    if (!utf8_is_string((const uint8_t *) text, size))
        complain("what is announced is no UTF-8.");
    else if (size == 0 || size > TEXT_BYTES_MAX)
        complain("what is announced has %zu bytes; 1 to %u are possible.", size, TEXT_BYTES_MAX);
    else
        return true;
    return false;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    struct announce_ask      asked = { .undo = false };
    struct words             words;
    Arbiter__Lobby__Announce announce = ARBITER__LOBBY__ANNOUNCE__INIT;
    Arbiter__Lobby__Ask      ask = ARBITER__LOBBY__ASK__INIT;
    if (!console_read(self, argc, argv, &asked, &words))
        return CONSOLE_USAGE;
    if (asked.undo == (words.count > 0)) {
        complain("announce takes a text, or --undo.");
        return CONSOLE_USAGE;
    }
    if (asked.undo && asked.minutes > 0) {
        complain("--in is for an announcement, not for --undo.");
        return CONSOLE_USAGE;
    }
    if (!asked.undo && !is_text(words.word[0]))
        return CONSOLE_USAGE;
    announce.text = asked.undo ? NULL : words.word[0];
    announce.has_stop_ms = asked.minutes > 0;
    announce.stop_ms = clock_wall_ms() + asked.minutes * 60000;
    ask.kind_case = ARBITER__LOBBY__ASK__KIND_ANNOUNCE;
    ask.announce = &announce;
    return operator_say(&asked.where, &ask);
}

static const struct option options[] = {
    OPERATOR_HOME_ROW(struct announce_ask),
    { .name = "in",
      .value = "MINUTES",
      .kind = OPTION_NUMBER,
      .least = 1,
      .most = 525600,
      .offset = offsetof(struct announce_ask, minutes),
      .help = "The house stops so many minutes from now. Then nobody is told any more." },
    { .name = "undo",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct announce_ask, undo),
      .help = "Takes back what was announced." },
    { .name = NULL },
};

const struct console_command command_announce = {
    .name = "announce",
    .arguments = "[TEXT]",
    .summary = "Tells everybody something, above all that the house will stop.",
    .about = "  arbiter announce \"We get new cards.\" --in 10\n"
             "  arbiter announce --undo\n"
             "\n"
             "Everybody at a table reads TEXT there, with how long it is until the stop. The\n"
             "page shows it above its lists. TEXT has at most 200 bytes. The command stops\n"
             "nothing by itself.\n",
    .options = options,
    .words_least = 0,
    .words_most = 1,
    .run = run,
};
