/* play_lobby.c: from a key to a seat: a name, a table, friends and bots, and what is said meanwhile. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "services/console/command/console.h"
#include "services/console/command/progress.h"
#include "services/console/play/play_parts.h"

#define NAME_TRIES 9
#define CALLS_MAX 30
#define CALL_AGAIN_S 0.5
#define BOTS_PATIENCE_S 10.0 /* One that is free comes within a second. */
#define DONE ARBITER__LOBBY__VERDICT__VERDICT_DONE

static bool is_none(const uint8_t id[CLIENT_ID_SIZE])
{
    static const uint8_t zeros[CLIENT_ID_SIZE];
    return memcmp(id, zeros, CLIENT_ID_SIZE) == 0;
}

static bool is_same(const uint8_t id[CLIENT_ID_SIZE], const ProtobufCBinaryData *other)
{
    return other->len == CLIENT_ID_SIZE && memcmp(id, other->data, CLIENT_ID_SIZE) == 0;
}

static void open_table(struct play_session *play)
{
    struct client_table table = { .game = play->game,
                                  .seats = (uint32_t) play->ask.table.seats,
                                  .turn_ms = play->ask.turn_s * 1000,
                                  .is_private = play->ask.is_private };
    bool is_file = play->ask.table.text != NULL || strpbrk(play->ask.table.config, "/.") != NULL;
    if (is_file)
        table.setup = play->setup->config;
    else
        table.setup_name = play->ask.table.config;
    if (play->ask.table.set.count > 0 || play->ask.table.options != NULL)
        table.options = play->setup->options;
    (void) snprintf(play->setup_name, sizeof play->setup_name, "%s", play->ask.table.config);
    play->opening = client_create_table(play->client, &table);
}

/* The name is ours: to the table. */
static void go_on(struct play_session *play)
{
    play->is_bound = true;
    if (play->ask.rejoin)
        play->opening = client_rejoin(play->client);
    else if (play->ask.join != NULL)
        play->opening = client_join_table(play->client, NULL, play->ask.join);
    else
        open_table(play);
}

/* "ada", and if another key has it and nobody insisted on it, "ada 2", "ada 3", ... */
static void bind_name(struct play_session *play)
{
    const char *wanted = play_where_name(&play->ask.where);
    size_t      size = strlen(wanted);
    char        name[33];
    play->tries++;
    while (play->tries > 1 && (size > 30 || ((unsigned char) wanted[size] & 0xc0) == 0x80))
        size--; /* A number of one digit has room, and no character is cut. */
    if (play->tries == 1)
        (void) snprintf(name, sizeof name, "%s", wanted);
    else
        (void) snprintf(name, sizeof name, "%.*s %" PRIu32, (int) size, wanted, play->tries);
    play->binding = client_bind_name(play->client, name);
}

void play_lobby_connected(struct play_session *play, const struct client_event *event)
{
    if (play->is_bound || play->binding != 0)
        return;
    memcpy(play->player, event->player, sizeof play->player);
    if (is_none(event->player) || play->ask.where.name != NULL)
        bind_name(play);
    else
        go_on(play);
}

static void on_bound(struct play_session *play, const Arbiter__Lobby__Answer *answer)
{
    play->binding = 0;
    if (answer->verdict == DONE) {
        if (answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_PLAYER &&
            answer->player->player.len == CLIENT_ID_SIZE)
            memcpy(play->player, answer->player->player.data, sizeof play->player);
        go_on(play);
    } else if (answer->verdict == ARBITER__LOBBY__VERDICT__VERDICT_NAME_TAKEN &&
               play->ask.where.name == NULL && play->tries < NAME_TRIES) {
        bind_name(play);
    } else {
        complain("the lobby does not take this name: %s",
                 answer->sentence != NULL ? answer->sentence : "try another with --name.");
        play_end(play, CONSOLE_DISAGREES);
    }
}

/* Remembers a name; the newest one counts, and with too many the last place is taken again. */
static void meet(struct play_session *play, const Arbiter__Lobby__Player *player)
{
    uint32_t at = 0;
    if (player == NULL || player->player.len != CLIENT_ID_SIZE || player->name == NULL)
        return;
    while (at < play->member_count && !is_same(play->members[at].player, &player->player))
        at++;
    if (at == PLAY_MEMBERS_MAX)
        at--;
    memcpy(play->members[at].player, player->player.data, CLIENT_ID_SIZE);
    (void) snprintf(play->members[at].name, PHRASE_NAME_MAX, "%s", player->name);
    play->member_count += at == play->member_count;
}

static void put_member(const struct play_session *play, const ProtobufCBinaryData *player)
{
    for (uint32_t i = 0; i < play->member_count; i++)
        if (is_same(play->members[i].player, player)) {
            phrase_text(&play->match.phrase, play->match.out, play->members[i].name);
            return;
        }
    play_say(&play->match, "Somebody", "Jemand");
}

/* How well a bot plays, if it has a level. */
static void put_level(const struct play_session *play, const Arbiter__Lobby__Player *player)
{
    if (!player->has_level)
        return;
    play_say(&play->match, ", level ", ", Stufe ");
    fprintf(play->match.out, "%" PRIu32, player->level);
}

static void put_seats(const struct play_session *play, const Arbiter__Lobby__Table *table)
{
    const struct phrase *phrase = &play->match.phrase;
    FILE                *out = play->match.out;
    for (size_t i = 0; i < table->n_seats; i++) {
        const Arbiter__Lobby__Player *player = table->seats[i]->player;
        fputs(i == 0 ? "  " : ", ", out);
        if (player != NULL && player->name != NULL) {
            phrase_text(phrase, out, player->name);
            put_level(play, player);
        } else {
            play_say(&play->match, table->seats[i]->promised ? "(a bot comes)" : "(free)",
                     table->seats[i]->promised ? "(ein Bot kommt)" : "(frei)");
        }
    }
    fputc('\n', out);
}

static void keep_table(struct play_session *play, const Arbiter__Lobby__Table *table)
{
    play->has_table = true;
    memcpy(play->table, table->table.data, sizeof play->table);
    for (size_t i = 0; i < table->n_seats; i++)
        meet(play, table->seats[i]->player);
    if (table->game != NULL)
        play->table_game = registry_find(table->game, table->rules_version);
    if (table->code != NULL)
        (void) snprintf(play->code, sizeof play->code, "%s", table->code);
    if (table->setup_name != NULL)
        (void) snprintf(play->setup_name, sizeof play->setup_name, "%s", table->setup_name);
}

static void show_table(struct play_session *play, const Arbiter__Lobby__Table *table)
{
    FILE *out = play->match.out;
    play_say(&play->match, "Table ", "Tisch ");
    phrase_text(&play->match.phrase, out, play->code);
    fputs(":", out);
    put_seats(play, table);
    if (table->rigged)
        play_tell(
            play, "This table is rigged: its host has laid the cards. It is one for tests.",
            "Dieser Tisch ist gezinkt: Sein Gastgeber hat die Karten gelegt. Er ist für Tests.");
    if (!play->ask.create || table->phase != ARBITER__LOBBY__TABLE__PHASE__PHASE_OPEN)
        return;
    play_say(&play->match, "Friends join with:  arbiter play --join ",
             "Freunde kommen dazu mit:  arbiter play --join ");
    fprintf(out, "%s\n", play->code);
    play_tell(play, "It begins when all seats are taken; /start begins now, /bots fills the seats.",
              "Es beginnt, wenn alle Plätze besetzt sind; /start beginnt jetzt, /bots füllt auf.");
}

void play_lobby_fill(struct play_session *play, uint32_t bots)
{
    play->call_s = 0;
    play->awaited = bots == 0 ? UINT32_MAX : bots; /* 0: wherever a seat is free. */
    play->bots_s = seconds_now() + BOTS_PATIENCE_S;
    play->bots = bots;
    char level[16];
    (void) snprintf(level, sizeof level, "level:%" PRIu64, play->ask.level);
    if (play->has_table)
        play->filling = client_fill_with_bots(play->client, play->table, bots,
                                              play->is_bot || play->ask.level == 0 ? NULL : level);
    if (play->has_table && play->filling == 0)
        console_complain("the lobby has too many questions at once; try again in a moment.");
}

/* The lobby has taken the call, and no bot takes the seat. Said once for each call. */
static void tell_of_no_bots(struct play_session *play)
{
    play->bots_s = 0;
    if (play->is_bot) /* Nobody types, and what it would show may be shown to nobody. */
        console_complain(
            "still no other bot has come for a free seat: all are busy, or none runs.");
    else
        play_tell(
            play,
            "Still no bot has come for a free seat: all are busy, or none runs. Wait, and the "
            "next one that is free sits down; /quit ends this program.",
            "Noch ist kein Bot für einen freien Platz gekommen: Alle spielen, oder es läuft "
            "keiner. Warte, und der nächste freie setzt sich dazu; /quit beendet dieses "
            "Programm.");
}

/* Others may be called yet. */
static void count_bot(struct play_session *play, const Arbiter__Lobby__Player *player)
{
    if (play->bots_s == 0 || player == NULL || !player->bot)
        return;
    play->awaited--;
    play->bots_s = play->awaited == 0 ? 0 : seconds_now() + BOTS_PATIENCE_S;
}

void play_lobby_time(struct play_session *play, double now_s)
{
    if (play->call_s > 0 && now_s >= play->call_s)
        play_lobby_fill(play, play->bots);
    if (play->has_match)
        play->bots_s = 0;
    if (play->bots_s > 0 && now_s >= play->bots_s)
        tell_of_no_bots(play);
}

/* A house that has just been opened has no bots yet: they are called again for a while. */
static bool is_called_again(struct play_session *play, const Arbiter__Lobby__Answer *answer)
{
    if (answer->verdict != ARBITER__LOBBY__VERDICT__VERDICT_NO_BOTS || play->calls >= CALLS_MAX)
        return false;
    play->calls++;
    play->call_s = seconds_now() + CALL_AGAIN_S;
    return true;
}

static void on_table(struct play_session *play, const Arbiter__Lobby__Table *table)
{
    if (table->table.len != CLIENT_ID_SIZE)
        return;
    keep_table(play, table);
    show_table(play, table);
    if (table->phase == ARBITER__LOBBY__TABLE__PHASE__PHASE_OPEN && play->ask.join == NULL &&
        !play->ask.create && play->ask.bots > 0)
        play_lobby_fill(play, (uint32_t) play->ask.bots);
}

/* A player who comes back comes to one table: sooner to one that plays than to one that waits. */
static void on_tables(struct play_session *play, const Arbiter__Lobby__Tables *tables)
{
    size_t at = 0;
    while (at + 1 < tables->n_tables &&
           tables->tables[at]->phase != ARBITER__LOBBY__TABLE__PHASE__PHASE_PLAYING)
        at++;
    if (at < tables->n_tables) {
        keep_table(play, tables->tables[at]);
        show_table(play, tables->tables[at]);
        return;
    }
    complain("%s has no seat in a running match; --name NAME comes back under another name.",
             play_where_name(&play->ask.where));
    play_end(play, CONSOLE_DISAGREES);
}

static void complain_of_seat(const struct play_session *play)
{
    char  *way = NULL;
    size_t size = 0;
    FILE  *out = open_memstream(&way, &size);
    if (out == NULL)
        abort();
    play_line_way_back(play, out);
    (void) fclose(out);
    complain("this leads back to it: %s; \"--name NAME\" sits down as somebody else.", way);
    free(way);
}

/* Somebody who is about to type sees a prompt: the sentence goes below it, and the prompt is put
 * again. */
static void tell_refused(struct play_session *play, const Arbiter__Lobby__Answer *answer)
{
    bool is_typing = play->is_prompting && play->is_terminal;
    if (is_typing)
        fputc('\n', play->match.out);
    (void) fflush(play->match.out);
    complain("%s", answer->sentence != NULL ? answer->sentence : "the lobby says no.");
    if (answer->verdict == ARBITER__LOBBY__VERDICT__VERDICT_SEATED_ELSEWHERE)
        complain_of_seat(play);
    if (is_typing)
        play_prompt(play);
}

void play_lobby_answer(struct play_session *play, const struct client_event *event)
{
    const Arbiter__Lobby__Answer *answer =
        (const Arbiter__Lobby__Answer *) (const void *) client_message(play->client, event);
    if (answer == NULL)
        return;
    if (event->request == play->binding) {
        on_bound(play, answer);
        return;
    }
    bool is_opening = event->request == play->opening;
    if (is_opening)
        play->opening = 0;
    if (event->request == play->filling && is_called_again(play, answer))
        return;
    if (event->request == play->filling && answer->verdict != DONE)
        play->bots_s = 0;
    if (answer->verdict != DONE) {
        tell_refused(play, answer);
        if (is_opening || answer->verdict == ARBITER__LOBBY__VERDICT__VERDICT_NO_BOTS)
            play_end(play, CONSOLE_DISAGREES);
    } else if (is_opening && answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_TABLE) {
        on_table(play, answer->table);
    } else if (is_opening && answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_TABLES) {
        on_tables(play, answer->tables);
    }
}

/* "Ben sits down." Names are others'. */
static void tell_of(const struct play_session *play, const Arbiter__Lobby__Player *player,
                    const char *english, const char *german)
{
    fputs("\n  ", play->match.out);
    if (player != NULL && player->name != NULL)
        phrase_text(&play->match.phrase, play->match.out, player->name);
    else
        play_say(&play->match, "Somebody", "Jemand");
    if (player != NULL)
        put_level(play, player);
    play_say(&play->match, english, german);
}

static void put_chat(const struct play_session *play, const Arbiter__Lobby__Chatted *chat)
{
    FILE *out = play->match.out;
    if (chat->has_player && is_same(play->player, &chat->player))
        return;
    fputs("\n  ", out);
    if (chat->has_player)
        put_member(play, &chat->player);
    else
        play_say(&play->match, "The house", "Das Haus");
    fputs(": ", out);
    if (chat->text != NULL)
        phrase_text(&play->match.phrase, out, chat->text);
    else
        fprintf(out, "(%" PRIu32 ")", chat->phrase);
}

static void put_vacant(struct play_session *play, uint32_t seat)
{
    play->vacant = seat;
    fputs("\n  ", play->match.out);
    phrase_player(&play->match.phrase, play->match.out, seat);
    play_say(&play->match, " has left the seat. Vote: /vote bot, /vote wait, or /vote friend NAME",
             " hat den Platz verlassen. Stimmt ab: /vote bot, /vote wait oder /vote friend NAME");
}

static void put_ended(struct play_session *play, const Arbiter__Lobby__Result *result)
{
    bool is_aborted = result != NULL && result->aborted;
    if (result == NULL || !play->has_match)
        return;
    fputs("\n\n", play->match.out);
    if (is_aborted) {
        play_say(&play->match, "The match was ended without a result.",
                 "Die Partie wurde ohne Ergebnis beendet.");
        return;
    }
    for (size_t i = 0; i < result->n_outcome; i++) {
        int32_t outcome = result->outcome[i];
        phrase_player(&play->match.phrase, play->match.out, (uint32_t) i);
        play_say(&play->match,
                 outcome > 0   ? ": won"
                 : outcome < 0 ? ": lost"
                               : ": drew",
                 outcome > 0   ? ": gewonnen"
                 : outcome < 0 ? ": verloren"
                               : ": unentschieden");
        fputs(i + 1 < result->n_outcome ? ", " : "", play->match.out);
    }
}

static void on_event(struct play_session *play, const Arbiter__Lobby__TableEvent *event)
{
    switch (event->kind_case) {
    case ARBITER__LOBBY__TABLE_EVENT__KIND_SEATED:
        meet(play, event->seated->player);
        count_bot(play, event->seated->player);
        if (event->seated->player == NULL || !is_same(play->player, &event->seated->player->player))
            tell_of(play, event->seated->player, " sits down", " setzt sich dazu");
        break;
    case ARBITER__LOBBY__TABLE_EVENT__KIND_LEFT:
        fputs("\n  ", play->match.out);
        put_member(play, &event->left->player);
        play_say(&play->match, " gets up", " steht auf");
        break;
    case ARBITER__LOBBY__TABLE_EVENT__KIND_CHATTED: put_chat(play, event->chatted); break;
    case ARBITER__LOBBY__TABLE_EVENT__KIND_SEAT_VACATED:
        put_vacant(play, event->seat_vacated->seat);
        break;
    case ARBITER__LOBBY__TABLE_EVENT__KIND_SEAT_GIVEN:
        tell_of(play, event->seat_given->player, " plays on", " spielt weiter");
        break;
    case ARBITER__LOBBY__TABLE_EVENT__KIND_MATCH_ENDED:
        put_ended(play, event->match_ended->result);
        if (play->over_s > 0)
            play_end(play, CONSOLE_OK);
        break;
    case ARBITER__LOBBY__TABLE_EVENT__KIND_TABLE_CLOSED:
        if (!play->has_match) {
            complain("the table is closed: %s", event->table_closed->sentence != NULL
                                                    ? event->table_closed->sentence
                                                    : "nobody says why.");
            play_end(play, CONSOLE_DISAGREES);
        }
        break;
    default: break;
    }
}

/* What others need not be told, or we have typed ourselves, leaves no line. */
static bool is_silent(const struct play_session *play, const Arbiter__Lobby__TableEvent *event)
{
    return event->kind_case == ARBITER__LOBBY__TABLE_EVENT__KIND_NOTHING ||
           (event->kind_case == ARBITER__LOBBY__TABLE_EVENT__KIND_CHATTED &&
            event->chatted->has_player && is_same(play->player, &event->chatted->player));
}

void play_lobby_table(struct play_session *play, const struct client_event *event)
{
    if (event->kind == CLIENT_TABLE_NOW)
        return; /* What matters of it, the match, is attached by the library. */
    const Arbiter__Lobby__TableEvent *happened =
        (const Arbiter__Lobby__TableEvent *) (const void *) client_message(play->client, event);
    if (happened == NULL || !play->has_table ||
        memcmp(event->table, play->table, CLIENT_ID_SIZE) != 0)
        return;
    on_event(play, happened);
    if (play->is_prompting && !is_silent(play, happened))
        play_prompt(play);
    (void) fflush(play->match.out);
}
