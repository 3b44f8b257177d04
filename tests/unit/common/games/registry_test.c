/* registry_test.c: games are found by the names of their folders, each once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "games/nim/nim.h"
#include "games/registry.h"

static uint32_t count_games(void)
{
    uint32_t count = 0;
    while (registry_games()[count] != NULL)
        count++;
    return count;
}

static void a_game_is_found_by_its_name(void **unused)
{
    (void) unused;
    const struct game_wire *nim = registry_find("nim", 0);
    assert_non_null(nim);
    assert_ptr_equal(nim->game, &game_nim);
    assert_ptr_equal(registry_find("nim", game_nim.version), nim);
}

static void what_there_is_not_is_not_found(void **unused)
{
    (void) unused;
    assert_null(registry_find("", 0));
    assert_null(registry_find("ni", 0));
    assert_null(registry_find("nimm", 0));
    assert_null(registry_find("nim", game_nim.version + 1));
}

/* The game a folder is of, and which version: nim is the newest of nim, nim_3 its third. */
static const struct game_wire *game_of_folder(const char *folder)
{
    char     name[64];
    unsigned version = 0;
    size_t   size = strlen(folder);
    while (size > 0 && folder[size - 1] >= '0' && folder[size - 1] <= '9')
        size--;
    if (size < 2 || folder[size] == '\0' || folder[size - 1] != '_')
        return registry_find(folder, 0);
    assert_int_equal(sscanf(folder + size, "%u", &version), 1);
    snprintf(name, sizeof name, "%.*s", (int) size - 1, folder);
    return registry_find(name, version);
}

/* No list is edited anywhere: the folders are the list. */
static void every_folder_with_a_mapping_is_a_game(void **unused)
{
    (void) unused;
    glob_t   found;
    uint32_t folders = 0;

    assert_int_equal(glob(ARBITER_SOURCE "/common/games/*/*_wire.c", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char        name[64] = "", file[64] = "";
        const char *tail = strstr(found.gl_pathv[i], "/common/games/");
        assert_int_equal(sscanf(tail, "/common/games/%63[^/]/%63s", name, file), 2);
        if (strncmp(file, name, strlen(name)) != 0 || strcmp(file + strlen(name), "_wire.c") != 0)
            continue;
        folders++;
        assert_non_null(game_of_folder(name));
    }
    globfree(&found);
    assert_int_equal(folders, count_games());
}

static void games_stand_in_order(void **unused)
{
    (void) unused;
    const struct game_wire *const *games = registry_games();
    for (uint32_t i = 1; i < count_games(); i++) {
        const struct game *before = games[i - 1]->game, *game = games[i]->game;
        int                order = strcmp(before->name, game->name);
        assert_true(order < 0 || (order == 0 && before->version < game->version));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_is_found_by_its_name),
        cmocka_unit_test(what_there_is_not_is_not_found),
        cmocka_unit_test(every_folder_with_a_mapping_is_a_game),
        cmocka_unit_test(games_stand_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
