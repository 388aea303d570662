#include "export/gecko_form.h"

#include "base/json.h"

static const char *const categories[][2] = {
    [AF_GECKO_USER] = {"User", "yellow"},     [AF_GECKO_KERNEL] = {"Kernel", "orange"},
    [AF_GECKO_NATIVE] = {"Native", "yellow"}, [AF_GECKO_DEX] = {"DEX", "green"},
    [AF_GECKO_OAT] = {"OAT", "green"},        [AF_GECKO_OFF_CPU] = {"Off-CPU", "blue"},
    [AF_GECKO_OTHER] = {"Other", "grey"},     [AF_GECKO_JIT] = {"JIT", "green"},
};

/* The value of a key in the file; NULL if missing. */
static const char *find_fact(const af_facts *facts, const char *key)
{
    for (unsigned i = 0; i < facts->n_keys; i++) {
        if (strcmp(facts->keys[i].key, key) == 0) {
            return facts->keys[i].value;
        }
    }
    return NULL;
}

static void put_text(af_out *out, const char *text)
{
    if (text == NULL) {
        af_out_text(out, "null");
    } else {
        af_json_string(out, text);
    }
}

static void put_fact(af_out *out, const af_facts *facts, const char *key)
{
    put_text(out, find_fact(facts, key));
}

/* Writes the text that simpleperf's library returns: empty if the recording has no value. */
static void put_said(af_out *out, const af_facts *facts, const char *key, const char *otherwise)
{
    const char *said = find_fact(facts, key);
    put_text(out, said != NULL                                           ? said
                  : g_strcmp0(facts->format.producer, "simpleperf") == 0 ? ""
                                                                         : otherwise);
}

void af_gecko_begin(af_out *out, const af_profile *profile, uint64_t interval_ns,
                    const char *left_out)
{
    const af_facts *facts = &profile->facts;
    af_out_text(out, "{\"libs\": [], \"meta\": {\"abi\": ");
    put_said(out, facts, "arch", NULL);
    af_out_text(out, ", \"appBuildID\": ");
    put_fact(out, facts, "app_versioncode");
    af_out_text(out, ", \"asyncstack\": 1, \"categories\": [");
    for (unsigned i = 0; i < G_N_ELEMENTS(categories); i++) {
        af_json_string_after(out, i > 0 ? ", {\"color\": " : "{\"color\": ", categories[i][1]);
        af_json_string_after(out, ", \"name\": ", categories[i][0]);
        af_out_text(out, ", \"subcategories\": [\"Other\"]}");
    }
    af_out_text(out, "], \"debug\": 0, \"device\": ");
    put_fact(out, facts, "product_props");
    af_out_text(out, ", \"gcpoison\": 0, \"interval\": ");
    af_out_decimal(out, interval_ns, 6);
    af_out_text(out, ", \"markerSchema\": [], \"oscpu\": ");
    put_fact(out, facts, "android_build_fingerprint");
    af_out_text(out, ", \"platform\": ");
    put_fact(out, facts, "android_build_fingerprint");
    af_out_text(out, ", \"presymbolicated\": true, \"processType\": 0, \"product\": ");
    put_said(out, facts, "command", profile->app);
    af_out_text(out, ", \"shutdownTime\": null, \"stackwalk\": 1, \"startTime\": ");
    af_out_i64(out, MAX(af_profile_date_s(profile), 0) * 1000);
    af_out_text(out, ", \"version\": 24, \"exporter\": \"aflame\"");
    if (left_out != NULL) {
        af_json_string_after(out, ", \"leftOut\": ", left_out);
    }
    af_out_text(out, "}, \"pausedRanges\": [], \"processes\": [], \"threads\": [");
}

void af_gecko_end(af_out *out)
{
    af_out_text(out, "]}\n");
}

static void begin_row(af_out *out, uint64_t i)
{
    af_out_text(out, i > 0 ? ", [" : "[");
}

void af_gecko_begin_frames(af_out *out, uint32_t i)
{
    af_out_texts(out, i > 0 ? ", " : "", "{\"frameTable\": {\"data\": [");
}

void af_gecko_put_frame(af_out *out, uint32_t i, af_gecko_category category)
{
    begin_row(out, i);
    af_out_u64(out, i);
    af_out_number(out, ", false, 0, null, null, null, null, ", category, ", 0]");
}

void af_gecko_begin_samples(af_out *out, const char *name, uint32_t pid)
{
    af_json_string_after(
        out,
        "], \"schema\": {\"category\": 7, \"column\": 6, \"implementation\": 3, "
        "\"innerWindowID\": 2, \"line\": 5, \"location\": 0, \"optimizations\": 4, "
        "\"relevantForJS\": 1, \"subcategory\": 8}}, "
        "\"markers\": {\"data\": [], \"schema\": {\"category\": 4, \"data\": 5, "
        "\"endTime\": 2, \"name\": 0, \"phase\": 3, \"startTime\": 1}}, "
        "\"name\": ",
        name);
    af_out_number(out, ", \"pid\": ", pid,
                  ", \"processType\": \"default\", \"registerTime\": 0, "
                  "\"samples\": {\"data\": [");
}

void af_gecko_put_sample(af_out *out, uint64_t i, uint32_t stack, uint64_t time, unsigned digits)
{
    begin_row(out, i);
    af_out_number(out, "", stack, ", ");
    af_out_decimal(out, time, digits);
    af_out_text(out, ", 0]");
}

void af_gecko_begin_stacks(af_out *out)
{
    af_out_text(out, "], \"schema\": {\"responsiveness\": 2, \"stack\": 0, \"time\": 1}}, "
                     "\"stackTable\": {\"data\": [");
}

void af_gecko_put_stack(af_out *out, uint32_t i, uint32_t prefix, uint32_t frame)
{
    begin_row(out, i);
    if (prefix == AF_GECKO_NO_PREFIX) {
        af_out_text(out, "null");
    } else {
        af_out_u64(out, prefix);
    }
    af_out_number(out, ", ", frame, ", 0]");
}

void af_gecko_begin_strings(af_out *out)
{
    af_out_text(out, "], \"schema\": {\"category\": 2, \"frame\": 1, \"prefix\": 0}}, "
                     "\"stringTable\": [");
}

void af_gecko_put_string(af_out *out, uint32_t i, const char *text, size_t length)
{
    af_out_text(out, i > 0 ? ", " : "");
    af_json_text(out, text, length);
}

void af_gecko_end_thread(af_out *out, uint32_t tid)
{
    af_out_number(out, "], \"tid\": ", tid, ", \"unregisterTime\": null}");
}
