/* slab.c: size classes over pages, each change told to the undo log. Pure. */
#include "services/engine/slab.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#define NO_PAGE UINT32_MAX
#define PAGE_FREE 0u
#define PAGE_LARGE (SLAB_CLASSES + 1) /* The first page of a piece of several; else class + 1.  */
#define PAGE_REST (SLAB_CLASSES + 2)
#define LEAST 64u
#define IN_PAGE_MAX (SLAB_PAGE / 2)

struct slab_page {
    uint32_t kind;
    uint32_t used;  /* Pieces handed out; pages, of a large one.                                */
    uint32_t freed; /* The first piece that was given back, counted from 1; it names the next.  */
    uint32_t fresh; /* So many pieces, from the beginning, were ever handed out.                */
    uint32_t next, previous; /* Pages of the class that have room.                              */
};

struct kept {
    void  *at;
    size_t size;
    size_t last;
};

static size_t in_eights(size_t size)
{
    return (size + 7) / 8 * 8;
}

void engine_undo_init(struct undo *undo, void *memory, size_t bytes)
{
    *undo = (struct undo){ .bytes = memory, .capacity = bytes };
}

size_t engine_undo_room(const struct undo *undo)
{
    return undo->capacity - undo->used;
}

void engine_undo_keep(struct undo *undo, void *at, size_t size)
{
    struct kept kept = { at, size, undo->last };
    assert(in_eights(size) + sizeof kept <= engine_undo_room(undo));
    memcpy(undo->bytes + undo->used, at, size);
    undo->last = undo->used + in_eights(size);
    memcpy(undo->bytes + undo->last, &kept, sizeof kept);
    undo->used = undo->last + sizeof kept;
}

void engine_undo_forget(struct undo *undo)
{
    undo->used = undo->last = 0;
}

void engine_undo_all(struct undo *undo)
{
    while (undo->used > 0) {
        struct kept kept;
        memcpy(&kept, undo->bytes + undo->last, sizeof kept);
        undo->used = undo->last - in_eights(kept.size);
        memcpy(kept.at, undo->bytes + undo->used, kept.size);
        undo->last = kept.last;
    }
}

/* The class of a size: four to a doubling from LEAST on. */
static uint32_t class_of(size_t size)
{
    uint32_t found = 0;
    size_t   step = LEAST;
    if (size <= LEAST)
        return 0;
    while (size > 2 * step) {
        step *= 2;
        found += 4;
    }
    return found + (uint32_t) ((size - step + step / 4 - 1) / (step / 4));
}

static size_t class_size(uint32_t class)
{
    size_t step = (size_t) LEAST << class / 4;
    return step + step / 4 * (class % 4);
}

static uint32_t page_count_of(uint64_t bytes)
{
    return (uint32_t) (bytes / SLAB_PAGE);
}

size_t slab_bytes(uint64_t bytes)
{
    return page_count_of(bytes) * (SLAB_PAGE + sizeof(struct slab_page));
}

void slab_init(struct slab *slab, void *memory, uint64_t bytes)
{
    memset(slab, 0, sizeof *slab);
    slab->page_count = page_count_of(bytes);
    slab->region = memory;
    slab->pages =
        (struct slab_page *) (void *) (slab->region + (size_t) slab->page_count * SLAB_PAGE);
    for (uint32_t class = 0; class < SLAB_CLASSES; class ++)
        slab->open[class] = NO_PAGE;
}

/* A page that holds nothing may serve anything, whatever it held before. */
static bool is_available(const struct slab_page *page)
{
    return page->kind == PAGE_FREE || (page->kind <= SLAB_CLASSES && page->used == 0);
}

static void unlink_page(struct slab *slab, struct undo *undo, uint32_t index)
{
    struct slab_page *page = &slab->pages[index];
    uint32_t         *open = &slab->open[page->kind - 1];
    if (page->next != NO_PAGE) {
        engine_undo_keep(undo, &slab->pages[page->next], sizeof *page);
        slab->pages[page->next].previous = page->previous;
    }
    if (page->previous != NO_PAGE) {
        engine_undo_keep(undo, &slab->pages[page->previous], sizeof *page);
        slab->pages[page->previous].next = page->next;
    } else {
        engine_undo_keep(undo, open, sizeof *open);
        *open = page->next;
    }
}

/* Puts a page that the undo log already knows at the front of its class. */
static void link_page(struct slab *slab, struct undo *undo, uint32_t index)
{
    struct slab_page *page = &slab->pages[index];
    uint32_t         *open = &slab->open[page->kind - 1];
    engine_undo_keep(undo, open, sizeof *open);
    page->previous = NO_PAGE;
    page->next = *open;
    if (*open != NO_PAGE) {
        engine_undo_keep(undo, &slab->pages[*open], sizeof *page);
        slab->pages[*open].previous = index;
    }
    *open = index;
}

static uint8_t *piece_at(const struct slab *slab, uint32_t index, uint32_t piece)
{
    const struct slab_page *page = &slab->pages[index];
    return slab->region + (size_t) index * SLAB_PAGE + piece * class_size(page->kind - 1);
}

/* Makes an available page free: its pieces' links are wiped, so that it is zeros. */
static void wipe_page(struct slab *slab, struct undo *undo, uint32_t index)
{
    struct slab_page *page = &slab->pages[index];
    engine_undo_keep(undo, page, sizeof *page);
    if (page->kind == PAGE_FREE)
        return;
    unlink_page(slab, undo, index);
    for (uint32_t piece = 0; piece < page->fresh; piece++) {
        uint8_t *at = piece_at(slab, index, piece);
        engine_undo_keep(undo, at, sizeof page->freed);
        memset(at, 0, sizeof page->freed);
    }
    memset(page, 0, sizeof *page);
}

/* The first of so many neighbouring available pages; NO_PAGE. */
static uint32_t find_pages(struct slab *slab, struct undo *undo, uint32_t count)
{
    uint32_t run = 0;
    uint32_t first_available = slab->page_count;
    for (uint32_t i = slab->first_free; i < slab->page_count; i++) {
        bool available = is_available(&slab->pages[i]);
        if (available && i < first_available)
            first_available = i;
        run = available ? run + 1 : 0;
        if (run < count)
            continue;
        engine_undo_keep(undo, &slab->first_free, sizeof slab->first_free);
        slab->first_free = first_available == i + 1 - count ? i + 1 : first_available;
        return i + 1 - count;
    }
    return NO_PAGE;
}

static void *take_large(struct slab *slab, struct undo *undo, size_t size)
{
    uint32_t count = (uint32_t) ((size + SLAB_PAGE - 1) / SLAB_PAGE);
    uint32_t first = find_pages(slab, undo, count);
    if (first == NO_PAGE)
        return NULL;
    for (uint32_t i = first; i < first + count; i++) {
        wipe_page(slab, undo, i);
        slab->pages[i].kind = i == first ? PAGE_LARGE : PAGE_REST;
    }
    slab->pages[first].used = count;
    return slab->region + (size_t) first * SLAB_PAGE;
}

static bool open_page(struct slab *slab, struct undo *undo, uint32_t class)
{
    uint32_t index = find_pages(slab, undo, 1);
    if (index == NO_PAGE)
        return false;
    wipe_page(slab, undo, index);
    slab->pages[index].kind = class + 1;
    link_page(slab, undo, index);
    return true;
}

static void *take_small(struct slab *slab, struct undo *undo, uint32_t class)
{
    if (slab->open[class] == NO_PAGE && !open_page(slab, undo, class))
        return NULL;
    uint32_t          index = slab->open[class];
    struct slab_page *page = &slab->pages[index];
    engine_undo_keep(undo, page, sizeof *page);
    uint32_t piece = page->freed != 0 ? page->freed - 1 : page->fresh++;
    uint8_t *at = piece_at(slab, index, piece);
    engine_undo_keep(undo, at, sizeof page->freed);
    if (page->freed != 0)
        memcpy(&page->freed, at, sizeof page->freed);
    memset(at, 0, sizeof page->freed);
    page->used++;
    if (page->used == SLAB_PAGE / class_size(class))
        unlink_page(slab, undo, index);
    return at;
}

static uint64_t taken_bytes(size_t size)
{
    return size > IN_PAGE_MAX ? (size + SLAB_PAGE - 1) / SLAB_PAGE * (uint64_t) SLAB_PAGE
                              : class_size(class_of(size));
}

void *slab_take(struct slab *slab, struct undo *undo, size_t size)
{
    void *piece =
        size > IN_PAGE_MAX ? take_large(slab, undo, size) : take_small(slab, undo, class_of(size));
    if (piece == NULL)
        return NULL;
    engine_undo_keep(undo, &slab->used, sizeof slab->used);
    slab->used += taken_bytes(size);
    /* What is written now is no one's before: an undo only has to make it zeros again. */
    engine_undo_keep(undo, piece, size);
    return piece;
}

static void give_large(struct slab *slab, struct undo *undo, uint32_t first)
{
    uint32_t count = slab->pages[first].used;
    for (uint32_t i = first; i < first + count; i++) {
        engine_undo_keep(undo, &slab->pages[i], sizeof slab->pages[i]);
        memset(&slab->pages[i], 0, sizeof slab->pages[i]);
    }
}

static void give_small(struct slab *slab, struct undo *undo, uint32_t index, uint8_t *piece)
{
    struct slab_page *page = &slab->pages[index];
    size_t            size = class_size(page->kind - 1);
    size_t            offset = (size_t) (piece - slab->region) - (size_t) index * SLAB_PAGE;
    assert(page->used > 0 && offset % size == 0);
    engine_undo_keep(undo, page, sizeof *page);
    bool was_full = page->used == SLAB_PAGE / size;
    memcpy(piece, &page->freed, sizeof page->freed);
    page->freed = (uint32_t) (offset / size) + 1;
    page->used--;
    if (was_full)
        link_page(slab, undo, index);
}

void slab_give(struct slab *slab, struct undo *undo, void *piece, size_t size)
{
    uint32_t index = (uint32_t) ((size_t) ((uint8_t *) piece - slab->region) / SLAB_PAGE);
    assert(index < slab->page_count);
    engine_undo_keep(undo, &slab->used, sizeof slab->used);
    slab->used -= taken_bytes(size);
    engine_undo_keep(undo, piece, size);
    memset(piece, 0, size);
    if (slab->pages[index].kind == PAGE_LARGE)
        give_large(slab, undo, index);
    else
        give_small(slab, undo, index, piece);
    engine_undo_keep(undo, &slab->first_free, sizeof slab->first_free);
    if (index < slab->first_free)
        slab->first_free = index;
}
