#include "render/cairo/huffman.h"
#include "suite.h"

Suite *af_suite_huffman(void);

/* The share of all codes of 15 bits that begin with one of the codes, in units of one of them. */
static uint32_t sum_codes(const uint8_t *lengths, unsigned n, unsigned longest)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < n; i++) {
        ck_assert_uint_le(lengths[i], longest);
        sum += lengths[i] > 0 ? UINT32_C(1) << (15 - lengths[i]) : 0;
    }
    return sum;
}

static uint64_t sum_bits(const uint32_t *counts, const uint8_t *lengths, unsigned n)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < n; i++) {
        bits += (uint64_t)counts[i] * lengths[i];
    }
    return bits;
}

START_TEST(codes_are_as_short_as_their_symbols_are_frequent)
{
    /* ((b 1, d 2) 3, a 4) 7, e 8 */
    const uint32_t counts[] = {4, 1, 0, 2, 8};
    uint8_t lengths[5];
    af_huffman_lengths(counts, 5, 15, lengths);
    const uint8_t expected[] = {2, 3, 0, 3, 1};
    ck_assert_mem_eq(lengths, expected, sizeof expected);
}
END_TEST

START_TEST(few_symbols_have_codes_too)
{
    const uint32_t none[3] = {0}, one[] = {0, 7, 0}, two[] = {0, 1, 1000};
    const uint8_t for_one[] = {0, 1, 0}, for_two[] = {0, 1, 1};
    uint8_t lengths[3] = {9, 9, 9};
    af_huffman_lengths(none, 3, 15, lengths);
    ck_assert_mem_eq(lengths, "\0\0\0", 3);
    af_huffman_lengths(one, 3, 15, lengths);
    ck_assert_mem_eq(lengths, for_one, 3);
    af_huffman_lengths(two, 3, 15, lengths);
    ck_assert_mem_eq(lengths, for_two, 3);
}
END_TEST

/* The optimum for Fibonacci numbers has a code of each length. */
START_TEST(no_code_is_longer_than_allowed)
{
    enum { N = 40 };
    uint32_t counts[N] = {1, 1};
    uint8_t lengths[N];
    for (unsigned i = 2; i < N; i++) {
        counts[i] = counts[i - 1] + counts[i - 2];
    }
    uint64_t shorter = UINT64_MAX;
    for (unsigned longest = 6; longest <= 15; longest++) {
        af_huffman_lengths(counts, N, longest, lengths);
        ck_assert_uint_eq(sum_codes(lengths, N, longest), 1 << 15);
        const uint64_t bits = sum_bits(counts, lengths, N);
        ck_assert_uint_le(bits, shorter);
        shorter = bits;
    }
    af_huffman_lengths(counts, 12, 15, lengths);
    ck_assert_uint_eq(lengths[0], 11);
    ck_assert_uint_eq(lengths[11], 1);
}
END_TEST

START_TEST(all_symbols_may_occur_equally_often)
{
    uint32_t counts[AF_HUFFMAN_MOST];
    uint8_t lengths[AF_HUFFMAN_MOST];
    for (unsigned i = 0; i < AF_HUFFMAN_MOST; i++) {
        counts[i] = 1;
    }
    af_huffman_lengths(counts, AF_HUFFMAN_MOST, 9, lengths);
    ck_assert_uint_eq(sum_codes(lengths, AF_HUFFMAN_MOST, 9), 1 << 15);
}
END_TEST

START_TEST(codes_of_a_length_are_consecutive_and_reversed)
{
    /* the example of RFC 1951: 010 011 100 101 110 00 1110 1111 */
    const uint8_t lengths[] = {3, 3, 3, 3, 3, 2, 4, 4};
    const uint16_t expected[] = {2, 6, 1, 5, 3, 0, 7, 15};
    uint16_t codes[8];
    af_huffman_codes(lengths, 8, codes);
    ck_assert_mem_eq(codes, expected, sizeof expected);
}
END_TEST

Suite *af_suite_huffman(void)
{
    Suite *suite = suite_create("huffman");
    TCase *tests = tcase_create("huffman");
    tcase_add_test(tests, codes_are_as_short_as_their_symbols_are_frequent);
    tcase_add_test(tests, few_symbols_have_codes_too);
    tcase_add_test(tests, no_code_is_longer_than_allowed);
    tcase_add_test(tests, all_symbols_may_occur_equally_often);
    tcase_add_test(tests, codes_of_a_length_are_consecutive_and_reversed);
    suite_add_tcase(suite, tests);
    return suite;
}
