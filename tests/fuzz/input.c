/* input.c: takes a fuzzer's bytes apart. */
#include "fuzz.h"

uint8_t input_byte(struct input *input)
{
    return input->at < input->end ? *input->at++ : 0;
}

uint64_t input_number(struct input *input, uint32_t count)
{
    uint64_t number = 0;
    for (uint32_t i = 0; i < count; i++)
        number = number << 8 | input_byte(input);
    return number;
}

const struct game_wire *input_game(struct input *input)
{
    const struct game_wire *const *games = registry_games();
    uint8_t                        letter = input_byte(input);
    uint32_t                       count = 0;

    for (; games[count] != NULL; count++)
        if ((uint8_t) games[count]->game->name[0] == letter)
            return games[count];
    return games[letter % count];
}
