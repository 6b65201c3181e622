#include "bi_test/json.h"

namespace bi_test {

Json::Json(std::string value) : kind_(Kind::kString) { payload_.text = new Text(std::move(value)); }

Json::Json(Array value) : kind_(Kind::kArray) { payload_.array = new Array(std::move(value)); }

Json::Json(Object value) : kind_(Kind::kObject) { payload_.object = new Object(std::move(value)); }

void Json::CopyOwned() {
  switch (kind_) {
    case Kind::kString:
      payload_.text->uses.fetch_add(1, std::memory_order_relaxed);
      break;
    case Kind::kArray:
      payload_.array = new Array(*payload_.array);
      break;
    case Kind::kObject:
      payload_.object = new Object(*payload_.object);
      break;
    case Kind::kNull:
    case Kind::kBool:
    case Kind::kInt:
    case Kind::kUint:
    case Kind::kDouble:
      break;
  }
}

void Json::Destroy() {
  switch (kind_) {
    case Kind::kString:
      if (payload_.text->uses.fetch_sub(1, std::memory_order_acq_rel) == 1) delete payload_.text;
      break;
    case Kind::kArray:
      delete payload_.array;
      break;
    case Kind::kObject:
      delete payload_.object;
      break;
    case Kind::kNull:
    case Kind::kBool:
    case Kind::kInt:
    case Kind::kUint:
    case Kind::kDouble:
      break;
  }
}

const Json* Json::Find(std::string_view key) const {
  const Object* object = if_object();
  if (object == nullptr) return nullptr;
  const auto it = object->find(key);
  return it == object->end() ? nullptr : &it->second;
}

Json& Json::operator[](std::string_view key) {
  if (!is_object()) *this = Json(Object{});
  Object& object = *payload_.object;
  const auto it = object.find(key);
  if (it != object.end()) return it->second;
  return object.emplace(std::string(key), Json()).first->second;
}

bool operator==(const Json& x, const Json& y) {
  if (x.kind_ != y.kind_) return false;
  switch (x.kind_) {
    case Json::Kind::kNull:
      return true;
    case Json::Kind::kBool:
      return x.payload_.boolean == y.payload_.boolean;
    case Json::Kind::kInt:
      return x.payload_.integer == y.payload_.integer;
    case Json::Kind::kUint:
      return x.payload_.natural == y.payload_.natural;
    case Json::Kind::kDouble:
      return x.payload_.real == y.payload_.real;
    case Json::Kind::kString:
      return x.payload_.text == y.payload_.text || x.payload_.text->value == y.payload_.text->value;
    case Json::Kind::kArray:
      return *x.payload_.array == *y.payload_.array;
    case Json::Kind::kObject:
      return *x.payload_.object == *y.payload_.object;
  }
  return false;
}

}  // namespace bi_test
