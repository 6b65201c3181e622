#include "report/ctest_measurements.h"

#include "report/attachments.h"
#include "report/cell_properties.h"
#include "report/escape.h"
#include "report/markup.h"

namespace bi_test::report {
namespace {

constexpr std::size_t kMaxValue = 512;

}  // namespace

std::string CTestMeasurements(const CellResult& cell) {
  std::string out = "CTEST_FULL_OUTPUT\n";
  for (const CellProperty& property : CellProperties(cell)) {
    const char* type = property.number ? "numeric/double" : "text/string";
    out += Tag(std::string("CTestMeasurement type=\"") + type + "\" name=\"" + property.name + "\"",
               XmlText(property.value, kMaxValue), Lines::kAfter);
  }
  for (const Attachment& file : AttachmentsOf(cell)) {
    if (!file.linkable) continue;
    out += Tag("CTestMeasurementFile type=\"file\" name=\"" + file.name + "\"", file.path,
               Lines::kAfter);
  }
  return out;
}

}  // namespace bi_test::report
