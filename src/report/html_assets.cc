#include "report/html_assets.h"

#include <cstdint>

#include "base/sha256.h"

namespace bi_test::report {
namespace {

constexpr std::string_view kStyle = R"css(
:root{--bg:#fbfbfa;--card:#fff;--ink:#1c1e21;--dim:#5d646c;--line:#d9dce0;--soft:#f1f2f4;--link:#0b57a4;
--green:#176b3a;--green-bg:#e2f3e8;--red:#a3161f;--red-bg:#fbe5e6;--amber:#7a5000;--amber-bg:#fcf0d2;
--grey:#4a515a;--grey-bg:#e9ebee;--mark:#ffd24a;--mark-ink:#1c1e21;--bar:#5b8bbf}
@media (prefers-color-scheme:dark){:root{--bg:#141619;--card:#1b1e22;--ink:#e4e6e9;--dim:#9fa7b0;--line:#363b42;
--soft:#24282d;--link:#7db7f5;--green:#7fd6a0;--green-bg:#16352340;--red:#ff9a9a;--red-bg:#5a191d66;
--amber:#f0c66b;--amber-bg:#53400f66;--grey:#b6bdc6;--grey-bg:#2c3138;--mark:#d9a400;--mark-ink:#141619;--bar:#6d9dd1}}
*{box-sizing:border-box}
html{scroll-padding-top:.5rem}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main,header.top,footer{max-width:72rem;margin:0 auto;padding:0 1rem}
header.top{padding-top:1.2rem}
h1{font-size:1.45rem;line-height:1.2;margin:0 0 .3rem}
h2{font-size:1.12rem;margin:1.8rem 0 .5rem}
h3{font-size:1rem;margin:0;display:inline;overflow-wrap:anywhere}
h4{font-size:.82rem;margin:1.2rem 0 .35rem;text-transform:uppercase;letter-spacing:.05em;color:var(--dim)}
p{margin:.4rem 0}
a{color:var(--link)}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.dim{color:var(--dim)}
.totals{display:flex;flex-wrap:wrap;gap:.4rem;margin:.6rem 0;padding:0;list-style:none}
.v{display:inline-block;padding:.08rem .5rem;border-radius:.3rem;border:1px solid currentColor;font-weight:600;font-size:.82rem;
white-space:nowrap;color:var(--grey);background:var(--grey-bg);text-decoration:none}
.v.green{color:var(--green);background:var(--green-bg)}.v.red,.v.error,.v.damaged{color:var(--red);background:var(--red-bg)}
.v.amber{color:var(--amber);background:var(--amber-bg)}.v.unverified{border-style:dashed}
.v small{font-weight:400}
.box{border:1px solid var(--line);border-radius:.4rem;background:var(--card);padding:.6rem .8rem;margin:.6rem 0}
.box h2{margin:.2rem 0}.rate{display:inline-block;white-space:nowrap;margin-right:1rem}.box.bad{border-color:var(--red)}
.wide{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;font-size:.9rem;background:var(--card)}
th,td{border:1px solid var(--line);padding:.25rem .55rem;text-align:left;vertical-align:top}
thead th{background:var(--soft);font-weight:600}td.text{min-width:9rem}
tbody th{font-weight:600;overflow-wrap:anywhere;min-width:9rem}
td.num,th.num{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
form.filter{display:flex;flex-wrap:wrap;gap:.6rem 1rem;align-items:end;margin:.6rem 0}
form.filter[hidden]{display:none}
form.filter label{display:block;font-size:.82rem;color:var(--dim)}
select,input,button{font:inherit;color:inherit;background:var(--card);border:1px solid var(--dim);border-radius:.3rem;padding:.25rem .5rem;max-width:100%;height:2.1rem}
details.cell{border:1px solid var(--line);border-left-width:.3rem;border-radius:.4rem;background:var(--card);margin:.6rem 0}
details.cell.red,details.cell.error,details.cell.damaged{border-left-color:var(--red)}details.cell.green{border-left-color:var(--green)}
details.cell.amber{border-left-color:var(--amber)}
details.cell>summary{cursor:pointer;padding:.55rem .8rem;overflow-wrap:anywhere}
details.cell>summary p{margin:.2rem 0 0;color:var(--dim)}
details.cell>div{padding:0 .8rem .8rem}
[hidden]{display:none!important}
dl.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:.3rem 1rem;margin:.3rem 0}
dl.facts div{border-bottom:1px solid var(--line);padding:.12rem 0;display:flex;justify-content:space-between;gap:.6rem}
dl.facts .long{grid-column:1/-1;justify-content:flex-start}dl.facts .long dt{flex:0 0 11rem}dl.facts .long dd{text-align:left}
dl.facts dt{color:var(--dim)}dl.facts dd{margin:0;text-align:right;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
ul.plain{margin:.3rem 0;padding-left:1.1rem}ul.plain li{overflow-wrap:anywhere}
code,pre{font:.86em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
code{overflow-wrap:anywhere}
pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
.diff{border:1px solid var(--line);border-radius:.35rem;margin:.5rem 0;padding:.5rem .6rem}
.diff>p{margin:.1rem 0;overflow-wrap:anywhere}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:.5rem;margin-top:.4rem}
.pair figure{margin:0;border:1px solid var(--line);border-radius:.3rem;background:var(--soft);padding:.35rem .5rem;min-width:0}
.pair figcaption{font-size:.78rem;color:var(--dim)}
mark{background:var(--mark);color:var(--mark-ink);border-radius:.15rem;padding:0 .1rem;font-weight:700;text-decoration:underline}
mark.none::before{content:"\2205"}
.flag{color:var(--red);font-weight:600}
svg.plot{display:block;width:100%;max-width:40rem;height:auto;margin:.3rem 0}
svg.plot text{fill:var(--dim);font-size:11px}
svg .bar{fill:var(--bar)}svg .weak{fill:none;stroke:var(--bar);stroke-dasharray:4 3}svg .bar.bad,svg .dot.bad{fill:var(--red)}svg .dot{fill:var(--bar);fill-opacity:.75}
svg .axis{stroke:var(--dim)}svg .limit{stroke:var(--ink);stroke-width:1}svg .dash{stroke-dasharray:5 4}svg .peak{stroke:var(--amber);stroke-width:3}
footer{padding-bottom:2rem;font-size:.85rem;color:var(--dim)}
@media (max-width:40rem){body{font-size:14px}main,header.top,footer{padding-left:.7rem;padding-right:.7rem}.pair{grid-template-columns:1fr}
dl.facts{grid-template-columns:1fr}th,td{padding:.2rem .4rem}.rate{white-space:normal}tbody th,td.text{min-width:6.5rem}}
@media print{:root{--bg:#fff;--card:#fff;--ink:#000;--dim:#333;--line:#999}form.filter{display:none}h2,h3,h4,summary{break-after:avoid}.diff,svg,table{break-inside:avoid}a{color:inherit}.wide{overflow:visible}}
)css";

constexpr std::string_view kScript = R"js(
(function () {
  'use strict';
  var form = document.getElementById('filter');
  var cells = Array.prototype.slice.call(document.querySelectorAll('[data-model]'));
  var status = document.getElementById('shown');
  function apply() {
    var model = form.model.value, verdict = form.verdict.value;
    var words = form.q.value.toLowerCase().split(/\s+/).filter(Boolean);
    var shown = 0, total = 0;
    cells.forEach(function (e) {
      var text = e.textContent.toLowerCase();
      var keep = (!model || e.dataset.model === model) && (!verdict || e.dataset.verdict.split(' ').indexOf(verdict) >= 0) &&
        words.every(function (w) { return text.indexOf(w) >= 0; });
      e.hidden = !keep;
      if (e.classList.contains('cell')) { total += 1; shown += keep ? 1 : 0; }
    });
    status.textContent = shown + ' of ' + total + ' cells shown';
  }
  function store() {
    var p = new URLSearchParams();
    ['model', 'verdict', 'q'].forEach(function (k) { if (form[k].value) p.set(k, form[k].value); });
    var text = p.toString();
    history.replaceState(null, '', text ? '#?' + text : '#');
    apply();
  }
  function open(e) {
    for (; e; e = e.parentElement) if (e.tagName === 'DETAILS') { e.hidden = false; e.open = true; }
  }
  function load() {
    var hash = location.hash;
    if (hash.slice(0, 2) === '#?') {
      var p = new URLSearchParams(hash.slice(2));
      ['model', 'verdict', 'q'].forEach(function (k) { form[k].value = p.get(k) || ''; });
      apply();
    } else if (hash.length > 1) {
      var target = document.getElementById(hash.slice(1));
      if (target) { open(target); target.scrollIntoView(); }
    }
  }
  form.hidden = false;
  form.addEventListener('input', store);
  form.addEventListener('submit', function (e) { e.preventDefault(); });
  form.addEventListener('reset', function () { setTimeout(store, 0); });
  window.addEventListener('hashchange', load);
  window.addEventListener('beforeprint', function () {
    cells.forEach(function (e) { if (e.tagName === 'DETAILS' && !e.hidden) e.open = true; });
  });
  apply();
  load();
})();
)js";

std::string Base64(std::string_view hex) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto nibble = [](char c) -> std::uint32_t {
    return static_cast<std::uint32_t>(c <= '9' ? c - '0' : c - 'a' + 10);
  };
  std::string out;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : hex) {
    bits = (bits << 4U) | nibble(c);
    held += 4;
    if (held < 6) continue;
    held -= 6;
    out += kDigits[(bits >> static_cast<unsigned>(held)) & 63U];
  }
  if (held > 0) out += kDigits[(bits << static_cast<unsigned>(6 - held)) & 63U];
  while (out.size() % 4 != 0) out += '=';
  return out;
}

std::string Source(std::string_view text) {
  return "'sha256-" + Base64(Sha256Hex(std::string(text))) + "'";
}

}  // namespace

std::string_view PageStyle() { return kStyle; }

std::string_view PageScript() { return kScript; }

std::string PagePolicy() {
  return "default-src 'none'; img-src data:; style-src " + Source(kStyle) + "; script-src " +
         Source(kScript) + "; base-uri 'none'; form-action 'none'";
}

}  // namespace bi_test::report
