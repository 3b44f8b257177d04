/* admit.c: who is let in, and as what: the directory's word, and the lobby always. */
#include <stdlib.h>
#include <string.h>

#include "contract/directory.pb-c.h"
#include "shell/shell_private.h"
#include "wire/names.h"

uint32_t shell_role_of(const struct shell *shell, const uint8_t key[CALLER_KEY_SIZE])
{
    if (shell->settings.plain_role != 0)
        return shell->settings.plain_role;
    return bus_role_of(shell->settings.bus, key);
}

static bool is_lobby(const struct shell *shell, const uint8_t *key)
{
    return memcmp(key, shell->settings.lobby_key, CALLER_KEY_SIZE) == 0;
}

static bool is_banned(const Arbiter__Directory__Directory *directory, const uint8_t *key)
{
    for (size_t i = 0; i < directory->n_bans; i++)
        if (directory->bans[i].len == CALLER_KEY_SIZE &&
            memcmp(directory->bans[i].data, key, CALLER_KEY_SIZE) == 0)
            return true;
    return false;
}

/* Those who count, behind the lobby; how many. */
static size_t list_admissions(const struct shell                  *shell,
                              const Arbiter__Directory__Directory *directory,
                              struct bus_admission                *list)
{
    size_t count = 0;
    for (size_t i = 0; directory != NULL && i < directory->n_admissions; i++) {
        const Arbiter__Directory__Admission *admission = directory->admissions[i];
        if (admission->key.len != CALLER_KEY_SIZE || !admission->has_role || admission->role == 0 ||
            is_lobby(shell, admission->key.data) || is_banned(directory, admission->key.data))
            continue;
        memcpy(list[count].key, admission->key.data, CALLER_KEY_SIZE);
        list[count++].role = admission->role;
    }
    return count;
}

void shell_admit(struct shell *shell, const ProtobufCMessage *body)
{
    static const uint8_t                 nobody[CALLER_KEY_SIZE];
    const Arbiter__Directory__Directory *directory =
        (const Arbiter__Directory__Directory *) (const void *) body;
    size_t                most = directory != NULL ? directory->n_admissions : 0;
    struct bus_admission *list = calloc(most + 1, sizeof *list);
    size_t                count = list != NULL ? list_admissions(shell, directory, list) : 0;
    if (list != NULL && !is_lobby(shell, nobody)) {
        memcpy(list[count].key, shell->settings.lobby_key, CALLER_KEY_SIZE);
        list[count++].role = ROLE(LOBBY);
    }
    if (list == NULL || !bus_admit(shell->settings.bus, list, count))
        log_say(shell->settings.log, SAY_ERROR,
                "no memory for a new list of admitted keys; the old one stays");
    free(list);
}
