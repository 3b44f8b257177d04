/* interrupt.c: remembers that somebody pressed Ctrl-C, or that the supervisor asked us to end. */
#include "services/console/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t asked;

static void on_signal(int number)
{
    (void) number;
    asked = 1;
}

void interrupt_watch(void)
{
    /* SA_RESETHAND: the second signal finds the default, which ends us. */
    struct sigaction action = { .sa_handler = on_signal, .sa_flags = (int) SA_RESETHAND };
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool interrupted(void)
{
    return asked != 0;
}
