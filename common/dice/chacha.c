/* chacha.c: dice of a hosted table, two ChaCha20 key streams under one key.
 *
 * The key is made by house and players together (dice/commitment.h). Stream n is ChaCha20 (64-bit
 * counter, 64-bit nonce) under that key with nonce n, read as little-endian words of 32 bits. A block
 * of 16 words is made when its first word is wanted and kept, so a draw mostly costs a shift; keeping
 * it in the state makes an undo copy exact. */
#include <assert.h>
#include <sodium.h>
#include <string.h>

#include "dice/kinds.h"

#define STREAMS 2
#define PLAY 1
#define BLOCK_BYTES 64
#define BLOCK_WORDS 16 /* Of 32 bits. */

/* Where things stand in the state. Whole numbers, not bytes, so the state is the same everywhere. */
#define KEY_AT 0
#define NEXT_AT 4              /* Per stream: the number of its next 32-bit word.  */
#define BLOCK_AT (4 + STREAMS) /* Per stream: its block, two words to a number.    */
#define BLOCK_NUMBERS (BLOCK_WORDS / 2)

_Static_assert(BLOCK_AT + STREAMS * BLOCK_NUMBERS <= DICE_STATE_WORDS, "the dice's state is full");
_Static_assert(DICE_KEY_BYTES == crypto_stream_chacha20_KEYBYTES, "a key is a ChaCha20 key");

static uint64_t read_little(const uint8_t *bytes)
{
    uint64_t number = 0;
    for (uint32_t i = 8; i-- > 0;)
        number = number << 8 | bytes[i];
    return number;
}

static void write_little(uint8_t *bytes, uint64_t number)
{
    for (uint32_t i = 0; i < 8; i++)
        bytes[i] = (uint8_t) (number >> (8 * i));
}

static void make_block(struct dice *dice, uint32_t stream)
{
    static const uint8_t zeros[BLOCK_BYTES];
    uint8_t              key[DICE_KEY_BYTES], nonce[8], block[BLOCK_BYTES];
    uint64_t            *kept = dice->state + BLOCK_AT + stream * BLOCK_NUMBERS;

    for (uint32_t i = 0; i < 4; i++)
        write_little(key + 8 * i, dice->state[KEY_AT + i]);
    write_little(nonce, stream);
    crypto_stream_chacha20_xor_ic(block, zeros, BLOCK_BYTES, nonce,
                                  dice->state[NEXT_AT + stream] / BLOCK_WORDS, key);
    for (uint32_t i = 0; i < BLOCK_NUMBERS; i++)
        kept[i] = read_little(block + 8 * i);
    sodium_memzero(key, sizeof key);
}

static uint32_t next_word(struct dice *dice, uint32_t stream)
{
    uint32_t at = (uint32_t) (dice->state[NEXT_AT + stream] % BLOCK_WORDS);
    if (at == 0)
        make_block(dice, stream);
    dice->state[NEXT_AT + stream]++;
    uint64_t pair = dice->state[BLOCK_AT + stream * BLOCK_NUMBERS + at / 2];
    return (uint32_t) (at % 2 == 0 ? pair : pair >> 32);
}

static uint32_t chacha_bits(struct dice *dice, uint32_t count)
{
    assert(count >= 1 && count <= 32);
    return next_word(dice, PLAY) >> (32 - count);
}

/* Two words, the low one first. */
static uint64_t chacha_u64(struct dice *dice, uint32_t stream)
{
    assert(stream < STREAMS);
    uint64_t low = next_word(dice, stream);
    uint64_t high = next_word(dice, stream);
    return high << 32 | low;
}

const struct dice_kind dice_kind_chacha = { .name = "chacha",
                                            .bits = chacha_bits,
                                            .u64 = chacha_u64 };

void dice_chacha(struct dice *dice, const uint8_t key[DICE_KEY_BYTES])
{
    memset(dice, 0, sizeof *dice);
    dice->kind = &dice_kind_chacha;
    for (uint32_t i = 0; i < 4; i++)
        dice->state[KEY_AT + i] = read_little(key + 8 * i);
}

void dice_chacha_key(const struct dice *dice, uint8_t key[DICE_KEY_BYTES])
{
    assert(dice->kind == &dice_kind_chacha);
    for (uint32_t i = 0; i < 4; i++)
        write_little(key + 8 * i, dice->state[KEY_AT + i]);
}
