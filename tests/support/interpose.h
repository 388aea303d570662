/* A file system that misbehaves: functions of the C library that a test program replaces.
 *
 * A program that links interpose.c calls them before those of the C library, and so do the
 * libraries that it uses. Without orders they do what the C library does. For a whole command the
 * orders are in the environment:
 *
 *   AFLAME_TEST_CUT_AT=N       read number N of a regular file that is only read truncates it to half
 *                              first
 *   AFLAME_TEST_WRITE_AT=N     the same read writes the file's last byte anew first
 *   AFLAME_TEST_NO_TMPFILE=1   the file system has no O_TMPFILE
 *   AFLAME_TEST_NO_PROC=1      a file without a name cannot be linked
 *   AFLAME_TEST_NO_CHMOD=1     the mode of a file cannot be changed
 *   AFLAME_TEST_NO_SPACE=1     the disk reports that it has no space left
 *   AFLAME_TEST_NO_SPACE=2     the disk has no limit and reports no sizes
 *   AFLAME_TEST_NO_THREADS=N   thread number N cannot be created, and none after it
 *   AFLAME_TEST_NO_THREAD=N    only thread number N cannot be created
 *   AFLAME_TEST_NO_TIME=1      no time passes on the monotonic clock
 *   AFLAME_TEST_KILL_AT=N      write number N to a regular file ends the process with SIGKILL */
#pragma once

typedef struct {
    unsigned cut_at, write_at; /* 0 = never */
    unsigned kill_at;
    unsigned no_threads, no_thread;
    int no_tmpfile, no_proc, no_chmod, no_space, no_time;
} interpose_orders;

/* Replaces the orders and counts from 0 again. */
void interpose_set(const interpose_orders *orders);

/* Number of reads of such files since the orders were set. */
unsigned interpose_reads(void);
