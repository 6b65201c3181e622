#pragma once

// Everything a program needs that works with sweeps, runs and certs without GoogleTest. Including
// the one header that is meant is better: each compiles alone. The plugin itself is
// bi_test/cell_test.h, bi_test/init.h and bi_test/matchers.h.

#include "bi_test/cell.h"
#include "bi_test/cell_run.h"
#include "bi_test/cert.h"
#include "bi_test/driver.h"
#include "bi_test/exit_code.h"
#include "bi_test/json.h"
#include "bi_test/judge.h"
#include "bi_test/judgement.h"
#include "bi_test/policy.h"
#include "bi_test/record.h"
#include "bi_test/result.h"
#include "bi_test/sanitize.h"
#include "bi_test/scorer.h"
#include "bi_test/spark.h"
#include "bi_test/statistics.h"
#include "bi_test/sweep.h"
#include "bi_test/trial.h"
#include "bi_test/verdict.h"
#include "bi_test/version.h"
