import { STYLE } from '../ui/style.ts';

/** CSS around Swagger UI, and what its own style sheet lacks on phones and in dark mode. */
export const REFERENCE_STYLE = `${STYLE}
html { scroll-padding-top: 1rem; }
.page { width: 100%; max-width: 76rem; margin: 0 auto; padding: 1.5rem clamp(1rem, 4vw, 2rem) 4rem; }
#swagger-ui main { max-width: none; margin: 0; padding: 0; }
.intro { margin-bottom: 1.5rem; }
.intro h1 { font-size: 1.75rem; }
.intro p { margin-bottom: .375rem; color: var(--quiet); }
.intro details p { margin: .75rem 0 0; color: var(--ink); }
summary { width: fit-content; padding: .5rem 0; color: var(--accent); cursor: pointer; }
.intro .who { color: var(--ink); font-weight: 600; }
#swagger-ui .information-container { display: none; }
.swagger-ui :where(button, label, code, p, h2, h3, summary, a), .swagger-ui input:not([type=hidden]) { all: revert; }
#swagger-ui :not(code, code *, pre, pre *, svg, svg *) { font-family: inherit; }
#swagger-ui .wrapper { max-width: none; padding: 0; }
#swagger-ui .scheme-container { margin: 0 0 .5rem; padding: 1rem 0; background: none; box-shadow: none; border-block: 1px solid var(--line); }
#swagger-ui .scheme-container .schemes { flex-wrap: wrap; gap: .75rem; }
#swagger-ui .schemes-server-container { display: none; }
#swagger-ui .btn.authorize { color: var(--accent); border-color: currentColor; }
#swagger-ui .btn.authorize svg { fill: currentColor; }
#swagger-ui .filter .operation-filter-input { width: 100%; margin: .5rem 0 1rem; }
#swagger-ui .opblock-tag { padding-inline: 0; }
#swagger-ui .block.col-12 { padding: 0; }
#swagger-ui .swagger-ui, #swagger-ui { background: none; }
@media (max-width: 48rem) {
  #swagger-ui .opblock-tag, #swagger-ui .opblock-summary-control { flex-wrap: wrap; }
  #swagger-ui .opblock-tag small { flex-basis: 100%; order: 3; padding: 0; }
  #swagger-ui .opblock-summary-path { flex-basis: calc(100% - 7rem); max-width: none; font-size: .875rem; overflow-wrap: anywhere; }
  #swagger-ui .opblock-summary-description { flex-basis: 100%; padding: .25rem .5rem 0; text-align: left; }
  #swagger-ui :is(.parameters, .parameters tbody, .parameters tr, .parameters td) { display: block; width: auto; padding-block: .125rem; }
  #swagger-ui .parameters thead { position: absolute; left: -999rem; }
  #swagger-ui :is(input, textarea, select) { max-width: 100%; min-width: 0; width: 100%; }
  #swagger-ui :is(.opblock-body, .responses-inner, .highlight-code) { min-width: 0; overflow-x: auto; }
}
#errors { margin-top: 3rem; }
#errors h2 { font-size: 1.375rem; }
dl { margin: 0; }
dl div { display: grid; grid-template-columns: 18rem 1fr; gap: 0 1rem; padding: .5rem; border-top: 1px solid var(--line); }
dl div:target { background: var(--calm-ground); }
dd { margin: 0; }
code { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
@media (max-width: 40rem) { dl div { grid-template-columns: minmax(0, 1fr); } }
`;
