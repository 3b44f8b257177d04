/* web_metrics_test.c: the page that Prometheus reads. */
#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/figures.h"
#include "services/gateway/shell/http/web_metrics.h"
#include "wire/names.h"

/* The page for one service, of which each figure is told as its place in the table and a thousand, so long after its last
 * beat. */
static char *page_of_one(uint64_t age_ms)
{
    Arbiter__Watchdog__Beat  beat = ARBITER__WATCHDOG__BEAT__INIT;
    Arbiter__Watchdog__Alive alive = ARBITER__WATCHDOG__ALIVE__INIT, *list[] = { &alive };
    Arbiter__Watchdog__Life  life = ARBITER__WATCHDOG__LIFE__INIT;
    struct figures           figures;
    uint64_t                 numbers[FIGURE_COUNT];
    struct web_life          heard;
    uint8_t                  bytes[2048];
    uint64_t                 bounds[] = {
                        [3 * BOUND_MATCHES] = 8001, 10000, 7, [3 * BOUND_NAMES_A_MINUTE + 2] = 9
    };
    char  *page = NULL;
    size_t size = 0;
    static_assert(sizeof numbers == sizeof figures, "a figure is one number");
    for (size_t i = 0; i < FIGURE_COUNT; i++)
        numbers[i] = 1000 + i;
    memcpy(&figures, numbers, sizeof figures);
    figures_put(&figures, &beat);
    beat.has_role = true;
    beat.role = ROLE(ENGINE);
    beat.name = (char[]){ "engine-1" };
    beat.loop_steps = (uint64_t[]){ 2, 0, 3 };
    beat.n_loop_steps = 3;
    beat.bounds = bounds;
    beat.n_bounds = sizeof bounds / sizeof *bounds;
    alive.beat = &beat;
    alive.has_age_ms = true;
    alive.age_ms = age_ms;
    life.services = list;
    life.n_services = 1;
    FILE *out = open_memstream(&page, &size);
    assert_non_null(out);
    assert_in_range(arbiter__watchdog__life__get_packed_size(&life), 1, sizeof bytes);
    size_t                    whole = arbiter__watchdog__life__pack(&life, bytes);
    const struct gateway_word word = { bytes, whole, 100 };
    web_life_read(&heard, &word, 1);
    metrics_print(out, &heard);
    web_life_free(&heard);
    assert_int_equal(fclose(out), 0);
    return page;
}

static void every_figure_of_the_table_is_shown_in_its_unit(void **unused)
{
    (void) unused;
    char *page = page_of_one(0);
    for (size_t i = 0; i < FIGURE_COUNT; i++) {
        const struct figure *figure = &figure_list[i];
        char                 line[256];
        (void) snprintf(
            line, sizeof line, "# TYPE %s %s\n%s{role=\"engine\",service=\"engine-1\"} %.15g\n",
            figure->metric, figure->kind, figure->metric, (double) (1000 + i) * figure->unit);
        if (strstr(page, line) == NULL)
            fail_msg("not shown: %s", line);
    }
    free(page);
}

/* Nobody knows how it does now; that it was heard of, and when, is still told. */
static void of_a_beat_that_is_old_only_its_age_is_shown(void **unused)
{
    (void) unused;
    char *page = page_of_one(5000);
    assert_non_null(strstr(page, "arbiter_up{role=\"engine\",service=\"engine-1\"} 0\n"));
    assert_non_null(
        strstr(page, "arbiter_beat_age_seconds{role=\"engine\",service=\"engine-1\"} 5.1\n"));
    for (size_t i = 0; i < FIGURE_COUNT; i++) {
        char line[128];
        (void) snprintf(line, sizeof line, "\n%s{", figure_list[i].metric);
        assert_null(strstr(page, line));
    }
    assert_null(strstr(page, "\narbiter_turn_seconds_"));
    free(page);
}

static void a_limit_is_shown_by_its_setting_and_what_has_none_is_not(void **unused)
{
    (void) unused;
#define OF_MATCHES "{role=\"engine\",service=\"engine-1\",setting=\"matches_max\"}"
    char *page = page_of_one(0);
    assert_non_null(strstr(page, "\narbiter_used" OF_MATCHES " 8001\n"));
    assert_non_null(strstr(page, "\narbiter_limit" OF_MATCHES " 10000\n"));
    assert_non_null(strstr(page, "\narbiter_limit_refused_total" OF_MATCHES " 7\n"));
    assert_null(strstr(page, "setting=\"tables_max\""));
    free(page);
}

/* Of what is allowed a minute nobody knows how much is used, but who was refused. */
static void of_a_rate_only_who_was_refused_is_shown(void **unused)
{
    (void) unused;
#define OF_NAMES "{role=\"engine\",service=\"engine-1\",setting=\"names_per_minute\"}"
    char *page = page_of_one(0);
    assert_non_null(strstr(page, "\narbiter_limit_refused_total" OF_NAMES " 9\n"));
    assert_null(strstr(page, "\narbiter_limit" OF_NAMES));
    assert_null(strstr(page, "\narbiter_used" OF_NAMES));
    assert_null(strstr(page, "setting=\"tables_per_minute\""));
    free(page);
}

static void turns_are_a_histogram_whose_steps_add_up(void **unused)
{
    (void) unused;
    static const char *const wanted[] = { "0.0001\"} 2\n", "0.00025\"} 2\n", "0.0005\"} 5\n",
                                          "0.25\"} 5\n",   "10\"} 5\n",      "+Inf\"} 5\n" };
    char                    *page = page_of_one(0);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        char line[128];
        (void) snprintf(line, sizeof line,
                        "arbiter_turn_seconds_bucket{role=\"engine\",service=\"engine-1\",le=\"%s",
                        wanted[i]);
        assert_non_null(strstr(page, line));
    }
    free(page);
}

/* What a beat tells in one number is a figure, unless the watchdog needs it to judge. */
static void every_number_of_a_beat_is_a_figure(void **unused)
{
    (void) unused;
    static const char *const          judged[] = { "started_ms", "beat", "commit_ms" };
    const ProtobufCMessageDescriptor *descriptor = &arbiter__watchdog__beat__descriptor;
    size_t                            count = 0;
    for (unsigned i = 0; i < descriptor->n_fields; i++)
        count += descriptor->fields[i].type == PROTOBUF_C_TYPE_UINT64 &&
                 descriptor->fields[i].label == PROTOBUF_C_LABEL_OPTIONAL;
    assert_int_equal(count, FIGURE_COUNT + sizeof judged / sizeof *judged);
    for (size_t i = 0; i < FIGURE_COUNT; i++)
        assert_non_null(
            protobuf_c_message_descriptor_get_field_by_name(descriptor, figure_list[i].name));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_figure_of_the_table_is_shown_in_its_unit),
        cmocka_unit_test(of_a_beat_that_is_old_only_its_age_is_shown),
        cmocka_unit_test(a_limit_is_shown_by_its_setting_and_what_has_none_is_not),
        cmocka_unit_test(of_a_rate_only_who_was_refused_is_shown),
        cmocka_unit_test(turns_are_a_histogram_whose_steps_add_up),
        cmocka_unit_test(every_number_of_a_beat_is_a_figure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
