/* main.c: arbiter-bot, the process: it plays seats for the house, in the common shell. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "contract/directory.pb-c.h"
#include "games/registry.h"
#include "services/bot/bot.h"
#include "shell/service.h"
#include "wire/crypto.h"
#include "wire/names.h"
#include "json/config_file.h"

#define GAMES_MAX 64
#define NICENESS 10 /* Of 19: everything else of the house goes before it on a busy machine. */

static struct bot_settings settings;
static struct mind_game    games[GAMES_MAX];

static const struct setting own[] = {
    { "seats_max", SETTING_NUMBER32, &settings.client.seats_max, 1, 65536,
      "How many seats it plays at once. Each takes 38 KiB." },
    { "tables_max", SETTING_NUMBER32, &settings.client.tables_max, 1, 65536,
      "How many tables it sits at, at once." },
    { "queue_bytes", SETTING_NUMBER32, &settings.client.queue_bytes, CLIENT_QUEUE_BYTES_MIN,
      1u << 30, "Bytes of memory for messages that came and were not read yet." },
    { "think_ms", SETTING_NUMBER32, &settings.think_ms, 0, 60000,
      "How many milliseconds a bot waits before it moves, so that people can follow." },
    { "seldom_one_in", SETTING_NUMBER32, &settings.seldom_one_in, 0, 1000000000,
      "A bot gives up or takes back once in this many commands. 0: never, if it can do anything "
      "else." },
    { "refusals_max", SETTING_NUMBER32, &settings.refusals_max, 1, 1000,
      "After this many refusals at one act, a bot leaves, and its seat is free." },
    { "think_most_ms", SETTING_NUMBER32, &settings.think_most_ms, 1, 60000,
      "How many milliseconds a bot of a level thinks at most. Bots that think at the same time "
      "share "
      "them." },
    { "setups_max", SETTING_NUMBER32, &settings.mind.setups_max, 1, 4096,
      "Different set-ups that bots of a level play at once. Above this they play as \"greedy\"." },
    { "setup_bytes", SETTING_NUMBER32, &settings.mind.setup_bytes, 4096, 1u << 20,
      "Bytes of memory for each of these set-ups. Larger ones are played as \"greedy\"." },
    { "tree_bytes", SETTING_NUMBER32, &settings.mind.tree_bytes, 1u << 16, 1u << 30,
      "Bytes of memory for what bots of a level think, all together." },
};

static void find_games(void)
{
    for (const struct game_wire *const *wire = registry_games();
         *wire != NULL && settings.game_count < GAMES_MAX; wire++)
        games[settings.game_count++] =
            (struct mind_game){ (*wire)->game, plan_new((*wire)->command), plan_new((*wire)->event),
                                plan_new((*wire)->view) };
    settings.games = games;
}

/* Engines have judged it; a set-up that this build refuses is played without a thought. */
static size_t compile(const struct game *game, const struct mind_text *text, void *setup,
                      size_t capacity)
{
    const struct config_text config = { "setup", text->setup, text->setup_size };
    const struct config_text options = { "options", text->options, text->options_size };
    return config_compile_into(game, &config, &options, setup, capacity);
}

/* Contributions to dice are ours alone; house bots make none, but whoever holds this key might. */
static void derive_secret(const struct bus_keys *keys)
{
    static const char  label[] = "arbiter client contributions";
    const struct piece piece = { label, sizeof label - 1 };
    crypto_sodium.keyed(settings.client.secret, CLIENT_KEY_SIZE, keys->secret_key, &piece, 1);
}

static const char *const live[] = { "think_ms", "seldom_one_in", "refusals_max", NULL };

int main(int argc, char **argv)
{
    int            end = SHELL_NO_START;
    struct service service = { .program = "bot",
                               .about = "plays seats that nobody else wants.",
                               .role = ROLE(BOT),
                               .live = live,
                               .own = { own, sizeof own / sizeof *own } };
    bot_defaults(&settings);
    /* Whoever thinks must not cost those who play. */
    (void) setpriority(PRIO_PROCESS, 0, NICENESS);
    if (!service_begin(&service, argc, argv, &end))
        return end;
    service_peers(&service, &settings.client.peers);
    settings.client.crypto = settings.mind.crypto = &crypto_sodium;
    settings.mind.compile = compile;
    derive_secret(&service.keys);
    find_games();
    void       *memory = service_memory(&service, bot_bytes(&settings), NULL);
    struct bot *core = memory != NULL ? bot_init(memory, &settings) : NULL;
    if (core != NULL)
        service_mirror(&service, &settings, bot_told(core), sizeof settings);
    end = service_run(&service, core, &bot_ops);
    service_finish(&service);
    for (uint32_t i = 0; i < settings.game_count; i++) {
        struct plan *plans[] = { (struct plan *) games[i].commands, (struct plan *) games[i].event,
                                 (struct plan *) games[i].view };
        for (uint32_t k = 0; k < 3; k++)
            plan_destroy(&plans[k]);
    }
    return end;
}
