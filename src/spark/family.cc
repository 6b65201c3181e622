#include "spark/family.h"

#include <algorithm>
#include <array>

namespace bi_test::spark {
namespace {

constexpr std::array kFamilies = {
    Family{"A2", FillerSource::kProse, DrawSecret},
    Family{"A4", FillerSource::kProse, DrawFourSteps},
    Family{"B1", FillerSource::kProse, DrawThreeSteps},
    Family{"C1", FillerSource::kCode, DrawFunctionValue},
    Family{"D1", FillerSource::kProse, DrawReport},
    Family{"E1", FillerSource::kNews, DrawKeyList},
    Family{"E2", FillerSource::kNews, DrawRecord},
    Family{"E3", FillerSource::kCode, DrawToolCall},
    Family{"E4", FillerSource::kCode, DrawRepair},
    Family{"E5", FillerSource::kCode, DrawHelper},
};

}  // namespace

std::span<const Family> Families() { return kFamilies; }

const Family* FindFamily(std::string_view name) {
  const auto it = std::ranges::find(kFamilies, name, &Family::name);
  return it == kFamilies.end() ? nullptr : &*it;
}

std::string_view SystemMessage() {
  return "Read the passage with care. Use nothing but the passage, and give the shortest answer "
         "that "
         "is complete.";
}

}  // namespace bi_test::spark
