/* Libraries of the system that the command loads when one of their functions is first called. */
#ifndef AF_LIBRARIES_LIBRARIES_H
#define AF_LIBRARIES_LIBRARIES_H

/* Load them now, for a process that cannot open files later: those that inputs need, and HarfBuzz,
 * which an SVG needs. Such a function ends the program if that fails. */
void af_libraries_load_readers(void);
void af_libraries_load_fonts(void);

#endif
