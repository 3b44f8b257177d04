/* face.c: which games have a face. */
#include "services/console/faces/face.h"

static const struct face *const faces[] = { &face_dead, &face_objectron, &face_quests,
                                            &face_treasure };

const struct face *face_find(const struct game *game)
{
    for (uint32_t i = 0; i < sizeof faces / sizeof faces[0]; i++)
        if (faces[i]->game == game)
            return faces[i];
    return NULL;
}

const struct face *face_of(const struct phrase *phrase)
{
    if (phrase->setup == NULL || phrase->wire == NULL)
        return NULL;
    return face_find(phrase->wire->game);
}
