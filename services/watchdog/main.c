/* main.c: arbiter-watchdog, the process: the keeper of time, life and leases in the common shell. */
#include <stdio.h>

#include "contract/directory.pb-c.h"
#include "services/watchdog/main_parts.h"
#include "services/watchdog/watchdog.h"
#include "shell/post.h"
#include "shell/service.h"
#include "wire/names.h"

static struct watchdog_settings settings;
static struct service           service;
static struct shell_side        side;
static char                     otlp_url[SERVICE_PATH_MAX];

static const struct setting own[] = {
    { "waits_max", SETTING_NUMBER32, &settings.waits_max, 1, 1u << 24,
      "How many deadlines are kept at once. The engine repeats the others later." },
    { "services_max", SETTING_NUMBER32, &settings.services_max, 1, 1024,
      "How many services may send heartbeats." },
    { "suspect_ms", SETTING_NUMBER64, &settings.suspect_ms, 200, 600000,
      "A service that is silent for this many milliseconds is suspect. Heartbeats come every 250 "
      "ms." },
    { "stuck_ms", SETTING_NUMBER64, &settings.stuck_ms, 200, 600000,
      "A service whose loop has not turned for this many milliseconds is suspect too." },
    { "commit_ms", SETTING_NUMBER64, &settings.commit_ms, 200, 600000,
      "A service within one commit is left alone for this many milliseconds." },
    { "forget_ms", SETTING_NUMBER64, &settings.forget_ms, 1000, 86400000,
      "A service that is silent for this many milliseconds is no longer reported." },
    { "expire_again_ms", SETTING_NUMBER64, &settings.expire_again_ms, 10, 600000,
      "Milliseconds from the first Expire of a wait to the second. Doubled each time." },
    { "expires_max", SETTING_NUMBER32, &settings.expires_max, 1, 1000,
      "After this many the wait is left until the engine repeats it." },
    { "lease_ms", SETTING_NUMBER64, &settings.lease_ms, 100, 600000,
      "A lease runs out if it is not renewed for this many milliseconds." },
    { "move_ms", SETTING_NUMBER64, &settings.move_ms, 100, 86400000,
      "A slot that was moved stays where it is for this many milliseconds." },
    { "publish_ms", SETTING_NUMBER64, &settings.publish_ms, 10, 60000,
      "Milliseconds between two rounds in which leases are checked and repeated." },
    { "alert_ms", SETTING_NUMBER64, &settings.alert_ms, 10, 600000,
      "Milliseconds between two repeats of open alerts." },
    { "otlp_url", SETTING_TEXT, otlp_url, 0, sizeof otlp_url,
      "Where a collector takes traces of slow commands by OpenTelemetry's JSON over HTTP: "
      "http://127.0.0.1:4318/v1/traces. Set it at one watchdog. Empty: they go nowhere." },
};

static const char *const live[] = { "forget_ms", "alert_ms", NULL };

/* The shell must know that there is a door beside the sockets before it opens. */
static bool judge(void)
{
    settings.exports = otlp_url[0] != '\0';
    if (!settings.exports)
        return true;
    service.side = &side;
    if (post_judge(otlp_url))
        return true;
    (void) fprintf(stderr, "otlp_url: \"%s\" is not like http://127.0.0.1:4318/v1/traces\n",
                   otlp_url);
    return false;
}

static void send_traces(void *asked, const struct effect *effect)
{
    size_t size = 0;
    char  *body =
        otlp_body((const Arbiter__Watchdog__SlowList *) (const void *) effect->body, &size);
    post_put(asked, body, size);
}

int main(int argc, char **argv)
{
    int          end = SHELL_NO_START;
    struct post *post = NULL;
    service =
        (struct service){ .program = "watchdog",
                          .about = "keeps the players' clocks, and notices services that die.",
                          .judge = judge,
                          .role = ROLE(WATCHDOG),
                          .has_door = { [DOOR_REQUESTS] = true, [DOOR_STREAM] = true },
                          .schema = watchdog_ops.schema,
                          .keeps_in_database = true, /* One engine takes all slots itself. */
                          .live = live,
                          .own = { own, sizeof own / sizeof *own } };
    watchdog_defaults(&settings);
    if (!service_begin(&service, argc, argv, &end))
        return end;
    settings.single = service.store == NULL;
    service_peers(&service, &settings.peers);
    if (settings.exports)
        post = post_start(otlp_url, &service.log);
    side = post_side(post, send_traces);
    const char *wrong = watchdog_check(&settings);
    if (settings.exports && post == NULL)
        wrong = "there is no thread for traces";
    void *memory = service_memory(&service, wrong == NULL ? watchdog_bytes(&settings) : 0, wrong);
    struct watchdog *core = memory != NULL ? watchdog_init(memory, &settings) : NULL;
    if (core != NULL)
        service_mirror(&service, &settings, watchdog_told(core), sizeof settings);
    end = service_run(&service, core, settings.single ? &watchdog_single_ops : &watchdog_ops);
    post_stop(&post);
    service_finish(&service);
    return end;
}
