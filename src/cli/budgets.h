/* The budget file of a run. */
#pragma once

#include "cli/options.h"

/* Reads the file of --budget. Prints the error and returns NULL with *status set on failure. */
af_budget *af_budgets_read(const af_options *options, af_exit *status);

/* Prints the results of a budget to standard error, one line each, or the error. */
af_exit af_budgets_print(const af_budget *budget);

/* Writes the measured values into the file of --budget. Prints the error on failure. */
af_exit af_budgets_update(const af_options *options, const af_budget *budget);
