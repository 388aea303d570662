#include "model/warning.h"

#include <string.h>

static const struct {
    const char *id;
    gboolean info;
    const char *problem, *text;
} kinds[] = {
#define X(name, id, info, problem, reaction) {id, info, problem, problem reaction},
    AF_WARNINGS(X)
#undef X
};

void af_warnings_init(af_warnings *warnings)
{
    for (unsigned i = 0; i < AF_WARNING_COUNT; i++) {
        warnings->count[i] = 0;
        warnings->offset[i] = AF_NO_OFFSET;
    }
}

void af_warnings_add(af_warnings *warnings, af_warning_kind kind, uint64_t n, uint64_t offset)
{
    if (warnings->count[kind] == 0) {
        warnings->offset[kind] = offset;
    }
    warnings->count[kind] += n;
}

int af_warnings_kind_at(const af_warnings *warnings, unsigned number)
{
    for (int kind = 0; kind < AF_WARNING_COUNT; kind++) {
        if (warnings->count[kind] > 0 && number-- == 0) {
            return kind;
        }
    }
    return -1;
}

int af_warning_find(const char *id, size_t length)
{
    for (int kind = 0; kind < AF_WARNING_COUNT; kind++) {
        if (strlen(kinds[kind].id) == length && memcmp(kinds[kind].id, id, length) == 0) {
            return kind;
        }
    }
    return -1;
}

const char *af_warning_id(af_warning_kind kind)
{
    return kinds[kind].id;
}

const char *af_warning_problem(af_warning_kind kind)
{
    return kinds[kind].problem;
}

const char *af_warning_text(af_warning_kind kind)
{
    return kinds[kind].text;
}

gboolean af_warning_is_info(af_warning_kind kind)
{
    return kinds[kind].info;
}
