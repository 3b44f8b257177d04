/* service_private.h: what the files of a service share. */
#ifndef ARBITER_SERVICE_PRIVATE_H
#define ARBITER_SERVICE_PRIVATE_H

#include "shell/service.h"

/* service_settings.c. True: go on. False: end the process with *end; all has been said. */
bool service_read_settings(struct service *service, int argc, char **argv, int *end);
/* What its command line and its file say now, into a list of all its settings. */
bool service_read_list(const struct service *service, const struct settings_list *list,
                       FILE *complaints);
#define SERVICE_COMMON_MAX 48
/* A list of the settings every service has; those of doors it has not are left out. */
uint32_t service_list_common(struct service *service, struct setting list[SERVICE_COMMON_MAX]);
/* service_again.c: what the shell does on a SIGHUP; `asked` is the service. */
bool     service_again(void *asked);
/* What is said already stays. */
void     service_set_text(char *to, size_t capacity, const char *text);

/* service.c: a first start: a key of its own, if that is wanted. */
bool service_make_key(struct service *service, struct text *fault);

#endif
