/* Sizes of the sheet, for the drawing and for the script that draws it again in the SVG.
 *
 * render/svg/bundle.sh reads this file: one #define a line; AF_NAME_C is hundredths of a pixel and
 * becomes S.NAME in pixels, AF_NAME is a count and becomes S.NAME unchanged. */
#pragma once

/* Page, facts and legend. */
#define AF_MARGIN_C          1600 /* from the edge of the page to the graphs */
#define AF_TITLE_BASELINE_C  3300 /* from the top of the page */
#define AF_TITLE_C           1900 /* size of the face */
#define AF_FACTS_C           1250 /* face of the lines below the title */
#define AF_FACTS_LINE_C      1700 /* from baseline to baseline */
#define AF_SMALL_C           1150 /* face of legend and footer */
#define AF_TITLE_TO_FACTS_C  2100
#define AF_FACTS_TO_HEALTH_C 1900
#define AF_HEALTH_LINES_MAX  3
#define AF_FACTS_TO_LEGEND_C 1500
#define AF_SWATCH_C          1200
#define AF_SWATCH_RADIUS_C   200
#define AF_SWATCH_TO_TEXT_C  1700 /* from left edge to left edge */
#define AF_SWATCH_BASELINE_C 1000 /* from the top of a swatch to the baseline of its text */
#define AF_ENTRY_GAP_C       2200 /* between entries of the legend */
#define AF_LEGEND_LINE_C     1900
#define AF_LEGEND_BOTTOM_C   1200
#define AF_LEGEND_BAR_C      2400 /* from the top of the bar of categories to the line below it */

/* The strip of all threads. */
#define AF_OVERVIEW_ROWS              24 /* more threads are one row */
#define AF_OVERVIEW_COLUMNS           3
#define AF_OVERVIEW_COLUMN_C          36000 /* minimum width of a column */
#define AF_OVERVIEW_GAP_C             2800  /* between columns */
#define AF_OVERVIEW_NAME_C            17000 /* names are cut to this, or to a third of the column */
#define AF_OVERVIEW_NAME_TO_BAR_C     800
#define AF_OVERVIEW_NUMBER_C          5800 /* from the end of the longest bar, with the gap */
#define AF_OVERVIEW_BAR_TO_NUMBER_C   500
#define AF_OVERVIEW_BREAK_C           1600 /* from the end of a bar that is cut to its break mark */
#define AF_OVERVIEW_SLIT_C            200  /* width of each of the two slits of the mark */
#define AF_OVERVIEW_SLITS_C           450  /* from one to the other */
#define AF_OVERVIEW_CAPTION_C         1800 /* from the rule to the baseline of the caption */
#define AF_OVERVIEW_CAPTION_TO_ROWS_C 700
#define AF_OVERVIEW_ROW_C             1600
#define AF_OVERVIEW_BAR_TOP_C         350
#define AF_OVERVIEW_BAR_C             900
#define AF_OVERVIEW_BASELINE_C        1200
#define AF_OVERVIEW_BOTTOM_C          700

/* Frames. */
#define AF_ROW_C             1800 /* from row to row */
#define AF_FRAME_C           1700 /* height of a frame: a row without its gap */
#define AF_SLIM_C            200  /* a slim frame is smaller by this at the top and at the bottom */
#define AF_LABEL_C           1150 /* face of labels */
#define AF_INSET_C           400  /* from the edge of a frame to its label */
#define AF_BASELINE_C        1210 /* from the top of a frame to the baseline of its label */
#define AF_FOOTED_BASELINE_C 1120 /* the same for frames with a bar at their foot */
#define AF_GAP_C             60   /* between neighbours, if both are wide enough */
#define AF_LABEL_MIN_C       1200 /* labels in narrower frames are omitted */
#define AF_WAIT_MIN_C        100  /* waiting narrower than this is not hatched */
#define AF_FOOT_C            300  /* height of the bar at the foot of a frame: its CPU share */
#define AF_FOOT_MIN_C        800  /* narrower frames have no such bar */
#define AF_FRAME_MIN_C       100  /* narrower frames form a block, if --min-width is not given */
#define AF_SLICE_MIN_C       50   /* the same in a chart */
#define AF_BLOCK_MIN_C       150  /* minimum width of a block between two gaps */
#define AF_DOT_STEP_C        500  /* of the row of dots along the top of an idle frame */
#define AF_DOT_SIZE_C        150
#define AF_DOT_TOP_C         100 /* from the top of the frame to the middle of its dots */
#define AF_DASH_C            300 /* of the edge of a block */
#define AF_DASH_STEP_C       500
#define AF_DASHES_C          75  /* width of that edge */
#define AF_MARK_C            200 /* width of the outline around the method of a sandwich */
#define AF_TEXTURE_MIN_C     600 /* frames and blocks narrower than this have neither */

/* Categories whose colours the reasons of waiting have, in the order of af_waits. */
#define AF_WAIT_HUE_IDLE    7  /* idle */
#define AF_WAIT_HUE_MONITOR 14 /* blocked */
#define AF_WAIT_HUE_LOCK    4  /* Java */
#define AF_WAIT_HUE_SLEEP   9  /* kernel */
#define AF_WAIT_HUE_BINDER  1  /* Android */
#define AF_WAIT_HUE_NETWORK 2  /* AndroidX */
#define AF_WAIT_HUE_FILE    3  /* Kotlin */
#define AF_WAIT_HUE_DRAWING 5  /* library */
#define AF_WAIT_HUE_GC      11 /* inlined */
#define AF_WAIT_HUE_OTHER   6  /* unknown */

/* Panels. */
#define AF_HEAD_BASELINE_C            2300 /* from the top of a panel to its head line */
#define AF_HEAD_FACE_C                1350
#define AF_HEAD_TO_GRAPH_C            1000
#define AF_NAME_TO_FACTS_C            800
#define AF_BOTTOM_C                   1400
#define AF_NOTHING_C                  1200 /* to the baseline of the text in an empty panel */
#define AF_NOTHING_BOTTOM_C           400
#define AF_MORE_ROWS_C                2000 /* height of the line that counts omitted rows */
#define AF_MORE_ROWS_STRIP_C          300  /* height of the strip where frames continue */
#define AF_MORE_ROWS_BASELINE_BELOW_C 1500
#define AF_MORE_ROWS_BASELINE_ABOVE_C 1200
#define AF_FIRST_ROWS                 160 /* drawn by default, for any depth */
#define AF_SHEET_ROWS                 480 /* the same in all panels of a graph: eleven screens, */
#define AF_SHARED_ROWS                48  /* but at least this many in each panel */
#define AF_CALLER_ROWS                20  /* the same above the method of a sandwich */
#define AF_FIRST_FILLED_ROWS          40  /* of a chart too narrow for labels */
#define AF_FIRST_GRAPH_ROWS           16  /* the same of a graph */
#define AF_ROWS_TO_SPARE              2   /* omitted rows no higher than their line */
#define AF_TICKET_ROWS                6  /* of a thread after the first, if the height is limited */
#define AF_TRUNK_PERCENT              95 /* of the width: a frame that hides how time divides */
#define AF_TICKET_FRAME_C             4000 /* rows whose frames are narrower are omitted then */
#define AF_SHORT_TRACK_ROWS           4    /* of tracks that are not among the busiest */

/* Findings. */
#define AF_FINDINGS_LINE_C   1800 /* with the bottom a multiple of the step of hatching, whose */
#define AF_FINDINGS_BOTTOM_C 1100 /* position then does not depend on the list */
#define AF_FINDING_DESCENT_C 500  /* of the face */
#define AF_BADGE_C           1500 /* diameter of the circle with the number of a finding */
#define AF_BADGE_FACE_C      1100

/* Comparisons. */
#define AF_DIFF_PANELS           8   /* threads with a panel by default */
#define AF_DIFF_EDGE_C           75  /* width of the edges of parts */
#define AF_DIFF_EDGED_MIN_C      400 /* narrower parts have no edge */
#define AF_DIFF_DASH_C           500 /* of the edge of a moved frame */
#define AF_DIFF_DASH_STEP_C      900
#define AF_DIFF_WHOLE_C          800 /* height of the bar of the whole thread */
#define AF_DIFF_WHOLE_TO_GRAPH_C 400
#define AF_DIFF_SENTENCE_LINES   3

/* Call graphs. */
#define AF_MAP_SMALLEST_C        1100  /* face of a method without self time, and of classes */
#define AF_MAP_LARGEST_C         2600  /* of the method with the most */
#define AF_MAP_NUMBERS_C         1100  /* face of times and counts */
#define AF_MAP_NAME_MAX_C        30000 /* longer names are cut */
#define AF_MAP_TEXT_MAX_C        26000
#define AF_MAP_LINE_PERCENT      125 /* of the size of the face: from line to line */
#define AF_MAP_BASELINE_PERCENT  98  /* from the top of a line to its baseline */
#define AF_MAP_INSET_C           700 /* from the edge of a box to its text */
#define AF_MAP_COMPACT_INSET_C   400 /* and the largest face and texts where the page is limited */
#define AF_MAP_COMPACT_LARGEST_C 1800
#define AF_MAP_COMPACT_TEXT_C    13000
#define AF_MAP_RADIUS_C          500
#define AF_MAP_STROKE_C          45  /* half of the width of an arrow */
#define AF_MAP_STROKE_MORE_C     255 /* added for an arrow with all of the time */
#define AF_MAP_HEAD_C            350 /* half of the width of its head, besides its stroke */
#define AF_MAP_DASH_C            600
#define AF_MAP_WIDTH_MIN_C       100000 /* of the page */

/* Footer. */
#define AF_FOOT_TOP_C       400
#define AF_FOOT_BASELINE_C  1900 /* from the rule to the first line */
#define AF_FOOT_LINE_C      1600
#define AF_FOOT_BOTTOM_C    1600
#define AF_NAME_WIDTH_MAX_C 22000 /* of a thread without a panel */
#define AF_NAMED_THREADS    12    /* listed in the footer */

/* Charts. */
#define AF_RULER_TOP_C      200
#define AF_RULER_C          2000 /* height of the ruler */
#define AF_RULER_BASELINE_C 600  /* from the bottom of the ruler */
#define AF_TICK_C           500
#define AF_TICK_STEP_MIN_C  8400
#define AF_TICK_TO_TEXT_C   300

/* The ruler above the frames of a graph. */
#define AF_SCALE_C           1500 /* its height */
#define AF_SCALE_BASELINE_C  450  /* from its bottom */
#define AF_SCALE_TICK_C      1100
#define AF_SCALE_STEP_MIN_C  12000 /* for both texts of a tick */
#define AF_LOST_LINE_C       1600  /* height of the sentence about missing records */
#define AF_TRACKS_WITH_LINES 300   /* with more tracks, lines would take up most of the file */
#define AF_BRACKET_C         600   /* height of a bracket */
#define AF_BRACKETS_C        900   /* height of the band of brackets */
#define AF_STROKE_C          150
#define AF_DOT_C             500
#define AF_DOTS_C            900 /* height of a band of dots */
#define AF_RUN_RUNNING_C     600 /* heights of states in the band of the scheduler */
#define AF_RUN_RUNNABLE_C    350
#define AF_RUN_BLOCKED_C     100
#define AF_RUNS_C            900  /* height of that band */
#define AF_RUN_COLUMN_C      300  /* closer states share a column, in proportion */
#define AF_DOT_NAMES         3    /* of instants in one dot */
#define AF_FRAME_ROW_C       1500 /* of the tracks of frame timelines */
#define AF_FRAME_BAR_C       1400
#define AF_FRAME_BASELINE_C  1080 /* from the top of a bar to the baseline of its token */
#define AF_FRAME_ALONE_C     300  /* narrower neighbours share a bar */
#define AF_FRAME_LABEL_C     7400 /* narrower bars have no token */
#define AF_FRAMES_BOTTOM_C   300
#define AF_COUNTER_HEAD_C    2000 /* from the top of a counter to its head line */
#define AF_COUNTER_TO_AREA_C 600
#define AF_AREA_C            2800
#define AF_AREA_LINE_C       75 /* thickness at the value, so that all values but 0 are visible */
#define AF_COUNTERS_BOTTOM_C 600
