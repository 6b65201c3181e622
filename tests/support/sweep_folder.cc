#include "support/sweep_folder.h"

#include <fstream>

namespace bi_test::test_support {
namespace {

std::string WithGoodStart(std::string_view rest) {
  return "models: [m]\nmatrix: {ctx: 4096, parallel: 4}\nworkset: {builtin: smoke}\n" +
         std::string(rest);
}

}  // namespace

SweepFolder::SweepFolder() {
  env["MODELS_DIR"] = path().string();
  Write("m.gguf", "weights");
}

void SweepFolder::Write(const std::string& name, std::string_view content) const {
  const std::filesystem::path file = path() / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << content;
}

void SweepFolder::WriteProgram(const std::string& name) const {
  Write(name, "#!/bin/sh\n");
  std::filesystem::permissions(path() / name, std::filesystem::perms::owner_all);
}

Result<Sweep> SweepFolder::Load(std::string_view content) const {
  Write("cells.yaml", content);
  return LoadSweep(path() / "cells.yaml", env);
}

std::string SweepFolder::LoadError(std::string_view content) const {
  const Result<Sweep> sweep = Load(content);
  if (sweep.ok()) return "loaded";
  std::string text = sweep.error().Text();
  const std::string folder = path().string();
  for (std::size_t at = text.find(folder); at != text.npos; at = text.find(folder, at)) {
    text.replace(at, folder.size(), "DIR");
  }
  return text;
}

Result<Sweep> SweepFolder::LoadWith(std::string_view rest) const {
  return Load(WithGoodStart(rest));
}

std::string SweepFolder::LoadErrorWith(std::string_view rest) const {
  return LoadError(WithGoodStart(rest));
}

}  // namespace bi_test::test_support
