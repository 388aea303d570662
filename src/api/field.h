/* Public functions that return a field of an entry of a table; past its end NULL or 0. */
#pragma once

#define AF_FIELD_OF(type, function, entry_at, field)                                               \
    type function(unsigned number)                                                                 \
    {                                                                                              \
        return entry_at(number) != NULL ? entry_at(number)->field : 0;                             \
    }
