#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "cli/commands.h"

namespace bi_test::cli {

int MakeModelCommand(char** arguments) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path program = self.parent_path() / "bi-test-make-model";
  if (!error) {
    execv(program.c_str(), arguments);
    error.assign(errno, std::generic_category());
  }
  std::cerr << "bi-test make-model: cannot start " << program.string() << ": " << error.message()
            << "; it belongs beside bi-test: build the target bi_test_make_model_cli, or install "
               "bi_test as a whole\n";
  return 1;
}

}  // namespace bi_test::cli
