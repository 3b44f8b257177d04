/* dead.h: the dead, a co-operative game against zombies, hunger and each other's bites.
 *
 * The players keep a colony fed, its morale up and its entrances shut until a goal is reached.
 * README.md tells the rules in a paragraph and names the test of every one. These are the words the
 * rules speak. Kinds of commands and events are the numbers of the fields in proto/dead.proto;
 * reasons are the verdicts of refused commands. */
#ifndef ARBITER_DEAD_H
#define ARBITER_DEAD_H

#include "rules/game.h"

enum dead_command_kind {
    DEAD_REGISTER = 1,
    DEAD_START_GAME,
    DEAD_SELECT_CHARACTERS,
    DEAD_END_TURN,
    DEAD_LEAVE,
    DEAD_MOVE,
    DEAD_BARRICADE,
    DEAD_ATTACK,
    DEAD_SEARCH,
    DEAD_CLEAN_WASTE,
    DEAD_CONTRIBUTE_CARD,
    DEAD_USE_CARD,
    DEAD_USE_ABILITY,
    DEAD_VOTE,
    DEAD_COMMAND_KINDS
};

enum dead_event_kind {
    DEAD_CONFIG = 1, /* Said by the table, never by the rules.               */
    DEAD_REGISTRATION_ABORTED,
    DEAD_COMMAND_FAILED, /* Of an expiry that changes nothing.                   */
    DEAD_GAME_STARTED,
    DEAD_PLAYER,
    DEAD_CHARACTERS,
    DEAD_CHARACTER_SPAWNED,
    DEAD_CARD_DRAWN,
    DEAD_NEXT_ROUND,
    DEAD_CRISIS,
    DEAD_DIE_ROLLED,
    DEAD_ACT_NOW,
    DEAD_LEFT,
    DEAD_MOVED,
    DEAD_BARRICADED,
    DEAD_ZOMBIE_KILLED,
    DEAD_SEARCHED,
    DEAD_CHILD_SPAWNED,
    DEAD_WASTE_CHANGED,
    DEAD_CONTRIBUTED,
    DEAD_CARD_USED,
    DEAD_ABILITY_USED,
    DEAD_FOOD_CHANGED,
    DEAD_MORAL_CHANGED,
    DEAD_WOUNDED,
    DEAD_FROSTBITTEN,
    DEAD_BITTEN,
    DEAD_SURVIVOR_KILLED,
    DEAD_CHILD_KILLED,
    DEAD_COLONY_PHASE_STARTED,
    DEAD_STARVATION_TOKEN_ADDED,
    DEAD_ZOMBIE_SPAWNED,
    DEAD_BARRICADE_DESTROYED,
    DEAD_CROSSROAD,
    DEAD_VOTE_NOW,
    DEAD_VOTE_RESULT,
    DEAD_GAME_END,
    DEAD_EVENT_KINDS
};

/* Why food or morale changes: the enums of FoodChanged and MoralChanged. */
enum dead_food_reason { DEAD_FOOD_ADDED = 1, DEAD_FOOD_CONSUMED, DEAD_FOOD_CROSSROAD };

enum dead_moral_reason {
    DEAD_MORAL_CHARACTER_DIED = 1,
    DEAD_MORAL_CRISIS,
    DEAD_MORAL_STARVATION_TOKEN,
    DEAD_MORAL_WASTE,
    DEAD_MORAL_CROSSROAD
};

/* Verdicts; their codes and sentences stand in dead_reasons.c, in this order. */
enum dead_reason {
    DEAD_OK,
    DEAD_NO_IS_OVER,
    DEAD_NO_NOT_IN_GAME,
    DEAD_NO_NOT_NOW,
    DEAD_NO_NOT_YOUR_TURN,
    DEAD_NO_MALFORMED,
    DEAD_NO_NOT_OFFERED,
    DEAD_NO_SAME_TWICE,
    DEAD_NO_NOT_YOURS,
    DEAD_NO_MOVED_ALREADY,
    DEAD_NO_SUCH_LOCATION,
    DEAD_NO_THERE_ALREADY,
    DEAD_NO_ROOM,
    DEAD_NO_FUEL_CARD,
    DEAD_NO_DIE,
    DEAD_NO_SUCH_ENTRANCE,
    DEAD_NO_FREE_PLACE,
    DEAD_NO_ZOMBIE,
    DEAD_NO_CARDS_LEFT,
    DEAD_NO_NOT_IN_COLONY,
    DEAD_NO_WASTE,
    DEAD_NO_CLEANED_ALREADY,
    DEAD_NO_NOT_IN_HAND,
    DEAD_NO_WRONG_CARD,
    DEAD_NO_TARGET_NEEDED,
    DEAD_NO_TARGET_TAKEN,
    DEAD_NO_NOBODY_THERE,
    DEAD_NO_UNHURT,
    DEAD_NO_ONESELF,
    DEAD_NO_PASSIVE,
    DEAD_NO_USED_UP,
    DEAD_NO_ELSEWHERE,
    DEAD_NO_CHILDREN,
    DEAD_NO_REGISTERED_ALREADY,
    DEAD_NO_NOT_REGISTERED,
    DEAD_NO_CHOOSING,
    DEAD_NO_NOT_CHOOSING,
    DEAD_NO_VOTING,
    DEAD_NO_NOT_VOTING,
    DEAD_NO_NOT_YOUR_CHOICE,
    DEAD_REASONS
};

extern const struct foresight    dead_foresight;
extern const struct game         game_dead;
extern const struct registration dead_registration;

#endif
