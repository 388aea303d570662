#include "cli/inputs.h"
#include "cli/module.h"
#include "cli/options.h"
#include "cli/progress.h"

static void end_progress(void *progress)
{
    af_progress_end(progress);
}

static af_exit send_files(const af_options *o, af_send_func run)
{
    af_progress progress;
    af_send_options send = o->send;
    send.host = &af_module_host;
    send.open_browser = o->open_browser;
    g_auto(GStrv) files = af_inputs_expand(o->operands);
    send.files = (const char *const *)files;
    if (af_progress_begin(&progress, "sending to", send.to, o->quiet)) {
        send.progress = af_progress_show;
        send.progress_end = end_progress;
        send.progress_user = &progress;
    }
    const int status = run(&send);
    return (af_exit)status;
}

static af_exit run_send(const af_options *o)
{
    if (o->send.link != NULL && o->operands[0] != NULL) {
        af_message_print(NULL, "--delete takes no traces");
        return AF_EXIT_USAGE;
    }
    if (o->operands[0] == NULL && o->send.link == NULL) {
        af_message_print(NULL, "name a trace, or - for standard input: aflame send %s",
                         af_verb_send.operands);
        return AF_EXIT_USAGE;
    }
    af_exit status;
    af_send_func run;
    *(void **)&run = af_module_need(&af_module_serve, "af_send_run", &status);
    return run == NULL ? status : send_files(o, run);
}

const af_verb af_verb_send = {
    .name = "send",
    .bit = AF_SEND,
    .operands = "TRACE...",
    .title = "upload traces to a server and print the links",
    .about = "Uploads traces to a server that aflame serve started, and prints the link of\n"
             "each. A folder means the recordings in it.",
    .examples = "Examples:\n"
                "  aflame send app.trace\n"
                "  aflame send release.trace --mapping mapping.txt --to https://traces.example\n"
                "  adb exec-out cat /sdcard/app.trace | aflame send - --to http://host:8192",
    .run = run_send,
};
