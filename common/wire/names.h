/* names.h: the contract's names as they are said in code: KIND(BEAT), REFUSAL(FULL), ROLE(LOBBY). Pure. */
#ifndef ARBITER_NAMES_H
#define ARBITER_NAMES_H

#include "contract/directory.pb-c.h"
#include "contract/envelope.pb-c.h"

#define KIND(name) ARBITER__WIRE__KIND__KIND_##name
#define REFUSAL(name) ARBITER__WIRE__REFUSAL__REFUSAL_##name
#define ROLE(name) ARBITER__DIRECTORY__ROLE__ROLE_##name

#endif
