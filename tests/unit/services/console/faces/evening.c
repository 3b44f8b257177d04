/* evening.c: plays with the console's own table, and looks through the game's own view. */
#include "services/console/faces/evening.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/console/faces/board.h"

#define WORDS_MAX 65536
#define SCREENS ARBITER_SOURCE "/tests/unit/services/console/faces/screens"

void evening_open(struct evening *evening, const char *config, const char *edition, uint32_t seats)
{
    evening_open_game(evening, "dead", config, edition, seats);
    assert_non_null(evening->phrase.texts);
}

void evening_open_game(struct evening *evening, const char *game, const char *config,
                       const char *option, uint32_t seats)
{
    static const char *const players[] = { "Ada", "Ben", "Chloé", "Dörte", "Emil", "Frida" };
    struct table_ask         ask = { .config = config,
                                     .set = { { option }, option != NULL },
                                     .seats = seats };
    struct playing_rules     rules = { .policy = POLICY_GREEDY, .most = 100000, .dice = "java" };
    memset(evening, 0, sizeof *evening);
    assert_int_equal(table_open(&evening->table, game, &ask), 0);
    playing_open(&evening->playing, &evening->table, &rules);
    playing_begin(&evening->playing, 7);
    evening->views = plan_new(evening->table.wire->view);
    evening->phrase.wire = evening->table.wire;
    evening->phrase.setup = evening->table.setup;
    evening->phrase.seat = NOT_SEATED;
    for (uint32_t i = 0; i < seats; i++)
        (void) snprintf(evening->phrase.players[i], PHRASE_NAME_MAX, "%s", players[i]);
    phrase_read_texts(&evening->phrase, config);
}

static void forget_view(struct evening *evening)
{
    if (evening->seen != NULL)
        protobuf_c_message_free_unpacked(evening->seen, NULL);
    evening->seen = NULL;
    evening->phrase.view = NULL;
}

void evening_close(struct evening *evening)
{
    forget_view(evening);
    free(evening->said);
    phrase_close(&evening->phrase);
    plan_destroy(&evening->views);
    playing_close(&evening->playing);
    table_close(&evening->table);
}

bool evening_play(struct evening *evening, uint32_t acts)
{
    for (uint32_t i = 0; i < acts; i++)
        if (!playing_step(&evening->playing))
            return false;
    return true;
}

void evening_look(struct evening *evening, uint32_t seat)
{
    static word    words[WORDS_MAX];
    static uint8_t bytes[8 * WORDS_MAX];
    struct sink    sink = { .words = words, .capacity = WORDS_MAX };
    match_view(evening->playing.match, seat == NOT_SEATED ? SPECTATOR : seat, &sink);
    size_t size = plan_encode(evening->views, words, sink.used, bytes, sizeof bytes);
    assert_true(size > 0);
    forget_view(evening);
    evening->seen = protobuf_c_message_unpack(evening->phrase.wire->view, NULL, size, bytes);
    evening->phrase.view = evening->seen;
    evening->phrase.seat = seat;
    assert_non_null(evening->phrase.view);
}

FILE *evening_listen(struct evening *evening)
{
    free(evening->said);
    evening->said = NULL;
    FILE *out = open_memstream(&evening->said, &evening->said_size);
    assert_non_null(out);
    return out;
}

static const char *draw(struct evening *evening, const struct board_look *look)
{
    FILE *out = evening_listen(evening);
    board_draw(look, out);
    fclose(out);
    return evening->said;
}

const char *evening_draw(struct evening *evening, uint32_t columns, uint32_t rows)
{
    return draw(evening, &(struct board_look){
                             .phrase = &evening->phrase, .columns = columns, .rows = rows });
}

const char *evening_draw_whole(struct evening *evening, uint32_t columns)
{
    return draw(evening,
                &(struct board_look){
                    .phrase = &evening->phrase, .columns = columns, .rows = 24, .whole = true });
}

const char *evening_event(struct evening *evening, uint32_t kind, const word *fields,
                          uint32_t count)
{
    FILE *out = evening_listen(evening);
    bool  is_said = phrase_event(&evening->phrase, out, kind, fields, count);
    fclose(out);
    assert_true(is_said == (evening->said[0] != '\0'));
    return evening->said;
}

void evening_assert_said(const struct evening *evening, const char *words)
{
    if (strstr(evening->said, words) == NULL)
        fail_msg("expected \"%s\" in:\n%s", words, evening->said);
}

/* The first byte that is seen, or the line's end: neither blank nor colour. */
static char first_of(const char *line)
{
    for (; *line == ' ' || *line == '\033'; line++)
        if (*line == '\033')
            line += strcspn(line, "m");
    return *line == '\0' ? '\n' : *line;
}

uint32_t evening_assert_fits(const char *screen, uint32_t columns)
{
    uint32_t lines = 0;
    for (; *screen != '\0'; lines++) {
        size_t size = strcspn(screen, "\n");
        if (board_text_width(screen, size) > columns)
            fail_msg("wider than %u columns: %.*s", columns, (int) size, screen);
        if (strchr(",;]", first_of(screen)) != NULL)
            fail_msg("begins with what ends a word: %.*s", (int) size, screen);
        screen += size + 1;
    }
    return lines;
}

static char *read_screen(const char *name)
{
    static char screen[16384];
    char        path[512];
    (void) snprintf(path, sizeof path, "%s/%s.txt", SCREENS, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("there is no %s", path);
    screen[fread(screen, 1, sizeof screen - 1, file)] = '\0';
    fclose(file);
    return screen;
}

static void write_screen(const char *folder, const char *name, const char *screen)
{
    char path[512];
    (void) snprintf(path, sizeof path, "%s/%s.txt", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(screen, file);
    fclose(file);
}

void evening_assert_screen(const char *name, const char *screen, uint32_t columns)
{
    const char *folder = getenv("ARBITER_DRAW");
    if (folder != NULL)
        write_screen(folder, name, screen);
    else if (strcmp(screen, read_screen(name)) != 0)
        fail_msg("%s is drawn like this now:\n%s", name, screen);
    evening_assert_fits(screen, columns);
}
