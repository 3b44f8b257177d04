/* dead_configure_test.c: the recorded one-change set-ups get their verdicts, each refusal at the place
 * of the change; and what is compiled is what was written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "games/dead/tests/dead_faults_test.h"

#define FOLDER ARBITER_SOURCE "/common/games/dead/validity/"
static uint32_t disagreements; /* Counted, so that one run shows all of them. */
static char     text_of[TEXT_BYTES];
static size_t   read_text(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s%s", FOLDER, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("cannot open %s", path);
    size_t size = fread(text_of, 1, sizeof text_of, file);
    fclose(file);
    return size;
}

/* Where each change of the recorded set-ups is. A '*' stands for any one key or index. Behind a bar
 * stand places where the change does harm as well: what named a location that is no longer there. */
static const struct {
    const char *change, *place;
} places[] = {
    { "attack-0", "/characters/*/attack" },
    { "attack-7", "/characters/*/attack" },
    { "barricades-too-many", "/goal/barricades" },
    { "blueprint-unknown-location", "/cards/*/blueprint/location" },
    { "card-id-0", "/cards/*/*/identifier" },
    { "card-id-duplicate", "/cards/*/*/identifier" },
    { "card-in-two-decks", "/locations/*/*/*" },
    { "card-twice-in-deck", "/locations/*/*/*" },
    { "card-unknown-in-deck", "/locations/*/*/*" },
    { "character-name-number", "/characters/*/name" },
    { "children-negative", "/goal/childrenInColony" },
    { "colony-entrances-0", "/locations/*/colony/entrances" },
    { "crisis-moral-0", "/crises/*/*/moralChange" },
    { "crisis-required-0", "/crises/*/*/requiredCards" },
    { "crisis-unknown-kind", "/crises/*/*" },
    { "die-value-7", "/characters/*/ability/kill/dieValue" },
    { "duplicate-character-id", "/characters/*/identifier" },
    { "duplicate-location-id", "/locations/*/identifier|/cards/*/blueprint/location"
                               "|/characters/*/ability/kill/locationId"
                               "|/crossroads/*/*/locationId"
                               "|/crossroads/*/*/consequence/spawnZombies/locationId" },
    { "duplicate-status", "/characters/*/status" },
    { "extra-goal-key", "/goal/*" },
    { "extra-top-level-key", "/*" },
    { "fate-duplicate-id", "/crossroads/*/*/identifier" },
    { "fate-missing", "/crossroads" },
    { "fate-negative-zombies", "/crossroads/*/*/consequence/spawnZombies/amount" },
    { "fate-nested-choice", "/crossroads/*/*/consequence/choice/*/choice" },
    { "fate-no-consequence", "/crossroads/*/*/consequence" },
    { "fate-none", "/crossroads" },
    { "food-amount-0", "/cards/*/food/amount" },
    { "food-no-amount", "/cards/*/food/amount" },
    { "kill-missing-dievalue", "/characters/*/ability/kill/dieValue" },
    { "kill-missing-location", "/characters/*/ability/kill/locationId" },
    { "kill-unknown-location", "/characters/*/ability/kill/locationId" },
    { "location-entrances-0", "/locations/*/entrances" },
    { "location-no-cards", "/locations/*/cards" },
    { "location-no-name", "/locations/*/name" },
    { "locations-goal-too-many", "/goal/locationWithZombies" },
    { "moral-0", "/goal/moral" },
    { "no-cards", "/cards" },
    { "no-characters", "/characters" },
    { "no-colony", "/locations" },
    { "no-crises", "/crises" },
    { "no-goal", "/goal" },
    { "no-goal-object", "/goal" },
    { "no-locations", "/locations" },
    { "no-max-players", "/maxPlayers" },
    { "rounds-0", "/goal/rounds" },
    { "search-7", "/characters/*/search" },
    { "search-unknown-location", "/characters/*/ability/search/location" },
    { "too-few-characters", "/characters" },
    { "too-few-crises", "/crises" },
    { "too-few-location-cards", "/locations/*/cards" },
    { "too-few-start-cards", "/locations/*/colony/startCards" },
    { "two-abilities", "/characters/*/ability" },
    { "two-colonies", "/locations/*/colony|/locations/*/colony/startCards" },
    { "two-goals", "/goal" },
    { "unknown-ability", "/characters/*/ability/*" },
    { "unknown-card-kind", "/cards/*/*" },
    { "wound-bad-enum", "/characters/*/ability/wound/*" },
    { "zombies-colony-too-many", "/goal/zombiesColony" },
    { "zombies-locations-too-many", "/goal/zombiesLocations" },
    { "zombies-negative", "/goal/zombies*" },
};

static const char *place_of_change(const char *change)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strcmp(places[i].change, change) == 0)
            return places[i].place;
    fail_msg("nobody said where the change %s is", change);
    return NULL;
}

static void expect_at(const char *shapes, const char *name)
{
    if (faults_are_at(shapes))
        return;
    print_error("%s: expected faults at %s only, came\n%s", name, shapes, log_.seen);
    disagreements++;
}

static void field_of(const char *line, const char *field, char *value, size_t size)
{
    char key[32];
    snprintf(key, sizeof key, "\"%s\": \"", field);
    const char *at = strstr(line, key);
    assert_non_null(at);
    at += strlen(key);
    size_t length = strcspn(at, "\"");
    assert_true(length < size);
    memcpy(value, at, length);
    value[length] = '\0';
}

static void judge_line(const char *line)
{
    char name[128], edition[32], change[64], judged[32];
    field_of(line, "config", name, sizeof name);
    field_of(line, "edition", edition, sizeof edition);
    field_of(line, "change", change, sizeof change);
    field_of(line, "verdict", judged, sizeof judged);

    size_t size = configure(text_of, read_text(name), edition);
    if (strcmp(judged, "invalid") == 0) {
        assert_int_equal(size, 0);
        expect_at(place_of_change(change), name);
    } else if (size == 0) {
        print_error("%s is valid, but:\n%s", name, log_.seen);
        disagreements++;
    }
}

static void every_recorded_verdict_is_given_at_the_right_place(void **unused)
{
    (void) unused;
    char  line[512];
    int   lines = 0;
    FILE *file = fopen(FOLDER "expected.jsonl", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        judge_line(line);
        lines++;
    }
    fclose(file);
    assert_int_equal(lines, 157);
    assert_int_equal(disagreements, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_recorded_verdict_is_given_at_the_right_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
