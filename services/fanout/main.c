/* main.c: arbiter-fanout, the process: the relay's core in the common shell. */
#include <string.h>

#include "contract/directory.pb-c.h"
#include "services/fanout/fanout.h"
#include "shell/service.h"
#include "wire/crypto.h"
#include "wire/names.h"

static struct fanout_settings settings;
static char                   upstream[PEER_NAME_MAX];

static const struct setting own[] = {
    { "upstream", SETTING_TEXT, upstream, 0, sizeof upstream,
      "The name of the fanout that it follows. Empty: it follows the engines." },
    { "acts_bytes", SETTING_NUMBER64, &settings.acts_bytes, 1u << 20, UINT64_C(1) << 40,
      "Bytes of memory for acts." },
    { "matches_max", SETTING_NUMBER32, &settings.matches_max, 1, 1u << 24,
      "How many matches are known at once. Of those without a reader, the one that moved least "
      "recently is forgotten first." },
    { "keep_acts", SETTING_NUMBER32, &settings.keep_acts, 1, 1u << 20,
      "The last acts of a match with readers, as many as this, are evicted last." },
    { "asks_max", SETTING_NUMBER32, &settings.asks_max, 1, 1u << 20,
      "How many history questions may wait for upstream at once." },
    { "asks_per_caller_max", SETTING_NUMBER32, &settings.asks_per_caller_max, 1, 1u << 20,
      "How many of them one key may ask, unless it is a fanout's or a gateway's." },
    { "fetches_max", SETTING_NUMBER32, &settings.fetches_max, 1, 1u << 16,
      "How many questions go upstream at once, at most one per match." },
    { "answer_bytes_max", SETTING_NUMBER32, &settings.answer_bytes_max, 1, 61440,
      "Bytes of acts in one history answer, unless a single act is larger." },
    { "heads_per_second", SETTING_NUMBER32, &settings.heads_per_second, 1, 1000000,
      "Heads published per second over all matches. At most half of the stream's high-water "
      "mark." },
    { "head_gap_ms", SETTING_NUMBER64, &settings.head_gap_ms, 1, 60000,
      "The least milliseconds between two heads of one match." },
    { "ask_again_ms", SETTING_NUMBER64, &settings.ask_again_ms, 1, 60000,
      "A question upstream without an answer is asked again after this many milliseconds." },
    { "ask_lives_ms", SETTING_NUMBER64, &settings.ask_lives_ms, 1, 600000,
      "A history question is given up after this many milliseconds." },
    { "idle_ms", SETTING_NUMBER64, &settings.idle_ms, 1, 86400000,
      "A slot without readers is left after this many milliseconds." },
};

static const char *const live[] = { "asks_per_caller_max", "ask_lives_ms", "idle_ms", NULL };

int main(int argc, char **argv)
{
    int            end = SHELL_NO_START;
    struct service service = { .program = "fanout",
                               .about =
                                   "hands the acts of matches on to any number of subscribers.",
                               .role = ROLE(FANOUT),
                               .has_door = { [DOOR_STREAM] = true, [DOOR_HISTORY] = true },
                               .live = live,
                               .own = { own, sizeof own / sizeof *own } };
    fanout_defaults(&settings);
    if (!service_begin(&service, argc, argv, &end))
        return end;
    service_peers(&service, &settings.peers);
    memcpy(settings.peers.upstream, upstream, sizeof upstream);
    settings.crypto = &crypto_sodium;
    const char *wrong = fanout_check(&settings);
    void *memory = service_memory(&service, wrong == NULL ? fanout_bytes(&settings) : 0, wrong);
    struct fanout *core = memory != NULL ? fanout_init(memory, &settings) : NULL;
    if (core != NULL)
        service_mirror(&service, &settings, fanout_told(core), sizeof settings);
    end = service_run(&service, core, &fanout_ops);
    service_finish(&service);
    return end;
}
