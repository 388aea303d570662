/* Sentences of the sheet, for the drawing and for the script that draws it again in the SVG.
 *
 * render/svg/bundle.sh reads this file: one #define a line. AF_SAY_NAME becomes SAY.NAME; two strings
 * are singular and plural. Every argument is a %s. */
#pragma once

/* One definition a line, however long. */
/* clang-format off */

/* Nouns for counts. */
#define AF_SAY_CALLS        "call", "calls"
#define AF_SAY_SLICES       "slice", "slices"
#define AF_SAY_CALLS_SLICES "call or slice", "calls and slices"
#define AF_SAY_SAMPLES      "sample", "samples"
#define AF_SAY_FRAMES       "frame", "frames"
#define AF_SAY_THREAD_WORD  "thread"
#define AF_SAY_INSTANTS     "instant", "instants"
#define AF_SAY_VALUES       "value", "values"

/* Clocks: index 0 wall, 1 CPU, 2 waiting. */
#define AF_SAY_CLOCKS      "wall", "CPU", "waiting"
#define AF_SAY_CPU_OR_WALL "CPU; wall time of threads without CPU times"
#define AF_SAY_FOR_PROCESSOR "of it for a processor"
#define AF_SAY_WOKEN_BY    "longest sleep ended by"
#define AF_SAY_CLOCK_TIMES "wall time", "CPU time", "waiting (wall minus CPU)"
#define AF_SAY_ONE_CLOCK   "wall clock", "CPU clock"

/* Facts below the title. */
#define AF_SAY_WIDTHS      "widths show %s"
#define AF_SAY_BOTH_CLOCKS "wall and CPU clocks, widths show %s"

/* Legend. */
#define AF_SAY_SELF       "self wall time", "self CPU time", "self waiting"
#define AF_SAY_SELF_OF    "self %s"
#define AF_SAY_SHARE      "Share of %s:"
#define AF_SAY_SHARE_OF   "Share of %s, %s of %s drawn:"
#define AF_SAY_WAITS      "hatched: the method itself waits"
#define AF_SAY_FOOT       "bar: CPU share of the frame"
#define AF_SAY_GREYS      "waits only in methods that it calls"
#define AF_SAY_DIMMED     "dimmed: coroutine machinery"
#define AF_SAY_TOO_NARROW "too narrow to draw separately"
#define AF_SAY_RUNS       "scheduler:"
#define AF_SAY_RUN_STATES "running", "runnable, without a processor", "blocked"
#define AF_SAY_RUN_TIMES  "running %s, runnable %s, blocked %s"
#define AF_SAY_OMITTED    "omitted from the file"
#define AF_SAY_TOO_SHORT  "too short to draw separately"

/* The strip of all threads. */
#define AF_SAY_CLOCK_NAMES    "wall time", "CPU time", "waiting"
#define AF_SAY_OVERVIEW       "Wall time of each %s:", "CPU time of each %s:", "Waiting of each %s:"
#define AF_SAY_OVERVIEW_UNIT  "Share of %s by %s:"
#define AF_SAY_RUNNING        "running"
#define AF_SAY_BLOCKED        "blocked"
#define AF_SAY_IDLE           "idle"
#define AF_SAY_OTHER          "other "
#define AF_SAY_OF_ALL_THREADS "%s of all %ss"

/* Panels. An en space separates the name of a frame from its numbers: SVG joins plain spaces. */
#define AF_SAY_FRAME_NUMBERS "%s\u2002%s · %s"
#define AF_SAY_FRAME_TIME    "%s\u2002%s"
#define AF_SAY_TICK          "%s · %s"
#define AF_SAY_NO_NAME     "(no name)"
#define AF_SAY_THREAD      "thread %s"
#define AF_SAY_HIGHLIGHTED "%s of %s highlighted: %s"
#define AF_SAY_ROWS        "more row", "more rows"
#define AF_SAY_ROWS_PLAIN  "row", "rows"
#define AF_SAY_SANDWICH    "callers and callees of %s, %s (%s of the %s)"
#define AF_SAY_NO_CHART "This picture has no chart: aflame adds one to graphs of 100 to 20,000 calls or samples of a trace. Draw one with aflame render --view chart."
#define AF_SAY_NO_DIFF_CHART "This comparison has no chart. Draw one with aflame diff --view chart."
#define AF_SAY_NEVER_CALLS "never calls %s"
#define AF_SAY_MORE_CALLERS "%s of callers above"
#define AF_SAY_FEWER_ROWS  "Hide %s again"
#define AF_SAY_SORTED_BY_TIME "siblings are sorted by time"
#define AF_SAY_SORTED_BY_CALL "siblings are in the order of their first calls"
#define AF_SAY_ROOTS_ABOVE "%s above, from %s to %s"
#define AF_SAY_ROOTS_BELOW "%s below, from %s to %s"
#define AF_SAY_ROWS_ABOVE  "%s above: %s (%s)"
#define AF_SAY_ROWS_BELOW  "%s below: %s (%s)"
#define AF_SAY_NOTHING "Nothing to draw: no time passed in this thread's calls.", "Nothing to draw: no time passed on this thread's CPU clock.", "Nothing to draw: this thread never waited."
#define AF_SAY_NOTHING_ZOOMED "Nothing to draw: %s took no time. Escape zooms out.", "Nothing to draw: %s took no CPU time. Escape zooms out.", "Nothing to draw: %s never waited. Escape zooms out."
#define AF_SAY_NOTHING_METHOD "Nothing to draw: %s took no time.", "Nothing to draw: %s took no CPU time.", "Nothing to draw: %s never waited."
#define AF_SAY_NO_TIMES   "Nothing to draw: this thread has no %s times."
#define AF_SAY_NO_SAMPLES "Nothing to draw: this thread has no samples."

/* Ruler and counters. */
#define AF_SAY_BUFFER_FULL "the buffer filled up at %s: nothing was recorded after that"
#define AF_SAY_FILE_CUT "the file is truncated at %s: nothing was recorded after that"
#define AF_SAY_PART_READ "the limit of --max-memory was reached: the file was read only up to %s"
#define AF_SAY_NOT_RECORDED "not recorded"
#define AF_SAY_NOT_READ "not read"
#define AF_SAY_AT       "at %s"
#define AF_SAY_FROM_TO  "from %s to %s"
#define AF_SAY_MAXIMUM  "maximum %s"
#define AF_SAY_FRAME_TRACKS "Frames"
#define AF_SAY_FRAME        "Frame %s"
#define AF_SAY_LATE         "%s late"
#define AF_SAY_EXPECTED     "expected (above)"
#define AF_SAY_FAULTS       "without fault", "late by the app", "late by the system", "by stuffing", "dropped"
#define AF_SAY_MORE_COUNTERS "more counter", "more counters"
#define AF_SAY_COUNTERS_HIDDEN "%s (%s constant, %s of other processes)"
#define AF_SAY_MINIMUM  "minimum %s"

/* Footer. */
#define AF_SAY_PAGE           "page %s of %s"
#define AF_SAY_NOT_DRAWN      "%s not drawn:"
#define AF_SAY_NOT_DRAWN_BY   "%s not drawn (%s):"
#define AF_SAY_NOT_DRAWN_BUSY "%s not drawn (%s, without idle frames):"
#define AF_SAY_THREAD_TIME    "%s (%s)"
#define AF_SAY_AND_MORE       "and %s more"
#define AF_SAY_TICKET         "cut to %s pixels in height: --height none draws everything"
#define AF_SAY_HIDDEN_FRAMES  "%s too narrow to draw separately: %s (%s)"
#define AF_SAY_HIDDEN_CALLS   "%s too short to draw separately: %s"
#define AF_SAY_HIDDEN_SAMPLES "%s in slices too short to draw separately: %s"

/* Findings. */
#define AF_SAY_NO_FINDINGS "Nothing stands out."

/* The sheet for a ticket. */
#define AF_SAY_TICKET_TIMELINE  "Threads over time"
#define AF_SAY_TICKET_SUMS      "Sums of the threads: the input has no single calls"
#define AF_SAY_TICKET_FINDING   "This finding explains"
#define AF_SAY_TICKET_FINDINGS  "All findings together explain"
#define AF_SAY_TICKET_EXPLAINED "%s %s of the %s of %s."
#define AF_SAY_TICKET_SELF      "Most self time"
#define AF_SAY_TICKET_OWN       "Most in the method itself"
#define AF_SAY_TICKET_WAITS     "Waiting, by method"
#define AF_SAY_TICKET_NONE      "none"
#define AF_SAY_TICKET_UNKNOWN   "none known: needs wall and CPU time"
#define AF_SAY_TICKET_OTHERS    "%s not shown"
#define AF_SAY_TICKET_FOLDED    "framework frames and recursion are merged into their callers, except on the way to a finding"

/* Call graphs. */
#define AF_SAY_MAP_BOXES  "each box is a method with its self time, its inclusive time and its calls; a larger name means more self time, except for idle methods"
#define AF_SAY_MAP_ARROWS "each arrow shows the calls from one method to another; a wider arrow means more time; nested calls run inside another call of the same method"
#define AF_SAY_MAP_WEIGHTS "numbers are %s"
#define AF_SAY_MAP_CLOCKS  "wall and CPU clocks, numbers are %s"
#define AF_SAY_MAP_NOTHING "Nothing to draw: no time passed in the calls of these threads."
#define AF_SAY_MAP_DASHED "dashed arrows pass through them"

/* Comparisons. */
#define AF_SAY_OWN_CODE          "self time of the app's own methods, %s"
#define AF_SAY_OTHER_CODE        "the rest of a phase: libraries and Android"
#define AF_SAY_DIFF_WIDTHS       "Widths show the union of both sides", "Widths show the values before", "Widths show the values after", "Widths show only the changes"
#define AF_SAY_DIFF_COMMON       "both sides, in the colour of the category"
#define AF_SAY_DIFF_GROWN        "grown: only in after"
#define AF_SAY_DIFF_SHRUNK       "shrunk: only in before"
#define AF_SAY_DIFF_PALE         "pale: within noise"
#define AF_SAY_DIFF_MOVED        "dashed edge: moved"
#define AF_SAY_DIFF_SIDES        "in both sides", "before", "after", "of change"
#define AF_SAY_DIFF_OVER_TIME    "%s over time"
#define AF_SAY_DIFF_SUMS         "Sums of %s: the inputs have no single calls"
#define AF_SAY_DIFF_MEANS        "%s in sum"
/* in the order of af_diff_status */
#define AF_SAY_DIFF_STATUSES     "equal", "within noise", "uncertain", "changed", "moved", "new", "gone"
#define AF_SAY_DIFF_FACT         "a fact"
#define AF_SAY_DIFF_PARTS        "grown %s, shrunk %s"
#define AF_SAY_DIFF_ROWS_ABOVE   "%s above: grown %s, shrunk %s"
#define AF_SAY_DIFF_ROWS_BELOW   "%s below: grown %s, shrunk %s"
#define AF_SAY_DIFF_ONLY         "only in before", "only in after"
#define AF_SAY_DIFF_PALE_TIME    "pale frames, within noise: self values grew by %s and shrank by %s"
#define AF_SAY_DIFF_CATEGORIES   "Change of self %s:"
#define AF_SAY_DIFF_LEFT_OUT     "%s with differences, not drawn:", "%s within noise:", "%s unchanged:"
#define AF_SAY_DIFF_NOTHING      "Nothing to draw: neither side spent time in this thread's calls."

/* clang-format on */
