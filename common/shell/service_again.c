/* service_again.c: SIGHUP: the settings are read once more, and what may change while a service runs is taken over.
 *
 * They are read at a place of their own. So a fault in them changes nothing, and is said with its place. What needs a
 * restart is said each time until it has had one. */
#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell/service.h"
#include "shell/service_private.h"

/* Of the settings of every service those that may change. */
static const char *const always_live[] = { "log_level",
                                           "connections_max",
                                           "knocks_burst",
                                           "knocks_per_second",
                                           "unheard_bytes",
                                           "client_frames_per_second",
                                           "client_asks_per_second",
                                           "client_asks_burst",
                                           "client_topics_max",
                                           NULL };

static bool holds(const char *const *names, const char *name)
{
    for (; names != NULL && *names != NULL; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

static bool is_live(const struct service *service, const char *name)
{
    return holds(always_live, name) || holds(service->live, name);
}

/* Each line of a text, as one of the log. `arbiter reload` knows them by their first word. */
static void say_lines(const struct log *log, enum say_level level, char *text)
{
    for (char *rest = NULL, *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest))
        log_tell(log, level, "settings: %s", line);
}

/* What file and command line say now, over the defaults. False: what is wrong has been said. */
static bool read_all(struct service *service, const struct settings_copy *fresh)
{
    char                      *said = NULL;
    size_t                     size = 0;
    const struct settings_list list = { fresh->list, fresh->count };
    FILE                      *complaints = open_memstream(&said, &size);
    if (complaints == NULL)
        return false;
    for (uint32_t i = 0; i < fresh->count; i++)
        setting_take(&fresh->list[i], &service->defaults.list[i]);
    bool is_good = service_read_list(service, &list, complaints);
    if (fclose(complaints) == 0)
        say_lines(&service->log, SAY_ERROR, said);
    free(said);
    return is_good;
}

static void say_change(const struct service *service, const struct setting *was,
                       const struct setting *is, bool is_taken)
{
    char  *line = NULL;
    size_t size = 0;
    FILE  *out = open_memstream(&line, &size);
    if (out == NULL)
        return;
    fprintf(out, "settings: %s is ", is->name);
    settings_print(is_taken ? is : was, out);
    fputs(is_taken ? " now, and was " : " until a restart, and then ", out);
    settings_print(is_taken ? was : is, out);
    if (fclose(out) == 0)
        log_tell(&service->log, is_taken ? SAY_INFO : SAY_WARNING, "%s", line);
    free(line);
}

/* What the core made of its settings is a copy. */
static void take_in_core(const struct service *service, const struct setting *setting)
{
    const char *at = setting->at;
    for (uint32_t i = 0; i < service->mirror_count; i++) {
        const struct service_mirror *mirror = &service->mirrors[i];
        const char                  *from = mirror->from;
        if (at < from || at >= from + mirror->size)
            continue;
        const struct setting there = { .kind = setting->kind,
                                       .at = (char *) mirror->to + (at - from),
                                       .most = setting->most };
        setting_take(&there, setting);
    }
}

const char *settings_text(const struct settings_copy *settings, const char *name)
{
    for (uint32_t i = 0; i < settings->count; i++)
        if (settings->list[i].kind == SETTING_TEXT && strcmp(settings->list[i].name, name) == 0)
            return settings->list[i].at;
    return "";
}

void service_mirror(struct service *service, const void *from, void *to, size_t size)
{
    assert(service->mirror_count < SERVICE_MIRRORS);
    service->mirrors[service->mirror_count++] = (struct service_mirror){ from, to, size };
}

static void take_common(struct service *service)
{
    atomic_store(&service->log.level, (enum say_level) log_level_of(service->log_level));
    porter_set_limits(&service->porter);
    shell_bound(service->shell, &service->pace, service->client_topics_max);
    if (service->history != NULL)
        shell_bound(service->history, &service->pace, service->client_topics_max);
}

/* Everything but what is live stays what it was; counts both. */
static void take_live(struct service *service, const struct settings_copy *fresh, uint32_t *taken,
                      uint32_t *left)
{
    struct setting             common[SERVICE_COMMON_MAX];
    const struct settings_list lists[] = { { common, service_list_common(service, common) },
                                           service->own };
    uint32_t                   at = 0;
    for (uint32_t list = 0; list < 2; list++)
        for (uint32_t i = 0; i < lists[list].count; i++, at++) {
            const struct setting *was = &service->read.list[at], *is = &fresh->list[at];
            if (setting_is(was, is))
                continue;
            bool is_taken = is_live(service, is->name);
            say_change(service, was, is, is_taken);
            *(is_taken ? taken : left) += 1;
            if (!is_taken)
                continue;
            setting_take(&lists[list].list[i], is);
            setting_take(was, is);
            take_in_core(service, &lists[list].list[i]);
        }
}

bool service_again(void *asked)
{
    struct service      *service = asked;
    struct settings_list all = { service->read.list, service->read.count };
    struct settings_copy fresh = settings_copy(&all, 1);
    struct text          fault;
    uint32_t             taken = 0, left = 0;
    bool                 is_good = fresh.list != NULL && read_all(service, &fresh);
    text_clear(&fault);
    if (is_good && service->again != NULL && !service->again(service, &fresh, &fault)) {
        is_good = false;
        log_tell(&service->log, SAY_ERROR, "settings: %s", fault.bytes);
    }
    if (is_good) {
        take_live(service, &fresh, &taken, &left);
        take_common(service);
        if (service->changed != NULL)
            service->changed(service);
        log_tell(&service->log, SAY_INFO, "settings: read again; %u changed, %u wait for a restart",
                 taken, left);
    } else {
        log_tell(&service->log, SAY_ERROR, "settings: not read again; nothing has changed");
    }
    settings_free(&fresh);
    return is_good;
}
