/* xml.h: XML taken apart by libxml2, and nothing else: no tree, no document type, no file, no network. */
#ifndef ARBITER_GATEWAY_XML_H
#define ARBITER_GATEWAY_XML_H

#include <stdbool.h>
#include <stddef.h>

#include "services/gateway/rest/rest_read.h"

/* Reads a document; `memory` is room for all its texts together: as much as the document has. What is no
 * XML, has a document type or is nested deeper than 8 gives a paper that is not whole. */
void xml_read(const char *text, size_t size, char *memory, struct rest_paper *paper);
/* Once for the process. */
void xml_begin(void);
void xml_end(void);

#endif
