/* Hashes that nobody can foresee.
 *
 * Who knows how ids and names are hashed can write a file whose ids all fall on one place of a
 * table, and each look into it takes as long as the table is large. So all hashes depend on a
 * secret, drawn once in a process. Nothing of it may reach the output: tables are asked for what is
 * in them, never walked in their own order. */
#ifndef AF_BASE_HASH_H
#define AF_BASE_HASH_H

#include <stdint.h>
#include <glib.h>

#include "base/wide.h"

typedef struct {
    uint64_t words[4]; /* the last two are odd */
} af_hash_secret;

/* The secret of this process, the same at every call. */
const af_hash_secret *af_hash_get_secret(void);

/* Another secret from now on, for tests: tables that exist are lost. */
void af_hash_set_secret(uint64_t seed);

/* Two multiplications by what is not known: one alone leaves ids in steps close together, which
 * tables with linear probing take badly. */
static inline uint32_t af_hash_number(const af_hash_secret *secret, uint64_t number)
{
    const af_u128 product = (af_u128)(number ^ secret->words[0]) * secret->words[2];
    const uint64_t folded = (uint64_t)(product >> 64) ^ (uint64_t)product;
    return (uint32_t)((folded * secret->words[3]) >> 32);
}

/* SipHash-1-3. */
uint32_t af_hash_text(const af_hash_secret *secret, const char *bytes, size_t length);

/* SipHash with the rounds that its published values have, to test the above: 64 bits by two words
 * of `secret`. */
uint64_t af_hash_sip24(const af_hash_secret *secret, const char *bytes, size_t length);

/* What a content policy calls a script or style by: "sha256-..." Free with g_free(). */
char *af_hash_policy(const char *text);

#endif
