/* The bytes of a fuzz input, taken one value after the other. Past the end everything is 0, so any
 * bytes are valid and a truncated input means the same up to the cut. */
#pragma once

#include "fuzz.h"

typedef struct {
    const uint8_t *at, *end;
} fuzz_feed;

static inline size_t feed_left(const fuzz_feed *feed)
{
    return (size_t)(feed->end - feed->at);
}

static inline uint8_t feed_byte(fuzz_feed *feed)
{
    return feed->at < feed->end ? *feed->at++ : 0;
}

/* `width` bytes, low ones first. */
static inline uint64_t feed_number(fuzz_feed *feed, unsigned width)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < width; i++) {
        value |= (uint64_t)feed_byte(feed) << (8 * i);
    }
    return value;
}

/* A length byte and as many bytes as are available; borrowed. */
static inline const char *feed_text(fuzz_feed *feed, size_t *length)
{
    const size_t wanted = feed_byte(feed), left = feed_left(feed);
    const char *text = (const char *)feed->at;
    *length = wanted < left ? wanted : left;
    feed->at += *length;
    return text;
}
