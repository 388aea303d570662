/* Features of Linux that POSIX lacks. system_linux.c uses them. With -DAFLAME_PORTABLE=ON,
 * system_posix.c replaces it: with slower code, or with functions that report that the feature
 * is missing. */
#pragma once

#include <stdint.h>
#include <glib.h>
#include <sys/types.h>

/* ---- files ---- */

/* Opens a new file without a name, for reading and writing. Returns -1 if the system cannot. */
int af_system_open_nameless(const char *folder, mode_t mode);

/* Gives such a file a name. Returns 0, or -1 with errno. */
int af_system_link(int fd, const char *path);

/* The path of the running program, for g_free(). NULL if it is not known. */
char *af_system_find_program(void);

/* ---- waking a thread that waits in poll() ---- */

/* A descriptor that stays readable once it has rung; -1 where there is none. */
int af_system_open_bell(void);
void af_system_ring(int bell);

/* ---- memory; pointers and sizes are whole pages ---- */

/* Makes malloc() retain freed memory and use large pages. Call it before starting threads. */
void af_system_tune_malloc(void);

/* Asks the system for large pages. A hint. */
void af_system_prefer_large_pages(void *pages, size_t size);

/* Grows a mapping, moving it if necessary. Returns NULL if memory is refused. */
void *af_system_grow_pages(void *pages, size_t size, size_t larger);

/* Tells the system that it may discard the content of the pages. A hint. */
void af_system_discard(void *pages, size_t size);

/* ---- guards; FALSE if the system refuses or has none ---- */

/* This process dies when its parent does. */
void af_system_die_with_parent(void);

/* From now on, this process can open, create, remove or execute no path. */
gboolean af_system_forbid_paths(void);

/* Limits system calls by the program of the kernel's packet filter in the file, which is closed. */
gboolean af_system_filter_calls(int fd);
