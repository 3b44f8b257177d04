/* queue.c: a binary heap; see queue.h. */
#include "queue.h"

#include <stdlib.h>

#include "memory.h"

static bool is_before(const struct happening *one, const struct happening *other)
{
    return one->at_ns != other->at_ns ? one->at_ns < other->at_ns : one->order < other->order;
}

void queue_push(struct queue *queue, const struct happening *happening)
{
    if (queue->count == queue->capacity) {
        queue->capacity = queue->capacity == 0 ? 1024 : queue->capacity * 2;
        queue->heap = memory_again(queue->heap, queue->capacity * sizeof *queue->heap);
    }
    struct happening put = *happening;
    put.order = ++queue->order;
    uint32_t at = queue->count++;
    while (at > 0 && is_before(&put, &queue->heap[(at - 1) / 2])) {
        queue->heap[at] = queue->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    queue->heap[at] = put;
}

bool queue_pop(struct queue *queue, struct happening *happening)
{
    if (queue->count == 0)
        return false;
    *happening = queue->heap[0];
    struct happening last = queue->heap[--queue->count];
    uint32_t         at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= queue->count)
            break;
        if (child + 1 < queue->count && is_before(&queue->heap[child + 1], &queue->heap[child]))
            child++;
        if (!is_before(&queue->heap[child], &last))
            break;
        queue->heap[at] = queue->heap[child];
        at = child;
    }
    queue->heap[at] = last;
    return true;
}

void queue_free(struct queue *queue)
{
    free(queue->heap);
    *queue = (struct queue){ 0 };
}
