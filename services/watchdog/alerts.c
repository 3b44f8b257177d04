/* alerts.c: what people are told: each alert has a code for programs, a sentence with the remedy, and an end. */
#include <string.h>

#include "services/watchdog/watchdog_parts.h"

#define LEVEL(name) ARBITER__WATCHDOG__ALERT__LEVEL__LEVEL_##name

/* Alerts about a service: the code is its role's name and this. */
static const struct {
    const char                     *code, *sentence;
    Arbiter__Watchdog__Alert__Level level;
} texts[ALERTS] = {
    [ALERT_SILENT] = { "_silent",
                       " does not beat: see whether its process runs and its machine can be "
                       "reached",
                       LEVEL(ALARM) },
    [ALERT_STUCK] = { "_stuck",
                      " beats, but the loop that does its work stands still: restart it if this "
                      "lasts",
                      LEVEL(ALARM) },
    [ALERT_DISK_SLOW] = { "_disk_slow",
                          " waits for its disk in one commit: see what else writes there",
                          LEVEL(WARNING) },
    [ALERT_FORKED] = { "_forked",
                       " was told two histories of a match: a store was set back, its log says "
                       "which match; ask arbiter doctor",
                       LEVEL(ALARM) },
    [ALERT_HOLDS] = { "_holds",
                      " holds matches that cannot go on as its store has them: ask arbiter doctor "
                      "which, and release or abort them",
                      LEVEL(ALARM) },
};

static const char *const roles[] = { "service", "lobby", "engine", "fanout", "watchdog",
                                     "gateway", "bot",   "client", "console" };

static const char *role_name(uint32_t role)
{
    return role < sizeof roles / sizeof roles[0] ? roles[role] : roles[0];
}

/* Publishes an alert and says it in the log; the texts are copied. */
static void tell(struct outbox *out, Arbiter__Watchdog__Alert__Level level, const struct text *code,
                 const struct text *sentence, const char *service, bool is_over)
{
    Arbiter__Watchdog__Alert *alert = outbox_message(out, &arbiter__watchdog__alert__descriptor);
    struct header             header;
    header_init(&header, KIND(ALERT), NULL);
    alert->has_level = alert->has_over = true;
    alert->level = level;
    alert->over = is_over;
    alert->code = (char *) outbox_copy(out, code->bytes, code->size + 1);
    alert->sentence = (char *) outbox_copy(out, sentence->bytes, sentence->size + 1);
    if (service != NULL)
        alert->service = (char *) outbox_copy(out, service, text_length(service) + 1);
    outbox_publish(out, &header, alert);
}

static void say(struct outbox *out, const struct text *sentence, bool is_over)
{
    outbox_say(out, is_over ? SAY_INFO : SAY_WARNING, sentence);
}

static void put_together(struct text *text, const char *first, const char *second)
{
    text_clear(text);
    text_put(text, first);
    text_put(text, second);
}

static void tell_about(const struct watchdog_service *service, enum watchdog_alert alert,
                       bool is_over, bool is_news, struct outbox *out)
{
    struct text code, sentence;
    put_together(&code, role_name(service->role), texts[alert].code);
    put_together(&sentence, service->name,
                 is_over ? " is well again, or gone for good" : texts[alert].sentence);
    tell(out, texts[alert].level, &code, &sentence, service->name, is_over);
    if (is_news)
        say(out, &sentence, is_over);
}

void watchdog_alert(struct watchdog_service *service, enum watchdog_alert alert, bool is_over,
                    struct outbox *out)
{
    uint32_t bit = 1u << alert;
    if (((service->open & bit) == 0) == is_over)
        return;
    service->open ^= bit;
    tell_about(service, alert, is_over, true, out);
}

void watchdog_repeat_alerts(struct watchdog *watchdog, struct outbox *out)
{
    for (uint32_t i = 0; i < watchdog->settings.services_max; i++)
        for (uint32_t alert = 0; alert < ALERTS; alert++)
            if ((watchdog->services[i].open >> alert & 1) != 0)
                tell_about(&watchdog->services[i], (enum watchdog_alert) alert, false, false, out);
    if (watchdog->is_full)
        watchdog_alert_waits_full(out, false);
    if (watchdog->is_unowned)
        watchdog_alert_unowned(out, false);
}

void watchdog_note_restart(const struct watchdog_service *service, struct outbox *out)
{
    struct text code, sentence;
    put_together(&code, role_name(service->role), "_restarted");
    put_together(&sentence, service->name, " is another process than before");
    tell(out, LEVEL(NOTE), &code, &sentence, service->name, false);
    say(out, &sentence, true);
}

void watchdog_note_set_back(const uint8_t *match_id, uint64_t before, uint64_t now,
                            struct outbox *out)
{
    static const char digits[] = "0123456789abcdef";
    struct text       code, sentence;
    put_together(&code, "match_set_back", "");
    put_together(&sentence, "match ", "");
    for (uint32_t i = 0; i < HEADER_MATCH_SIZE; i++) {
        text_put_bytes(&sentence, &digits[match_id[i] >> 4], 1);
        text_put_bytes(&sentence, &digits[match_id[i] & 15], 1);
    }
    text_put(&sentence, " waited since act ");
    text_put_number(&sentence, (int64_t) before);
    text_put(&sentence, ", and its new owner says since act ");
    text_put_number(&sentence, (int64_t) now);
    text_put(&sentence, ": its store was set back; see what the engine holds");
    tell(out, LEVEL(ALARM), &code, &sentence, NULL, false);
    say(out, &sentence, false);
}

void watchdog_note_moved(uint32_t slots, struct outbox *out)
{
    struct text code, sentence;
    put_together(&code, "slots_moved", "");
    text_clear(&sentence);
    text_put_number(&sentence, slots);
    text_put(&sentence, " slots have another engine now: theirs is silent or drained, or had more "
                        "than its share");
    tell(out, LEVEL(NOTE), &code, &sentence, NULL, false);
    say(out, &sentence, false);
}

/* An alert about nobody in particular. */
static void tell_all(struct outbox *out, const char *code, const char *sentence, bool is_over)
{
    struct text code_text, sentence_text;
    put_together(&code_text, code, "");
    put_together(&sentence_text, is_over ? "over: " : "", sentence);
    tell(out, LEVEL(ALARM), &code_text, &sentence_text, NULL, is_over);
    say(out, &sentence_text, is_over);
}

void watchdog_alert_waits_full(struct outbox *out, bool is_over)
{
    tell_all(out, "waits_full",
             "more clocks run than waits_max allows, some will be late: raise it and restart",
             is_over);
}

void watchdog_alert_unowned(struct outbox *out, bool is_over)
{
    tell_all(out, "slots_unowned",
             "some slots have no engine, their matches stand still: start an engine", is_over);
}
