/* web_life.c: see web_life.h. */
#include "services/gateway/shell/http/web_life.h"

#include <string.h>

static void judge(struct web_alive *found)
{
    found->is_fresh = found->age_ms <= GATEWAY_STALE_MS;
    found->is_up = found->is_fresh && !found->alive->suspect && !found->alive->stopped;
}

static struct web_alive *place_of(struct web_life *life, const Arbiter__Watchdog__Beat *beat)
{
    for (uint32_t i = 0; i < life->service_count; i++) {
        const Arbiter__Watchdog__Beat *other = life->services[i].alive->beat;
        if (other->role == beat->role && strcmp(other->name, beat->name) == 0)
            return &life->services[i];
    }
    return life->service_count < WEB_LIFE_SERVICES ? &life->services[life->service_count] : NULL;
}

static void take_service(struct web_life *life, const Arbiter__Watchdog__Alive *alive,
                         uint64_t word_age_ms)
{
    if (alive->beat == NULL || alive->beat->name == NULL)
        return;
    struct web_alive  told = { .alive = alive, .age_ms = alive->age_ms + word_age_ms };
    struct web_alive *place = place_of(life, alive->beat);
    if (place == NULL || (place->alive != NULL && place->age_ms <= told.age_ms))
        return;
    life->service_count += place->alive == NULL;
    judge(&told);
    *place = told;
}

/* Into its place by age. Of two with one name the older is a process that is no more. */
static void take_word(struct web_life *life, const struct gateway_word *word)
{
    struct web_watchdog told = { .age_ms = word->age_ms,
                                 .is_fresh = word->age_ms <= GATEWAY_STALE_MS };
    told.life = arbiter__watchdog__life__unpack(NULL, word->size, word->bytes);
    if (told.life == NULL)
        return;
    told.name = told.life->name != NULL ? told.life->name : "";
    uint32_t at = life->watchdog_count++;
    for (; at > 0 && life->watchdogs[at - 1].age_ms > told.age_ms; at--)
        life->watchdogs[at] = life->watchdogs[at - 1];
    life->watchdogs[at] = told;
    life->fresh_count += told.is_fresh;
}

static bool is_told_before(const struct web_life *life, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++)
        if (strcmp(life->watchdogs[i].name, life->watchdogs[at].name) == 0)
            return true;
    return false;
}

static void drop(struct web_life *life, uint32_t at)
{
    arbiter__watchdog__life__free_unpacked(life->watchdogs[at].life, NULL);
    life->fresh_count -= life->watchdogs[at].is_fresh;
    life->watchdog_count--;
    memmove(&life->watchdogs[at], &life->watchdogs[at + 1],
            (life->watchdog_count - at) * sizeof life->watchdogs[at]);
}

void web_life_read(struct web_life *life, const struct gateway_word *words, uint32_t count)
{
    memset(life, 0, sizeof *life);
    for (uint32_t i = 0; i < count && i < GATEWAY_WORDS_MAX; i++)
        take_word(life, &words[i]);
    for (uint32_t at = life->watchdog_count; at > 0; at--)
        if (is_told_before(life, at - 1))
            drop(life, at - 1);
    for (uint32_t i = 0; i < life->fresh_count; i++)
        for (size_t k = 0; k < life->watchdogs[i].life->n_services; k++)
            take_service(life, life->watchdogs[i].life->services[k], life->watchdogs[i].age_ms);
}

void web_life_free(struct web_life *life)
{
    for (uint32_t i = 0; i < life->watchdog_count; i++)
        arbiter__watchdog__life__free_unpacked(life->watchdogs[i].life, NULL);
    memset(life, 0, sizeof *life);
}
