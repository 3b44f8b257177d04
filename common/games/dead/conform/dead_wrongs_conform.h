/* dead_wrongs_conform.h: commands that are probably wrong; the rules decide whether they are. */
#ifndef ARBITER_DEAD_WRONGS_CONFORM_H
#define ARBITER_DEAD_WRONGS_CONFORM_H

#include "dice/dice.h"
#include "games/dead/conform/dead_table_conform.h"
#include "rules/command.h"

#define DEAD_REFUSALS 4096u

/* How often which kind of command was refused for which reason. */
struct dead_refusals {
    uint16_t times[DEAD_REFUSALS];
};

/* What the player on turn could say in vain, for a reason that was seldom given. */
void dead_seldom_refused(struct dice *dice, const struct dead_inside *inside,
                         struct dead_refusals *refusals, struct command *command);
/* A right command with another number in it. */
void dead_bent(struct dice *dice, const struct dead_inside *inside, struct command *command);
/* All the arguments that the message has, and any numbers in them. */
void dead_invented(struct dice *dice, const struct dead_inside *inside, struct command *command);
/* What the player on turn could say if only things stood differently: no zombie is there, nobody is
 * hurt, the ability is used up. */
void dead_nearly(struct dice *dice, const struct dead_inside *inside, struct command *command);

#endif
