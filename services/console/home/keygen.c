/* keygen.c: `arbiter keygen`: a key pair in a file that only its owner can read. */
#include <stdio.h>
#include <string.h>

#include "bus/keys.h"
#include "services/console/command/console.h"

static const char *const roles[] = { "client",  "lobby", "engine",  "fanout", "watchdog",
                                     "gateway", "bot",   "console", NULL };

struct keygen_ask {
    const char *role;
};

static const struct option options[] = {
    { .name = "role",
      .value = "ROLE",
      .kind = OPTION_WORD,
      .words = roles,
      .offset = offsetof(struct keygen_ask, role),
      .help =
          "The role: client (default), lobby, engine, fanout, watchdog, gateway, bot, console." },
    { .name = NULL },
};

static int run(const struct console_command *self, int argc, char **argv)
{
    struct keygen_ask ask = { .role = "client" };
    struct words      words;
    struct bus_keys   keys;
    struct text       fault;
    char              text[BUS_KEY_TEXT];
    if (!console_read(self, argc, argv, &ask, &words))
        return CONSOLE_USAGE;
    if (words.word[0][0] == '\0') {
        complain(
            "The name of FILE is empty; say where the key goes, as in: arbiter keygen ada.key");
        return CONSOLE_USAGE;
    }
    bus_keys_make(&keys, ask.role);
    if (!bus_keys_save(&keys, words.word[0], &fault)) {
        complain("%s.", fault.bytes);
        return CONSOLE_BAD_INPUT;
    }
    bus_key_write(text, keys.public_key);
    puts(text);
    return CONSOLE_OK;
}

const struct console_command command_keygen = {
    .name = "keygen",
    .arguments = "FILE",
    .summary = "Makes a key pair.",
    .about = "  arbiter keygen ada.key\n"
             "\n"
             "Makes a key pair in FILE and prints its public half. An operator admits the\n"
             "public half. FILE must not exist yet. Only its owner can read it.\n",
    .options = options,
    .words_least = 1,
    .words_most = 1,
    .run = run,
};
