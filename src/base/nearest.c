#include "base/nearest.h"

#include <string.h>

/* Longer words are not typed; names in a trace can have 70,000 bytes. */
#define LONGEST 64

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Optimal string alignment: Damerau-Levenshtein without repeated edits at one position. */
static unsigned count_edits(const char *a, size_t la, const char *b, size_t lb)
{
    unsigned rows[3][LONGEST + 1];
    unsigned *before = rows[0], *above = rows[1], *row = rows[2];
    for (unsigned j = 0; j <= lb; j++) {
        above[j] = j;
    }
    for (unsigned i = 1; i <= la; i++) {
        row[0] = i;
        for (unsigned j = 1; j <= lb; j++) {
            char x = g_ascii_tolower(a[i - 1]), y = g_ascii_tolower(b[j - 1]);
            row[j] = smaller(above[j - 1] + (x != y), smaller(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && x == g_ascii_tolower(b[j - 2]) &&
                y == g_ascii_tolower(a[i - 2])) {
                row[j] = smaller(row[j], before[j - 2] + 1);
            }
        }
        unsigned *spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return above[lb];
}

unsigned af_nearest_distance(const char *typed, const char *word)
{
    size_t lt = strlen(typed), lw = strlen(word);
    if (lt >= 2 && lw >= lt && g_ascii_strncasecmp(typed, word, lt) == 0) {
        return lw == lt ? 0 : 1;
    }
    if (lt > LONGEST || lw > LONGEST) {
        return UINT_MAX;
    }
    unsigned edits = count_edits(typed, lt, word, lw);
    size_t allowed = (lt > lw ? lt : lw) / 3;
    return edits <= (allowed > 0 ? allowed : 1) && edits < lt ? edits : UINT_MAX;
}

const char *af_word_nearest(const char *typed, const char *const *words)
{
    const char *best = NULL;
    unsigned nearest = UINT_MAX;
    for (; *words != NULL; words++) {
        unsigned distance = af_nearest_distance(typed, *words);
        if (distance < nearest) {
            nearest = distance;
            best = *words;
        }
    }
    return best;
}
