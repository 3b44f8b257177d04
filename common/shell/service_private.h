/* service_private.h: what the files of a service share. */
#ifndef ARBITER_SERVICE_PRIVATE_H
#define ARBITER_SERVICE_PRIVATE_H

#include "shell/service.h"

/* service_settings.c. True: go on. False: end the process with *end; all has been said. */
bool service_read_settings(struct service *service, int argc, char **argv, int *end);
/* What is said already stays. */
void service_set_text(char *to, size_t capacity, const char *text);

/* service.c: a first start: a key of its own, if that is wanted. */
bool service_make_key(struct service *service, struct text *fault);

#endif
