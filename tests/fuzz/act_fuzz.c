/* act_fuzz.c: any bytes as an act's body and as an opened box: refused, or read to the end.
 *
 * The first byte is the seat that reads, the next two say how long the box's text is; then come the
 * text and the body. What is read must lie inside of what was given, and must be what protobuf-c, the
 * slow and general reader, finds in the same bytes. A box sealed from the text must open, and must not
 * once a bit of it or its place is another. */
#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "contract/stream.pb-c.h"
#include "fuzz.h"
#include "wire/act.h"

#define ARENA_BYTES ((size_t) 16 << 20)
#define TEXT_MAX_BYTES 4096

/* A piece of the input, copied exactly, so that a sanitizer sees a read one byte too far. */
struct piece_of_input {
    uint8_t *bytes;
    size_t   size;
};

static struct piece_of_input take(struct input *input, size_t size)
{
    size_t                left = (size_t) (input->end - input->at);
    struct piece_of_input piece = { NULL, size < left ? size : left };
    piece.bytes = malloc(piece.size > 0 ? piece.size : 1);
    assert(piece.bytes != NULL);
    if (piece.size > 0)
        memcpy(piece.bytes, input->at, piece.size);
    input->at += piece.size;
    return piece;
}

static bool lies_in(const struct piece_of_input *piece, const uint8_t *bytes, size_t size)
{
    return bytes >= piece->bytes && size <= piece->size &&
           (size_t) (bytes - piece->bytes) <= piece->size - size;
}

/* How many events came, of each sort. */
struct tally {
    size_t open, house, secret;
};

/* Reads to the end. */
static struct tally walk(struct act_reader *reader, const struct piece_of_input *body,
                         const struct piece_of_input *text)
{
    struct act_event event;
    struct tally     tally = { 0, 0, 0 };
    while (act_next(reader, &event)) {
        assert(lies_in(event.is_private ? text : body, event.bytes, event.size));
        assert(!event.is_private || !event.is_house);
        tally.open += !event.is_private && !event.is_house;
        tally.house += event.is_house;
        tally.secret += event.is_private;
    }
    assert(!act_next(reader, &event));
    return tally;
}

static Arbiter__Stream__ActBody *unpack_body(const struct piece_of_input *body, bool *too_large)
{
    static uint8_t      memory[ARENA_BYTES] __attribute__((aligned(16)));
    static struct arena arena;
    arena_init(&arena, memory, sizeof memory);
    Arbiter__Stream__ActBody *known =
        arbiter__stream__act_body__unpack(&arena.allocator, body->size, body->bytes);
    *too_large = arena.exhausted;
    return known;
}

/* A spectator hears every public event; every box is found, by its seat alone. What the house says is
 * read later and elsewhere, so a body may be none for protobuf-c if there is any of it. */
static void compare_with_protobuf(const struct piece_of_input *body, const struct tally *tally)
{
    bool                            too_large;
    const Arbiter__Stream__ActBody *known = unpack_body(body, &too_large);
    const uint8_t                  *box;
    size_t                          size;
    assert(known != NULL || too_large || tally->house > 0);
    if (known == NULL)
        return;
    assert(known->n_events == tally->open + tally->house && known->base.n_unknown_fields == 0);
    for (uint32_t seat = 0; seat < known->n_boxes; seat++) {
        assert(act_find_box(body->bytes, body->size, seat, &box, &size));
        assert(lies_in(body, box, size) && size == known->boxes[seat].len);
        assert(size == 0 || memcmp(box, known->boxes[seat].data, size) == 0);
    }
    assert(!act_find_box(body->bytes, body->size, (uint32_t) known->n_boxes, &box, &size));
}

/* Without its box, a seat hears what is not said to be in it. */
static void compare_as_seat(const struct piece_of_input *body, uint32_t seat,
                            const struct tally *heard)
{
    bool                            too_large;
    const Arbiter__Stream__ActBody *known = unpack_body(body, &too_large);
    size_t                          expected = 0;
    if (known == NULL)
        return;
    for (size_t i = 0; i < known->n_events; i++) {
        const Arbiter__Stream__PublicEvent *event = known->events[i];
        expected += !(event->has_hidden_from && event->hidden_from == seat) && !event->repeat;
    }
    assert(heard->open + heard->house == expected);
}

static void read_act(uint32_t seat, const struct piece_of_input *body,
                     const struct piece_of_input *text)
{
    struct act_reader reader;
    struct tally      all = { 0, 0, 0 };
    bool              is_body = act_read(&reader, body->bytes, body->size, SPECTATOR, NULL, 0);
    if (is_body) {
        all = walk(&reader, body, text);
        assert(all.secret == 0);
        compare_with_protobuf(body, &all);
        assert(act_read(&reader, body->bytes, body->size, seat, NULL, 0));
        struct tally boxless = walk(&reader, body, text);
        compare_as_seat(body, seat, &boxless);
    }
    if (!act_read(&reader, body->bytes, body->size, seat, text->bytes, text->size))
        return;
    assert(is_body);
    struct tally heard = walk(&reader, body, text);
    assert(heard.open <= all.open && heard.house <= all.house);
}

static void seal_and_open(uint32_t seat, uint32_t change, const struct piece_of_input *text)
{
    static uint8_t   box[TEXT_MAX_BYTES + BOX_OVERHEAD], opened[TEXT_MAX_BYTES + 1];
    const uint8_t    secret[CRYPTO_KEY_SIZE] = { 7 };
    struct box_keys  keys;
    struct box_place place = { .epoch = 1, .number = change };
    size_t           size = text->size < TEXT_MAX_BYTES ? text->size : TEXT_MAX_BYTES;
    size_t           sealed = size + BOX_OVERHEAD;

    box_keys_of_secret(&keys, &crypto_sodium, secret, seat, 1);
    box_seal(box, &crypto_sodium, &keys, &place, text->bytes, size);
    assert(box_open(opened, &crypto_sodium, &keys, &place, box, sealed));
    assert(size == 0 || memcmp(opened, text->bytes, size) == 0);
    place.number++;
    assert(!box_open(opened, &crypto_sodium, &keys, &place, box, sealed));
    place.number--;
    box[change / 8 % sealed] ^= (uint8_t) (1u << change % 8);
    assert(!box_open(opened, &crypto_sodium, &keys, &place, box, sealed));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input          input = { bytes, bytes + size };
    uint32_t              seat = input_byte(&input) % SEATS_MAX;
    uint32_t              length = (uint32_t) input_number(&input, 2);
    struct piece_of_input text = take(&input, length);
    struct piece_of_input body = take(&input, SIZE_MAX);
    if (sodium_init() < 0)
        abort();
    read_act(seat, &body, &text);
    seal_and_open(seat, (uint32_t) size + length, &text);
    free(text.bytes);
    free(body.bytes);
    return 0;
}
