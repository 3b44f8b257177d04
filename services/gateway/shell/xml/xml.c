/* xml.c: see xml.h. Elements are told one by one, so memory does not grow with what is in them. */
#include "services/gateway/shell/xml/xml.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <string.h>

#define DEPTH_MAX 8

struct reading {
    struct rest_paper *paper;
    char              *memory;
    size_t             used, room;
    int                depth;
    enum rest_element  element; /* Whose text is read; REST_ELEMENTS: nobody's. */
    bool               is_bad;
    xmlParserCtxtPtr   parser;
};

static void give_up(struct reading *reading)
{
    reading->is_bad = true;
    xmlStopParser(reading->parser);
}

static void on_root(struct reading *reading, const char *name, size_t size)
{
    if (size < REST_ROOT_MAX)
        memcpy(reading->paper->root, name, size);
}

static void on_open(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                    int namespaces, const xmlChar **namespace_list, int attributes, int defaulted,
                    const xmlChar **attribute_list)
{
    struct reading *reading = context;
    size_t          size = strlen((const char *) name);
    (void) prefix, (void) uri, (void) namespaces, (void) namespace_list, (void) attributes;
    (void) defaulted, (void) attribute_list;
    reading->depth++;
    if (reading->depth > DEPTH_MAX)
        give_up(reading);
    else if (reading->depth == 1)
        on_root(reading, (const char *) name, size);
    if (reading->depth != 2)
        return;
    reading->element = rest_element_of((const char *) name, size, &reading->paper->is_int_number);
    if (reading->element == REST_ELEMENTS)
        return;
    struct rest_text *text = &reading->paper->element[reading->element];
    text->times++;
    text->text = reading->memory + reading->used;
    text->size = 0;
}

static void on_close(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    struct reading *reading = context;
    (void) name, (void) prefix, (void) uri;
    if (reading->depth == 2)
        reading->element = REST_ELEMENTS;
    reading->depth--;
}

static void on_text(void *context, const xmlChar *text, int size)
{
    struct reading *reading = context;
    if (reading->depth != 2 || reading->element == REST_ELEMENTS || size <= 0)
        return;
    if ((size_t) size > reading->room - reading->used) {
        give_up(reading);
        return;
    }
    memcpy(reading->memory + reading->used, text, (size_t) size);
    reading->used += (size_t) size;
    reading->paper->element[reading->element].size += (size_t) size;
}

/* A document type is where entities, files and bombs come from. */
static void on_document_type(void *context, const xmlChar *name, const xmlChar *external,
                             const xmlChar *system)
{
    (void) name, (void) external, (void) system;
    give_up(context);
}

/* An entity that XML itself does not have. */
static void on_reference(void *context, const xmlChar *name)
{
    (void) name;
    give_up(context);
}

static xmlEntityPtr find_entity(void *context, const xmlChar *name)
{
    (void) context;
    return xmlGetPredefinedEntity(name);
}

static void on_error(void *context, const char *message, ...)
{
    (void) message;
    ((struct reading *) context)->is_bad = true;
}

static void on_structured(void *context, xmlErrorPtr error)
{
    /* A namespace nobody declared is ignored like every other. */
    if (error->level >= XML_ERR_ERROR && error->domain != XML_FROM_NAMESPACE)
        ((struct reading *) context)->is_bad = true;
}

void xml_begin(void)
{
    xmlInitParser();
}

void xml_end(void)
{
    xmlCleanupParser();
}

/* The first element of ours begins before so many bytes. */
#define BEGIN_MAX 256u

/* A document ends with '>'. A short one that ends with another letter was cut, or is something else. */
static bool ends_too_early(const char *text, size_t size)
{
    size_t first = 0;
    while (size > 0 && memchr(" \t\r\n", text[size - 1], 4) != NULL)
        size--;
    while (first < size && memchr(" \t\r\n", text[first], 4) != NULL)
        first++;
    return size == 0 || (size < BEGIN_MAX && text[first] == '<' && text[size - 1] != '>');
}

void xml_read(const char *text, size_t size, char *memory, struct rest_paper *paper)
{
    xmlSAXHandler  handler = { .initialized = XML_SAX2_MAGIC,
                               .startElementNs = on_open,
                               .endElementNs = on_close,
                               .characters = on_text,
                               .cdataBlock = on_text,
                               .internalSubset = on_document_type,
                               .reference = on_reference,
                               .getEntity = find_entity,
                               .error = on_error,
                               .fatalError = on_error,
                               .serror = on_structured };
    struct reading reading = {
        .paper = paper, .memory = memory, .room = size, .element = REST_ELEMENTS
    };
    memset(paper, 0, sizeof *paper);
    paper->is_cut = ends_too_early(text, size);
    const char *begin = rest_skip_declaration(text, size);
    if (begin == text + size)
        paper->is_cut = true;
    if (begin == NULL || begin == text + size)
        return;
    size_t left = (size_t) (text + size - begin);
    reading.parser = xmlCreatePushParserCtxt(&handler, &reading, NULL, 0, NULL);
    if (reading.parser == NULL)
        return;
    (void) xmlCtxtUseOptions(reading.parser,
                             XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    (void) xmlSwitchEncoding(reading.parser, XML_CHAR_ENCODING_UTF8);
    (void) xmlParseChunk(reading.parser, begin, (int) left, 0);
    paper->is_cut = !reading.is_bad && (paper->is_cut || reading.depth > 0);
    (void) xmlParseChunk(reading.parser, NULL, 0, 1);
    paper->is_whole = !reading.is_bad && reading.parser->wellFormed && reading.depth == 0;
    xmlFreeDoc(reading.parser->myDoc);
    xmlFreeParserCtxt(reading.parser);
}
