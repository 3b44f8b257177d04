/* play_screen.c: what a player sees when a match waits for a move: the board, the clock, what may
 * be done. */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "services/console/command/terminal.h"
#include "services/console/play/play_parts.h"
#include "services/console/play/screen.h"

/* A blank line, and the one that is typed in. */
#define PROMPT_ROWS 2u

static void put_clock(const struct play_session *play, FILE *out)
{
    uint64_t left_s = play->match.left_ms / 1000;
    if (!play->is_prompting || play->match.left_ms == 0)
        return;
    fputs(phrase_say(&play->match.phrase, "You have ", "Du hast "), out);
    fprintf(out, "%" PRIu64 ":%02" PRIu64 "\n", left_s / 60, left_s % 60);
}

static void put_menu(const struct play_session *play, FILE *out)
{
    if (play->is_prompting)
        menu_put(&play->menu, &play->match.phrase, out);
}

/* What such a function puts, to be freed. */
static char *put_to_string(const struct play_session *play,
                           void (*put)(const struct play_session *, FILE *))
{
    char  *string = NULL;
    size_t size = 0;
    FILE  *out = open_memstream(&string, &size);
    if (out == NULL)
        abort();
    put(play, out);
    fclose(out);
    return string;
}

static void put_screen(struct play_session *play, enum play_board most, enum play_board least)
{
    struct screen screen = { .prompt = play->is_prompting ? PROMPT_ROWS : 1, .page = play->page };
    char         *board = play_match_board(&play->match, most);
    char         *terse = play_match_board(&play->match, least);
    char         *head = play_match_board(&play->match, PLAY_BOARD_HEAD);
    char         *clock = put_to_string(play, put_clock);
    char         *menu = put_to_string(play, put_menu);
    terminal_size(&screen.columns, &screen.rows);
    if (most == PLAY_BOARD_WHOLE || !play->is_terminal || isatty(STDOUT_FILENO) != 1)
        screen.rows = 0;
    screen.board = board;
    screen.terse = terse;
    screen.head = head;
    screen.clock = clock;
    screen.menu = menu;
    screen.more = phrase_say(&play->match.phrase, "more", "mehr");
    play->is_paged = screen_put(&screen, play->match.out);
    free(menu);
    free(clock);
    free(head);
    free(terse);
    free(board);
}

void play_screen(struct play_session *play)
{
    put_screen(play, PLAY_BOARD, PLAY_BOARD_TERSE);
}

void play_screen_whole(struct play_session *play)
{
    put_screen(play, PLAY_BOARD_WHOLE, PLAY_BOARD_WHOLE);
}
