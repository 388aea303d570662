/* Makes a profile of one call of a call selection. */
#pragma once

#include "calls/call_selection.h"

typedef struct {
    uint64_t number, n; /* of the call; `n` is the number of selected calls */
    uint32_t label;     /* of the shown profile */
    uint32_t depth;     /* in the walked profile, from 1 */
    uint64_t begin_ns, end_ns;
} af_single_call;

/* Makes a profile of call `number` inside its callers, which are cut at its start and end, so that
 * steps still see its whole path. The call is node `found->depth` of thread 0. NULL with
 * AF_ERROR_NOTHING if no call has that number. */
af_profile *af_single_call_extract(const af_call_selection *selection, uint64_t number,
                                   const af_call_list_options *options, af_single_call *found,
                                   GError **error);

/* Names the part that `made` shows: this call. FALSE if memory is refused. */
gboolean af_single_call_name(af_profile *made, const af_call_selection *selection,
                             const af_single_call *call);
