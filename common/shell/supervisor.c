/* supervisor.c: see supervisor.h. */
#include "shell/supervisor.h"

#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int supervisor_open(const char *socket_name)
{
    struct sockaddr_un to = { .sun_family = AF_UNIX };
    size_t             size = socket_name == NULL ? 0 : strlen(socket_name);
    if (size < 2 || size >= sizeof to.sun_path)
        return -1;
    memcpy(to.sun_path, socket_name, size);
    if (to.sun_path[0] == '@')
        to.sun_path[0] = '\0';
    int       supervisor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    socklen_t length = (socklen_t) (offsetof(struct sockaddr_un, sun_path) + size);
    if (supervisor >= 0 && connect(supervisor, (const struct sockaddr *) &to, length) == 0)
        return supervisor;
    if (supervisor >= 0)
        (void) close(supervisor);
    return -1;
}

void supervisor_say(int supervisor, const char *word)
{
    if (supervisor >= 0)
        (void) send(supervisor, word, strlen(word), MSG_NOSIGNAL);
}
