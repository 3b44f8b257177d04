/* main.c: arbiter-watchdog, the process: the keeper of time, life and leases in the common shell. */
#include "contract/directory.pb-c.h"
#include "services/watchdog/watchdog.h"
#include "shell/service.h"

static struct watchdog_settings settings;

static const struct setting own[] = {
    { "waits_max", SETTING_NUMBER32, &settings.waits_max, 1, 1u << 24,
      "Deadlines at once; more are left to the engine's repeating." },
    { "services_max", SETTING_NUMBER32, &settings.services_max, 1, 1024, "Services that beat." },
    { "suspect_ms", SETTING_NUMBER64, &settings.suspect_ms, 200, 600000,
      "A service silent for so long is suspect; beats come each 250 ms." },
    { "stuck_ms", SETTING_NUMBER64, &settings.stuck_ms, 200, 600000,
      "One whose loop has not turned for so long is suspect, too." },
    { "commit_ms", SETTING_NUMBER64, &settings.commit_ms, 200, 600000,
      "One in a single commit is left alone for so long." },
    { "forget_ms", SETTING_NUMBER64, &settings.forget_ms, 1000, 86400000,
      "One silent for so long is no longer spoken about." },
    { "expire_again_ms", SETTING_NUMBER64, &settings.expire_again_ms, 10, 600000,
      "From the first Expire of a wait to the second; doubled each time." },
    { "expires_max", SETTING_NUMBER32, &settings.expires_max, 1, 1000,
      "After so many the wait is left until the engine repeats it." },
    { "lease_ms", SETTING_NUMBER64, &settings.lease_ms, 100, 600000,
      "A lease that was not renewed for so long has run out." },
    { "move_ms", SETTING_NUMBER64, &settings.move_ms, 100, 86400000,
      "A slot that was moved stays for so long." },
    { "publish_ms", SETTING_NUMBER64, &settings.publish_ms, 10, 60000,
      "Leases are repeated, and looked after, so often." },
    { "alert_ms", SETTING_NUMBER64, &settings.alert_ms, 10, 600000,
      "Open alerts are repeated so often." },
};

int main(int argc, char **argv)
{
    int            end = SHELL_NO_START;
    struct service service = { .program = "watchdog",
                               .about =
                                   "counts the time of whoever is awaited, and sees who lives.",
                               .role = ARBITER__DIRECTORY__ROLE__ROLE_WATCHDOG,
                               .has_door = { [DOOR_REQUESTS] = true, [DOOR_STREAM] = true },
                               .schema = watchdog_ops.schema,
                               .keeps_in_database = true, /* One engine takes all slots itself. */
                               .own = { own, sizeof own / sizeof *own } };
    watchdog_defaults(&settings);
    if (!service_begin(&service, argc, argv, &end))
        return end;
    settings.single = service.store == NULL;
    service_peers(&service, &settings.peers);
    const char *wrong = watchdog_check(&settings);
    void *memory = service_memory(&service, wrong == NULL ? watchdog_bytes(&settings) : 0, wrong);
    end = service_run(&service, memory != NULL ? watchdog_init(memory, &settings) : NULL,
                      settings.single ? &watchdog_single_ops : &watchdog_ops);
    service_finish(&service);
    return end;
}
