/* The system calls of a worker, as a program for the kernel's packet filter. */
#pragma once

#include <glib.h>

/* An unnamed file with the program; -1 = it cannot be made. A call that the program does not allow
 * fails with EPERM; `clone3`, whose arguments a filter cannot see, with ENOSYS, so that the C
 * library starts threads by `clone`. The caller closes it. */
int af_filter_open(void);
