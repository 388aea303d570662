/* The fields of af_facts as a saved profile stores them.
 *
 * NUMBER(tag, field) and TEXT(tag, field): tags are part of the file format and are never reused
 * for another field. AT_LEAST(tag, field, value) stores whether the field has that value or a
 * higher one. Key=value lines have a separate section; the unit's name is absent if times are those
 * of clocks. */
#pragma once

/* clang-format off */
#define AF_FACTS_FIELDS(NUMBER, TEXT, AT_LEAST) \
    NUMBER(1, container) \
    NUMBER(2, format.version) \
    NUMBER(3, android.text_version) \
    TEXT(4, format.layout) \
    TEXT(5, android.clock) \
    TEXT(6, android.vm) \
    NUMBER(7, has_pid) \
    NUMBER(8, pid) \
    NUMBER(9, recording.overflow) \
    NUMBER(10, recording.has_elapsed) \
    NUMBER(11, recording.elapsed_ns) \
    NUMBER(12, recording.has_start) \
    NUMBER(13, recording.start) \
    NUMBER(14, recording.start_tick_ns) \
    NUMBER(15, android.has_call_overhead) \
    NUMBER(16, android.call_overhead_ns) \
    NUMBER(17, recording.truncated) \
    TEXT(18, android.repaired) \
    NUMBER(19, counts.dropped_partial) \
    NUMBER(20, android.dropped_zero_thread) \
    NUMBER(21, android.dropped_fill) \
    NUMBER(22, counts.methods) \
    NUMBER(23, android.threads_listed) \
    NUMBER(24, android.threads_announced) \
    NUMBER(25, counts.records) \
    NUMBER(26, counts.calls) \
    NUMBER(27, counts.unknown_method_ids) \
    NUMBER(28, counts.odd_actions) \
    NUMBER(29, counts.backward_steps) \
    NUMBER(30, counts.wraps) \
    NUMBER(31, counts.lifted_threads) \
    AT_LEAST(32, content, AF_CONTENT_SAMPLED_CALLS) \
    TEXT(33, format.name) \
    TEXT(34, format.title) \
    TEXT(35, format.producer) \
    TEXT(36, format.record) \
    TEXT(37, weights.event) \
    TEXT(38, app) \
    NUMBER(39, threadless) \
    AT_LEAST(40, content, AF_CONTENT_STACKS) \
    AT_LEAST(41, content, AF_CONTENT_SAMPLES) \
    AT_LEAST(42, content, AF_CONTENT_STACK_SLICES) \
    NUMBER(43, weights.first_sample_ns) \
    TEXT(44, weights.unit.name) \
    NUMBER(45, weights.unit.counted) \
    NUMBER(46, weights.unit.digits) \
    NUMBER(47, recording.interval_ns) \
    NUMBER(49, recording.end_ns) \
    TEXT(50, part.title) \
    TEXT(51, part.brief) \
    NUMBER(52, part.has_range) \
    NUMBER(53, part.range.from_ns) \
    NUMBER(54, part.range.to_ns) \
    NUMBER(55, recording.unrecorded_ns) \
    TEXT(56, format.thread)
/* clang-format on */
