/* browser_secret.c: a session's secret as text, for cookies and programs. Pure. */
#include <string.h>

#include "services/gateway/browser/browser.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/* Base64 for addresses, without padding: 43 characters. */
void browser_secret_text(char text[BROWSER_SECRET_TEXT], const uint8_t secret[BROWSER_SECRET_SIZE])
{
    for (uint32_t i = 0; i < BROWSER_SECRET_TEXT - 1; i++) {
        uint32_t bit = i * 6, byte = bit / 8;
        uint32_t pair =
            (uint32_t) secret[byte] << 8 | (byte + 1 < BROWSER_SECRET_SIZE ? secret[byte + 1] : 0);
        text[i] = letters[pair >> (10 - bit % 8) & 63];
    }
    text[BROWSER_SECRET_TEXT - 1] = '\0';
}

bool browser_secret_read(uint8_t secret[BROWSER_SECRET_SIZE], const char *text, size_t size)
{
    char     again[BROWSER_SECRET_TEXT];
    uint32_t held = 0, bits = 0, at = 0;
    if (size != BROWSER_SECRET_TEXT - 1)
        return false;
    for (size_t i = 0; i < size; i++) {
        uint32_t value = 0;
        while (value < 64 && letters[value] != text[i])
            value++;
        held = (held << 6 | (value & 63)) & 0xffff;
        bits += 6;
        if (bits >= 8 && at < BROWSER_SECRET_SIZE) {
            bits -= 8;
            secret[at++] = (uint8_t) (held >> bits);
        }
    }
    browser_secret_text(again, secret);
    return memcmp(again, text, size) == 0; /* One secret has one text. */
}
