/* again.c: settings that change while a shell runs: it is told by a signal, and holds clients to new bounds from a turn on. */
#include "shell/shell_private.h"

/* The core learns of it in a step of its own, since it may have something to store. */
void shell_read_again(struct shell *shell)
{
    if (shell->settings.again == NULL || !shell->settings.again(shell->settings.asked))
        return;
    struct event event = shell_event(shell, EVENT_CHANGED);
    shell_step(shell, &event);
}

void shell_bound(struct shell *shell, const struct pace_limits *pace, uint32_t client_topics_max)
{
    (void) pthread_mutex_lock(&shell->wish_lock);
    shell->wished = *pace;
    shell->topics_wished = client_topics_max;
    atomic_store(&shell->is_wished, true);
    (void) pthread_mutex_unlock(&shell->wish_lock);
}

void shell_grant_wish(struct shell *shell)
{
    if (!atomic_load(&shell->is_wished))
        return;
    (void) pthread_mutex_lock(&shell->wish_lock);
    shell->pace.limits = shell->wished;
    shell->settings.client_topics_max = shell->topics_wished;
    atomic_store(&shell->is_wished, false);
    (void) pthread_mutex_unlock(&shell->wish_lock);
}
