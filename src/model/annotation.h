/* Annotations: what an input states about a frame in addition to its name. */
#pragma once

typedef enum {
    AF_ANNOTATION_NONE = 0,
    AF_ANNOTATION_KERNEL,
    AF_ANNOTATION_JIT,     /* compiled while the app ran */
    AF_ANNOTATION_INLINED, /* inlined into its caller */
    AF_ANNOTATION_WAKER,   /* on the stack of the thread that woke this one */
} af_annotation;
