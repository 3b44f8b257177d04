/* browser_session_test.c: players of the WebSocket door: other devices, goodbyes, too many tabs. */
#include "browser_rig.h"

/* A code for another device of Ada's. */
static void asks_for_code(char code[BROWSER_CODE_SIZE + 1])
{
    Arbiter__Browser__Device device = ARBITER__BROWSER__DEVICE__INIT;
    Arbiter__Browser__Up     up = ARBITER__BROWSER__UP__INIT;
    up.kind_case = ARBITER__BROWSER__UP__KIND_DEVICE;
    up.device = &device;
    says(ADA, &up);
    assert_int_equal(strlen(hears_next(ADA)->device->code), BROWSER_CODE_SIZE);
    assert_int_equal(heard->device->left_ms, 600000);
    memcpy(code, heard->device->code, BROWSER_CODE_SIZE + 1);
}

static void shows_code(uint64_t route, char *code)
{
    Arbiter__Browser__Hello hello = ARBITER__BROWSER__HELLO__INIT;
    Arbiter__Browser__Up    up = ARBITER__BROWSER__UP__INIT;
    up.kind_case = ARBITER__BROWSER__UP__KIND_HELLO;
    up.hello = &hello;
    hello.code = code;
    says(route, &up);
}

static void asks_whose(uint64_t route, char *code)
{
    Arbiter__Browser__Whose whose = ARBITER__BROWSER__WHOSE__INIT;
    Arbiter__Browser__Up    up = ARBITER__BROWSER__UP__INIT;
    up.kind_case = ARBITER__BROWSER__UP__KIND_WHOSE;
    up.whose = &whose;
    whose.code = code;
    says(route, &up);
}

/* A page asks its visitor first, who may well say no. */
static void whose_a_code_is_can_be_asked_and_the_code_stays_good(void **unused)
{
    (void) unused;
    uint8_t from[BROWSER_SECRET_SIZE] = { 3 }, by[BROWSER_SECRET_SIZE];
    char    code[BROWSER_CODE_SIZE + 1];
    bool    is_none;
    is_let_in(ADA, 1, "Ada");
    is_let_in(EVE, 3, "Eve");
    asks_for_code(code);
    for (int i = 0; i < 2; i++) {
        asks_whose(EVE, code);
        HEARS(EVE, OWNER);
        assert_string_equal(heard->owner->name, "Ada");
    }
    assert_false(browser_replaces(browser, from, "", by, &is_none)); /* Eve is Eve. */
    opens(ADAS_SECOND, 9, true);
    asks_whose(ADAS_SECOND, code);
    assert_int_equal(hears_next(ADAS_SECOND)->refused->refusal, REFUSAL(AGAIN)); /* Hello first. */
    shows_code(ADAS_SECOND, code);
    assert_string_equal(hears_next(ADAS_SECOND)->welcome->name, "Ada");
    asks_whose(EVE, code);
    assert_int_equal(hears_next(EVE)->refused->refusal, REFUSAL(NOT_YOURS));
}

static void a_code_is_good_for_ten_minutes(void **unused)
{
    (void) unused;
    char early[BROWSER_CODE_SIZE + 1], late[BROWSER_CODE_SIZE + 1];
    is_let_in(ADA, 1, "Ada");
    asks_for_code(early);
    opens(ADAS_SECOND, 9, false);
    now_ms += 599999;
    shows_code(ADAS_SECOND, early);
    assert_string_equal(hears_next(ADAS_SECOND)->welcome->name, "Ada");
    asks_for_code(late);
    opens(EVE, 3, false);
    now_ms += 600000;
    shows_code(EVE, late);
    assert_int_equal(hears_next(EVE)->refused->refusal, REFUSAL(NOT_YOURS));
}

static void a_code_takes_the_session_to_another_device_once(void **unused)
{
    (void) unused;
    uint8_t from[BROWSER_SECRET_SIZE] = { 9 }, by[BROWSER_SECRET_SIZE];
    uint8_t adas[BROWSER_SECRET_SIZE] = { 1 };
    char    code[BROWSER_CODE_SIZE + 1];
    bool    is_none = true;
    is_let_in(ADA, 1, "Ada");
    asks_for_code(code);
    opens(ADAS_SECOND, 9, true);
    shows_code(ADAS_SECOND, code);
    assert_string_equal(hears_next(ADAS_SECOND)->welcome->name, "Ada");
    HEARS(ADAS_SECOND,
          CLOSING); /* To come back with the cookie, and with a word that nobody else was told. */
    assert_false(browser_replaces(browser, from, "", by, &is_none));
    assert_false(browser_replaces(browser, from, "another", by, &is_none));
    assert_true(browser_replaces(browser, from, heard->closing->pass, by, &is_none));
    assert_false(is_none);
    assert_memory_equal(by, adas, sizeof by);
    opens(EVE, 3, true);
    shows_code(EVE, code);
    assert_int_equal(hears_next(EVE)->refused->refusal, REFUSAL(NOT_YOURS));
}

/* A connection that brings a secret, beside what the house has drawn for it. */
static void opens_with(uint64_t route, const uint8_t *secret, const uint8_t *drawn, bool is_page)
{
    Arbiter__Gateway__BrowserOpen open = ARBITER__GATEWAY__BROWSER_OPEN__INIT;
    struct browser_turn           now = turn();
    open.has_secret = open.has_page = open.has_drawn = true;
    open.secret = (ProtobufCBinaryData){ BROWSER_SECRET_SIZE, (uint8_t *) (uintptr_t) secret };
    open.drawn = (ProtobufCBinaryData){ BROWSER_SECRET_SIZE, (uint8_t *) (uintptr_t) drawn };
    open.page = is_page;
    browser_open(&now, route, &open);
}

static void a_new_name_goes_with_a_secret_of_the_house(void **unused)
{
    (void) unused;
    static const uint8_t chosen[BROWSER_SECRET_SIZE] = { 7, 7, 7 },
                         drawn[] = { [BROWSER_SECRET_SIZE - 1] = 5 };
    uint8_t by[BROWSER_SECRET_SIZE];
    char    text[BROWSER_SECRET_TEXT];
    bool    is_none = true;
    opens_with(ADA, chosen, drawn, false); /* A program is told it. */
    says_hello(ADA, "Ada", NULL, 0);
    lobby_knows(WAIT_WHO, NULL);
    lobby_knows(WAIT_NAME, "Ada");
    browser_secret_text(text, drawn);
    assert_string_equal(hears_next(ADA)->welcome->session, text);
    opens_with(EVE, chosen, (const uint8_t[BROWSER_SECRET_SIZE]){ 6 }, true);
    says_hello(EVE, "Eve", NULL, 0);
    lobby_knows(WAIT_WHO, NULL); /* What Ada brought is nobody's. */
    lobby_knows(WAIT_NAME, "Eve");
    assert_string_equal(hears_next(EVE)->welcome->name, "Eve");
    HEARS(EVE, CLOSING); /* A page comes back, and its cookie is replaced. */
    assert_false(browser_replaces(browser, chosen, "", by, &is_none));
    assert_true(browser_replaces(browser, chosen, heard->closing->pass, by, &is_none));
    assert_false(is_none);
    assert_int_equal(by[0], 6);
}

/* Of before, or of another gateway: whom the lobby knows by it stays who he is. */
static void a_secret_of_somebody_known_stays_good(void **unused)
{
    (void) unused;
    static const uint8_t old[BROWSER_SECRET_SIZE] = { 7 }, drawn[BROWSER_SECRET_SIZE] = { 5 };
    char                 text[BROWSER_SECRET_TEXT];
    opens_with(ADA, old, drawn, false);
    says_hello(ADA, "Another", NULL, 0);
    lobby_knows(WAIT_WHO, "Ada");
    browser_secret_text(text, old);
    assert_string_equal(hears_next(ADA)->welcome->session, text);
    assert_string_equal(heard->welcome->name, "Ada");
    assert_true(browser_knows(browser, old));
    assert_false(browser_knows(browser, drawn));
}

static void who_leaves_leaves_on_all_devices(void **unused)
{
    (void) unused;
    Arbiter__Browser__Leave leave = ARBITER__BROWSER__LEAVE__INIT;
    Arbiter__Browser__Up    up = ARBITER__BROWSER__UP__INIT;
    uint8_t                 adas[BROWSER_SECRET_SIZE] = { 1 }, by[BROWSER_SECRET_SIZE];
    bool                    is_none = false;
    is_let_in(ADA, 1, "Ada");
    opens(ADAS_SECOND, 1, true);
    says_hello(ADAS_SECOND, NULL, NULL, 0);
    HEARS(ADAS_SECOND, WELCOME);
    up.kind_case = ARBITER__BROWSER__UP__KIND_LEAVE;
    up.leave = &leave;
    says(ADA, &up);
    HEARS(ADA, CLOSING);
    HEARS(ADAS_SECOND, CLOSING);
    assert_true(browser_replaces(browser, adas, "", by, &is_none));
    assert_true(is_none);
    assert_int_equal(browser_facts(browser).sessions, 0);
}

static void the_ninth_tab_closes_the_one_that_came_first(void **unused)
{
    (void) unused;
    uint64_t last = BROWSER_ROUTE | (BROWSER_TABS + 1);
    is_let_in(ADA, 1, "Ada");
    for (uint64_t route = ADA + 1; route <= last; route++) {
        hears_nothing(ADA);
        opens(route, 1, true);
        says_hello(route, NULL, NULL, 0);
        HEARS(route, WELCOME);
    }
    HEARS(ADA, CLOSING);
    assert_true(heard->closing->elsewhere); /* Else the nine would shut each other out for ever. */
    for (uint64_t route = ADA + 1; route <= last; route++)
        hears_nothing(route);
    says_hello(last, NULL, NULL, 0); /* Said again, it takes nobody's place. */
    HEARS(last, REFUSED);
    hears_nothing(ADA + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_code_takes_the_session_to_another_device_once),
        TEST(a_code_is_good_for_ten_minutes),
        TEST(whose_a_code_is_can_be_asked_and_the_code_stays_good),
        TEST(a_new_name_goes_with_a_secret_of_the_house),
        TEST(a_secret_of_somebody_known_stays_good),
        TEST(who_leaves_leaves_on_all_devices),
        TEST(the_ninth_tab_closes_the_one_that_came_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
