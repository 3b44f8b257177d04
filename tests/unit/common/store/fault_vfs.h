/* fault_vfs.h: a file system for SQLite that fails on demand, and knows what a loss of power leaves.
 *
 * It stands on the real one and becomes the default. Syncs are only noted, so that thousands of
 * stories take seconds. */
#ifndef ARBITER_TEST_FAULT_VFS_H
#define ARBITER_TEST_FAULT_VFS_H

#include "common/store/shadow.h"

enum fault_kind {
    FAULT_NONE,
    FAULT_WRITE, /* Half of it is written.                                                     */
    FAULT_SYNC,
    FAULT_OPEN,
    FAULT_TRUNCATE,
    FAULT_READ,
    FAULT_MAP, /* The index of the log, which readers share.                                   */
    FAULT_KINDS
};

struct fault {
    enum fault_kind kind;
    uint32_t        at; /* The n-th one fails, from 1; 0: none.                                 */
    bool stays;         /* And all that follow.                                                  */
    int  error;         /* EIO, ENOSPC, EDQUOT.                                              */
};

void     fault_vfs_register(void);
void     fault_vfs_unregister(void);
/* From here on, counted from here. */
void     fault_vfs_plan(struct fault fault);
/* Files may grow by so many bytes together; UINT64_MAX: for ever. */
void     fault_vfs_room(uint64_t bytes);
/* What happened since the plan was made. */
bool     fault_vfs_has_failed(void);
uint32_t fault_vfs_count(enum fault_kind kind);
uint64_t fault_vfs_grown(void);

#endif
