/* main_parts.h: what the engine's process brings its core: games, and what cannot be done purely. */
#ifndef ARBITER_ENGINE_MAIN_PARTS_H
#define ARBITER_ENGINE_MAIN_PARTS_H

#include "schema/journal.h"
#include "services/engine/engine.h"

/* Every version of every game of this build, and the journal with their tables. They live until the
 * process ends. */
const struct engine_game *main_games(struct journal_schema *schema, uint32_t *count);

extern const struct engine_helpers main_helpers;

#endif
