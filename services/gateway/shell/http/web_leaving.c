/* web_leaving.c: clients that close their side of a connection while they wait for the answer.
 *
 * Nothing is read from a client that waits, so libwebsockets does not hear that it has sent its
 * last byte. The kernel tells a file of ours, at which libwebsockets waits. The client may have
 * gone, or have said all it had to say: only a byte that is sent tells the two apart. So the core
 * hears it at once, and what it answers is sent all the same. If a reset comes back, the core hears
 * that nobody was there. After a while without an answer the connection ends.
 *
 * A reset behind any other answer comes from a client that closed without reading all of it:
 * whether it knows is unknown. */
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock/clock.h"
#include "services/gateway/shell/http/web_private.h"

#define AT_ONCE 64
#define PATIENCE_S 30
#define RESET_MS 500u /* A reset has come by then. */
#define ANSWERED (UINT64_C(1) << 63)
#define WAS_HALF (UINT64_C(1) << 62)

bool web_leaving_open(struct web *web)
{
    web->leaving = epoll_create1(EPOLL_CLOEXEC);
    return web->leaving >= 0;
}

static void let_go(struct web *web)
{
    (void) close(web->answered[web->answered_first].file);
    web->answered_first = (web->answered_first + 1) % WEB_ANSWERED_MAX;
    web->answered_count--;
}

void web_leaving_close(struct web *web)
{
    while (web->answered_count > 0)
        let_go(web);
    if (web->leaving >= 0)
        (void) close(web->leaving);
    web->leaving = -1;
}

/* The kernel forgets it when it is closed. */
void web_leaving_watch(struct web *web, struct lws *wsi, uint64_t number)
{
    struct epoll_event event = { .events = EPOLLRDHUP | EPOLLET, .data.u64 = number };
    (void) epoll_ctl(web->leaving, EPOLL_CTL_ADD, lws_get_socket_fd(wsi), &event);
}

/* A client that asked for a file or a page can ask again: it is let go. If the core does not know
 * the client yet, it is told with the request. */
static void leave(struct web *web, struct lws *wsi, struct web_session *session)
{
    bool is_page = session->call != NULL || session->blob != NULL;
    if (session->is_half || (!is_page && !session->is_told))
        return;
    session->is_half = true;
    if (is_page) {
        lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
        return;
    }
    web->counters.hangups++;
    web_news_put_first(
        web, (struct web_news){ .number = session->number, .is_hangup = true, .is_half = true });
    lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, PATIENCE_S);
}

static void hear(struct web *web, const struct epoll_event *event)
{
    uint64_t          number = event->data.u64 & ~(ANSWERED | WAS_HALF);
    bool              is_answered = (event->data.u64 & ANSWERED) != 0;
    bool              was_half = (event->data.u64 & WAS_HALF) != 0;
    struct web_place *place = &web->places[number % web->settings.connections_max];
    if (is_answered && (event->events & EPOLLERR) != 0)
        web_news_put_first(web, (struct web_news){ number, true, !was_half });
    else if (!is_answered && place->number == number)
        leave(web, place->wsi, place->session);
}

void web_leaving_look(struct web *web)
{
    struct epoll_event events[AT_ONCE];
    int                count = AT_ONCE;
    while (count == AT_ONCE) {
        count = epoll_wait(web->leaving, events, AT_ONCE, 0);
        for (int i = 0; i < count; i++)
            hear(web, &events[i]);
    }
    while (web->answered_count > 0 && clock_ms() >= web->answered[web->answered_first].until_ms)
        let_go(web);
}

void web_leaving_look_at(struct web *web, struct lws *wsi, struct web_session *session)
{
    struct pollfd file = { .fd = lws_get_socket_fd(wsi), .events = POLLRDHUP };
    if (poll(&file, 1, 0) > 0)
        leave(web, wsi, session);
}

/* libwebsockets closes the connection with the answer; a file of our own keeps it until a reset would have come. Who is
 * there need not wait for that to hear that this was all. */
void web_leaving_answered(struct web *web, struct lws *wsi, uint64_t number, bool is_half)
{
    struct epoll_event event = { .events = EPOLLET,
                                 .data.u64 = number | ANSWERED | (is_half ? WAS_HALF : 0) };
    bool               is_whole = !lws_is_ssl(wsi) && lws_partial_buffered(wsi) == 0;
    bool               has_room = web->answered_count < WEB_ANSWERED_MAX;
    int                file = is_whole && has_room ? dup(lws_get_socket_fd(wsi)) : -1;
    if (file < 0)
        return;
    web->answered[(web->answered_first + web->answered_count++) % WEB_ANSWERED_MAX] =
        (struct web_answered){ .file = file, .until_ms = clock_ms() + RESET_MS };
    (void) epoll_ctl(web->leaving, EPOLL_CTL_ADD, file, &event);
    (void) shutdown(file, SHUT_WR);
}
