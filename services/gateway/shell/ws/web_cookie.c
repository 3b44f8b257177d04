/* web_cookie.c: a page's session in its cookie: read, and given anew with each connection. */
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "services/gateway/shell/ws/web_socket_private.h"

#define COOKIE "arbiter_session"

/* The page is about to say a new name, and has none: a cookie that it brings is nobody's, and may be from elsewhere. */
#define NEW "new"
/* The page was told that its cookie is another one now. */
#define PASS "pass="
#define ARGUMENT_BYTES (sizeof PASS + BROWSER_SECRET_TEXT)

/* All cookies of this host, other programs' too; false: they are there and cannot be read. */
static bool read_cookies(struct lws *wsi, char text[WEB_HEADERS_BYTES])
{
    text[0] = '\0';
    return lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_COOKIE) == 0 ||
           lws_hdr_copy(wsi, text, WEB_HEADERS_BYTES, WSI_TOKEN_HTTP_COOKIE) >= 0;
}

bool web_cookies_are_readable(struct lws *wsi)
{
    char text[WEB_HEADERS_BYTES];
    return read_cookies(wsi, text);
}

/* The secret in the cookie; false: there is none. */
static bool cookie_of(struct lws *wsi, uint8_t secret[BROWSER_SECRET_SIZE])
{
    char        text[WEB_HEADERS_BYTES];
    const char *at = text;
    (void) read_cookies(wsi, text);
    while ((at = strstr(at, COOKIE "=")) != NULL) {
        bool is_whole = at == text || at[-1] == ' ' || at[-1] == ';';
        at += sizeof COOKIE;
        size_t size = strcspn(at, "; ");
        if (is_whole)
            return browser_secret_read(secret, at, size);
    }
    return false;
}

/* What stands behind /ws?; empty: nothing, or more than any page says. */
static void read_argument(struct lws *wsi, char text[ARGUMENT_BYTES])
{
    if (lws_hdr_copy_fragment(wsi, text, ARGUMENT_BYTES, WSI_TOKEN_HTTP_URI_ARGS, 0) < 0)
        text[0] = '\0';
}

/* Who it is: what the cookie says, or what takes its place; a new secret for a new visitor. */
static void recognise(struct web_sockets *sockets, struct lws *wsi, struct web_tab *tab)
{
    uint8_t by[BROWSER_SECRET_SIZE];
    char    said[ARGUMENT_BYTES];
    bool    is_none = false, is_known = cookie_of(wsi, tab->secret);
    read_argument(wsi, said);
    tab->is_page = lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) > 0;
    if (is_known && sockets->browser != NULL &&
        browser_replaces(sockets->browser, tab->secret,
                         strncmp(said, PASS, sizeof PASS - 1) == 0 ? said + sizeof PASS - 1 : "",
                         by, &is_none)) {
        memcpy(tab->secret, by, sizeof by);
        is_known = !is_none;
    }
    randombytes_buf(tab->drawn, sizeof tab->drawn);
    if (!is_known || (strcmp(said, NEW) == 0 && !browser_knows(sockets->browser, tab->secret)))
        memcpy(tab->secret, tab->drawn, sizeof tab->secret);
}

/* A page keeps its session in a cookie that no script can read. */
int web_cookie_give(struct web_sockets *sockets, struct lws *wsi, struct web_tab *tab,
                    struct lws_process_html_args *args)
{
    char           text[BROWSER_SECRET_TEXT], line[256];
    unsigned char *at = (unsigned char *) args->p, *end = at + args->max_len;
    recognise(sockets, wsi, tab);
    if (!tab->is_page)
        return 0;
    browser_secret_text(text, tab->secret);
    int size = snprintf(line, sizeof line,
                        COOKIE "=%s; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict%s", text,
                        sockets->settings.is_secure(wsi) ? "; Secure" : "");
    if (lws_add_http_header_by_name(wsi, (const unsigned char *) "set-cookie:",
                                    (const unsigned char *) line, size, &at, end) != 0)
        return -1;
    args->p = (char *) at;
    return 0;
}
