#include <aflame/redact.h>

#include "base/memory_error.h"
#include "model/redact.h"

enum { SHORTEST_KEY = 16 };

bool af_profile_redact(af_profile *profile, const char *input_name, const void *key,
                       size_t key_length, GError **error)
{
    if (key_length < SHORTEST_KEY) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "a redaction key needs at least %d bytes, not %" G_GSIZE_FORMAT, SHORTEST_KEY,
                    key_length);
        return FALSE;
    }
    const af_pseudonym_key secret = {key, key_length};
    return af_profile_redact_names(profile, input_name, &secret) || af_memory_error_set(error);
}
