// What a verdict is about: which device of a machine it ran on is no part of it, all else is.
#include <gmock/gmock.h>

#include "bi_test/sweep.h"
#include "run/provenance.h"
#include "run/subject_points.h"
#include "support/sweep_folder.h"

namespace bi_test::run {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Variables = std::map<std::string, std::string>;

class SubjectTest : public ::testing::Test {
 protected:
  SubjectTest() {
    folder_.WriteProgram("server");
    Result<Sweep> sweep = folder_.LoadWith("server: {binary: ./server}\n");
    if (!sweep.ok()) ADD_FAILURE() << sweep.error().Text();
    sweep_ = *std::move(sweep);
  }

  [[nodiscard]] std::string Digest(const Variables& env) {
    sweep_.server.env = env;
    return SubjectDigest(sweep_, sweep_.cells.front(), ModelFacts{}, server::ServerIdentity{});
  }

  /// Points against the sweep as it is (no variables), of a cert earned with these.
  [[nodiscard]] std::vector<std::string> Points(const Variables& env) {
    Result<ModelFacts> model = ReadModelFacts(sweep_.models.front().path);
    if (!model.ok()) ADD_FAILURE() << model.error().Text();
    server::ServerIdentity launch;
    sweep_.server.env = env;
    Cert cert;
    cert.document["server"] = ServerJson(sweep_, sweep_.cells.front(), *model, {launch});
    sweep_.server.env = {};
    Result<std::vector<std::string>> points = SubjectPoints(cert, sweep_, sweep_.cells.front());
    if (!points.ok()) ADD_FAILURE() << points.error().Text();
    // The program of this launch is none.
    std::erase_if(*points, [](const std::string& p) { return p.starts_with("BINARY_DIGEST"); });
    return *points;
  }

  test_support::SweepFolder folder_;
  Sweep sweep_;
};

TEST_F(SubjectTest, IsTheSameOnEveryDevice) {
  EXPECT_EQ(Digest({{"CUDA_VISIBLE_DEVICES", "0"}}), Digest({{"CUDA_VISIBLE_DEVICES", "1"}}));
  EXPECT_EQ(Digest({{"CUDA_VISIBLE_DEVICES", "0"}}), Digest({}));
}

TEST_F(SubjectTest, ChangesWithEveryOtherVariable) {
  EXPECT_NE(Digest({{"OMP_NUM_THREADS", "1"}}), Digest({{"OMP_NUM_THREADS", "2"}}));
  EXPECT_NE(Digest({{"OMP_NUM_THREADS", "1"}}), Digest({}));
}

TEST_F(SubjectTest, ACertOfAGpuRunnerIsAboutTheSameSweepFile) {
  EXPECT_THAT(Points({}), IsEmpty());
  EXPECT_THAT(Points({{"CUDA_VISIBLE_DEVICES", "1"}}), IsEmpty());
  EXPECT_THAT(Points({{"CUDA_VISIBLE_DEVICES", "1"}, {"OMP_NUM_THREADS", "1"}}),
              ElementsAre(StartsWith("ENVIRONMENT: ")));
}

}  // namespace
}  // namespace bi_test::run
