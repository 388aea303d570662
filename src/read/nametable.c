#include "read/nametable.h"

static const char no_name[] = "[no name]";

void af_nametable_init(af_nametable *table, af_sink *sink)
{
    table->sink = sink;
    af_textmap_init(&table->names);
}

void af_nametable_clear(af_nametable *table)
{
    af_textmap_clear(&table->names);
}

uint32_t af_nametable_method(af_nametable *table, af_slice name)
{
    if (name.length == 0) {
        name = (af_slice){no_name, sizeof no_name - 1};
    }
    uint32_t found = af_textmap_find(&table->names, name.bytes, MIN(name.length, AF_LONGEST_NAME));
    if (found != AF_TEXTMAP_NONE) {
        return found;
    }
    const uint64_t id = (uint64_t)table->names.n << AF_ACTION_BITS;
    const af_method_text text = {.class_name = name, .line = -1, .whole = TRUE};
    const uint32_t number = af_sink_method(table->sink, id);
    af_sink_define_method(table->sink, id, &text, TRUE);
    const af_slice kept = af_sink_method_text(table->sink, number)->class_name;
    found = kept.length == 0 || table->names.n >= AF_MOST_METHODS
                ? AF_TEXTMAP_NONE
                : af_textmap_add(&table->names, kept.bytes, kept.length);
    table->sink->failed |= found == AF_TEXTMAP_NONE || found != number;
    return table->sink->failed ? 0 : number;
}
