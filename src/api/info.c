#include <aflame/info.h>

#include "report/info/info.h"
#include "report/report.h"

char *af_info_text(const af_profile *profile, const char *name)
{
    return af_report_info_text(profile, name, 0);
}

char *af_info_text_fit(const af_profile *profile, const char *name, unsigned width)
{
    return af_report_info_text(profile, name, width);
}

char *af_info_json(const af_profile *profile, const char *name)
{
    return af_report_info_json(profile, name);
}

char *af_info_warning(const af_profile *profile, unsigned number)
{
    return af_report_describe_warning(&profile->warnings, number);
}

const char *af_info_format(const af_profile *profile)
{
    return af_report_input_format(profile);
}
