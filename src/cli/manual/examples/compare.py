"""Compares two traces, and writes the second one as folded stacks.

python3 compare.py before.trace after.trace
"""
import ctypes, sys
from ctypes import byref, c_bool, c_char_p, c_size_t, c_void_p

lib = ctypes.CDLL("libaflame.so.0")
for name in ("af_profile_open", "af_runs_new", "af_diff_new"):
    getattr(lib, name).restype = c_void_p
for name in ("af_runs_add", "af_diff_write", "af_convert_write"):
    getattr(lib, name).restype = c_bool
lib.af_error_message.restype = c_char_p
RUNS_TO_COMPARE = 1
error = c_void_p()

def check(result):
    if not result:
        sys.exit(lib.af_error_message(error).decode())
    return c_void_p(result)

@ctypes.CFUNCTYPE(c_bool, c_void_p, c_void_p, c_size_t, c_void_p)
def take(user, data, length, error):
    output.extend(ctypes.string_at(data, length))
    return True

runs = []
for path in sys.argv[1:3]:
    profile = check(lib.af_profile_open(path.encode(), None, byref(error)))
    runs.append(c_void_p(lib.af_runs_new(RUNS_TO_COMPARE)))
    check(lib.af_runs_add(runs[-1], profile, path.encode(), None, byref(error)))
    output = bytearray()
    check(lib.af_convert_write(profile, b"folded", None, take, None, byref(error)))
    lib.af_profile_free(profile)
print(f"{len(output.splitlines())} stacks")

output = bytearray()
diff = check(lib.af_diff_new(*runs, None, byref(error)))
check(lib.af_diff_write(diff, b"text", None, take, None, byref(error)))
print(output.decode(), end="")
lib.af_diff_free(diff)
for each in runs:
    lib.af_runs_free(each)
