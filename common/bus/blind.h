/* blind.h: beside each door a blind one, to which the kernel sends those who knock too often, and where nobody opens.
 *
 * To turn a connection away costs ten microseconds, and a flood brings twenty thousand a second. So
 * a second socket, the blind one, listens at the door's address (SO_REUSEPORT). A program in the
 * kernel (classic BPF) looks at the source of each packet that would open a connection, and picks
 * one of the two sockets. The blind one has room for one connection. While that is taken, the
 * kernel drops what would open another. This costs us nothing, and the stranger waits a second
 * before the next try.
 *
 * A filter on the door itself would be simpler. But recent kernels want CAP_NET_ADMIN for a filter
 * on a TCP socket, and a service has no capability at all. Connections that are established have
 * sockets of their own: neither program nor filter is asked about those.
 *
 * Not safe for threads: the porter holds its lock around each call. */
#ifndef ARBITER_BUS_BLIND_H
#define ARBITER_BUS_BLIND_H

#include <stdbool.h>
#include <stdint.h>

#define BLIND_DOORS_MAX 16u
#define BLIND_SOURCES_MAX 32u

/* Who knocks: an IPv4 address, or the half of an IPv6 address that a customer is given. */
struct source {
    uint32_t version; /* 4 or 6; 0: a file on this machine.                                       */
    uint32_t words[2]; /* As numbers, the first bytes highest; IPv4: words[0].                    */
};

/* Before a socket begins to listen, or its group would not be the kernel's to choose in. */
void     blind_prepare(int file);
/* A blind door beside this one, which listens since blind_prepare. Its number, for blind_close; -1: there
 * is none, because this kernel would not, and whoever knocks is heard as before. */
int      blind_open(int file);
void     blind_close(int number);
/* Sends a source to the blind doors until then. False: there is none, or BLIND_SOURCES_MAX others are. */
bool     blind_bar(const struct source *source, uint64_t until_us);
/* Lets those in again whose time is over; when it must be called again; 0: not before somebody is barred. */
uint64_t blind_tend(uint64_t now_us);
/* How many packets that would have opened a connection were dropped, at all doors there ever were. */
uint64_t blind_dropped(void);

#endif
