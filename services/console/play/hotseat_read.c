/* hotseat_read.c: what somebody types at the hot seat, as a command of the rules. */
#include <string.h>
#include <strings.h>

#include "services/console/play/hotseat.h"

#define DIGITS_MAX 9

/* A word that answers a question. */
struct answer {
    const char *word;
    uint32_t    asked, kind; /* In this phase it is this command ...                        */
    word        yes;         /* ... with this argument; ABSENT: with none. */
};

static const struct answer answers[] = {
    { "y", QUESTS_ASKS_SPONSOR, QUESTS_SPONSOR, 1 },
    { "yes", QUESTS_ASKS_SPONSOR, QUESTS_SPONSOR, 1 },
    { "n", QUESTS_ASKS_SPONSOR, QUESTS_SPONSOR, 0 },
    { "no", QUESTS_ASKS_SPONSOR, QUESTS_SPONSOR, 0 },
    { "quit", QUESTS_ASKS_BUILD, QUESTS_STAGE_DONE, ABSENT },
    { "clear", QUESTS_ASKS_BUILD, QUESTS_STAGE_CLEAR, ABSENT },
    { "restart", QUESTS_ASKS_BUILD, QUESTS_QUEST_RESTART, ABSENT },
    { "t", QUESTS_ASKS_PARTICIPATE, QUESTS_PARTICIPATE, 1 },
    { "tackle", QUESTS_ASKS_PARTICIPATE, QUESTS_PARTICIPATE, 1 },
    { "w", QUESTS_ASKS_PARTICIPATE, QUESTS_PARTICIPATE, 0 },
    { "withdraw", QUESTS_ASKS_PARTICIPATE, QUESTS_PARTICIPATE, 0 },
    { "quit", QUESTS_ASKS_ATTACK, QUESTS_ATTACK_DONE, ABSENT },
};

/* The command that takes a card in this phase; 0: none does. */
static uint32_t takes_card(word asked)
{
    switch (asked) {
    case QUESTS_ASKS_BUILD: return QUESTS_STAGE_ADD;
    case QUESTS_ASKS_ATTACK: return QUESTS_ATTACK_ADD;
    case QUESTS_ASKS_DISCARD: return QUESTS_DISCARD;
    default: return 0;
    }
}

static void clear(struct command *command, uint32_t kind)
{
    memset(command, 0, sizeof *command);
    command->kind = kind;
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command->arg[i] = ABSENT;
}

/* A position: so few digits that it fits any number, and nothing else. */
static bool read_position(const char *line, size_t size, word *position)
{
    *position = 0;
    for (size_t i = 0; i < size; i++) {
        if (line[i] < '0' || line[i] > '9')
            return false;
        if (i < DIGITS_MAX)
            *position = *position * 10 + (line[i] - '0');
    }
    return size >= 1 && size <= DIGITS_MAX;
}

bool hotseat_read(const struct hotseat *seat, const char *line, size_t size,
                  struct command *command)
{
    word asked = seat->asked[1], position;
    if (asked == QUESTS_ASKS_END_TURN) {
        clear(command, QUESTS_END_TURN);
        return true;
    }
    for (uint32_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        const struct answer *answer = &answers[i];
        if (answer->asked != (uint32_t) asked || strlen(answer->word) != size ||
            strncasecmp(answer->word, line, size) != 0)
            continue;
        clear(command, answer->kind);
        command->arg[0] = answer->yes;
        return true;
    }
    if (takes_card(asked) == 0 || !read_position(line, size, &position))
        return false;
    clear(command, takes_card(asked));
    command->arg[1] = position;
    return true;
}
