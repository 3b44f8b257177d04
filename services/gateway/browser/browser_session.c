/* browser_session.c: who is who: hellos, names, the secrets they go with. Pure. */
#include <string.h>

#include "contract/browser_fields.h"
#include "contract/lobby_fields.h"
#include "services/gateway/browser/browser_parts.h"
#include "wire/field.h"
#include "wire/field_write.h"

static void player_of(const struct browser *browser, const uint8_t *secret,
                      uint8_t player[CLIENT_ID_SIZE])
{
    static const char  label[] = "arbiter session";
    uint8_t            hash[CRYPTO_HASH_SIZE];
    const struct piece pieces[] = { { label, sizeof label - 1 }, { secret, BROWSER_SECRET_SIZE } };
    browser->settings.crypto->hash(hash, pieces, 2);
    memcpy(player, hash, CLIENT_ID_SIZE);
}

struct browser_session *browser_session_of(const struct browser *browser, const uint8_t *player)
{
    for (uint32_t i = 0; i < browser->settings.sessions_max; i++) {
        struct browser_session *session = &browser->sessions[i];
        if (session->is_used && memcmp(session->player, player, CLIENT_ID_SIZE) == 0)
            return session;
    }
    return NULL;
}

struct browser_session *browser_session_asked(const struct browser         *browser,
                                              const struct browser_pending *pending)
{
    struct browser_session *session = &browser->sessions[pending->session];
    return session->is_used && session->serial == pending->serial ? session : NULL;
}

void browser_session_free(const struct browser_turn *turn, struct browser_session *session)
{
    browser_seats_free(turn, session);
    browser_log_close(&turn->browser->logs, session->log);
    memset(session, 0, sizeof *session);
}

/* A place: a free one, or that of who has been away longest. NULL: all are here. */
static struct browser_session *free_place(const struct browser_turn *turn)
{
    struct browser_session *oldest = NULL;
    for (uint32_t i = 0; i < turn->browser->settings.sessions_max; i++) {
        struct browser_session *session = &turn->browser->sessions[i];
        if (!session->is_used)
            return session;
        if (session->tabs == 0 && !session->is_asking &&
            (oldest == NULL || session->quiet_ms < oldest->quiet_ms))
            oldest = session;
    }
    if (oldest != NULL)
        browser_session_free(turn, oldest);
    return oldest;
}

static struct browser_session *open_session(const struct browser_turn *turn, const uint8_t *secret)
{
    struct browser         *browser = turn->browser;
    struct browser_session *session = free_place(turn);
    if (session == NULL)
        return NULL;
    *session = (struct browser_session){ .is_used = true, .serial = ++browser->serials };
    memcpy(session->secret, secret, BROWSER_SECRET_SIZE);
    player_of(browser, secret, session->player);
    memcpy(session->stream, turn->entropy, CLIENT_ID_SIZE);
    session->log = browser_log_open(&browser->logs);
    return session;
}

static void copy_text(char to[BROWSER_NAME_MAX + 1], const char *from)
{
    size_t size = from == NULL ? 0 : text_length(from);
    memset(to, 0, BROWSER_NAME_MAX + 1);
    if (size <= BROWSER_NAME_MAX && size > 0)
        memcpy(to, from, size);
}

/* Who the player is, and where the stream goes on. `session` NULL: nobody. */
static void welcome(const struct browser_turn *turn, struct browser_tab *tab,
                    struct browser_session *session, bool is_fresh)
{
    const struct browser_settings *settings = &turn->browser->settings;
    struct down                    down = down_begin(turn->browser->scratch);
    char                           secret[BROWSER_SECRET_TEXT];
    if (session != NULL) {
        down_bytes(&down, FIELD_BROWSER_WELCOME_PLAYER, session->player, CLIENT_ID_SIZE);
        down_text(&down, FIELD_BROWSER_WELCOME_NAME, session->name);
        if (session->avatar[0] != '\0')
            down_text(&down, FIELD_BROWSER_WELCOME_AVATAR, session->avatar);
        down_bytes(&down, FIELD_BROWSER_WELCOME_STREAM, session->stream, CLIENT_ID_SIZE);
        down_number(&down, FIELD_BROWSER_WELCOME_LAST, tab->player.next - 1);
        down_number(&down, FIELD_BROWSER_WELCOME_FRESH, is_fresh);
        browser_secret_text(secret, session->secret);
        if (!tab->is_page)
            down_text(&down, FIELD_BROWSER_WELCOME_SESSION, secret);
    }
    down_text(&down, FIELD_BROWSER_WELCOME_VERSION, settings->version);
    for (uint32_t i = 0; i < settings->games_count; i++)
        down_text(&down, FIELD_BROWSER_WELCOME_GAMES, settings->games[i]);
    down_number(&down, FIELD_BROWSER_WELCOME_BURST, settings->burst);
    down_number(&down, FIELD_BROWSER_WELCOME_PER_10_S, settings->per_10_s);
    tab->state = session != NULL ? TAB_IN : TAB_NOBODY;
    browser_tell(turn, tab, &down, FIELD_BROWSER_DOWN_WELCOME, tab->request, BROWSER_NO_GAME);
    tab->welcome = turn->browser->logs.logs[tab->own.log].last_number;
}

/* The page's cookie is another player's, or nobody's. Its next connection brings the right one. */
static void change_cookie(const struct browser_turn *turn, struct browser_tab *tab,
                          const struct browser_session *session)
{
    if (memcmp(tab->secret, session->secret, BROWSER_SECRET_SIZE) == 0)
        return;
    if (tab->is_page) {
        char word[BROWSER_SECRET_TEXT];
        /* Behind what a stream and a code are made of. */
        browser_secret_text(word, turn->entropy + ENTROPY_SIZE - BROWSER_SECRET_SIZE);
        browser_replace(turn->browser, tab->secret, session->secret, word);
        browser_close_with_pass(turn, tab, "This device knows you now: come back at once.", word);
    }
    memcpy(tab->secret, session->secret, BROWSER_SECRET_SIZE);
}

/* The player is known: the tab goes on where it was, or begins anew. */
static void let_in(const struct browser_turn *turn, struct browser_tab *tab,
                   struct browser_session *session)
{
    struct browser_logs      *logs = &turn->browser->logs;
    const struct browser_log *log = &logs->logs[session->log];
    bool is_kept = tab->has_stream && memcmp(tab->stream, session->stream, CLIENT_ID_SIZE) == 0 &&
                   tab->last + 1 >= log->first_number && tab->last <= log->last_number;
    tab->player = browser_cursor_behind(logs, session->log, is_kept ? tab->last : log->last_number);
    tab->follows = true;
    welcome(turn, tab, session, !is_kept);
    browser_dice_for(turn, tab);
    browser_follow_session(turn, session);
    if (!is_kept)
        browser_rejoin(turn, tab);
    change_cookie(turn, tab, session);
}

static void leave_session(const struct browser_turn *turn, struct browser_tab *tab)
{
    struct browser_session *session = &turn->browser->sessions[tab->session];
    tab->session = BROWSER_NOBODY;
    if (--session->tabs == 0 && !session->is_known)
        browser_session_free(turn, session);
}

static void enter(const struct browser_turn *turn, struct browser_tab *tab,
                  struct browser_session *session)
{
    session->tabs++;
    session->from = tab->from;
    session->is_crowd = tab->is_crowd;
    tab->session = (uint32_t) (session - turn->browser->sessions);
    tab->state = TAB_ASKS;
}

static void refuse_full(const struct browser_turn *turn, struct browser_tab *tab)
{
    browser_refuse(turn, tab, tab->request, REFUSAL(FULL), "The house is full.", 60000);
    outbox_full(turn->out, BOUND_SESSIONS);
}

/* Asks who the player is, or, with a name, gives it to the player. */
static void ask_who(const struct browser_turn *turn, struct browser_tab *tab, const char *name)
{
    struct browser_session *session = &turn->browser->sessions[tab->session];
    uint8_t                 bind[2 * BROWSER_NAME_MAX + 16], ask[2 * BROWSER_NAME_MAX + 24];
    uint8_t                *end = name == NULL
                                      ? bind
                                      : field_bytes(bind, FIELD_LOBBY_BIND_NAME_NAME, name, text_length(name));
    if (name != NULL && session->avatar[0] != '\0' &&
        client_core_lobby_version(turn->browser->client) > PROTOCOL_FIRST)
        end = field_bytes(end, FIELD_LOBBY_BIND_NAME_AVATAR, session->avatar,
                          text_length(session->avatar));
    end = field_bytes(ask, FIELD_LOBBY_ASK_BIND_NAME, bind, (size_t) (end - bind));
    session->is_asking =
        browser_ask_lobby(turn,
                          (struct browser_pending){ .kind = name == NULL ? WAIT_WHO : WAIT_NAME,
                                                    .route = tab->route,
                                                    .session = tab->session,
                                                    .serial = session->serial },
                          ask, (size_t) (end - ask), session);
    if (session->is_asking)
        return;
    browser_refuse(turn, tab, tab->request, REFUSAL(AGAIN), "The house is busy.", 1000);
    tab->state = TAB_NEW;
    leave_session(turn, tab);
}

/* All who wait to hear whether the session is known. */
static void tell_waiting(const struct browser_turn *turn, struct browser_session *session)
{
    uint32_t index = (uint32_t) (session - turn->browser->sessions);
    for (uint32_t i = 0; i < turn->browser->settings.tabs_max; i++) {
        struct browser_tab *tab = &turn->browser->tabs[i];
        if (tab->route != 0 && tab->state == TAB_ASKS && tab->session == index)
            let_in(turn, tab, session);
    }
}

/* A new name goes with a secret of the house's, never with one that somebody brought: whoever chose that would know it. */
static void ask_anew(const struct browser_turn *turn, struct browser_tab *tab)
{
    struct browser_session *session = &turn->browser->sessions[tab->session];
    if (memcmp(session->secret, tab->drawn, BROWSER_SECRET_SIZE) != 0) {
        char avatar[BROWSER_NAME_MAX + 1];
        memcpy(avatar, session->avatar, sizeof avatar);
        leave_session(turn, tab);
        session = open_session(turn, tab->drawn);
        if (session == NULL) {
            tab->state = TAB_NEW;
            refuse_full(turn, tab);
            return;
        }
        memcpy(session->avatar, avatar, sizeof avatar);
        enter(turn, tab, session);
    }
    ask_who(turn, tab, tab->name);
}

/* The lobby does not know the player. A tab that waits with a name gives it; the others are nobody
 * yet. */
static void not_known(const struct browser_turn *turn, struct browser_session *session)
{
    uint32_t index = (uint32_t) (session - turn->browser->sessions);
    for (uint32_t i = 0; i < turn->browser->settings.tabs_max && session->is_used; i++) {
        struct browser_tab *tab = &turn->browser->tabs[i];
        if (tab->route == 0 || tab->state != TAB_ASKS || tab->session != index)
            continue;
        if (tab->name[0] == '\0') {
            leave_session(turn, tab);
            welcome(turn, tab, NULL, true);
        } else if (!session->is_asking) {
            ask_anew(turn, tab);
        }
    }
}

/* A name of an answer; one that is too long is none. */
static void read_name(const struct wire_field *field, char name[BROWSER_NAME_MAX + 1])
{
    size_t size = (size_t) (field->body.end - field->body.at);
    if (size > BROWSER_NAME_MAX)
        return;
    memset(name, 0, BROWSER_NAME_MAX + 1);
    memcpy(name, field->body.at, size);
}

/* The verdict of an Answer, and name and picture of its player. */
static uint64_t read_player(const struct client_event *event, char name[BROWSER_NAME_MAX + 1],
                            char avatar[BROWSER_NAME_MAX + 1])
{
    struct wire_field field, inside;
    uint64_t          verdict = 0;
    for (struct reader in = { event->bytes, event->bytes + event->size };
         wire_field(&in, &field);) {
        if (field.number == FIELD_LOBBY_ANSWER_VERDICT)
            verdict = field.value;
        for (struct reader player = field.body;
             field.number == FIELD_LOBBY_ANSWER_PLAYER && wire_field(&player, &inside);)
            if (inside.number == FIELD_LOBBY_PLAYER_NAME)
                read_name(&inside, name);
            else if (inside.number == FIELD_LOBBY_PLAYER_AVATAR)
                read_name(&inside, avatar);
    }
    return verdict;
}

/* The name is refused, or the player may not come in. The tab hears the lobby's own words and may
 * say hello again. */
static void turn_away(const struct browser_turn *turn, struct browser_session *session,
                      const struct client_event *event)
{
    uint32_t    index = (uint32_t) (session - turn->browser->sessions);
    struct down down;
    for (uint32_t i = 0; i < turn->browser->settings.tabs_max && session->is_used; i++) {
        struct browser_tab *tab = &turn->browser->tabs[i];
        if (tab->route == 0 || tab->state != TAB_ASKS || tab->session != index)
            continue;
        down = down_begin(turn->browser->scratch);
        down.is_short = (size_t) (down.end - down.at) < event->size;
        if (!down.is_short && event->size > 0)
            memcpy(down.at, event->bytes, event->size);
        down.at += down.is_short ? 0 : event->size;
        tab->state = TAB_NEW;
        browser_tell(turn, tab, &down,
                     event->kind == CLIENT_ANSWER ? FIELD_BROWSER_DOWN_ANSWER
                                                  : FIELD_BROWSER_DOWN_REFUSED,
                     tab->request, BROWSER_NO_GAME);
        leave_session(turn, tab);
    }
}

void browser_who_told(const struct browser_turn *turn, const struct browser_pending *pending,
                      const struct client_event *event)
{
    struct browser_session *session = browser_session_asked(turn->browser, pending);
    char                    name[BROWSER_NAME_MAX + 1] = "", avatar[BROWSER_NAME_MAX + 1] = "";
    if (session == NULL)
        return;
    uint64_t verdict = event->kind == CLIENT_ANSWER ? read_player(event, name, avatar) : 0;
    session->is_asking = false;
    if (verdict == 1 && name[0] != '\0') {
        copy_text(session->name, name);
        if (avatar[0] != '\0')
            copy_text(session->avatar, avatar);
        session->is_known = true;
        session->quiet_ms = turn->now_ms;
        tell_waiting(turn, session);
    } else if (pending->kind == WAIT_WHO &&
               (verdict == 1 || verdict == ARBITER__LOBBY__VERDICT__VERDICT_NO_NAME)) {
        not_known(turn, session);
    } else {
        turn_away(turn, session, event);
    }
    if (session->is_used && session->tabs == 0 && !session->is_known && !session->is_asking)
        browser_session_free(turn, session);
}

/* The ninth tab of a player closes the one that came first. */
static void make_room(const struct browser_turn *turn, uint32_t session)
{
    struct browser_tab *oldest = NULL;
    uint32_t            count = 0;
    for (uint32_t i = 0; i < turn->browser->settings.tabs_max; i++) {
        struct browser_tab *tab = &turn->browser->tabs[i];
        if (tab->route == 0 || tab->session != session || tab->is_closing)
            continue;
        count++;
        if (oldest == NULL || tab->route < oldest->route) /* Routes grow with time. */
            oldest = tab;
    }
    if (count >= BROWSER_TABS)
        browser_close_for_another(turn, oldest);
}

static void join(const struct browser_turn *turn, struct browser_tab *tab,
                 struct browser_session *session)
{
    make_room(turn, (uint32_t) (session - turn->browser->sessions));
    enter(turn, tab, session);
    if (session->is_known)
        let_in(turn, tab, session);
    else if (!session->is_asking)
        ask_who(turn, tab, NULL);
}

static void hello_with_code(const struct browser_turn *turn, struct browser_tab *tab,
                            const char *code)
{
    struct browser_session *session = browser_of_code(turn, code);
    if (session == NULL) {
        browser_refuse_code(turn, tab, tab->request);
        return;
    }
    session->code[0] = '\0'; /* It is used up. */
    join(turn, tab, session);
}

/* What a hello says, kept while the lobby is asked. */
static void keep_hello(struct browser_tab *tab, uint32_t request,
                       const Arbiter__Browser__Hello *hello)
{
    tab->request = request;
    tab->has_stream = hello->has_stream && hello->stream.len == CLIENT_ID_SIZE && hello->has_last &&
                      hello->last < UINT64_MAX;
    if (tab->has_stream)
        memcpy(tab->stream, hello->stream.data, CLIENT_ID_SIZE);
    tab->last = hello->last;
    tab->owns_bytes = hello->has_own_bytes && hello->own_bytes;
    browser_follow_wish(tab, hello);
    copy_text(tab->name, hello->name);
}

void browser_hello(const struct browser_turn *turn, struct browser_tab *tab, uint32_t request,
                   const Arbiter__Browser__Hello *hello)
{
    uint8_t player[CLIENT_ID_SIZE];
    if (tab->state == TAB_IN || tab->state == TAB_ASKS) {
        browser_refuse(turn, tab, request, REFUSAL(AGAIN), "Hello was said already.", 0);
        return;
    }
    if (hello->name != NULL && text_length(hello->name) > BROWSER_NAME_MAX) {
        browser_refuse(turn, tab, request, REFUSAL(MALFORMED), "A name has at most 32 bytes.", 0);
        return;
    }
    keep_hello(tab, request, hello);
    if (hello->code != NULL && hello->code[0] != '\0') {
        hello_with_code(turn, tab, hello->code);
        return;
    }
    if (hello->session != NULL &&
        !browser_secret_read(tab->secret, hello->session, text_length(hello->session))) {
        browser_refuse(turn, tab, request, REFUSAL(NOT_YOURS), "This is no session.", 0);
        return;
    }
    player_of(turn->browser, tab->secret, player);
    struct browser_session *session = browser_session_of(turn->browser, player);
    if (session == NULL)
        session = open_session(turn, tab->secret);
    if (session == NULL) {
        refuse_full(turn, tab);
        return;
    }
    if (hello->avatar != NULL && hello->avatar[0] != '\0')
        copy_text(session->avatar, hello->avatar);
    join(turn, tab, session);
}

bool browser_knows(const struct browser *browser, const uint8_t secret[BROWSER_SECRET_SIZE])
{
    uint8_t player[CLIENT_ID_SIZE];
    if (browser == NULL)
        return false;
    player_of(browser, secret, player);
    const struct browser_session *session = browser_session_of(browser, player);
    return session != NULL && session->is_known;
}

void browser_sessions_tick(const struct browser_turn *turn)
{
    const struct browser_settings *settings = &turn->browser->settings;
    for (uint32_t i = 0; i < settings->sessions_max; i++) {
        struct browser_session *session = &turn->browser->sessions[i];
        if (session->is_used && session->tabs == 0 && !session->is_asking &&
            turn->now_ms - session->quiet_ms >= settings->idle_ms)
            browser_session_free(turn, session);
    }
    for (uint32_t i = 0; i < settings->tabs_max; i++) {
        struct browser_tab *tab = &turn->browser->tabs[i];
        if (tab->route != 0 && tab->state == TAB_NEW && !tab->is_closing &&
            turn->now_ms - tab->came_ms >= settings->hello_ms)
            browser_close(turn, tab, "Nobody said hello here in time.");
    }
}
