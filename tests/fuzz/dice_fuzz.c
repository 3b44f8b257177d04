/* dice_fuzz.c: anything that a house may say while hosted dice are made: no client reveals its bytes too early.
 *
 * The first byte is our seat (0 to 7) and whether the caller makes our bytes. Then come steps of three bytes, each a thing
 * that an act says, a thing that the engine says, or an event made of any bytes. A model keeps what stood in acts, as
 * protobuf-c reads them: our bytes go out only when the hash of each seat that is awaited, or its silence, was among them. */
#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "client/client_private.h"
#include "fuzz.h"
#include "wire/house.h"
#include "wire/validate.h"

#define SEATS 8u
#define ARENA_BYTES ((size_t) 1 << 16)

enum step { COMMITTED, POSTED, REVEALED, SILENT, SHOWN, RAW, ATTACHED, ANSWERED, STEPS };

/* What acts have said, and what we may therefore do. */
struct model {
    bool     is_open;
    uint32_t seats, posted, silent;
};

static struct client_core *core;
static struct outbox       out;
static const uint8_t       match_id[CLIENT_ID_SIZE];
static uint8_t             arena_memory[ARENA_BYTES];

static void *room(size_t size)
{
    void *memory = calloc(1, size);
    assert(memory != NULL);
    return memory;
}

static void open_core(void)
{
    struct client_core_settings settings;
    assert(sodium_init() >= 0);
    client_core_defaults(&settings);
    settings.crypto = &crypto_sodium;
    settings.seats_max = 1;
    core = client_core_init(room(client_core_bytes(&settings)), &settings);
    outbox_init(&out, room(OUTBOX_BYTES_MIN), OUTBOX_BYTES_MIN);
}

/* The model hears an act as protobuf-c reads it. */
static void note(struct model *model, const uint8_t *bytes, size_t size)
{
    struct arena arena;
    arena_init(&arena, arena_memory, sizeof arena_memory);
    const Arbiter__Stream__HouseEvent *event =
        (const Arbiter__Stream__HouseEvent *) validate_unpack(
            &arbiter__stream__house_event__descriptor, bytes, size, &arena);
    if (event == NULL)
        return;
    if (event->kind_case == ARBITER__STREAM__HOUSE_EVENT__KIND_DICE_COMMITTED && !model->is_open &&
        event->dice_committed->commitment.len == CRYPTO_HASH_SIZE) {
        model->is_open = true;
        for (size_t i = 0; i < event->dice_committed->n_seats; i++)
            model->seats |= event->dice_committed->seats[i] < CLIENT_DICE_SEATS
                                ? 1u << event->dice_committed->seats[i]
                                : 0;
    }
    if (event->kind_case == ARBITER__STREAM__HOUSE_EVENT__KIND_HASH_POSTED &&
        event->hash_posted->seat < CLIENT_DICE_SEATS &&
        event->hash_posted->hash.len == CRYPTO_HASH_SIZE)
        model->posted |= 1u << event->hash_posted->seat;
    if (event->kind_case == ARBITER__STREAM__HOUSE_EVENT__KIND_SEAT_SILENT &&
        event->seat_silent->seat < CLIENT_DICE_SEATS)
        model->silent |= 1u << event->seat_silent->seat;
}

/* What we say, or want the caller to say, is due. */
static void judge(struct model *model, const struct client_seat *seat)
{
    uint32_t ours = 1u << seat->seat;
    bool     is_hash = seat->own.kind == OWN_HASH || seat->dice.seen.wanted == CLIENT_WANTS_HASH;
    bool is_reveal = seat->own.kind == OWN_REVEAL || seat->dice.seen.wanted == CLIENT_WANTS_BYTES;
    assert(!(is_hash || is_reveal) || (model->is_open && (model->seats & ours) != 0));
    assert(!is_reveal ||
           ((model->seats & ~(model->posted | model->silent)) == 0 && (model->posted & ours) != 0));
    if (seat->own.kind != OWN_REVEAL)
        return;
    struct piece piece = { seat->command, seat->own.size };
    uint8_t      hash[CRYPTO_HASH_SIZE];
    crypto_sodium.hash(hash, &piece, 1);
    assert(seat->own.size == DICE_BYTES &&
           memcmp(hash, seat->dice.seen.hash[seat->seat], sizeof hash) == 0);
}

/* The hash that fits our bytes, or any other. */
static void hash_for(const struct client_seat *seat, uint32_t of, uint8_t variant,
                     uint8_t hash[CRYPTO_HASH_SIZE])
{
    uint8_t      bytes[DICE_BYTES];
    struct piece piece = { bytes, sizeof bytes };
    memset(hash, variant, CRYPTO_HASH_SIZE);
    if (of != seat->seat || variant != 0)
        return;
    dice_contribution(core, seat, bytes);
    crypto_sodium.hash(hash, &piece, 1);
}

/* An event as a house writes it; RAW: as the input has it. */
static size_t make_event(struct input *input, enum step step, const struct client_seat *seat,
                         struct house_said *said)
{
    uint8_t of = input_byte(input), variant = input_byte(input);
    uint8_t bytes[CRYPTO_HASH_SIZE];
    memset(bytes, variant, sizeof bytes);
    said->size = 0;
    if (step == COMMITTED)
        house_dice_committed(said, bytes, of);
    if (step == POSTED) {
        hash_for(seat, of % SEATS, variant, bytes);
        house_contribution(said, HOUSE_HASH_POSTED, of % SEATS, bytes, sizeof bytes);
    }
    if (step == REVEALED) {
        if (variant == 0)
            dice_contribution(core, seat, bytes);
        house_contribution(said, HOUSE_BYTES_REVEALED, of % SEATS, bytes, DICE_BYTES);
    }
    if (step == SILENT)
        house_contribution(said, HOUSE_SEAT_SILENT, of % SEATS, NULL, 0);
    if (step == SHOWN)
        said->size = house_secrets(said->bytes, bytes, of % 2 == 0 ? bytes : NULL);
    for (; step == RAW && said->size < of && input->at < input->end; said->size++)
        said->bytes[said->size] = input_byte(input);
    return said->size;
}

/* An exact copy, so that a sanitizer sees a read one byte too far. */
static void hear(const struct turn *turn, struct client_seat *seat, const struct house_said *said,
                 struct model *model)
{
    uint8_t *exact = malloc(said->size + 1);
    assert(exact != NULL);
    memcpy(exact, said->bytes, said->size);
    note(model, exact, said->size);
    seat->next++;
    dice_hear(turn, seat, seat->next - 1, exact, said->size);
    free(exact);
}

static void take_step(const struct turn *turn, struct client_seat *seat, struct input *input,
                      struct model *model)
{
    enum step                  step = (enum step)(input_byte(input) % STEPS);
    Arbiter__Engine__Attached  attached = ARBITER__ENGINE__ATTACHED__INIT;
    Arbiter__Engine__DiceRound round = ARBITER__ENGINE__DICE_ROUND__INIT;
    struct house_said          said;
    if (step == ATTACHED) { /* It may say what it likes of the round: acts alone count. */
        attached.has_number = round.has_step = true;
        attached.number = input_byte(input);
        round.step = (Arbiter__Engine__DiceRound__Step) (input_byte(input) % 3);
        attached.dice = &round;
        dice_attached(turn, seat, &attached);
    } else if (step == ANSWERED) {
        memset(&seat->own, 0, sizeof seat->own);
        (void) input_number(input, 2);
    } else if (make_event(input, step, seat, &said) > 0) {
        hear(turn, seat, &said, model);
    }
}

/* A caller that answers at once. */
static void contribute(struct client_seat *seat)
{
    static const uint8_t bytes[DICE_BYTES] = { 7 };
    const struct piece   piece = { bytes, sizeof bytes };
    uint8_t              hash[CRYPTO_HASH_SIZE];
    crypto_sodium.hash(hash, &piece, 1);
    if (seat->dice.seen.wanted == CLIENT_WANTS_HASH)
        (void) client_core_contribute(core, match_id, seat->seat, hash, sizeof hash, 1000, &out);
    else
        (void) client_core_contribute(core, match_id, seat->seat, bytes, sizeof bytes, 1000, &out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input        input = { bytes, bytes + size };
    struct model        model = { 0 };
    struct client_event event;
    if (core == NULL)
        open_core();
    outbox_reset(&out);
    uint8_t           first = input_byte(&input);
    const struct turn turn = { core, 1000, &out };
    bool              is_in = client_core_attach(core, match_id, first % SEATS, NULL, 1000, &out);
    assert(is_in);
    struct client_seat *seat = &core->seats[0];
    seat->next = 1;
    seat->dice.is_callers = (first & 0x80) != 0;
    while (input.at < input.end) {
        take_step(&turn, seat, &input, &model);
        dice_pump(&turn, seat);
        judge(&model, seat);
        if (seat->dice.is_callers && seat->dice.seen.wanted != CLIENT_WANTS_NOTHING)
            contribute(seat);
        judge(&model, seat);
    }
    client_core_detach(core, match_id, seat->seat, &out);
    while (client_core_next(core, &event))
        continue;
    return 0;
}
