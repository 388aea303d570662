/* A sequence of protobuf messages.
 *
 * Two consecutive messages of a type are equivalent to one with the fields of both. So a message of
 * any size can be written in pieces, each with a few of its fields, and only one piece is in
 * memory. */
#ifndef AF_EXPORT_PROTOBUF_H
#define AF_EXPORT_PROTOBUF_H

#include <protobuf-c/protobuf-c.h>
#include "base/out.h"

void af_protobuf_put(af_out *out, const ProtobufCMessage *message);

#endif
