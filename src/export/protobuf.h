/* A sequence of protobuf messages.
 *
 * Two consecutive messages of a type are equivalent to one with the fields of both. So a message of
 * any size can be written in pieces, each with a few of its fields, and only one piece is in
 * memory. */
#pragma once

#include <protobuf-c/protobuf-c.h>
#include "base/out.h"

void af_protobuf_put(af_out *out, const ProtobufCMessage *message);
