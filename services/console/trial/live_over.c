/* live_over.c: coming back to a match that is over, to see its end once more and to be refused.
 *
 * A client that was told the last act gives its seat up, so each thing said later begins with an attach.
 * The match is told from its beginning again, which nobody listens to (live_account.c), and then once more
 * that it is over. What is to be said is said between the two. */
#include "services/console/command/progress.h"
#include "services/console/trial/live_parts.h"

static bool is_over_again(const struct live *live, const void *what)
{
    const struct account *account = what;
    (void) live;
    return account->is_over;
}

static bool has_what_it_came_for(const struct account *account)
{
    return account->unsaid != NULL ? account->is_answered : account->view_count > 0;
}

/* The match may have been told to its end before there was time to speak: then the player comes
 * again. */
bool live_come_back(struct live *live, struct account *account, const struct command *command)
{
    double begun = seconds_now();
    bool   is_back = true;
    account->unsaid = command;
    account->view_count = 0;
    do {
        account->awaited = 0;
        account->is_over = account->is_answered = account->is_done = false;
        is_back = client_attach(account->client, live->match_id, account->seat, NULL) &&
                  live_until(live, is_over_again, account);
    } while (is_back && !has_what_it_came_for(account) && !live_is_too_long(live, begun));
    bool is_served = is_back && has_what_it_came_for(account);
    account->unsaid = NULL;
    return is_served;
}

static bool is_answered_or_over(const struct live *live, const void *what)
{
    const struct account *account = what;
    (void) live;
    return account->is_answered || account->is_over;
}

/* A match may end between the question and its answer, which is then none. */
bool live_look(struct live *live, struct account *account)
{
    account->is_answered = account->is_done = false;
    if (!account->is_over)
        account->awaited = client_look(account->client, live->match_id, account->seat);
    if (!live_until(live, is_answered_or_over, account))
        return false;
    return account->is_answered ? account->is_done : live_come_back(live, account, NULL);
}
