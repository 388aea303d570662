#include "build/row_path.h"

typedef struct {
    uint32_t method, row;
} step;

void af_row_path_init(af_row_path *path)
{
    path->root = AF_NO_ROW;
    af_array_init(&path->steps, sizeof(step));
}

void af_row_path_clear(af_row_path *path)
{
    af_array_clear(&path->steps);
}

/* The number of methods that the sample has in common with the stack before. */
static size_t count_common(const af_row_path *path, uint32_t root, const af_sample *sample)
{
    const size_t n = path->root == root ? MIN(path->steps.n, sample->n) : 0;
    size_t i = MIN(sample->common, n);
    while (i < n && AF_ARRAY_AT(&path->steps, step, i).method == sample->methods[i]) {
        i++;
    }
    return i;
}

uint32_t af_row_path_enter(af_row_path *path, af_rows *rows, uint32_t root, const af_sample *sample)
{
    size_t i = count_common(path, root, sample);
    uint32_t row = i > 0 ? AF_ARRAY_AT(&path->steps, step, i - 1).row : root;
    path->root = root;
    path->steps.n = i;
    if (i == sample->n) {
        return row;
    }
    step *added = af_array_add(&path->steps, sample->n - i);
    if (added == NULL) {
        rows->failed = TRUE;
        return AF_NO_ROW;
    }
    for (; i < sample->n; i++) {
        row = af_rows_enter(rows, row, AF_NO_ROW, sample->methods[i]);
        if (row == AF_NO_ROW) {
            path->steps.n = i;
            break;
        }
        *added++ = (step){sample->methods[i], row};
    }
    return row;
}
