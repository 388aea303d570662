/* Track events in Chrome's old form: phases as in its JSON, ids for asynchronous operations. */
#include "read/perfetto/perfetto.h"

#include <string.h>

#include "base/hash.h"

gboolean af_perfetto_is_async(uint64_t phase)
{
    return phase != 0 && phase < 128 && strchr("benSFTp", (int)phase) != NULL;
}

static void append_part(GString *key, char what, const void *bytes, size_t length)
{
    g_string_append_c(key, what);
    g_string_append_len(key, bytes, (gssize)length);
}

uint32_t af_perfetto_async_track(af_perfetto *p, const af_perfetto_sequence *s,
                                 const af_protobuf *l, uint32_t name, uint32_t category)
{
    const int64_t own_pid = (int32_t)l[AF_LEGACY_PID].number;
    const int64_t pid = own_pid != 0 ? own_pid : s->pid;
    const gboolean is_local = l[AF_LEGACY_LOCAL_ID].field != 0;
    const uint64_t id = l[l[AF_LEGACY_GLOBAL_ID].field != 0 ? AF_LEGACY_GLOBAL_ID
                          : is_local                        ? AF_LEGACY_LOCAL_ID
                                                            : AF_LEGACY_ID]
                            .number;
    const uint64_t phase = l[AF_LEGACY_PHASE].number;
    const gboolean nestable = phase == 'b' || phase == 'e' || phase == 'n';
    const af_span id_scope = af_protobuf_text(&l[AF_LEGACY_SCOPE]);
    g_autoptr(GString) key = g_string_new(NULL);
    append_part(key, nestable ? 'n' : 'o', &id, sizeof id);
    if (is_local) {
        append_part(key, 'p', &pid, sizeof pid);
    }
    const uint32_t scope = nestable || id_scope.length > 0 ? category : name;
    append_part(key, 's', &scope, sizeof scope);
    append_part(key, 'i', id_scope.bytes == NULL ? "" : id_scope.bytes, id_scope.length);
    /* 64 bits do not collide by chance, and the key of the hash is secret */
    const uint64_t uuid = af_hash_sip24(af_hash_get_secret(), key->str, key->len) | UINT64_C(0xB)
                                                                                        << 60;
    const uint32_t track = af_timeline_track(p->timeline, uuid);
    /* the operation has the name of its first event */
    if ((s->has_thread || own_pid != 0) && !af_timeline_has_name(p->timeline, track)) {
        const af_track_text text = {
            .kind = AF_TRACK_IN_PROCESS, .pid = pid, .name = name, .key = AF_NO_TEXT};
        af_timeline_describe_track(p->timeline, uuid, &text);
    }
    return track;
}
