#include <string.h>

#include "base/textmap.h"
#include "suite.h"

/* Aumasson and Bernstein, SipHash: a fast short-input PRF, appendix A. */
TEST(siphash_matches_its_test_vectors)
{
    const af_hash_secret secret = {
        {UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908), 1, 1}};
    char message[15];
    for (unsigned i = 0; i < sizeof message; i++) {
        message[i] = (char)i;
    }
    ck_assert_uint_eq(af_hash_sip24(&secret, message, sizeof message),
                      UINT64_C(0xa129ca6149be45e5));
    ck_assert_uint_eq(af_hash_sip24(&secret, message, 0), UINT64_C(0x726fdb47dd0e0e31));
    ck_assert_uint_eq(af_hash_sip24(&secret, message, 8), UINT64_C(0x93f5f5799a932462));
}

TEST(the_secret_lasts_until_it_is_changed)
{
    const af_hash_secret first = *af_hash_get_secret();
    ck_assert_mem_eq(&first, af_hash_get_secret(), sizeof first);
    af_hash_set_secret(1);
    const af_hash_secret one = *af_hash_get_secret();
    af_hash_set_secret(2);
    ck_assert_mem_ne(&one, af_hash_get_secret(), sizeof one);
    ck_assert_mem_ne(&first, &one, sizeof one);
    ck_assert_uint_eq(one.words[2] & one.words[3] & 1, 1);
    ck_assert_uint_ne(af_hash_text(&one, "main", 4), af_hash_text(&first, "main", 4));
    ck_assert_uint_ne(af_hash_number(&one, 4), af_hash_number(&first, 4));
    af_hash_set_secret(1);
    ck_assert_mem_eq(&one, af_hash_get_secret(), sizeof one);
}

enum { BITS = 12, SLOTS = 1 << BITS };

/* The longest run of occupied neighbours in a half-full table with linear probing: the cost of the
 * slowest lookup. */
static unsigned find_longest_run(const uint64_t *ids, const af_hash_secret *secret)
{
    char occupied[SLOTS] = {0};
    for (unsigned i = 0; i < SLOTS / 2; i++) {
        unsigned at = af_hash_number(secret, ids[i]) % SLOTS;
        while (occupied[at]) {
            at = (at + 1) % SLOTS;
        }
        occupied[at] = 1;
    }
    unsigned longest = 0, run = 0;
    for (unsigned i = 0; i < 2 * SLOTS; i++) {
        run = occupied[i % SLOTS] ? run + 1 : 0;
        longest = MAX(longest, run);
    }
    return longest;
}

/* The inverse of an odd number modulo 2^64. */
static uint64_t invert(uint64_t odd)
{
    uint64_t inverse = odd;
    for (unsigned i = 0; i < 6; i++) {
        inverse *= 2 - odd * inverse;
    }
    return inverse;
}

/* Ids in many strides, and ids that multiplication by a known number maps to one slot. */
TEST(no_sequence_of_ids_clusters)
{
    static const uint64_t steps[] = {1,
                                     4,
                                     16,
                                     4096,
                                     UINT64_C(1) << 32,
                                     UINT64_C(1) << 50,
                                     (UINT64_C(1) << 32) + 1,
                                     UINT64_C(0x9E3779B97F4A7C15),
                                     UINT64_C(0xFFFFFFFFFFFFFFFC)};
    static uint64_t ids[SLOTS / 2];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        af_hash_set_secret(seed);
        for (unsigned s = 0; s <= G_N_ELEMENTS(steps); s++) {
            for (unsigned i = 0; i < SLOTS / 2; i++) {
                ids[i] = s < G_N_ELEMENTS(steps)
                             ? i * steps[s]
                             : ((uint64_t)i << 2) * invert(UINT64_C(0x9E3779B97F4A7C15));
            }
            /* random ids give runs of 60 to 120 */
            ck_assert_uint_lt(find_longest_run(ids, af_hash_get_secret()), 256);
        }
    }
}

/* All lengths around a word, and bytes that do not end with zero. */
TEST(every_byte_changes_the_hash)
{
    char text[40];
    const af_hash_secret *secret = af_hash_get_secret();
    memset(text, 'a', sizeof text);
    for (size_t length = 1; length < sizeof text; length++) {
        const uint64_t hash = af_hash_text(secret, text, length);
        ck_assert_uint_eq(hash, af_hash_text(secret, text, length));
        ck_assert_uint_ne(hash, af_hash_text(secret, text, length - 1));
        for (size_t i = 0; i < length; i++) {
            text[i] = 'b';
            ck_assert_uint_ne(hash, af_hash_text(secret, text, length));
            text[i] = 'a';
        }
    }
}

TEST(texts_with_one_hash_are_two_texts)
{
    const af_textmap_entry first = {"first", 5, UINT64_MAX}, second = {"second", 6, UINT64_MAX};
    const af_textmap_entry third = {"third", 5, 0};
    af_textmap map;
    af_textmap_init(&map);
    for (unsigned again = 0; again < 2; again++) {
        ck_assert_uint_eq(af_textmap_add_hashed(&map, first), 0);
        ck_assert_uint_eq(af_textmap_add_hashed(&map, second), 1);
        ck_assert_uint_eq(af_textmap_add_hashed(&map, third), 2);
    }
    af_textmap_clear(&map);
}
