#include "base/hash.h"

#include <string.h>
#include <unistd.h>

static af_hash_secret secret;
static gsize ready;

/* Steele, Lea, Flood: SplitMix64. */
static uint64_t draw_word(uint64_t *state)
{
    *state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = *state;
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static void make_odd(void)
{
    secret.words[2] |= 1;
    secret.words[3] |= 1;
}

static void fill_from(uint64_t seed)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(secret.words); i++) {
        secret.words[i] = draw_word(&seed);
    }
    make_odd();
}

/* If the system has no random source, addresses and the clock are at least not known in advance. */
static void draw_secret(void)
{
    if (getentropy(&secret, sizeof secret) == 0) {
        make_odd();
    } else {
        const uint64_t address = (uint64_t)(uintptr_t)&address ^ (uint64_t)(uintptr_t)&secret << 32;
        fill_from(address ^ (uint64_t)g_get_monotonic_time());
    }
}

const af_hash_secret *af_hash_get_secret(void)
{
    if (g_once_init_enter(&ready)) {
        draw_secret();
        g_once_init_leave(&ready, 1);
    }
    return &secret;
}

void af_hash_set_secret(uint64_t seed)
{
    af_hash_get_secret();
    fill_from(seed);
}

/* ---- Aumasson and Bernstein: SipHash ---- */

typedef struct {
    uint64_t a, b, c, d;
} sip;

static inline uint64_t turn(uint64_t word, unsigned bits)
{
    return word << bits | word >> (64 - bits);
}

static inline void run_rounds(sip *s, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        s->a += s->b;
        s->c += s->d;
        s->b = turn(s->b, 13) ^ s->a;
        s->d = turn(s->d, 16) ^ s->c;
        s->a = turn(s->a, 32);
        s->c += s->b;
        s->a += s->d;
        s->b = turn(s->b, 17) ^ s->c;
        s->d = turn(s->d, 21) ^ s->a;
        s->c = turn(s->c, 32);
    }
}

static inline uint64_t load_word(const char *bytes, size_t n)
{
    uint64_t word = 0;
    if (n > 0) { /* memcpy() must not get a NULL pointer, not even for 0 bytes */
        memcpy(&word, bytes, n);
    }
    return GUINT64_FROM_LE(word);
}

static inline uint64_t hash_bytes(const af_hash_secret *by, const char *bytes, size_t length,
                                  unsigned rounds, unsigned last_rounds)
{
    sip s = {
        by->words[0] ^ UINT64_C(0x736f6d6570736575), by->words[1] ^ UINT64_C(0x646f72616e646f6d),
        by->words[0] ^ UINT64_C(0x6c7967656e657261), by->words[1] ^ UINT64_C(0x7465646279746573)};
    size_t left = length;
    for (; left >= 8; left -= 8, bytes += 8) {
        const uint64_t word = load_word(bytes, 8);
        s.d ^= word;
        run_rounds(&s, rounds);
        s.a ^= word;
    }
    const uint64_t last = load_word(bytes, left) | (uint64_t)length << 56;
    s.d ^= last;
    run_rounds(&s, rounds);
    s.a ^= last;
    s.c ^= 0xFF;
    run_rounds(&s, last_rounds);
    return s.a ^ s.b ^ s.c ^ s.d;
}

uint64_t af_hash_text(const af_hash_secret *by, const char *bytes, size_t length)
{
    return hash_bytes(by, bytes, length, 1, 3);
}

uint64_t af_hash_sip24(const af_hash_secret *by, const char *bytes, size_t length)
{
    return hash_bytes(by, bytes, length, 2, 4);
}

uint32_t af_hash_fixed(const char *bytes, size_t length)
{
    return af_hash_fixed_continue(2166136261u, bytes, length);
}

uint32_t af_hash_fixed_continue(uint32_t hash, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)bytes[i]) * 16777619u;
    }
    return hash;
}

char *af_hash_policy(const char *text)
{
    guint8 digest[32];
    gsize length = sizeof digest;
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_checksum_update(sum, (const guchar *)text, -1);
    g_checksum_get_digest(sum, digest, &length);
    g_autofree char *base64 = g_base64_encode(digest, length);
    return g_strconcat("sha256-", base64, NULL);
}
