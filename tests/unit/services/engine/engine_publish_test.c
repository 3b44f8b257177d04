/* engine_publish_test.c: what the fog hides changes no byte of what others are sent: twin hunts that differ in it.
 *
 * Two hosted matches are played from the same dice, and one of them has something else hidden. That
 * is where the second player's castle is and so where the figure goes, or where treasures lie and
 * so what it finds. Every frame for the first player and for a spectator is opened, the player's
 * own boxes too. It must be the same in both. Left out are chains and hashes of commands, which are
 * keyed by the match's secret, and others' boxes but for their size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/treasure/treasure.h"
#include "tests/unit/services/engine/engine_rig.h"
#include "wire/act.h"

#define UPPER "0101010101010101010002020103030101010102010303010101010101010101"
#define LOWER "0101010101010101010303010202010101030301020101010101010101010001"
/* The same with the castle in the other corner. */
#define LOWER_MOVED "0001010101010101010303010202010101030301020101010101010101010101"
#define ACTIONS 60
#define HEARD_MAX (1u << 20)

static const uint32_t players[] = { RIG_ALICE, RIG_BOB };

/* Everything somebody was sent, opened. */
struct heard {
    uint8_t  bytes[HEARD_MAX];
    size_t   size;
    uint32_t frames;
};

/* One of the twins. */
struct hunt {
    struct rig_store *store;
    struct heard      alice, bob, carol;
    struct box_keys   keys[TREASURE_SEATS];
    uint32_t          session[TREASURE_SEATS], request[TREASURE_SEATS];
};

static struct rig  rig;
static struct hunt one, other;

static void put(struct heard *heard, const void *bytes, size_t size)
{
    assert_true(heard->size + size <= HEARD_MAX);
    if (size > 0)
        memcpy(heard->bytes + heard->size, bytes, size);
    heard->size += size;
}

static void put_number(struct heard *heard, uint64_t number)
{
    put(heard, &number, sizeof number);
}

static void put_header(struct heard *heard, const struct header *header)
{
    put_number(heard, header->kind);
    put_number(heard, header->number);
    put_number(heard, header->epoch);
    put_number(heard, header->request);
    heard->frames++;
}

/* A message for one, without the chain in it. */
static void put_message(struct heard *heard, const struct rig_said *said)
{
    put_header(heard, &said->header);
    if (said->header.kind == KIND(ATTACHED)) {
        Arbiter__Engine__Attached *told =
            arbiter__engine__attached__unpack(NULL, said->size, said->bytes);
        assert_non_null(told);
        put_number(heard, told->number);
        put(heard, told->view.data, told->view.len);
        for (size_t i = 0; i < told->n_asks; i++)
            put(heard, told->asks[i].data, told->asks[i].len);
        put_number(heard, told->to_act != 0);
        arbiter__engine__attached__free_unpacked(told, NULL);
    } else if (said->header.kind == KIND(REPLY)) {
        Arbiter__Engine__Reply *told =
            arbiter__engine__reply__unpack(NULL, said->size, said->bytes);
        assert_non_null(told);
        put_number(heard, told->accepted != 0);
        put_number(heard, told->number);
        put_number(heard, told->verdict);
        arbiter__engine__reply__free_unpacked(told, NULL);
    } else {
        put(heard, said->bytes, said->size);
    }
}

/* An act as this reader reads it; `keys` NULL: a spectator. */
static void put_act(struct heard *heard, const struct rig_said *said, const struct box_keys *keys)
{
    static uint8_t        text[1u << 16];
    Arbiter__Stream__Act *act = arbiter__stream__act__unpack(NULL, said->size, said->bytes);
    struct act_reader     reader;
    struct act_event      event;
    const uint8_t        *box = NULL;
    size_t                size = 0;
    assert_non_null(act);
    put_header(heard, &said->header);
    put_number(heard, said->size); /* Others' boxes have a size, too. */
    struct box_place place = { .epoch = act->epoch, .number = act->number };
    memcpy(place.match_id, said->header.match_id, sizeof place.match_id);
    bool has_box =
        keys != NULL && act_find_box(act->body.data, act->body.len, keys->seat, &box, &size);
    if (has_box)
        assert_true(box_open(text, &crypto_sodium, keys, &place, box, size));
    put_number(heard, act->number);
    put_number(heard, act->actor);
    assert_true(act_read(&reader, act->body.data, act->body.len,
                         keys != NULL ? keys->seat : SPECTATOR, has_box ? text : NULL,
                         has_box ? size - BOX_OVERHEAD : 0));
    while (act_next(&reader, &event))
        put(heard, event.bytes, event.size);
    arbiter__stream__act__free_unpacked(act, NULL);
}

/* All that was said since the last time goes to whom it was for. */
static void listen(struct hunt *hunt)
{
    struct heard *const   all[] = { &hunt->alice, &hunt->bob, &hunt->carol };
    static const uint32_t who[] = { RIG_ALICE, RIG_BOB, RIG_CAROL };
    for (uint32_t i = 0; i < rig.said_count; i++) {
        const struct rig_said *said = &rig.said[i];
        for (uint32_t k = 0; k < 3; k++)
            if (said->effect == EFFECT_SEND && said->route == who[k])
                put_message(all[k], said);
            else if (said->effect == EFFECT_PUBLISH && said->header.kind == KIND(ACT))
                put_act(all[k], said, k < TREASURE_SEATS ? &hunt->keys[k] : NULL);
    }
    rig_forget(&rig);
}

static struct treasure_state *state(void)
{
    return (struct treasure_state *) (uintptr_t) rig_match(&rig, 1)->state;
}

static void play(struct hunt *hunt, uint32_t seat, const struct command *command)
{
    uint8_t             bytes[256];
    const struct match *match = rig_match(&rig, 1);
    uint64_t            number = match->number;
    size_t size = plan_encode_command(match->terms->form->commands, command, bytes, sizeof bytes);
    rig_play(&rig, 1, players[seat], seat, hunt->session[seat], ++hunt->request[seat], bytes, size);
    assert_int_equal(match->number, number + 1);
    listen(hunt);
}

static struct command bare(uint32_t kind)
{
    struct command command = { .kind = kind };
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command.arg[i] = ABSENT;
    return command;
}

static void submit(struct hunt *hunt, uint32_t seat, const char *half)
{
    struct command command = bare(TREASURE_SUBMIT_HALF);
    command.text = (const uint8_t *) half;
    command.text_size = (uint32_t) strlen(half);
    play(hunt, seat, &command);
}

/* From the castle to the field beside it, and back, again and again. */
static void walk(struct hunt *hunt, uint32_t seat, word away, word back)
{
    const struct treasure_seat *of = &state()->seat[seat];
    bool                        is_home = of->x == of->castle_x && of->y == of->castle_y;
    struct command              command = bare(TREASURE_STEP);
    command.arg[1] = is_home ? away : back;
    play(hunt, seat, &command);
}

static void attach(struct hunt *hunt, uint32_t who, uint32_t seat)
{
    uint32_t session = rig_attach(&rig, 1, who, seat);
    if (seat < TREASURE_SEATS) {
        const Arbiter__Engine__Attached *told = rig_last(&rig, who, KIND(ATTACHED));
        assert_int_equal(told->key.len, CRYPTO_KEY_SIZE);
        box_keys_of_key(&hunt->keys[seat], &crypto_sodium, told->key.data, seat, 1);
        hunt->session[seat] = session;
        hunt->request[seat] = 0;
    }
    listen(hunt);
}

static void attach_all(struct hunt *hunt)
{
    attach(hunt, RIG_ALICE, 0);
    attach(hunt, RIG_BOB, 1);
    attach(hunt, RIG_CAROL, NO_SEAT);
}

static void begin(struct hunt *hunt, const char *setup, const char *lower)
{
    memset(hunt, 0, sizeof *hunt);
    hunt->store = rig_store_new();
    rig_open(&rig, hunt->store, NULL);
    rig_forget(&rig);
    rig_start(&rig, 1, "treasure", setup, NULL, players, 2, 7, 0);
    rig_forget(&rig);
    attach_all(hunt);
    submit(hunt, 0, UPPER);
    submit(hunt, 1, lower);
}

static void end(struct hunt *hunt)
{
    attach_all(hunt); /* A player who comes back sees what that player knows, and no more either. */
    rig_close(&rig);
    rig_store_free(hunt->store);
}

static void assert_same(const struct heard *here, const struct heard *there)
{
    assert_true(here->frames > ACTIONS);
    assert_int_equal(here->frames, there->frames);
    assert_int_equal(here->size, there->size);
    assert_memory_equal(here->bytes, there->bytes, here->size);
}

/* The twins hid something from Alice and Carol, and Bob knew it. */
static void assert_hidden(void)
{
    assert_same(&one.alice, &other.alice);
    assert_same(&one.carol, &other.carol);
    assert_true(one.bob.size != other.bob.size ||
                memcmp(one.bob.bytes, other.bob.bytes, one.bob.size) != 0);
}

static void hunt_with_castle(struct hunt *hunt, const char *lower, word away, word back)
{
    begin(hunt,
          "{\"game\":\"treasure\",\"limits\":{\"think_ms\":0},"
          "\"visibility\":{\"mask_actions\":200}}",
          lower);
    for (int i = 0; i < ACTIONS / 2; i++) {
        walk(hunt, 0, TREASURE_UP, TREASURE_DOWN);
        walk(hunt, 1, away, back);
    }
    end(hunt);
}

static void where_a_castle_is_and_its_figure_goes_changes_nothing_others_hear(void **unused)
{
    (void) unused;
    hunt_with_castle(&one, LOWER, TREASURE_TO_LEFT, TREASURE_TO_RIGHT);
    hunt_with_castle(&other, LOWER_MOVED, TREASURE_TO_RIGHT, TREASURE_TO_LEFT);
    assert_hidden();
}

/* No set-up says where treasures lie, so they are moved by hand: Bob's to the way, or away from
 * it. */
static void hunt_with_treasures(struct hunt *hunt, int32_t alices_x, int32_t bobs_x, int32_t bobs_y)
{
    begin(hunt,
          "{\"game\":\"treasure\",\"limits\":{\"think_ms\":0},\"visibility\":{\"mask_actions\":0}}",
          LOWER);
    state()->seat[0].treasure_x = alices_x;
    state()->seat[0].treasure_y = 3;
    state()->seat[1].treasure_x = bobs_x;
    state()->seat[1].treasure_y = bobs_y;
    for (int i = 0; i < ACTIONS / 2; i++) {
        walk(hunt, 0, TREASURE_UP, TREASURE_DOWN);
        walk(hunt, 1, TREASURE_TO_LEFT, TREASURE_TO_RIGHT);
    }
    end(hunt);
}

static void where_treasures_lie_and_are_found_changes_nothing_others_hear(void **unused)
{
    (void) unused;
    hunt_with_treasures(&one, 0, 0, 4);
    hunt_with_treasures(&other, 7, 5, 7);
    assert_hidden();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_a_castle_is_and_its_figure_goes_changes_nothing_others_hear),
        cmocka_unit_test(where_treasures_lie_and_are_found_changes_nothing_others_hear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
