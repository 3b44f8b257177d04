/* play_turn.c: the match itself: what happened, how it stands, what may be done, and doing it. */
#include <stdlib.h>
#include <string.h>

#include "contract/engine.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "services/console/command/console.h"
#include "services/console/command/progress.h"
#include "services/console/faces/face.h"
#include "services/console/faces/worded.h"
#include "services/console/play/play_parts.h"

static bool is_ours(const struct play_session *play, const struct client_event *event)
{
    return play->has_match && memcmp(event->match_id, play->match.id, CLIENT_ID_SIZE) == 0;
}

static void put_hex(FILE *out, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        fprintf(out, "%02x", bytes[i]);
}

static void greet(struct play_session *play)
{
    FILE *out = play->match.out;
    fputs("\n\n", out);
    play_match_story(&play->match);
    play_match_marks(&play->match);
    play_say(&play->match, "Others may watch: ", "Zuschauen kann man mit: ");
    fprintf(out, "%s watch ", console_program());
    put_hex(out, play->match.id, CLIENT_ID_SIZE);
    play_where_put(&play->ask.where, false, out);
    fputc('\n', out);
    play_tell(play, "Type the number of what you want to do. /help explains the rest.",
              "Tippe die Nummer dessen, was du tun willst. /help erklärt den Rest.");
}

void play_turn_attached(struct play_session *play, const struct client_event *event)
{
    if (play->has_match && !is_ours(play, event))
        return; /* A second match of ours goes on; one is played at a time. */
    bool is_first = !play->has_match;
    if (!play_match_attached(&play->match, event)) {
        console_complain("this build does not know the game, or these rules of it.");
        play_end(play, CONSOLE_BAD_INPUT);
        return;
    }
    if (play->is_bot && !play_has_level(play->match.phrase.wire->game, play->ask.level)) {
        play_end(play, CONSOLE_USAGE);
        return;
    }
    play->has_match = true;
    if (is_first) {
        play->begun_s = seconds_now();
        if (play->match.phrase.texts == NULL && play->setup_name[0] != '\0')
            phrase_read_texts(&play->match.phrase, play->setup_name);
        greet(play);
    }
    play->wants_look = true;
}

void play_turn_act(struct play_session *play, const struct client_event *event)
{
    if (!is_ours(play, event))
        return;
    (void) fflush(play->match.out);
    play->last_at = play->quiet_size;
    play_match_act(&play->match, event);
    play->wants_look = true;
    play->is_prompting = false;
    menu_clear(&play->menu);
}

void play_turn_rest(struct play_session *play)
{
    if (!play->has_match || !play->wants_look || play->match.is_over)
        return;
    play->looking = client_look(play->client, play->match.id, play->match.seat);
    play->wants_look = play->looking == 0;
    (void) fflush(play->match.out);
}

void play_turn_view(struct play_session *play, const struct client_event *event)
{
    if (!is_ours(play, event) || event->request != play->looking || play->wants_look)
        return;
    play->looking = 0;
    play_match_view(&play->match, event);
    if (!play->match.is_awaited && !play->is_shown) { /* A player who comes in sees how it
                                                       * stands. */
        fputs("\n\n", play->match.out);
        play_screen(play);
    }
    play->is_shown = true;
    if (!play->match.is_awaited || play->playing != 0)
        return;
    (void) client_legal(play->client, play->match.id, play->match.seat,
                        (uint64_t) (seconds_now() * 1e6), true);
}

static void keep_best(struct play_session *play, const struct client_event *event)
{
    const Arbiter__Engine__LegalAnswer *answer =
        (const Arbiter__Engine__LegalAnswer *) (const void *) client_message(play->client, event);
    play->has_best = false;
    if (answer == NULL || (!answer->has_best && !answer->has_proposal))
        return;
    const ProtobufCBinaryData *bytes = answer->has_best ? &answer->best : &answer->proposal;
    play->has_best = client_command(play->client, event, bytes->data, bytes->len, &play->best);
    if (!play->has_best || play->best.text == NULL)
        return;
    free(play->best_text); /* It lives in the event, and we want it later. */
    play->best_text = malloc(play->best.text_size + 1);
    if (play->best_text == NULL)
        abort();
    memcpy(play->best_text, play->best.text, play->best.text_size);
    play->best.text = play->best_text;
}

static void send(struct play_session *play, const struct command *command)
{
    play->playing = client_play(play->client, play->match.id, play->match.seat, command);
    if (play->playing == 0) {
        console_complain("the last command is still under way; try again in a moment.");
        play_prompt(play);
        return;
    }
    play->is_prompting = false;
}

/* What a bot of a level finds when it thinks ahead. A weak one often plays without a thought. */
static bool think(struct play_session *play, const struct legal *list)
{
    if (play->ask.level == 0 || legal_count(list) < 2)
        return false;
    const struct foresight *foresight = play->match.phrase.wire->game->foresight;
    const struct level     *level = &foresight->level[play->ask.level - 1];
    if ((uint64_t) (seconds_now() * 1e6) % 100 < level->careless) {
        play->has_best = false;
        return false;
    }
    return play_mind_best(&play->match.mind, level->nodes, PLAY_THOUGHT_MS, &play->best);
}

/* A game without a judgement of its own is played at random. */
static void do_as_a_bot(struct play_session *play, const struct legal *list)
{
    struct legal usual = *list;
    uint32_t     others = legal_usual_first(&usual, play->match.phrase.wire->game->commands);
    usual.patterns = others > 0 ? others : list->patterns; /* It does not give up by chance. */
    uint64_t count = legal_count(&usual);
    play->has_best = think(play, list) || play->has_best;
    if (!play->has_best && count > 0)
        legal_pick(&usual, (uint64_t) (seconds_now() * 1e6) % count, &play->best);
    else if (!play->has_best)
        return;
    phrase_command(&play->match.phrase, play->match.out, &play->best);
    fputc('\n', play->match.out);
    send(play, &play->best);
}

void play_turn_legal(struct play_session *play, const struct client_event *event)
{
    struct legal list;
    if (!is_ours(play, event) || play->playing != 0 || event->number != play->match.number ||
        !client_list(play->client, event, &list))
        return;
    keep_best(play, event);
    menu_fill(&play->menu, &play->match.phrase, &list);
    if (play->menu.count == 0 && !play->has_best)
        return;
    fputs("\n\n", play->match.out);
    play->is_prompting = true;
    play->sure_kind = 0;
    play->sure_key = '\0';
    play->page = 0;
    play_screen(play);
    if (play->is_bot) {
        do_as_a_bot(play, &list);
        return;
    }
    if (play->menu.count == 0)
        play_tell(play, "There is nothing to choose from. /best does what a bot would do.",
                  "Es gibt nichts zur Auswahl. /best tut, was ein Bot täte.");
    play_prompt(play);
}

static bool asks_twice(const struct play_session *play, const struct command *command)
{
    const struct game *game = play->match.phrase.wire->game;
    const struct face *face = face_of(&play->match.phrase);
    return face != NULL ? (face->kinds_sure & FACE_KIND(command->kind)) != 0
                        : (game->commands[command->kind].flags & COMMAND_SELDOM) != 0;
}

/* Nobody who leaves can come back: so it takes a second word. */
static bool is_sure(struct play_session *play, const struct command *command)
{
    if (!asks_twice(play, command) || play->sure_kind == command->kind)
        return true;
    play->sure_kind = command->kind;
    play_tell(play, "That cannot be taken back. Type the same again if you mean it.",
              "Das lässt sich nicht zurücknehmen. Tippe dasselbe noch einmal, wenn du es meinst.");
    play_prompt(play);
    return false;
}

/* Whether the rules are asked first what would come of a command. */
static bool asks_first(struct play_session *play, const struct command *command)
{
    const struct face *face = face_of(&play->match.phrase);
    struct command     asked;
    if (face == NULL || face->asks_first == NULL || play->sure_kind == command->kind ||
        !face->asks_first(command, &asked))
        return false;
    play->asked_kind = command->kind;
    send(play, &asked);
    play->is_asking = play->playing != 0;
    return true;
}

/* They have answered, by refusing it. */
static void warn(struct play_session *play, const Arbiter__Engine__Reply *reply)
{
    FILE *out = play->match.out;
    fputc('\n', out);
    face_of(&play->match.phrase)->warning(&play->match.phrase, out, reply->verdict);
    fputc('\n', out);
    play_tell(play, "Type the same again if you mean it.",
              "Tippe dasselbe noch einmal, wenn du es meinst.");
    play->sure_kind = play->asked_kind;
    play->is_prompting = true;
    play_prompt(play);
}

/* On a terminal the board would go over its upper edge, so it is put anew. */
static void show_choices(struct play_session *play)
{
    play->page = 0;
    if (play->is_terminal)
        play_screen(play);
    else
        menu_put(&play->menu, &play->match.phrase, play->match.out);
}

/* What a key does stands nowhere, so it says so first. A command that asks twice anyway does not. */
static bool is_key_sure(struct play_session *play, const char *key, const struct command *command)
{
    FILE *out = play->match.out;
    bool  is_said = play->sure_key == key[0];
    play->sure_key = key[0];
    if (is_said || asks_twice(play, command))
        return true;
    fprintf(out, "%s: ", key);
    phrase_command(&play->match.phrase, out, command);
    play_say(&play->match, ". Type it again if you mean it.",
             ". Tippe es noch einmal, wenn du es meinst.");
    fputc('\n', out);
    play_prompt(play);
    return false;
}

/* A line that the game's face understands. */
static bool reads_words(struct play_session *play, const char *line)
{
    const struct face *face = face_of(&play->match.phrase);
    struct command     command;
    if (face == NULL || face->reads == NULL)
        return false;
    enum face_reading reading = face->reads(&play->match.phrase, play->match.out, line, &command);
    if (reading == FACE_PLAYS)
        send(play, &command);
    else if (reading == FACE_SAYS)
        play_prompt(play);
    return reading != FACE_KNOWS_NOT;
}

void play_turn_number(struct play_session *play, const char *line)
{
    struct command command;
    if (!play->is_prompting) {
        play_tell(play, "It is not your turn; /help says what can be typed.",
                  "Du bist nicht am Zug; /help sagt, was man tippen kann.");
        return;
    }
    if (play->is_paged && strcmp(line, "+") == 0) {
        play->page++;
        play_screen(play);
        play_prompt(play);
        return;
    }
    bool is_key = menu_is_key(line);
    if (!is_key || play->sure_key != line[0])
        play->sure_key = '\0';
    if (!is_key && reads_words(play, line))
        return;
    switch (is_key ? menu_take_key(&play->menu, play->match.phrase.wire->game, line, &command)
                   : menu_take(&play->menu, line, &command)) {
    case MENU_PLAYS:
        if (is_key && !is_key_sure(play, line, &command))
            return;
        if (!asks_first(play, &command) && is_sure(play, &command))
            send(play, &command);
        return;
    case MENU_ASKS: show_choices(play); break;
    case MENU_NONSENSE:
        if (is_key)
            play_tell(play, "That cannot be done now.", "Das geht jetzt nicht.");
        else
            play_tell(play, "Type one of the numbers, or /help.",
                      "Tippe eine der Nummern oder /help.");
        break;
    }
    play_prompt(play);
}

void play_turn_best(struct play_session *play, bool is_played)
{
    FILE *out = play->match.out;
    if (!play->is_prompting || !play->has_best) {
        play_tell(play, "There is nothing to advise now.", "Jetzt gibt es nichts zu raten.");
        return;
    }
    if (play->menu.count > 1 && play->match.phrase.wire->game->foresight != NULL)
        (void) play_mind_best(&play->match.mind, SEARCH_NODES_MAX, PLAY_HINT_MS, &play->best);
    play_say(&play->match, is_played ? "You do: " : "A bot would do: ",
             is_played ? "Du tust: " : "Ein Bot täte: ");
    phrase_command(&play->match.phrase, out, &play->best);
    fputc('\n', out);
    if (is_played)
        send(play, &play->best);
    else
        play_prompt(play);
}

/* Why the rules say no: in the game's words, else in the rules' own. */
static void put_refusal(const struct play_session *play, const Arbiter__Engine__Reply *reply)
{
    const char *sentence = reply != NULL ? reply->sentence : NULL;
    char       *words = NULL;
    size_t      size = 0;
    FILE       *out = open_memstream(&words, &size);
    if (out == NULL)
        abort();
    bool is_worded = reply != NULL && worded_refusal(&play->match.phrase, out, reply->verdict);
    fclose(out);
    complain("%s%s",
             phrase_say(&play->match.phrase,
                        "the rules refuse that: ", "die Regeln erlauben das nicht: "),
             is_worded          ? words
             : sentence != NULL ? sentence
                                : "no reason is given.");
    free(words);
}

void play_turn_reply(struct play_session *play, const struct client_event *event)
{
    if (!is_ours(play, event) || event->request != play->playing)
        return;
    bool                          is_asking = play->is_asking;
    const Arbiter__Engine__Reply *reply = NULL;
    if (event->outcome == CLIENT_NOT_ACCEPTED)
        reply = (const Arbiter__Engine__Reply *) (const void *) client_message(play->client, event);
    play->playing = 0;
    play->is_asking = false;
    if (is_asking && reply != NULL) {
        warn(play, reply);
        return;
    }
    play->wants_look = true;
    if (event->outcome == CLIENT_NOT_ACCEPTED) {
        put_refusal(play, reply);
    } else if (event->outcome == CLIENT_UNSURE) {
        console_complain("the connection broke over this command; see above whether it was done.");
    } else if (event->outcome == CLIENT_UNFIT) {
        console_complain("the engine cannot read this command; do both have the same version?");
    }
}

/* A player who need not believe the house is told how: its journal is at hand here. */
static void tell_proof(const struct play_session *play)
{
    FILE *out = play->match.out;
    if (play->is_bot || play->ask.where.lobby != NULL)
        return;
    play_say(&play->match, "\nCheck all of it:  ", "\nAlles nachprüfen:  ");
    fprintf(out, "%s match export ", console_program());
    put_hex(out, play->match.id, CLIENT_ID_SIZE);
    play_where_put(&play->ask.where, false, out);
    fprintf(out, " && %s verify ", console_program());
    put_hex(out, play->match.id, CLIENT_ID_SIZE);
    fputs(".match", out);
}

void play_turn_over(struct play_session *play, const struct client_event *event)
{
    if (!is_ours(play, event))
        return;
    play->match.is_over = true;
    play->is_prompting = false;
    play->over_s = seconds_now();
    if (play->is_bot)
        fprintf(play->match.out, "\n%.1f s", play->over_s - play->begun_s);
    fputc('\n', play->match.out);
    if ((event->proof & CLIENT_PROOF_DICE) != 0)
        play_say(
            &play->match, "\nThe dice were honest: the house's secret is the one it was bound to.",
            "\nDie Würfel waren ehrlich: Das Geheimnis des Hauses ist das vorher hinterlegte.");
    tell_proof(play);
    (void) fflush(play->match.out);
}

void play_turn_lost(struct play_session *play, const struct client_event *event)
{
    if (!is_ours(play, event))
        return;
    const ProtobufCMessage *message = client_message(play->client, event);
    const char             *why = NULL;
    if (message != NULL && event->closed != 0)
        why = ((const Arbiter__Engine__Closed *) (const void *) message)->sentence;
    else if (message != NULL)
        why = ((const Arbiter__Wire__Refused *) (const void *) message)->sentence;
    complain("the seat is lost: %s", why != NULL ? why : "no reason is given.");
    play_end(play, CONSOLE_DISAGREES);
}
