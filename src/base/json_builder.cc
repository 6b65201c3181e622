#include "base/json_builder.h"

#include <utility>

#include "base/safe_text.h"
#include "base/sax.h"

namespace bi_test {

bool JsonBuilder::BigInteger(std::string_view digits, double nearest) {
  if (IsExactly(digits, nearest)) return Add(Json(nearest));
  return Add(Json(Json::Object{{"$integer", Json(digits)}}));
}

bool JsonBuilder::Key(std::string_view key) {
  Json::Object& object = *open_.back()->if_object();
  const auto [it, added] = object.try_emplace(std::string(key));
  if (!added) {
    why_ = "the key " + Quoted(key) + " stands here twice";
    return false;
  }
  slot_ = &it->second;
  return true;
}

Json JsonBuilder::Take() {
  Json out = std::move(root_);
  Reset();
  return out;
}

void JsonBuilder::Reset() {
  root_ = Json();
  open_.clear();
  slot_ = nullptr;
  why_.clear();
}

Json* JsonBuilder::Place(Json value) {
  if (open_.empty()) {
    root_ = std::move(value);
    return &root_;
  }
  if (Json::Array* array = open_.back()->if_array()) {
    return &array->emplace_back(std::move(value));
  }
  *slot_ = std::move(value);
  return slot_;
}

bool JsonBuilder::Add(Json value) {
  Place(std::move(value));
  return true;
}

bool JsonBuilder::Open(Json value) {
  open_.push_back(Place(std::move(value)));
  return true;
}

bool JsonBuilder::Close() {
  open_.pop_back();
  return true;
}

}  // namespace bi_test
