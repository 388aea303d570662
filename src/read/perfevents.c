#include "read/perfevents.h"

#include <glib.h>

const char *af_perf_event_name(uint32_t type, uint64_t config)
{
    static const char *const hardware[] = {"cpu-cycles",
                                           "instructions",
                                           "cache-references",
                                           "cache-misses",
                                           "branch-instructions",
                                           "branch-misses",
                                           "bus-cycles",
                                           "stalled-cycles-frontend",
                                           "stalled-cycles-backend",
                                           "ref-cycles"};
    static const char *const software[] = {
        "cpu-clock",    "task-clock",   "page-faults",      "context-switches", "cpu-migrations",
        "minor-faults", "major-faults", "alignment-faults", "emulation-faults", "dummy"};
    /* a hardware event may name a type of core in its upper half */
    if (type == AF_PERF_HARDWARE && (config & 0xFFFFFFFF) < G_N_ELEMENTS(hardware)) {
        return hardware[config & 0xFFFFFFFF];
    }
    if (type == AF_PERF_SOFTWARE && config < G_N_ELEMENTS(software)) {
        return software[config];
    }
    return NULL;
}
