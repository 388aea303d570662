#include "report/format.h"

#include "base/named.h"

#define ADDRESS(name) &af_report_format_##name,
static const af_report_format *const formats[] = {AF_REPORT_FORMATS(ADDRESS)};

AF_NAMED_TABLE(af_report_format, formats, af_report_format_at, af_report_format_lookup)
