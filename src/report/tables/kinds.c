#include "report/report.h"

#include "base/named.h"

#define ADDRESS(name) &af_table_kind_##name,
static const af_table_kind *const kinds[] = {AF_TABLE_KINDS(ADDRESS)};

AF_NAMED_TABLE(af_table_kind, kinds, af_table_kind_at, af_table_kind_lookup)
