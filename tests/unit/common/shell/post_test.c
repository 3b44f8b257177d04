/* post_test.c: bodies are posted by a thread, and nobody waits for who takes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "shell/post.h"

#define TAKEN "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
#define NOT_TAKEN "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"

static int door, port, log_pipe[2];

static int open_door(void **unused)
{
    struct sockaddr_in here = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t          size = sizeof here;
    (void) unused;
    door = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(door, (struct sockaddr *) &here, size), 0);
    assert_int_equal(listen(door, 100), 0);
    assert_int_equal(getsockname(door, (struct sockaddr *) &here, &size), 0);
    port = ntohs(here.sin_port);
    return pipe(log_pipe);
}

static int close_door(void **unused)
{
    (void) unused;
    return close(door) + close(log_pipe[0]) + close(log_pipe[1]);
}

static struct post *start(struct log *log)
{
    char url[64];
    *log = (struct log){ .file = log_pipe[1], .level = SAY_INFO, .service = "test" };
    (void) snprintf(url, sizeof url, "http://127.0.0.1:%d/v1/traces", port);
    struct post *post = post_start(url, log);
    assert_non_null(post);
    return post;
}

static void put(struct post *post, const char *body)
{
    post_put(post, strdup(body), strlen(body));
}

/* The next request, up to its end `last`; it is answered with this. */
static void take(char request[1024], const char *last, const char *answer)
{
    int    line = accept(door, NULL, NULL);
    size_t size = 0;
    assert_true(line >= 0);
    request[0] = '\0';
    while (strstr(request, last) == NULL) {
        ssize_t came = recv(line, request + size, 1023 - size, 0);
        assert_true(came > 0);
        size += (size_t) came;
        request[size] = '\0';
    }
    assert_int_equal(send(line, answer, strlen(answer), MSG_NOSIGNAL), strlen(answer));
    assert_int_equal(close(line), 0);
}

static void an_address_has_a_host_and_may_have_a_port_and_a_path(void **unused)
{
    (void) unused;
    static const char *const good[] = { "http://127.0.0.1:4318/v1/traces", "http://collector",
                                        "http://collector:4318",
                                        "http://collector/otlp/v1/traces" };
    static const char *const bad[] = { "",
                                       "https://collector/v1/traces",
                                       "http://",
                                       "http://:4318/",
                                       "127.0.0.1:4318",
                                       "http://collector:x/",
                                       "http://collector:43180000000000000000/",
                                       "http://collector/a b",
                                       "http://collector/a\r\nHost: other" };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(post_judge(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(post_judge(bad[i]));
}

static void a_body_is_posted_whole(void **unused)
{
    (void) unused;
    struct log   log;
    struct post *post = start(&log);
    char         request[1024], host[64];
    (void) snprintf(host, sizeof host, "\r\nHost: 127.0.0.1:%d\r\n", port);
    put(post, "{\"first\":1}");
    put(post, "{\"second\":2}");
    take(request, "{\"first\":1}", TAKEN);
    assert_memory_equal(request, "POST /v1/traces HTTP/1.1\r\n", 26);
    assert_non_null(strstr(request, host));
    assert_non_null(strstr(request, "\r\nContent-Type: application/json\r\n"));
    assert_non_null(strstr(request, "\r\nContent-Length: 11\r\n"));
    assert_non_null(strstr(request, "\r\n\r\n{\"first\":1}"));
    take(request, "{\"second\":2}", TAKEN);
    post_stop(&post);
    assert_null(post);
}

/* Nobody accepts, so at most one is under way, and the others wait in bounded room. */
static void who_takes_nothing_holds_nobody_up(void **unused)
{
    (void) unused;
    struct log   log;
    struct post *post = start(&log);
    for (uint32_t i = 0; i < 10000; i++)
        put(post, "{}");
    post_stop(&post);
}

/* Answers with a byte at a time that ends no line, until nobody reads it any more. */
static void *drip(void *counted)
{
    const struct timespec pause = { .tv_nsec = 10000000 };
    uint32_t             *count = counted;
    int                   line = accept(door, NULL, NULL);
    while (send(line, "x", 1, MSG_NOSIGNAL) == 1) {
        (void) __atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
        (void) nanosleep(&pause, NULL);
    }
    (void) close(line);
    return NULL;
}

static void who_answers_a_byte_at_a_time_holds_up_no_stop(void **unused)
{
    (void) unused;
    struct log   log;
    struct post *post = start(&log);
    pthread_t    thread;
    uint32_t     count = 0;
    assert_int_equal(pthread_create(&thread, NULL, drip, &count), 0);
    put(post, "{}");
    while (__atomic_load_n(&count, __ATOMIC_RELAXED) < 3)
        (void) usleep(1000);
    post_stop(&post);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_in_range(count, 3, 2000);
}

static void what_is_not_taken_is_said_once(void **unused)
{
    (void) unused;
    struct log   log;
    struct post *post = start(&log);
    char         request[1024], said[2048] = "";
    for (uint32_t i = 0; i < 3; i++)
        put(post, "{\"one\":1}");
    for (uint32_t i = 0; i < 3; i++)
        take(request, "{\"one\":1}", NOT_TAKEN);
    post_stop(&post);
    assert_true(read(log_pipe[0], said, sizeof said - 1) > 0);
    const char *line = strstr(said, "takes nothing (status 503)");
    assert_non_null(line);
    assert_null(strstr(line + 1, "takes nothing"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_has_a_host_and_may_have_a_port_and_a_path),
        cmocka_unit_test_setup_teardown(a_body_is_posted_whole, open_door, close_door),
        cmocka_unit_test_setup_teardown(who_takes_nothing_holds_nobody_up, open_door, close_door),
        cmocka_unit_test_setup_teardown(who_answers_a_byte_at_a_time_holds_up_no_stop, open_door,
                                        close_door),
        cmocka_unit_test_setup_teardown(what_is_not_taken_is_said_once, open_door, close_door),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
