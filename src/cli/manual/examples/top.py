"""Reads a trace, walks its call trees, and draws a picture in memory.

python3 top.py app.trace
"""
import ctypes, sys

lib = ctypes.CDLL("libaflame.so.0")
lib.af_profile_open.restype = ctypes.c_void_p
lib.af_profile_label.restype = ctypes.c_char_p
lib.af_node_self_ns.restype = ctypes.c_uint64
lib.af_error_message.restype = ctypes.c_char_p
CLOCK_DEFAULT = -1

error = ctypes.c_void_p()
opened = lib.af_profile_open(sys.argv[1].encode(), None, ctypes.byref(error))
if not opened:
    sys.exit(lib.af_error_message(error).decode())
profile = ctypes.c_void_p(opened)

self_ns = {}
for thread in range(lib.af_profile_n_threads(profile)):
    for node in range(1, lib.af_tree_n_nodes(profile, thread)):
        label = lib.af_node_label_number(profile, thread, node)
        self_ns[label] = self_ns.get(label, 0) + lib.af_node_self_ns(
            profile, thread, node, CLOCK_DEFAULT)
for label in sorted(self_ns, key=self_ns.get, reverse=True)[:5]:
    name = lib.af_profile_label(profile, label).decode()
    print(f"{self_ns[label] / 1e6:12.3f} ms  {name}")

picture = bytearray()

@ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p,
                  ctypes.c_size_t, ctypes.c_void_p)
def take(user, data, length, error):
    picture.extend(ctypes.string_at(data, length))
    return True

lib.af_picture_write(profile, b"png", None, take, None, None,
                     ctypes.byref(error))
open("top.png", "wb").write(picture)
lib.af_profile_free(profile)
