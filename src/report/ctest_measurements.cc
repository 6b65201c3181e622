#include "report/ctest_measurements.h"

#include "report/attachments.h"
#include "report/cell_properties.h"
#include "report/escape.h"

namespace bi_test::report {
namespace {

constexpr std::size_t kMaxValue = 512;

}  // namespace

std::string CTestMeasurements(const CellResult& cell) {
  std::string out = "CTEST_FULL_OUTPUT\n";
  for (const CellProperty& property : CellProperties(cell)) {
    out += "<CTestMeasurement type=\"";
    out += property.number ? "numeric/double" : "text/string";
    out += "\" name=\"" + property.name + "\">" + XmlText(property.value, kMaxValue) +
           "</CTestMeasurement>\n";
  }
  for (const Attachment& file : AttachmentsOf(cell)) {
    if (!file.linkable) continue;
    out += "<CTestMeasurementFile type=\"file\" name=\"" + file.name + "\">" + file.path +
           "</CTestMeasurementFile>\n";
  }
  return out;
}

}  // namespace bi_test::report
