/* Hashes that an attacker cannot predict.
 *
 * Whoever can predict the hashes of ids and names can write a file whose ids all collide, and each
 * lookup then takes as long as the table is large. So all hashes depend on a secret that each
 * process draws once. The secret must not affect the output: code looks entries up, but never
 * iterates over a table in its internal order. */
#pragma once

#include <stdint.h>
#include <glib.h>

#include "base/wide.h"

typedef struct {
    uint64_t words[4]; /* the last two are odd */
} af_hash_secret;

/* The secret of this process, the same for every call. */
const af_hash_secret *af_hash_get_secret(void);

/* Replaces the secret, for tests: existing tables become invalid. */
void af_hash_set_secret(uint64_t seed);

/* Multiplies twice by secret numbers: after a single multiplication, ids with constant steps stay
 * close together, which slows down linear probing. */
static inline uint32_t af_hash_number(const af_hash_secret *secret, uint64_t number)
{
    const af_u128 product = (af_u128)(number ^ secret->words[0]) * secret->words[2];
    const uint64_t folded = (uint64_t)(product >> 64) ^ (uint64_t)product;
    return (uint32_t)((folded * secret->words[3]) >> 32);
}

/* SipHash-1-3. */
uint64_t af_hash_text(const af_hash_secret *secret, const char *bytes, size_t length);

/* SipHash-2-4, which has published test values, to test the function above. The key is two words of
 * `secret`. */
uint64_t af_hash_sip24(const af_hash_secret *secret, const char *bytes, size_t length);

/* FNV-1a, the same in every process: for colours, not for tables. */
uint32_t af_hash_fixed(const char *bytes, size_t length);

/* Continues such a hash with more bytes. */
uint32_t af_hash_fixed_continue(uint32_t hash, const char *bytes, size_t length);

/* The hash that names a script or style in a content security policy: "sha256-..." Free with
 * g_free(). */
char *af_hash_policy(const char *text);
