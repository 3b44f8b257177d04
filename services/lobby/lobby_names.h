/* lobby_names.h: the names of lobby.proto as they are said in code: VERDICT(DONE), PHASE(PLAYING). Pure. */
#ifndef ARBITER_LOBBY_NAMES_H
#define ARBITER_LOBBY_NAMES_H

#include "contract/lobby.pb-c.h"

#define VERDICT(name) ARBITER__LOBBY__VERDICT__VERDICT_##name
#define PHASE(name) ARBITER__LOBBY__TABLE__PHASE__PHASE_##name
#define CHOICE(name) ARBITER__LOBBY__VOTE__CHOICE__CHOICE_##name
#define EVENT(name) ARBITER__LOBBY__TABLE_EVENT__KIND_##name
#define ANSWER(name) ARBITER__LOBBY__ANSWER__KIND_##name

#endif
