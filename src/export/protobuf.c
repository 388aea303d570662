#include "export/protobuf.h"

typedef struct {
    ProtobufCBuffer base;
    af_out *out;
} out_buffer;

static void append(ProtobufCBuffer *buffer, size_t length, const uint8_t *bytes)
{
    af_out_bytes(((out_buffer *)(void *)buffer)->out, bytes, length);
}

void af_protobuf_put(af_out *out, const ProtobufCMessage *message)
{
    out_buffer buffer = {{append}, out};
    protobuf_c_message_pack_to_buffer(message, &buffer.base);
}
