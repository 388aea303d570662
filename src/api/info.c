#include <aflame/info.h>

#include "report/info/info.h"
#include "report/report.h"

char *af_info_text(const af_profile *profile, const char *name)
{
    return af_info_text_fit(profile, name, 0);
}

char *af_info_warning(const af_profile *profile, unsigned number)
{
    return af_report_describe_warning(&profile->warnings, number);
}
