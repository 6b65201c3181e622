#include <csignal>
#include <iostream>

#include "make_model/make_model.h"

int main(int argc, char** argv) {
  // A closed pipe and a full quota are errors of that write, not the end of the program.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  const int code = bi_test::make_model::MakeModelMain(argc, argv, std::cout, std::cerr);
  std::cout.flush();
  if (std::cout.good()) return code;
  std::cerr << "bi-test make-model: cannot write standard output\n";
  return 1;
}
