/* One call of a call selection as a profile of its own. */
#ifndef AF_CALLS_SINGLE_CALL_H
#define AF_CALLS_SINGLE_CALL_H

#include "calls/call_selection.h"

typedef struct {
    uint64_t number, n; /* of the call among `n` */
    uint32_t label;     /* of the shown profile */
    uint32_t depth;     /* in the walked profile, from 1 */
    uint64_t begin_ns, end_ns;
} af_single_call;

/* A profile of the call `number` inside its callers, which are cut to its begin and end, so that
 * steps still see its whole path. The call is the node `found->depth` of thread 0. NULL with
 * AF_ERROR_NOTHING if there is no such call. */
af_profile *af_single_call_extract(const af_call_selection *selection, uint64_t number,
                                   const af_call_list_options *options, af_single_call *found,
                                   GError **error);

/* Names the part that `made` is: this call. FALSE if memory is refused. */
gboolean af_single_call_name(af_profile *made, const af_call_selection *selection,
                             const af_single_call *call);

#endif
