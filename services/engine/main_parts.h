/* main_parts.h: what the engine's process brings its core: games, and what cannot be done purely. */
#ifndef ARBITER_ENGINE_MAIN_PARTS_H
#define ARBITER_ENGINE_MAIN_PARTS_H

#include "services/engine/engine.h"

/* Every version of every game of this build. They live until the process ends. */
const struct engine_game *main_games(uint32_t *count);

extern const struct engine_helpers main_helpers;

#endif
