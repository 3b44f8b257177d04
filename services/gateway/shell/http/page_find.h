/* page_find.h: where the page's files are, seen from this program: installed, or in the tree it was built in. */
#ifndef ARBITER_GATEWAY_PAGE_FIND_H
#define ARBITER_GATEWAY_PAGE_FIND_H

#include <stddef.h>

/* "" if there is no page. */
void page_find(char *folder, size_t size);

#endif
