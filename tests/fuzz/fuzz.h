/* fuzz.h: what every fuzz target offers: one function that must survive any bytes. */
#ifndef ARBITER_FUZZ_H
#define ARBITER_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#endif
