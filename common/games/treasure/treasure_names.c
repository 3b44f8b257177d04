/* treasure_names.c: the words that the rules have for faults, results, reasons and actions. */
#include "games/treasure/treasure_rules.h"

/* A number that no rule made has no name. */
static const char *name_in(const char *const *names, size_t count, int32_t at)
{
    return (uint32_t) at < count ? names[at] : NULL;
}

#define NAME_IN(names, at) name_in(names, sizeof(names) / sizeof *(names), at)

const char *treasure_fault_name(int32_t fault)
{
    static const char *const names[] = {
        NULL,
        "BAD_LENGTH",
        "BAD_CODE",
        "TREASURE_FORBIDDEN",
        "CASTLE_COUNT",
        "CASTLE_NOT_ON_GRASS",
        "TOO_FEW_MOUNTAIN",
        "TOO_FEW_GRASS",
        "TOO_FEW_WATER",
        "EDGE_WATER_TOP",
        "EDGE_WATER_BOTTOM",
        "EDGE_WATER_LEFT",
        "EDGE_WATER_RIGHT",
        "ISLAND",
    };
    return NAME_IN(names, fault);
}

const char *treasure_result_name(int32_t result)
{
    static const char *const names[] = { NULL, "P1_WIN", "P2_WIN", "BOTH_LOSE", "ABORTED" };
    return NAME_IN(names, result);
}

const char *treasure_reason_name(int32_t reason)
{
    static const char *const names[] = {
        NULL,           "CASTLE_TAKEN",  "WATER",         "OFF_MAP",  "BAD_POSITION",
        "ILLEGAL_STEP", "BAD_COUNTDOWN", "NOT_YOUR_TURN", "BAD_MAP",  "BAD_MESSAGE",
        "THINK_TIME",   "LEFT",          "ACTION_LIMIT",  "SHUTDOWN",
    };
    return NAME_IN(names, reason);
}

const char *treasure_action_name(int32_t action)
{
    static const char *const names[] = { NULL, "UP", "DOWN", "LEFT", "RIGHT", "STAY" };
    return NAME_IN(names, action);
}
