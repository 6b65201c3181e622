#include "scorers/json_subset.h"

#include <algorithm>

#include "base/equality.h"

namespace bi_test {

bool HoldsJson(const Json& found, const Json& wanted) {
  if (const Json::Object* members = wanted.if_object()) {
    return found.is_object() && std::ranges::all_of(*members, [&](const auto& member) {
             const Json* value = found.Find(member.first);
             return value != nullptr && HoldsJson(*value, member.second);
           });
  }
  if (const Json::Array* elements = wanted.if_array()) {
    return found.is_array() && std::ranges::equal(*found.if_array(), *elements, HoldsJson);
  }
  return EqualValues(found, wanted);
}

}  // namespace bi_test
