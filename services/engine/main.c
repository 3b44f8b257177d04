/* main.c: arbiter-engine, the process: matches in one shell, their history's door in another beside it. */
#include <pthread.h>

#include "contract/directory.pb-c.h"
#include "games/registry.h"
#include "services/engine/history.h"
#include "services/engine/main_parts.h"
#include "shell/service.h"
#include "wire/names.h"

/* One small machine's worth; configs/engine.json says what each is. */
static struct engine_settings settings = {
    .memory_bytes = UINT64_C(256) << 20,
    .undo_bytes = 16u << 20,
    .room_bytes = 16u << 20,
    .matches_max = 10000,
    .setups_max = 1024,
    .snapshot_acts = 16,
    .dice_ms = 20000,
    .linger_ms = 600000,
    .full_ms = 1000,
    .slot_count_ms = 250,
    .waits_ms = 10000,
    .marks_ms = 1000,
    .restarts_max = 64,
};
static struct history_settings past = {
    .questions_max = 256,
    .askers_max = 16,
    .answer_bytes = 49152,
    .again_ms = 100,
    .files_max = 8,
    .crypto = &crypto_sodium,
};

static const struct setting own[] = {
    { "memory_bytes", SETTING_NUMBER64, &settings.memory_bytes, 1u << 20, UINT64_C(1) << 40,
      "Bytes of memory for matches, sessions and set-ups." },
    { "undo_bytes", SETTING_NUMBER64, &settings.undo_bytes, 1u << 20, UINT64_C(1) << 36,
      "Bytes of memory for copies of what a batch changes." },
    { "room_bytes", SETTING_NUMBER64, &settings.room_bytes, 1u << 20, UINT64_C(1) << 36,
      "Bytes of memory for one act while it is written. Games that need more are refused." },
    { "matches_max", SETTING_NUMBER32, &settings.matches_max, 1, 1u << 24,
      "How many matches may be live at once." },
    { "setups_max", SETTING_NUMBER32, &settings.setups_max, 1, 1u << 20,
      "How many different set-ups may be in use at once." },
    { "snapshot_acts", SETTING_NUMBER32, &settings.snapshot_acts, 1, 1u << 20,
      "A snapshot is kept after this many acts. A recovery replays the acts after it." },
    { "dice_ms", SETTING_NUMBER32, &settings.dice_ms, 100, 3600000,
      "Milliseconds for each round of contributions to hosted dice." },
    { "linger_ms", SETTING_NUMBER32, &settings.linger_ms, 1000, 86400000,
      "A finished match stays in memory for this many milliseconds, or less when room is scarce." },
    { "full_ms", SETTING_NUMBER32, &settings.full_ms, 10, 600000,
      "After a full disk the store is tried again after this many milliseconds." },
    { "slot_count_ms", SETTING_NUMBER32, &settings.slot_count_ms, 50, 60000,
      "Milliseconds between two reports of a slot's count of acts." },
    { "waits_ms", SETTING_NUMBER32, &settings.waits_ms, 100, 600000,
      "Milliseconds between two repeats of open waits to the watchdogs." },
    { "marks_ms", SETTING_NUMBER32, &settings.marks_ms, 0, 60000,
      "After its start an engine waits this many milliseconds for what fanouts know, and after its "
      "database was replaced." },
    { "restarts_max", SETTING_NUMBER32, &settings.restarts_max, 1, 10000,
      "How many clocks one step restarts after a recovery." },
    { "history_questions_max", SETTING_NUMBER32, &past.questions_max, 1, 1u << 16,
      "How many different questions the history door takes at once." },
    { "history_askers_max", SETTING_NUMBER32, &past.askers_max, 1, 1024,
      "How many callers may wait for the answer to one question." },
    { "history_answer_bytes", SETTING_NUMBER32, &past.answer_bytes, 1024, 61440,
      "Bytes of acts in one answer. An answer has at least one act." },
    { "history_again_ms", SETTING_NUMBER32, &past.again_ms, 1, 60000,
      "A refused caller is told to come back after this many milliseconds." },
    { "history_files_max", SETTING_NUMBER32, &past.files_max, 1, 1024,
      "How many pieces of match files are made there at once. Each takes 310 KiB." },
};

static const char *const live[] = { "dice_ms",  "linger_ms",     "full_ms",
                                    "waits_ms", "slot_count_ms", NULL };

/* The history's shell: a reader of its own, a thread of its own. */
struct beside {
    struct service *service;
    struct store   *reader;
    void           *memory;
    pthread_t       thread;
};

static bool beside_open(struct beside *beside, struct service *service)
{
    struct shell_settings shell;
    struct text           fault;
    beside->service = service;
    beside->reader = store_open_reader(service->schema, service_place(service), &fault);
    if (beside->reader != NULL) {
        service_shell(service, &shell);
        shell.keeper = keeper_of(NULL, beside->reader);
        shell.listen[DOOR_HISTORY] = service->listen[DOOR_HISTORY];
        shell.beats = false;
        shell.signals = -1;
        service->history = shell_open(&shell, &fault);
    }
    beside->memory = service_memory(service, history_bytes(&past),
                                    service->history == NULL ? fault.bytes : NULL);
    if (service->history != NULL)
        log_print(&service->log, SAY_INFO, "history at %s",
                  shell_address(service->history, DOOR_HISTORY));
    return beside->memory != NULL;
}

static void *beside_run(void *argument)
{
    struct beside *beside = argument;
    if (shell_run(beside->service->history, history_init(beside->memory, &past), &history_ops) !=
        SHELL_DONE)
        shell_stop(beside->service->shell); /* One does not go on without the other. */
    return NULL;
}

static int run_both(struct service *service, struct beside *beside)
{
    service_peers(service, &settings.peers);
    settings.takes_all_slots = !store_is_database(service_place(service));
    settings.helpers = main_helpers;
    void *memory = service_memory(service, engine_bytes(&settings), NULL);
    if (memory == NULL || pthread_create(&beside->thread, NULL, beside_run, beside) != 0)
        return SHELL_NO_START;
    struct engine *engine = engine_init(memory, &settings);
    service_mirror(service, &settings, engine_told(engine), sizeof settings);
    int end = service_run(service, engine, &engine_ops);
    shell_stop(service->history);
    (void) pthread_join(beside->thread, NULL);
    return end;
}

static struct journal_schema schema;

int main(int argc, char **argv)
{
    int            end = SHELL_NO_START;
    struct beside  beside = { 0 };
    struct service service = {
        .program = "engine",
        .about = "owns matches: their rules, their dice, their journal.",
        .put_rules = registry_put_versions,
        .role = ROLE(ENGINE),
        .live = live,
        .has_door = { [DOOR_REQUESTS] = true, [DOOR_STREAM] = true, [DOOR_HISTORY] = true },
        .has_own_history = true,
        .is_only_one = true,
        .schema = &schema.schema,
        .own = { own, sizeof own / sizeof *own }
    };
    settings.games = main_games(&schema, &settings.game_count);
    if (!service_begin(&service, argc, argv, &end))
        return end;
    end = beside_open(&beside, &service) ? run_both(&service, &beside) : SHELL_NO_START;
    shell_close(&service.history);
    store_close(&beside.reader);
    service_finish(&service);
    return end;
}
