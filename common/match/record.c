/* record.c: see record.h. */
#include "match/record.h"

#include <string.h>

#include "wire/order.h"
#include "wire/pack.h"

size_t match_record_size(const Arbiter__Match__Record *record)
{
    return MATCH_RECORD_FRAME + pack_size(&record->base);
}

void match_record_write(uint8_t *to, const Arbiter__Match__Record *record,
                        const struct crypto_ops *crypto)
{
    uint8_t  digest[CRYPTO_HASH_SIZE];
    uint8_t *body = to + MATCH_RECORD_FRAME;
    size_t   size = (size_t) (pack(body, &record->base) - body);
    order_put(to, size, 4);
    const struct piece pieces[] = { { to, 4 }, { body, size } };
    crypto->hash(digest, pieces, 2);
    memcpy(to + 4, digest, MATCH_RECORD_CHECK);
}
