#include <string.h>

#include "cli/module.h"
#include "cli/options.h"

static af_exit run_serve(const af_options *o)
{
    if (o->operands[0] != NULL) {
        af_message_print(o->operands[0], "serve takes no traces; send uploads them");
        return AF_EXIT_USAGE;
    }
    const char *store = o->serve.store != NULL ? o->serve.store : "";
    const gboolean shared =
        g_str_has_prefix(store, "postgresql://") || g_str_has_prefix(store, "postgres://");
    if (o->serve.store != NULL && o->serve.memory_only) {
        af_message_print(NULL, "--store and --no-store exclude each other");
        return AF_EXIT_USAGE;
    }
    if (o->serve.rebuild_index && (shared || o->serve.memory_only)) {
        af_message_print(NULL, "--rebuild-index needs a store in a folder");
        return AF_EXIT_USAGE;
    }
    if (!shared && strstr(store, "://") != NULL) {
        af_message_print(NULL, "--store takes a folder or a postgresql:// address");
        return AF_EXIT_USAGE;
    }
    af_exit status;
    af_serve_func run;
    *(void **)&run = af_module_need(&af_module_serve, "af_serve_run", &status);
    af_serve_options serve = o->serve;
    serve.host = &af_module_host;
    serve.shared_store = shared;
    serve.hosts = (const char *const *)o->hosts;
    serve.viewers = (const char *const *)o->viewers;
    serve.open_browser = o->open_browser;
    serve.quiet = o->quiet;
    return run == NULL ? status : (af_exit)run(&serve);
}

const af_verb af_verb_serve = {
    .name = "serve",
    .bit = AF_SERVE,
    .operands = "",
    .title = "start a server: upload a trace, get a link",
    .about = "Starts a server on this machine and prints its address. Each uploaded trace\n"
             "gets a link to a page with its graph and tables.",
    .examples = "Examples:\n"
                "  aflame serve\n"
                "  aflame serve --no-store --open\n"
                "  aflame serve --listen 0.0.0.0:8192 --store /var/lib/aflame \\\n"
                "      --tokens tokens.ini --expire 30d --max-store 20G\n"
                "  aflame serve --store postgresql://user@host/aflame\n"
                "  curl -F trace_file=@app.trace http://127.0.0.1:8192/upload_trace",
    .run = run_serve,
};
