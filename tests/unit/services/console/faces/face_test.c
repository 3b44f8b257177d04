/* face_test.c: which games have a face of their own is what the files say, and a game without one is shown, too. */
#include "services/console/faces/face.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "services/console/faces/evening.h"

#define NIM ARBITER_SOURCE "/tests/unit/services/console/faces/nim.json"

static void a_game_has_a_face_if_there_is_a_file_for_it(void **unused)
{
    (void) unused;
    uint32_t found = 0;
    for (const struct game_wire *const *at = registry_games(); *at != NULL; at++) {
        char path[256];
        (void) snprintf(path, sizeof path, "%s/services/console/faces/face_%s.c", ARBITER_SOURCE,
                        (*at)->game->name);
        bool is_there = access(path, R_OK) == 0;
        assert_int_equal(face_find((*at)->game) != NULL, is_there);
        found += is_there;
    }
    assert_true(found >= 4);
    assert_ptr_equal(face_find(registry_find("dead", 0)->game)->game,
                     registry_find("dead", 0)->game);
}

static void a_game_without_a_face_is_fine(void **unused)
{
    (void) unused;
    static struct evening evening;
    evening_open_game(&evening, "nim", NIM, NULL, 2);
    evening_look(&evening, 0);
    assert_null(face_of(&evening.phrase));
    evening_event(&evening, 3, (const word[]){ 0, 1, 2, 0 }, 4);
    evening_assert_said(&evening, "2");
    evening_close(&evening);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_has_a_face_if_there_is_a_file_for_it),
        cmocka_unit_test(a_game_without_a_face_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
