/* web_cookie.c: a page's session in its cookie: read, and given anew with each connection. */
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "services/gateway/shell/ws/web_socket_private.h"

#define COOKIE "arbiter_session"

/* What may stand behind /ws?, joined by &: */

/* The page is about to say a new name, and has none: a cookie that it brings is nobody's, and may be from elsewhere. */
#define NEW "new"
/* The page was told that its cookie is another one now. */
#define PASS "pass="
/* Several people at one browser have a cookie each: this window is the one of that number, 2 to 9. */
#define WHO "who="
#define ARGUMENT_BYTES (sizeof PASS + BROWSER_SECRET_TEXT)
#define ARGUMENTS_MAX 4

struct said {
    bool is_new;
    char pass[ARGUMENT_BYTES];
    char cookie[sizeof COOKIE + 2]; /* Its name. */
};

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

/* The secret in the cookie of this name; false: there is none. */
static bool cookie_of(struct lws *wsi, const char *name, uint8_t secret[BROWSER_SECRET_SIZE])
{
    char        text[WEB_HEADERS_BYTES];
    const char *at = text;
    size_t      length = strlen(name);
    (void) read_cookies(wsi, text);
    while ((at = strstr(at, name)) != NULL) {
        bool is_whole = (at == text || at[-1] == ' ' || at[-1] == ';') && at[length] == '=';
        at += length;
        if (is_whole)
            return browser_secret_read(secret, at + 1, strcspn(at + 1, "; "));
    }
    return false;
}

static const char *behind(const char *text, const char *beginning)
{
    size_t size = strlen(beginning);
    return strncmp(text, beginning, size) == 0 ? text + size : NULL;
}

/* What no page says is passed over. */
static struct said read_arguments(struct lws *wsi)
{
    struct said said = { .cookie = COOKIE };
    char        text[ARGUMENT_BYTES];
    for (int i = 0; i < ARGUMENTS_MAX; i++) {
        if (lws_hdr_copy_fragment(wsi, text, sizeof text, WSI_TOKEN_HTTP_URI_ARGS, i) < 0)
            break;
        const char *pass = behind(text, PASS), *who = behind(text, WHO);
        if (strcmp(text, NEW) == 0)
            said.is_new = true;
        else if (pass != NULL)
            memcpy(said.pass, pass, strlen(pass) + 1);
        else if (who != NULL && who[0] >= '2' && who[0] <= '9' && who[1] == '\0')
            (void) snprintf(said.cookie, sizeof said.cookie, COOKIE "_%c", who[0]);
    }
    return said;
}

/* Who it is: what the cookie says, or what takes its place; a new secret for a new visitor. */
static void recognise(struct web_sockets *sockets, struct lws *wsi, struct web_tab *tab,
                      const struct said *said)
{
    uint8_t by[BROWSER_SECRET_SIZE];
    bool    is_none = false, is_known = cookie_of(wsi, said->cookie, tab->secret);
    tab->is_page = lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) > 0;
    if (is_known && sockets->browser != NULL &&
        browser_replaces(sockets->browser, tab->secret, said->pass, by, &is_none)) {
        memcpy(tab->secret, by, sizeof by);
        is_known = !is_none;
    }
    randombytes_buf(tab->drawn, sizeof tab->drawn);
    if (!is_known || (said->is_new && !browser_knows(sockets->browser, tab->secret)))
        memcpy(tab->secret, tab->drawn, sizeof tab->secret);
}

/* A page keeps its session in a cookie that no script can read. */
int web_cookie_give(struct web_sockets *sockets, struct lws *wsi, struct web_tab *tab,
                    struct lws_process_html_args *args)
{
    char           text[BROWSER_SECRET_TEXT], line[256];
    unsigned char *at = (unsigned char *) args->p, *end = at + args->max_len;
    struct said    said = read_arguments(wsi);
    recognise(sockets, wsi, tab, &said);
    if (!tab->is_page)
        return 0;
    browser_secret_text(text, tab->secret);
    int size =
        snprintf(line, sizeof line, "%s=%s; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict%s",
                 said.cookie, text, sockets->settings.is_secure(wsi) ? "; Secure" : "");
    if (lws_add_http_header_by_name(wsi, (const unsigned char *) "set-cookie:",
                                    (const unsigned char *) line, size, &at, end) != 0)
        return -1;
    args->p = (char *) at;
    return 0;
}
