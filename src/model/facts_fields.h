/* The fields of af_facts as a saved profile stores them.
 *
 * NUMBER(tag, field) and TEXT(tag, field): tags are part of the file format and are never used
 * again for another field. Key=value lines have a section of their own; the unit's name is absent
 * where times are those of clocks. */
#ifndef AF_MODEL_FACTS_FIELDS_H
#define AF_MODEL_FACTS_FIELDS_H

/* clang-format off */
#define AF_FACTS_FIELDS(NUMBER, TEXT) \
    NUMBER(1, container) \
    NUMBER(2, version) \
    NUMBER(3, text_version) \
    TEXT(4, layout) \
    TEXT(5, clock) \
    TEXT(6, vm) \
    NUMBER(7, has_pid) \
    NUMBER(8, pid) \
    NUMBER(9, overflow) \
    NUMBER(10, has_elapsed) \
    NUMBER(11, elapsed_ns) \
    NUMBER(12, has_start) \
    NUMBER(13, start) \
    NUMBER(14, start_tick_ns) \
    NUMBER(15, has_call_overhead) \
    NUMBER(16, call_overhead_ns) \
    NUMBER(17, truncated) \
    TEXT(18, repaired) \
    NUMBER(19, dropped_partial) \
    NUMBER(20, dropped_zero_thread) \
    NUMBER(21, dropped_fill) \
    NUMBER(22, methods) \
    NUMBER(23, threads_listed) \
    NUMBER(24, threads_announced) \
    NUMBER(25, records) \
    NUMBER(26, calls) \
    NUMBER(27, unknown_method_ids) \
    NUMBER(28, odd_actions) \
    NUMBER(29, backward_steps) \
    NUMBER(30, wraps) \
    NUMBER(31, lifted_threads) \
    NUMBER(32, sampled) \
    TEXT(33, format) \
    TEXT(34, kind) \
    TEXT(35, producer) \
    TEXT(36, record) \
    TEXT(37, event) \
    TEXT(38, app) \
    NUMBER(39, threadless) \
    NUMBER(40, weighed) \
    NUMBER(41, timed) \
    NUMBER(42, lasting) \
    NUMBER(43, first_sample_ns) \
    TEXT(44, unit.name) \
    NUMBER(45, unit.counted) \
    NUMBER(46, unit.digits) \
    NUMBER(47, interval_ns) \
    NUMBER(48, time_ordered) \
    NUMBER(49, end_ns) \
    TEXT(50, part) \
    TEXT(51, part_brief) \
    NUMBER(52, has_range) \
    NUMBER(53, span.from_ns) \
    NUMBER(54, span.to_ns) \
    NUMBER(55, unrecorded_ns)
/* clang-format on */

#endif
