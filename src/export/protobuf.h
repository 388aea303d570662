/* Messages of protobuf, one behind the other.
 *
 * Two messages of a type that follow each other are one with the fields of both. So a message of
 * any size can be written piece by piece, each piece a message with a few of its fields, and
 * nothing is held but the piece. */
#ifndef AF_EXPORT_PROTOBUF_H
#define AF_EXPORT_PROTOBUF_H

#include <protobuf-c/protobuf-c.h>
#include "base/out.h"

void af_protobuf_put(af_out *out, const ProtobufCMessage *message);

#endif
