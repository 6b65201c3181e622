#include "bi_test/json.h"

#include "bi_test/cell_run.h"
#include "bi_test/judge.h"

namespace bi_test {

const Json* Json::Find(std::string_view key) const {
  const Object* object = if_object();
  if (object == nullptr) return nullptr;
  const auto it = object->find(key);
  return it == object->end() ? nullptr : &it->second;
}

Json& Json::operator[](std::string_view key) {
  if (!is_object()) value_ = Object{};
  Object& object = std::get<Object>(value_);
  const auto it = object.find(key);
  if (it != object.end()) return it->second;
  return object.emplace(std::string(key), Json()).first->second;
}

}  // namespace bi_test
