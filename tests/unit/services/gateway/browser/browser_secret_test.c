/* browser_secret_test.c: a session's secret as text: one secret has one text, and one text one secret. */
#include "services/gateway/browser/browser.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <sodium.h>
#include <string.h>

static void a_secret_has_one_text(void **unused)
{
    (void) unused;
    uint8_t secret[BROWSER_SECRET_SIZE], read[BROWSER_SECRET_SIZE];
    char    text[BROWSER_SECRET_TEXT];
    for (uint32_t i = 0; i < 100; i++) {
        randombytes_buf(secret, sizeof secret);
        browser_secret_text(text, secret);
        assert_true(browser_secret_read(read, text, strlen(text)));
        assert_memory_equal(read, secret, sizeof read);
    }
    assert_false(browser_secret_read(read, text, strlen(text) - 1));
    text[3] = '+';
    assert_false(browser_secret_read(read, text, strlen(text)));
    memset(secret, 0, sizeof secret);
    browser_secret_text(text, secret);
    text[BROWSER_SECRET_TEXT - 2] = 'B'; /* Bits behind the secret's end. */
    assert_false(browser_secret_read(read, text, strlen(text)));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_secret_has_one_text) };
    return sodium_init() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
