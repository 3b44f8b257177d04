/* browser_device.c: from one device to another by a code, goodbyes, and the cookies that change by both. Pure. */
#include <string.h>

#include "contract/browser_fields.h"
#include "contract/lobby_fields.h"
#include "services/gateway/browser/browser_parts.h"
#include "wire/field_write.h"

/* Whom a one-time code belongs to. NULL: nobody. */
struct browser_session *browser_of_code(const struct browser_turn *turn, const char *code)
{
    for (uint32_t i = 0; i < turn->browser->settings.sessions_max; i++) {
        struct browser_session *session = &turn->browser->sessions[i];
        if (!session->is_used || session->code[0] == '\0' || turn->now_ms >= session->code_ms ||
            text_length(code) != BROWSER_CODE_SIZE ||
            memcmp(code, session->code, BROWSER_CODE_SIZE) != 0)
            continue;
        return session;
    }
    return NULL;
}

void browser_refuse_code(const struct browser_turn *turn, struct browser_tab *tab, uint32_t request)
{
    browser_refuse(turn, tab, request, REFUSAL(NOT_YOURS),
                   "This code is not good any more: ask for a new one on the other device.", 0);
}

/* The code stays good: a visitor is asked before it replaces who the visitor is. */
void browser_whose(const struct browser_turn *turn, struct browser_tab *tab, uint32_t request,
                   const char *code)
{
    const struct browser_session *session = code == NULL ? NULL : browser_of_code(turn, code);
    struct down                   down = down_begin(turn->browser->scratch);
    if (session == NULL) {
        browser_refuse_code(turn, tab, request);
        return;
    }
    down_text(&down, FIELD_BROWSER_CODE_OWNER_NAME, session->name);
    browser_tell(turn, tab, &down, FIELD_BROWSER_DOWN_OWNER, request, BROWSER_NO_GAME);
}

void browser_replace(struct browser *browser, const uint8_t *from, const uint8_t *to,
                     const char *word)
{
    struct browser_pass *pass = &browser->passes[browser->passes_known++ % BROWSER_PASSES];
    *pass = (struct browser_pass){ .is_used = true, .is_none = to == NULL };
    memcpy(pass->from, from, BROWSER_SECRET_SIZE);
    if (to == NULL)
        return;
    memcpy(pass->to, to, BROWSER_SECRET_SIZE);
    memcpy(pass->word, word, text_length(word) + 1);
}

void browser_device(const struct browser_turn *turn, struct browser_tab *tab, uint32_t request)
{
    static const char digits[] =
        "abcdefghjkmnpqrstuvwxyz23456789_"; /* None is taken for another. */
    if (tab->state != TAB_IN) {
        browser_refuse(turn, tab, request, REFUSAL(NOT_YOURS), "Choose a name first.", 0);
        return;
    }
    struct browser_session *session = &turn->browser->sessions[tab->session];
    struct down             down = down_begin(turn->browser->scratch);
    for (uint32_t i = 0; i < BROWSER_CODE_SIZE; i++)
        session->code[i] = digits[turn->entropy[i] & 31];
    session->code_ms = turn->now_ms + turn->browser->settings.code_ms;
    down_text(&down, FIELD_BROWSER_DEVICE_CODE_CODE, session->code);
    down_number(&down, FIELD_BROWSER_DEVICE_CODE_LEFT_MS, turn->browser->settings.code_ms);
    browser_tell(turn, tab, &down, FIELD_BROWSER_DOWN_DEVICE, request, BROWSER_NO_GAME);
}

/* The lobby knows nobody by this secret any more; nobody waits for the answer. */
static void depart(const struct browser_turn *turn, struct browser_session *session)
{
    uint8_t                      ask[8];
    uint8_t                     *end = field_bytes(ask, FIELD_LOBBY_ASK_DEPART, NULL, 0);
    const struct browser_pending pending = { .kind = WAIT_ASK,
                                             .session =
                                                 (uint32_t) (session - turn->browser->sessions),
                                             .serial = session->serial };
    if (!client_core_lobby_is_old(turn->browser->client))
        (void) browser_ask_lobby(turn, pending, ask, (size_t) (end - ask), session);
}

void browser_leave(const struct browser_turn *turn, struct browser_tab *tab)
{
    uint32_t left = tab->session;
    if (tab->state != TAB_IN) {
        browser_close(turn, tab, "Good bye.");
        return;
    }
    struct browser_session *session = &turn->browser->sessions[left];
    depart(turn, session);
    browser_replace(turn->browser, session->secret, NULL, NULL);
    for (uint32_t i = 0; i < turn->browser->settings.tabs_max; i++) {
        struct browser_tab *other = &turn->browser->tabs[i];
        if (other->route == 0 || other->session != left)
            continue;
        browser_close(turn, other, "You have left, on all devices. Good bye.");
        other->follows = false;
        other->state = TAB_NOBODY;
        other->session = BROWSER_NOBODY;
    }
    browser_session_free(turn, session);
}

static bool is_word(const struct browser_pass *pass, const char *word)
{
    size_t size = text_length(word);
    return size == text_length(pass->word) && memcmp(word, pass->word, size) == 0;
}

bool browser_replaces(const struct browser *browser, const uint8_t secret[BROWSER_SECRET_SIZE],
                      const char *word, uint8_t by[BROWSER_SECRET_SIZE], bool *is_none)
{
    bool is_found = false;
    for (uint32_t i = 0; i < BROWSER_PASSES; i++) { /* The newest word counts. */
        const struct browser_pass *pass =
            &browser->passes[(browser->passes_known + i) % BROWSER_PASSES];
        if (!pass->is_used || memcmp(pass->from, secret, BROWSER_SECRET_SIZE) != 0 ||
            (!pass->is_none && !is_word(pass, word)))
            continue;
        is_found = true;
        *is_none = pass->is_none;
        memcpy(by, pass->to, BROWSER_SECRET_SIZE);
    }
    return is_found;
}
