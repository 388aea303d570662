/* g_autoptr() for the types of the public headers, which do not include GLib. */
#pragma once

#include <glib.h>
#include <aflame/aflame.h>

G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_budget, af_budget_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_call_list, af_call_list_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_cancel, af_cancel_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_diff, af_diff_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_explanation, af_explanation_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_mapping, af_mapping_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_profile, af_profile_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_report, af_report_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_runs, af_runs_free)
