/* face.c: which games have a face. */
#include "services/console/faces/face.h"

#define FACE(name) extern const struct face face_##name;
#include "faces_list.h"
#undef FACE

static const struct face *const faces[] = {
#define FACE(name) &face_##name,
#include "faces_list.h"
#undef FACE
    NULL,
};

const struct face *face_find(const struct game *game)
{
    for (uint32_t i = 0; faces[i] != NULL; i++)
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

void face_command(struct command *command, uint32_t kind)
{
    memset(command, 0, sizeof *command);
    command->kind = kind;
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command->arg[i] = ABSENT;
}
