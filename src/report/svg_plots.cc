#include "report/svg_plots.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "report/escape.h"
#include "report/markup.h"
#include "report/numbers.h"
#include "verdict/pass_name.h"

namespace bi_test::report {
namespace {

constexpr double kWidth = 640.0;
constexpr double kLeft = 44.0;
constexpr double kTop = 14.0;
constexpr double kBottom = 22.0;
constexpr std::size_t kMaxId = 60;
constexpr double kRoundingMargin = 0.25;
constexpr double kEffectiveShare = 0.75;

std::string Px(double value) { return Fixed(value, 1); }

std::string Plot(double height, std::string_view label, const std::string& marks) {
  return Tag(
      "svg class=\"plot\" role=\"img\" viewBox=\"0 0 " + Px(kWidth) + " " + Px(height) + "\"",
      Tag("title", XmlText(label, 400), Lines::kAfter) + marks, Lines::kAfter);
}

std::string Line(double x1, double y1, double x2, double y2, const char* style) {
  return "<line class=\"" + std::string(style) + "\" x1=\"" + Px(x1) + "\" y1=\"" + Px(y1) +
         "\" x2=\"" + Px(x2) + "\" y2=\"" + Px(y2) + "\"/>\n";
}

std::string Rect(double x, double y, double width, double height, const char* style,
                 const std::string& tip) {
  return Tag("rect class=\"" + std::string(style) + "\" x=\"" + Px(x) + "\" y=\"" + Px(y) +
                 "\" width=\"" + Px(width) + "\" height=\"" + Px(height) + "\"",
             Tag("title", XmlText(tip, 200)), Lines::kAfter);
}

std::string Label(double x, double y, const char* anchor, const std::string& text) {
  return Tag("text x=\"" + Px(x) + "\" y=\"" + Px(y) + "\" text-anchor=\"" + anchor + "\"",
             XmlText(text, 80), Lines::kAfter);
}

/// 1, 2 or 5 times a power of ten, at least as large as `value`.
double NiceCeiling(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (value <= step * power * (1.0 + 1e-9)) return step * power;
  }
  return 10.0 * power;
}

}  // namespace

std::string WidthPlot(const std::vector<PassReport>& passes, int n) {
  if (passes.empty() || n <= 0) return {};
  constexpr double kHeight = 170.0;
  const std::size_t shown = std::min(passes.size(), kMaxMarks);
  double top = n;
  for (const PassReport& pass : passes) {
    top = std::max({top, pass.mean_busy_slots.value_or(0.0),
                    static_cast<double>(pass.server_peak_busy_slots)});
  }
  const double room = kHeight - kTop - kBottom;
  const auto y = [&](double value) { return kTop + room * (1.0 - std::max(value, 0.0) / top); };
  std::string out;
  const double step = (kWidth - kLeft - 8.0) / static_cast<double>(shown);
  const double bar = std::min(step * 0.7, 48.0);
  for (std::size_t i = 0; i < shown; ++i) {
    const PassReport& pass = passes[i];
    const double middle = kLeft + step * (static_cast<double>(i) + 0.5);
    const double mean = pass.mean_busy_slots.value_or(0.0);
    std::string tip = PassName(pass.pass) + ": ";
    tip += pass.mean_busy_slots ? "mean width " + Figure(mean) : std::string("no mean width");
    tip += ", peak " + std::to_string(pass.server_peak_busy_slots) +
           (pass.effective ? ", counts" : ", does not count");
    out += Rect(middle - bar / 2, y(mean), bar, y(0) - y(mean), pass.effective ? "bar" : "bar weak",
                tip);
    const double peak = y(static_cast<double>(pass.server_peak_busy_slots));
    out += Line(middle - bar / 2, peak, middle + bar / 2, peak, "peak");
    if (shown <= 24) {
      out += Label(middle, kHeight - 6, "middle", PassName(pass.pass));
    }
  }
  out += Line(kLeft, y(0), kWidth - 4, y(0), "axis");
  out += Line(kLeft, y(n), kWidth - 4, y(n), "limit");
  out += Line(kLeft, y(kEffectiveShare * n), kWidth - 4, y(kEffectiveShare * n), "limit dash");
  out += Label(kLeft - 4, y(n) + 4, "end", "N=" + std::to_string(n));
  out += Label(kLeft - 4, y(kEffectiveShare * n) + 4, "end", "0.75 N");
  out += Label(kLeft - 4, y(0) + 4, "end", "0");
  return Plot(kHeight,
              "Mean width and peak of each concurrent pass, against N = " + std::to_string(n), out);
}

std::string DriftPlot(const std::vector<IdDrift>& drift) {
  if (drift.empty()) return {};
  constexpr double kHeight = 150.0;
  const std::size_t shown = std::min(drift.size(), kMaxMarks);
  const double largest = drift.front().nats;
  if (!(largest > 0.0) || !std::isfinite(largest)) return {};
  const double top = NiceCeiling(largest);
  const double room = kHeight - kTop - kBottom;
  const auto y = [&](double value) { return kTop + room * (1.0 - value / top); };
  std::string out;
  const double step = (kWidth - kLeft - 8.0) / static_cast<double>(shown);
  const double bar = std::min(step * 0.8, 24.0);
  for (std::size_t i = 0; i < shown; ++i) {
    const double middle = kLeft + step * (static_cast<double>(i) + 0.5);
    const std::string tip = drift[i].test_id.substr(0, kMaxId) + ": " + Figure(drift[i].nats) +
                            " nats" + (drift[i].differs ? ", output differs" : ", same output");
    out += Rect(middle - bar / 2, y(drift[i].nats), bar, y(0) - y(drift[i].nats),
                drift[i].differs ? "bar bad" : "bar", tip);
  }
  out += Line(kLeft, y(0), kWidth - 4, y(0), "axis");
  out += Line(kLeft, y(top), kWidth - 4, y(top), "limit dash");
  out += Label(kLeft - 4, y(top) + 4, "end", Figure(top));
  out += Label(kLeft - 4, y(0) + 4, "end", "0");
  out += Label(kWidth - 4, kHeight - 6, "end",
               Count(static_cast<std::int64_t>(shown), "id") + " of " +
                   std::to_string(drift.size()) + ", largest first");
  return Plot(kHeight,
              "Largest log-probability difference of each id, nats; largest " + Figure(largest),
              out);
}

std::string MarginPlot(const std::vector<Divergence>& divergences) {
  std::vector<const Divergence*> known;
  for (const Divergence& divergence : divergences) {
    if (divergence.margin && std::isfinite(*divergence.margin) && known.size() < kMaxMarks) {
      known.push_back(&divergence);
    }
  }
  if (known.empty()) return {};
  constexpr double kHeight = 70.0;
  double right = 2 * kRoundingMargin;
  for (const Divergence* divergence : known) right = std::max(right, *divergence->margin);
  right = NiceCeiling(right);
  const auto x = [&](double value) {
    return kLeft + (kWidth - kLeft - 20.0) * std::max(value, 0.0) / right;
  };
  std::string out;
  const double middle = kHeight / 2;
  out += Line(kLeft, middle, kWidth - 20, middle, "axis");
  out += Line(x(kRoundingMargin), 8, x(kRoundingMargin), kHeight - kBottom, "limit dash");
  out += Label(x(kRoundingMargin), kHeight - 6, "middle", "0.25");
  out += Label(kLeft, kHeight - 6, "middle", "0");
  out += Label(kWidth - 20, kHeight - 6, "middle", Figure(right));
  for (const Divergence* divergence : known) {
    const bool odd = divergence->not_explained_by_rounding;
    const std::string tip = divergence->test_id.substr(0, kMaxId) + ": " +
                            Figure(*divergence->margin) + " nats" +
                            (odd ? ", not explained by rounding" : "");
    out += Tag(std::string("circle class=\"") + (odd ? "dot bad" : "dot") + "\" r=\"5\" cx=\"" +
                   Px(x(*divergence->margin)) + "\" cy=\"" + Px(middle) + "\"",
               Tag("title", XmlText(tip, 200)), Lines::kAfter);
  }
  return Plot(kHeight, "Lead of the best token in the serial arm where outputs part, nats", out);
}

}  // namespace bi_test::report
