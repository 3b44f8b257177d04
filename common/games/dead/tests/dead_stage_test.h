/* dead_stage_test.h: a small set-up with one of everything, a stage to place it on, and loaded dice.
 *
 * Places: colony 1 (two entrances), 2 and 3 (two entrances, room for two). Character n has status
 * 10 n; attack and search are 2. Tests place people and cards as they need them and say what the
 * dice will show. They compare all that was told, as text: "moved 3 2 0; act_now 0". */
#ifndef ARBITER_DEAD_STAGE_TEST_H
#define ARBITER_DEAD_STAGE_TEST_H

#include "games/dead/tests/dead_test.h"

#define STAGE(GOAL, FATES)                                                                         \
    "{\"maxPlayers\":2,\"goal\":{\"rounds\":3,\"moral\":10,\"zombiesColony\":0,"                   \
    "\"zombiesLocations\":0,\"childrenInColony\":0," GOAL "},"                                     \
    "\"locations\":[{\"colony\":{\"identifier\":1,\"entrances\":2,\"startCards\":[100,101,102,"    \
    "103,104,105,106,107,108,109]}},"                                                              \
    "{\"name\":\"B\",\"identifier\":2,\"entrances\":2,\"survivorSpaces\":2,\"cards\":[200,201,"    \
    "202,203,204,205,206,207,208,209]},"                                                           \
    "{\"name\":\"C\",\"identifier\":3,\"entrances\":2,\"survivorSpaces\":2,\"cards\":[300,301,"    \
    "302,303,304,305,306,307,308,309]}],"                                                          \
    "\"crises\":[{\"stuff\":{\"identifier\":7,\"moralChange\":1,\"requiredCards\":1}},"            \
    "{\"stuff\":{\"identifier\":8,\"moralChange\":1,\"requiredCards\":1}},"                        \
    "{\"stuff\":{\"identifier\":9,\"moralChange\":1,\"requiredCards\":1}}],"                       \
    "\"characters\":[{\"identifier\":1,\"name\":\"P1\",\"status\":10,\"attack\":2,\"search\":2,"   \
    "\"ability\":{\"wound\":{\"before\":\"bite\",\"after\":\"wound\"}}},"                          \
    "{\"identifier\":2,\"name\":\"P2\",\"status\":20,\"attack\":2,\"search\":2,"                   \
    "\"ability\":{\"heal\":{}}},"                                                                  \
    "{\"identifier\":3,\"name\":\"P3\",\"status\":30,\"attack\":2,\"search\":2,"                   \
    "\"ability\":{\"no_infection\":{}}},"                                                          \
    "{\"identifier\":4,\"name\":\"P4\",\"status\":40,\"attack\":2,\"search\":2,"                   \
    "\"ability\":{\"feed\":{\"numFood\":2}}},"                                                     \
    "{\"identifier\":5,\"name\":\"P5\",\"status\":50,\"attack\":2,\"search\":2,"                   \
    "\"ability\":{\"trash\":{\"numCards\":5}}},"                                                   \
    "{\"identifier\":6,\"name\":\"P6\",\"status\":60,\"attack\":2,\"search\":2,"                   \
    "\"ability\":{\"barricade\":{\"numBarricades\":2,\"maxActivations\":1}}},"                     \
    "{\"identifier\":7,\"name\":\"P7\",\"status\":70,\"attack\":2,\"search\":2,"                   \
    "\"ability\":{\"search\":{\"location\":2,\"numCards\":2,\"maxActivations\":1}}},"              \
    "{\"identifier\":8,\"name\":\"P8\",\"status\":80,\"attack\":2,\"search\":2,"                   \
    "\"ability\":{\"kill\":{\"locationId\":2,\"dieValue\":3,\"numZombies\":2,"                     \
    "\"maxActivations\":1,\"infectionDie\":true}}},"                                               \
    "{\"identifier\":9,\"name\":\"P9\",\"status\":90,\"attack\":2,\"search\":2,"                   \
    "\"ability\":{\"kill\":{\"locationId\":1,\"dieValue\":0,\"numZombies\":1,"                     \
    "\"maxActivations\":2,\"children\":true}}},"                                                   \
    "{\"identifier\":10,\"name\":\"P10\",\"status\":100,\"attack\":2,\"search\":2,"                \
    "\"ability\":{\"wound\":{\"before\":\"frostBite\",\"after\":\"bite\"}}}],"                     \
    "\"cards\":[{\"stuff\":{\"identifier\":100}},"                                                 \
    "{\"stuff\":{\"identifier\":101}},"                                                            \
    "{\"stuff\":{\"identifier\":102}},"                                                            \
    "{\"stuff\":{\"identifier\":103}},"                                                            \
    "{\"stuff\":{\"identifier\":104}},"                                                            \
    "{\"stuff\":{\"identifier\":105}},"                                                            \
    "{\"stuff\":{\"identifier\":106}},"                                                            \
    "{\"stuff\":{\"identifier\":107}},"                                                            \
    "{\"stuff\":{\"identifier\":108}},"                                                            \
    "{\"stuff\":{\"identifier\":109}},"                                                            \
    "{\"stuff\":{\"identifier\":200}},"                                                            \
    "{\"stuff\":{\"identifier\":201}},"                                                            \
    "{\"stuff\":{\"identifier\":202}},"                                                            \
    "{\"stuff\":{\"identifier\":203}},"                                                            \
    "{\"stuff\":{\"identifier\":204}},"                                                            \
    "{\"stuff\":{\"identifier\":205}},"                                                            \
    "{\"stuff\":{\"identifier\":206}},"                                                            \
    "{\"stuff\":{\"identifier\":207}},"                                                            \
    "{\"stuff\":{\"identifier\":208}},"                                                            \
    "{\"stuff\":{\"identifier\":209}},"                                                            \
    "{\"stuff\":{\"identifier\":300}},"                                                            \
    "{\"stuff\":{\"identifier\":301}},"                                                            \
    "{\"stuff\":{\"identifier\":302}},"                                                            \
    "{\"stuff\":{\"identifier\":303}},"                                                            \
    "{\"stuff\":{\"identifier\":304}},"                                                            \
    "{\"stuff\":{\"identifier\":305}},"                                                            \
    "{\"stuff\":{\"identifier\":306}},"                                                            \
    "{\"stuff\":{\"identifier\":307}},"                                                            \
    "{\"stuff\":{\"identifier\":308}},"                                                            \
    "{\"stuff\":{\"identifier\":309}},"                                                            \
    "{\"food\":{\"identifier\":50,\"amount\":3}},"                                                 \
    "{\"stuff\":{\"identifier\":51}},"                                                             \
    "{\"fuel\":{\"identifier\":53}},"                                                              \
    "{\"fuel\":{\"identifier\":52}},"                                                              \
    "{\"lock\":{\"identifier\":54}},"                                                              \
    "{\"scissors\":{\"identifier\":55}},"                                                          \
    "{\"medicine\":{\"identifier\":56}},"                                                          \
    "{\"hammer\":{\"identifier\":57}},"                                                            \
    "{\"snow_boots\":{\"identifier\":58}},"                                                        \
    "{\"blueprint\":{\"identifier\":59,\"location\":2}},"                                          \
    "{\"colt\":{\"identifier\":60}},"                                                              \
    "{\"swab\":{\"identifier\":61}}]" FATES "}"

#define NO ABSENT
#define FOUR(k) ((uint32_t) (k) << 29) /* What nextInt(4) makes k of. */
#define NOTHING_SHOWS 0
#define SHOWS_WOUND 6
#define SHOWS_FROST 9
#define SHOWS_BITE 11

enum card_id {
    FOOD_3 = 50,
    STUFF,
    FUEL_LOW,
    FUEL_HIGH,
    LOCK,
    SCISSORS,
    MEDICINE,
    HAMMER,
    BOOTS,
    PLAN_OF_2,
    COLT,
    SWAB
};

enum person_id {
    BITE_TO_WOUND = 1,
    HEALER,
    CLEAN_BLOOD,
    FEEDER,
    CLEANER,
    BUILDER,
    FINDER,
    KILLER,
    MOTHER,
    FROST_TO_BITE
};

static struct game_at_hand stage;
static struct dead         on_stage;
static char                told[8192];

static uint32_t loaded[64];
static uint32_t loaded_count, loaded_used;

static inline uint32_t show_loaded(struct dice *dice, uint32_t count)
{
    (void) dice;
    (void) count;
    assert_true(loaded_used < loaded_count);
    return loaded[loaded_used++];
}

static const struct dice_kind loaded_dice = { .name = "loaded", .bits = show_loaded };

/* Says what the dice will show; all of it must be asked for before the stage is closed or loaded anew. */
#define LOAD(...)                                                                                  \
    load_dice((const uint32_t[]){ __VA_ARGS__ }, sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)

static inline void load_dice(const uint32_t *shown, size_t count)
{
    assert_int_equal(loaded_used, loaded_count);
    memcpy(loaded, shown, count * sizeof *shown);
    loaded_count = (uint32_t) count;
    loaded_used = 0;
    stage.dice.kind = &loaded_dice;
}

/* Opens the stage after the preparation, in the first round, with player 0 on turn and nobody placed;
 * both players may be asked. */
static inline void open_stage_with(const char *config, const char *options)
{
    struct command any = { .kind = 0 };
    loaded_count = loaded_used = 0;
    stage = open_game(setup_of_text(config, options), 2, 1);
    start_game(&stage, 2);
    on_stage = (struct dead){ stage.setup, stage.state, &stage.dice, &stage.out };
    for (uint32_t seat = 0; seat < 2; seat++) {
        game_dead.legal(stage.setup, stage.state, seat, &stage.legal);
        legal_pick(&stage.legal, 0, &any);
        assert_int_equal(apply_to(&stage, seat, &any), ACCEPTED);
    }
    for (uint32_t who = 0; who < 10; who++)
        if (dead_person(stage.state, who)->place != DEAD_NOWHERE)
            dead_remove(&on_stage, who);
    for (uint32_t seat = 0; seat < 2; seat++) {
        dead_drop_hand(&on_stage, seat);
        memset(dead_seat(on_stage.state, seat)->dice, 0, sizeof dead_seat(on_stage.state, 0)->dice);
    }
    on_stage.state->pool_count = 0;
    memset(dead_u16(stage.state, on_stage.state->at.pool), 0, 10 * sizeof(uint16_t));
    stage.out.used = 0;
}

#define OPEN_STAGE(edition)                                                                        \
    open_stage_with(STAGE("\"survive\":true", ""), "{\"edition\":\"" edition "\"}")

static inline void close_stage(void)
{
    assert_int_equal(loaded_used, loaded_count);
    free(stage.setup);
    close_game(&stage);
}

static inline struct dead_person *person(word id)
{
    return dead_person(stage.state, dead_who(stage.setup, id));
}

/* A character joins a player and stands at a place. */
static inline void place(word id, uint32_t seat, word location)
{
    uint32_t who = dead_who(stage.setup, id);
    dead_join(&on_stage, who, seat);
    if (location != 1)
        dead_walk(&on_stage, who, dead_location_index(stage.setup, location));
    person(id)->moved = 0;
}

static inline void into_pool(word id)
{
    uint16_t *pool = dead_u16(on_stage.state, on_stage.state->at.pool);
    pool[on_stage.state->pool_count++] = (uint16_t) dead_who(stage.setup, id);
}

static inline void give(uint32_t seat, word card)
{
    uint32_t index = dead_card_index(stage.setup, card);
    set_take(dead_u64(on_stage.state, on_stage.state->at.gone), index);
    set_put(dead_hand(on_stage.state, seat), index);
}

static inline bool holds(uint32_t seat, word card)
{
    return set_has(dead_hand(on_stage.state, seat), dead_card_index(stage.setup, card));
}

static inline void give_die(uint32_t seat, uint32_t value)
{
    dead_seat(on_stage.state, seat)->dice[value - 1]++;
}

static inline uint32_t dice_of(uint32_t seat)
{
    uint32_t count = 0;
    for (uint32_t side = 0; side < 6; side++)
        count += dead_seat(on_stage.state, seat)->dice[side];
    return count;
}

static inline uint8_t *zombies_at(word location)
{
    uint32_t index = dead_location_index(stage.setup, location);
    return dead_zombies(stage.state, dead_location(stage.setup, index));
}

static inline uint8_t *barricades_at(word location)
{
    uint32_t index = dead_location_index(stage.setup, location);
    return dead_barricades(stage.state, dead_location(stage.setup, index));
}

/* What the seat may do, of which no pattern may stand for nothing. */
static inline void list_for(uint32_t seat)
{
    game_dead.legal(stage.setup, stage.state, seat, &stage.legal);
    for (uint32_t i = 0; i < stage.legal.patterns; i++)
        for (uint32_t k = 0; k < stage.legal.pattern[i].args; k++)
            assert_int_not_equal(stage.legal.pattern[i].arg[k].count, 0);
}

static inline verdict act_as(uint32_t seat, uint32_t kind, word one, word two, word three)
{
    struct command command = { .kind = kind, .arg = { one, two, three, NO, NO, NO } };
    list_for(seat);
    bool    listed = legal_has(&stage.legal, &command);
    verdict answer = apply_to(&stage, seat, &command);
    assert_int_equal(listed, answer == ACCEPTED);
    return answer;
}

static inline verdict act(uint32_t kind, word one, word two, word three)
{
    return act_as(0, kind, one, two, three);
}

/* All that was told since, as text; a field that is left out is a dash. */
static inline const char *all_told(void)
{
    char *at = told;
    *at = '\0';
    for (const word *event = sink_first(&stage.out); event; event = sink_next(&stage.out, event)) {
        at += snprintf(at, 256, "%s%s", at == told ? "" : "; ",
                       game_dead.events[event_kind(event)].name);
        for (uint32_t i = 0; i < event_length(event); i++)
            at += event_fields(event)[i] == ABSENT
                      ? snprintf(at, 256, " -")
                      : snprintf(at, 256, " %lld", (long long) event_fields(event)[i]);
    }
    stage.out.used = 0;
    return told;
}

#define TOLD(text) assert_string_equal(all_told(), text)

#endif
