#pragma once

namespace bi_test::run {

/// Why a pass ended before all its items were answered.
enum class PassStop { kNone, kServerDied, kInterrupted, kDeadline, kNotIdle, kTraceFailed };

}  // namespace bi_test::run
