/* interrupt.c: remembers that somebody pressed Ctrl-C, or that there is nobody left to print for. */
#include "services/console/command/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t asked;
static volatile sig_atomic_t unread;

static void handle(int number, void (*handler)(int))
{
    struct sigaction action = { .sa_handler = handler };
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static void on_signal(int number)
{
    if (++asked == 2)
        handle(number, SIG_DFL);
}

/* The write that nobody can read fails now, and the loops find out between two units of work. */
static void on_pipe(int number)
{
    (void) number;
    unread = 1;
}

static void watch(int number, void (*handler)(int))
{
    struct sigaction before;
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        handle(number, handler);
}

void interrupt_watch(void)
{
    watch(SIGINT, on_signal);
    watch(SIGTERM, on_signal);
    watch(SIGHUP, on_signal);
    watch(SIGPIPE, on_pipe);
    /* A file at its limit is a write that fails, with a sentence, like a full disk. */
    watch(SIGXFSZ, SIG_IGN);
}

bool interrupted(void)
{
    return asked != 0 || unread != 0;
}

void interrupt_if_unread(void)
{
    if (unread == 0)
        return;
    handle(SIGPIPE, SIG_DFL);
    (void) raise(SIGPIPE);
}
