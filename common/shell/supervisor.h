/* supervisor.h: what systemd is told: that the doors are open, that the loop still turns, and that this process ends.
 *
 * Each is a datagram to the socket that NOTIFY_SOCKET names (sd_notify(3)). libsystemd would say
 * the same. But for three words it is one more library to build with, and to carry in an image
 * without systemd. */
#ifndef ARBITER_SHELL_SUPERVISOR_H
#define ARBITER_SHELL_SUPERVISOR_H

#define SUPERVISOR_READY "READY=1"
#define SUPERVISOR_ALIVE "WATCHDOG=1"
#define SUPERVISOR_STOPPING "STOPPING=1"

/* Connects to the socket of that name; "@..." is an abstract one. -1: there is none, or nobody listens. */
int  supervisor_open(const char *socket_name);
/* Never waits. Without a supervisor (-1) it does nothing. */
void supervisor_say(int supervisor, const char *word);

#endif
