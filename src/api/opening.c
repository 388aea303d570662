#include "api/command.h"

#include "base/workers.h"

struct af_opening {
    char *path;
    const af_open_options *options;
    af_work work;
    af_profile *profile;
    GError *error;
};

static void open_profile(void *user, unsigned piece)
{
    af_opening *o = user;
    o->profile = af_profile_open(o->path, o->options, &o->error);
}

af_opening *af_opening_begin(const char *path, const af_open_options *options)
{
    af_opening *o = g_new0(af_opening, 1);
    o->path = g_strdup(path);
    o->options = options;
    af_work_begin(&o->work, 1, options == NULL ? 0 : options->jobs, open_profile, o);
    return o;
}

af_profile *af_opening_end(af_opening *opening, GError **error)
{
    af_work_end(&opening->work);
    af_profile *profile = opening->profile;
    if (opening->error != NULL) {
        g_propagate_error(error, opening->error);
    }
    g_free(opening->path);
    g_free(opening);
    return profile;
}
