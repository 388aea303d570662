/* Track events in Chrome's old form: phases as in its JSON, ids for asynchronous operations. */
#include "read/perfetto/perfetto.h"

#include <string.h>

#include "base/hash.h"

void af_perfetto_parse_legacy(af_perfetto_legacy *l, af_span bytes)
{
    const af_protobuf message = af_protobuf_message(bytes);
    af_protobuf f[20];
    af_protobuf_values(&message, f, G_N_ELEMENTS(f));
    *l = (af_perfetto_legacy){.name_id = f[1].number,
                              .phase = f[2].number,
                              .duration_us = (int64_t)f[3].number,
                              .has_duration = f[3].field != 0,
                              .thread_duration_us = (int64_t)f[4].number,
                              .has_thread_duration = f[4].field != 0,
                              .unscoped_id = f[6].number,
                              .id_scope = af_protobuf_text(&f[7]),
                              .local_id = f[10].number,
                              .has_local = f[10].field != 0,
                              .global_id = f[11].number,
                              .has_global = f[11].field != 0,
                              .pid = (int32_t)f[18].number,
                              .tid = (int32_t)f[19].number};
}

gboolean af_perfetto_is_async(const af_perfetto_legacy *l)
{
    return l->phase != 0 && l->phase < 128 && strchr("benSFTp", (int)l->phase) != NULL;
}

static void append_part(GString *key, char what, const void *bytes, size_t length)
{
    g_string_append_c(key, what);
    g_string_append_len(key, bytes, (gssize)length);
}

uint32_t af_perfetto_async_track(af_perfetto *p, const af_perfetto_sequence *s,
                                 const af_perfetto_legacy *l, uint32_t name, uint32_t category)
{
    const int64_t pid = l->pid != 0 ? l->pid : s->pid;
    const uint64_t id = l->has_global ? l->global_id : l->has_local ? l->local_id : l->unscoped_id;
    const gboolean nestable = l->phase == 'b' || l->phase == 'e' || l->phase == 'n';
    g_autoptr(GString) key = g_string_new(NULL);
    append_part(key, nestable ? 'n' : 'o', &id, sizeof id);
    if (l->has_local) {
        append_part(key, 'p', &pid, sizeof pid);
    }
    const uint32_t scope = nestable || l->id_scope.length > 0 ? category : name;
    append_part(key, 's', &scope, sizeof scope);
    append_part(key, 'i', l->id_scope.bytes == NULL ? "" : l->id_scope.bytes, l->id_scope.length);
    /* 64 bits do not collide by chance, and the key of the hash is secret */
    const uint64_t uuid = af_hash_sip24(af_hash_get_secret(), key->str, key->len) | UINT64_C(0xB)
                                                                                        << 60;
    const uint32_t track = af_timeline_track(p->timeline, uuid);
    /* the operation has the name of its first event */
    if ((s->has_thread || l->pid != 0) && !af_timeline_has_name(p->timeline, track)) {
        const af_track_text text = {
            .kind = AF_TRACK_IN_PROCESS, .pid = pid, .name = name, .key = AF_NO_TEXT};
        af_timeline_describe_track(p->timeline, uuid, &text);
    }
    return track;
}
