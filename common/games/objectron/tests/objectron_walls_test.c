/* objectron_walls_test.c: walls where there is hardly room for them.
 *
 * A table's grid has ten squares at least on each side, and dice never leave one of that size without room. Smaller
 * ones come to every turn that section 3.2 of the rules describes. What should be built was worked out by the second
 * generator, tests/conformance/objectron_generator_test.py. */
#include "games/objectron/tests/objectron_stage_test.h"

static const struct {
    int32_t     width, height, percent;
    uint64_t    seed;
    const char *rows;
} grids[] = {
    { 5, 6, 40, 1, "##   |   # |#  # |#    |  # #|  # #" },  /* Then there was no room.           */
    { 5, 6, 40, 2, "#    |# ###|#    |  # #|  # #|  # #" },  /* All fitted as they were wished.   */
    { 5, 6, 40, 3, "     | # ##| #   | # ##|     | ### " },  /* One was shorter than wished.      */
    { 5, 6, 40, 4, "     |# # #|# # #|# # #|     | ### " },  /* One lies where it should stand.   */
    { 5, 6, 40, 8, "###  |     |##   |   # |## # |   # " },  /* So does one, and then no room.    */
    { 5, 6, 40, 25, "   # |## # |     | ### |     | ### " }, /* One other way, and one shorter.   */
    { 5, 6, 40, 26, "     | # ##| #   |     |  ## |     " },
    { 5, 6, 40, 105, "#    |#  # |   # | # # | #   |   ##" },
    { 4, 7, 60, 269, " ## |    | ## |    |## #|   #|   #" },
    { 4, 7, 60, 371, " #  | #  |    |## #|   #| #  | #  " },
    { 4, 7, 60, 378, "    |# # |# # |#   |# ##|    |  ##" },
    { 4, 7, 60, 393, "  # |# # |# # |    | ## |    |  ##" },
    { 4, 7, 60, 394, "# # |# # |# # |    | ## |    | ## " },
    { 4, 7, 60, 396, "    |##  |    |    |    |    |    " },
    { 4, 7, 60, 397, "##  |    |   #|## #|   #| # #| #  " },
    { 4, 7, 60, 399, "    | ## |    |   #|## #|   #|   #" },
};

/* An empty grid with its two starts, bottom left and top right. */
static void stage_empty(struct objectron_table *table, int32_t width, int32_t height)
{
    char   config[512];
    size_t used = (size_t) snprintf(
        config, sizeof config, "{\"mode\":\"race\",\"players\":2,\"placements\":[],\"grid\":[");
    for (int32_t y = 0; y < height; y++)
        used +=
            (size_t) snprintf(config + used, sizeof config - used, "%s\"%s%*s%s\"", y ? "," : "",
                              y == height - 1 ? "1" : " ", width - 2, "", y == 0 ? "2" : " ");
    (void) snprintf(config + used, sizeof config - used, "]}");
    stage(table, config, "{}", 1);
}

static void walls_are_built_while_there_is_room(void **unused)
{
    (void) unused;
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        struct objectron_table table;
        struct dice            dice;
        int32_t                width = grids[i].width, height = grids[i].height;
        stage_empty(&table, width, height);
        table.setup->wall_percent = grids[i].percent;
        table.setup->wall_length = 50;
        dice_splitmix(&dice, grids[i].seed);
        objectron_build_walls(table.setup, &dice, table.state);
        for (int32_t y = 0; y < height; y++)
            assert_memory_equal(objectron_cells(table.state) + y * width,
                                grids[i].rows + y * (width + 1), (size_t) width);
        objectron_table_close(&table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(walls_are_built_while_there_is_room) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
