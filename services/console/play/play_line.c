/* play_line.c: what somebody types: numbers, and words behind a slash. */
#include <stdlib.h>
#include <string.h>

#include "services/console/command/console.h"
#include "services/console/play/play_parts.h"

static void help(struct play_session *play, const char *rest)
{
    (void) rest;
    play_tell(play,
              "  3            does what the menu says beside 3\n"
              "  3 2          does the second choice of that row\n"
              "  e            ends your turn, whatever its number is; asked twice\n"
              "  l            leaves the match for good; asked twice\n"
              "  /say TEXT    says something at the table\n"
              "  /board       draws board and menu again, with everything\n"
              "  /hint        says what a bot would do; /best does it\n"
              "  /who         says who sits where\n"
              "  /start       begins, at a table that you opened\n"
              "  /bots N L    calls N bots of level L; /bots fills the seats\n"
              "  /vote WHAT   says who gets a seat that was left: bot, wait, friend NAME\n"
              "  /quit        ends this program; your seat stays yours",
              "  3            tut, was im Menü neben 3 steht\n"
              "  3 2          tut die zweite Wahl dieser Zeile\n"
              "  e            beendet deinen Zug, welche Nummer er auch hat; zweimal gefragt\n"
              "  l            verlässt die Partie für immer; zweimal gefragt\n"
              "  /say TEXT    sagt etwas am Tisch\n"
              "  /board       zeichnet Brett und Menü noch einmal, mit allem\n"
              "  /hint        sagt, was ein Bot täte; /best tut es\n"
              "  /who         sagt, wer wo sitzt\n"
              "  /start       beginnt, am selbst eröffneten Tisch\n"
              "  /bots N L    ruft N Bots der Stufe L; /bots füllt die Plätze\n"
              "  /vote WAS    sagt, wer einen verlassenen Platz bekommt: bot, wait, friend NAME\n"
              "  /quit        beendet dieses Programm; dein Platz bleibt deiner");
    play_match_marks(&play->match);
}

void play_line_way_back(const struct play_session *play, FILE *out)
{
    fprintf(out, "%s %s --rejoin", console_program(), play->is_bot ? "bot" : "play");
    play_where_put(&play->ask.where, true, out);
}

void play_line_farewell(struct play_session *play)
{
    FILE *out = play->match.out;
    if (!play->has_match || play->match.is_over)
        return;
    if (play->is_bot)
        play_say(&play->match,
                 "\nThe bot has given up. Its seat stays its own, and the others wait for it.\n"
                 "It goes on with:  ",
                 "\nDer Bot hat aufgegeben. Sein Platz bleibt seiner, und die anderen warten auf "
                 "ihn.\nWeiter geht es mit:  ");
    else
        play_say(&play->match,
                 "\nYour seat stays yours, and the others wait for you.\n"
                 "Come back with:  ",
                 "\nDein Platz bleibt deiner, und die anderen warten auf dich.\n"
                 "Zurück geht es mit:  ");
    play_line_way_back(play, out);
    fputc('\n', out);
    (void) fflush(out);
}

static void quit(struct play_session *play, const char *rest)
{
    (void) rest;
    play_end(play, CONSOLE_OK);
}

static void say(struct play_session *play, const char *rest)
{
    if (rest[0] == '\0' || !play->has_table)
        play_tell(play, "Say what? /say TEXT", "Was denn? /say TEXT");
    else if (client_chat(play->client, play->table, rest) == 0)
        console_complain("that cannot be said: too long, or no UTF-8.");
}

static void board(struct play_session *play, const char *rest)
{
    (void) rest;
    play_screen_whole(play);
}

static void hint(struct play_session *play, const char *rest)
{
    (void) rest;
    play_turn_best(play, false);
}

static void best(struct play_session *play, const char *rest)
{
    (void) rest;
    play_turn_best(play, true);
}

static void who(struct play_session *play, const char *rest)
{
    (void) rest;
    uint32_t seats = 0;
    while (seats < SEATS_MAX && play->match.phrase.players[seats][0] != '\0')
        seats++;
    for (uint32_t seat = 0; seat < seats; seat++) {
        fputs("  ", play->match.out);
        phrase_player(&play->match.phrase, play->match.out, seat);
        if (seat == play->match.phrase.seat)
            play_say(&play->match, " (you)", " (du)");
        fputc('\n', play->match.out);
    }
}

static void start(struct play_session *play, const char *rest)
{
    (void) rest;
    if (play->has_table)
        (void) client_start_table(play->client, play->table);
}

static void bots(struct play_session *play, const char *rest)
{
    char    *behind;
    uint32_t count = (uint32_t) strtoul(rest, &behind, 10);
    uint64_t level = strtoul(behind, NULL, 10);
    if (level > 0 && (play->table_game == NULL || !play_has_level(play->table_game->game, level)))
        return;
    if (level > 0)
        play->ask.level = level;
    play_lobby_fill(play, count < SEATS_MAX ? count : 0);
}

static void vote(struct play_session *play, const char *rest)
{
    Arbiter__Lobby__Vote vote = ARBITER__LOBBY__VOTE__INIT;
    Arbiter__Lobby__Ask  ask = ARBITER__LOBBY__ASK__INIT;
    char                 name[INPUT_MAX];
    if (strcmp(rest, "bot") == 0) {
        vote.choice = ARBITER__LOBBY__VOTE__CHOICE__CHOICE_BOT;
    } else if (strcmp(rest, "wait") == 0) {
        vote.choice = ARBITER__LOBBY__VOTE__CHOICE__CHOICE_WAIT;
    } else if (strncmp(rest, "friend ", 7) == 0) {
        (void) snprintf(name, sizeof name, "%s", rest + 7);
        vote.choice = ARBITER__LOBBY__VOTE__CHOICE__CHOICE_FRIEND;
        vote.friend_name = name;
    } else {
        play_tell(play, "/vote bot, /vote wait, or /vote friend NAME",
                  "/vote bot, /vote wait oder /vote friend NAME");
        return;
    }
    vote.has_table = vote.has_seat = vote.has_choice = true;
    vote.table = (ProtobufCBinaryData){ CLIENT_ID_SIZE, play->table };
    vote.seat = play->vacant;
    ask.kind_case = ARBITER__LOBBY__ASK__KIND_VOTE;
    ask.vote = &vote;
    if (play->vacant == NOT_SEATED)
        play_tell(play, "No seat is being voted on.", "Über keinen Platz wird abgestimmt.");
    else
        (void) client_ask(play->client, &ask.base);
}

static const struct {
    const char *name;
    void (*does)(struct play_session *play, const char *rest);
    bool prompts; /* What it does ends there, and the prompt is shown again. */
} words[] = { { "say", say, true },     { "help", help, true },   { "quit", quit, false },
              { "board", board, true }, { "hint", hint, false },  { "best", best, false },
              { "who", who, true },     { "start", start, true }, { "bots", bots, true },
              { "vote", vote, true } };

void play_line(struct play_session *play, const char *line)
{
    line += strspn(line, " \t\r");
    if (line[0] != '/') {
        if (line[0] != '\0')
            play_turn_number(play, line);
        else if (play->is_prompting && play->is_terminal)
            play_prompt(play);
        return;
    }
    size_t size = strcspn(line + 1, " \r");
    for (uint32_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strlen(words[i].name) != size || strncmp(words[i].name, line + 1, size) != 0)
            continue;
        const char *rest = line + 1 + size;
        words[i].does(play, rest + strspn(rest, " "));
        if (words[i].prompts && play->is_prompting)
            play_prompt(play);
        return;
    }
    play_say(&play->match, "There is no /", "Es gibt kein /");
    phrase_bytes(&play->match.phrase, play->match.out, line + 1, size);
    fputs(".\n", play->match.out);
    help(play, NULL);
    if (play->is_prompting)
        play_prompt(play);
}
