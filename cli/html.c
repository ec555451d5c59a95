/* SPDX-License-Identifier: Apache-2.0 */
/* html.c: see html.h. */
#include "cli/html.h"

static const char style[] =
    ":root{--ink:#1c2733;--soft:#5b6875;--line:#dde3e9;--blue:#0b4f82;--back:#f5f7f9;--card:#fff;"
    "--grid:#e9edf1;--axis:#9aa5b1;--good:#00563f;--good-back:#d8f1e8;"
    "--find-back:#dde9f7;--plain:#46525e;--plain-back:#e9edf1}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e6e9ee;--soft:#9aa5b4;--line:#2d333d;"
    "--blue:#7db8ff;--back:#14171c;--card:#1c2027;--grid:#2a303a;--axis:#5b6675;--good:#7ce0b8;"
    "--good-back:#123a2c;--find-back:#1d2f57;--plain:#b6c0cc;--plain-back:#2a303a}"
    /* curves are drawn for white paper: on a dark one their colours are made lighter */
    "svg .curve,svg .trace,svg .pose{filter:brightness(1.5) saturate(.85)}"
    "svg [stroke=\"#000000\"]{stroke:var(--ink)}svg [fill=\"#000000\"]{fill:var(--ink)}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--back);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"
    "'Segoe UI',Roboto,'Helvetica Neue',Arial,'DejaVu Sans',sans-serif}\n"
    "main{max-width:1120px;margin:0 auto;padding:40px 24px 64px}\n"
    "h1{font-size:30px;line-height:1.2;margin:0 0 8px;letter-spacing:-.01em}\n"
    "h2{font-size:20px;margin:0 0 4px}\n"
    "p{margin:0 0 12px;max-width:76ch}\n"
    ".lead{font-size:18px;color:var(--soft)}\n"
    ".card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:22px "
    "24px;"
    "margin:22px 0;overflow-x:auto}\n"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}\n"
    "th{font-size:13px;font-weight:600;color:var(--soft);text-align:right;padding:6px 10px;"
    "border-bottom:2px solid var(--line)}\n"
    "td{text-align:right;padding:7px 10px;border-bottom:1px solid var(--line)}\n"
    "tr:last-child td{border-bottom:0}\n"
    "th:first-child,td:first-child{text-align:left;padding-left:0}\n"
    "a{color:var(--blue);text-decoration:none}\na:hover{text-decoration:underline}\n"
    ".check{border-left:3px solid #009e73;padding-left:12px;color:var(--soft);font-size:15px}\n"
    ".pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(340px,1fr));gap:20px}\n"
    ".figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(420px,100%),1fr));"
    "gap:20px;margin:8px 0 18px}\n"
    "h3{font-size:16px;margin:20px 0 4px}\n"
    "figure{margin:0}\nfigcaption{font-size:13px;color:var(--soft);text-align:center}\n"
    "svg{width:100%;height:auto;display:block}\n"
    "svg text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,Arial,'DejaVu Sans',sans-serif;"
    "fill:var(--soft)}\n"
    ".mid{text-anchor:middle}\n.end{text-anchor:end}\n"
    ".grid{stroke:var(--grid);fill:none}\n.axis{stroke:var(--axis);fill:none}\n"
    ".ground{stroke:#8a6d3b;stroke-width:2;fill:none}\n"
    ".trace{stroke:#d55e00;stroke-width:1;fill:none;opacity:.75}\n"
    ".pose path{stroke:currentColor;stroke-width:2;fill:none;stroke-linecap:round;"
    "stroke-linejoin:round}\n"
    ".final path{stroke-width:3}\n.dot{fill:currentColor}\n"
    ".curve{fill:none;stroke-width:1.75;stroke-linejoin:round}\n"
    ".legend{fill:var(--card);fill-opacity:.85}\n"
    ".power{font-size:9px}\n"
    ".foot{color:var(--soft);font-size:14px}\n"
    ".findings td,.findings th{vertical-align:top;padding:5px 10px}\n"
    ".findings td:not(.words){white-space:nowrap}\n"
    ".findings .words{text-align:left}\n"
    ".findings .unit{white-space:nowrap}\n"
    ".findings td:first-child{min-width:280px}\n"
    ".findings td:first-child,.findings th:first-child{padding-left:0}\n"
    ".findings .note{color:var(--soft);font-size:14px;min-width:260px}\n"
    ".findings .verdict{text-align:left}\n"
    ".badge{font-size:13px;border-radius:9px;padding:1px 9px;white-space:nowrap}\n"
    ".yes{background:var(--good-back);color:var(--good)}\n"
    ".finding{background:var(--find-back);color:var(--blue)}\n"
    ".silent{background:var(--plain-back);color:var(--plain)}\n"
    "details>summary{cursor:pointer;color:var(--blue);margin:6px 0}\n"
    "details.card>summary{color:var(--ink);margin:0}\n"
    "details.card>summary h2{display:inline}\n"
    "details.card>summary .badge{margin-left:8px;vertical-align:2px}\n"
    "details.card[open]>summary{margin-bottom:8px}\n"
    "@media (max-width:640px){main{padding:24px 12px 48px}.card{padding:16px 14px}"
    ".pair{grid-template-columns:1fr}}\n";

void html_text(FILE* out, const char* text) {
  for (; *text != '\0'; ++text) {
    switch (*text) {
    case '<':
      fputs("&lt;", out);
      break;
    case '>':
      fputs("&gt;", out);
      break;
    case '&':
      fputs("&amp;", out);
      break;
    case '"':
      fputs("&quot;", out);
      break;
    default:
      fputc(*text, out);
    }
  }
}

void html_open(FILE* out, const char* title) {
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
        out);
  html_text(out, title);
  fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", style);
}

void html_close(FILE* out) {
  fputs("</main>\n</body>\n</html>\n", out);
}
