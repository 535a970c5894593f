import { STYLE } from '../ui/style.ts';

/** CSS of the documentation: navigation at the side, or on top on a phone; code in colours. */
export const DOCS_STYLE = `${STYLE}
html { scroll-padding-top: 1rem; }
.docs { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 0 3rem; width: 100%; max-width: 76rem; margin: 0 auto; padding: 1.5rem clamp(1rem, 4vw, 2rem) 4rem; }
.docs > main { max-width: 50rem; margin: 0; padding: 0; }
.pages h2 { margin: 1.25rem 0 .25rem; font-size: .875rem; color: var(--quiet); }
.pages ul { list-style: none; margin: 0; padding: 0; font-size: .9375rem; }
.pages a { display: block; padding: .25rem 0; color: var(--ink); text-decoration: none; }
.pages a:hover { color: var(--accent); text-decoration: underline; }
.pages [aria-current] { color: var(--accent); font-weight: 600; }
.pages summary { display: none; }
.search label { font-size: .875rem; color: var(--quiet); }
#results { margin-bottom: 2rem; padding: 1rem 1.25rem; background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; }
#results ul { list-style: none; margin: 0; padding: 0; }
#results li { padding: .5rem 0; }
#results p { margin: 0; color: var(--quiet); font-size: .9375rem; overflow-wrap: anywhere; }
.contents { margin: 0 0 1.5rem; padding: 0 0 0 1.25rem; columns: 2; font-size: .9375rem; }
article h1 { margin-bottom: 1rem; font-size: 2rem; }
article h2 { margin: 2.5rem 0 .75rem; font-size: 1.375rem; letter-spacing: -.01em; }
article h3 { margin: 1.75rem 0 .5rem; font-size: 1.125rem; }
article .anchor { color: inherit; text-decoration: none; }
article .anchor:hover { text-decoration: underline; }
article li { margin: .25rem 0; }
article img { max-width: 100%; height: auto; }
article .table { margin: 0 0 1.25rem; overflow-x: auto; }
table { border-collapse: collapse; font-size: .9375rem; }
th, td { padding: .4375rem 1rem .4375rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-weight: 600; }
code { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
:not(pre) > code { padding: .0625rem .25rem; border-radius: .25rem; background: light-dark(#e6e9e3, #262e2a); overflow-wrap: break-word; }
pre { margin: 0 0 1.25rem; padding: .875rem 1rem; overflow-x: auto; background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; font-size: .9375rem; }
.hljs-comment { color: var(--quiet); }
.hljs-keyword, .hljs-built_in, .hljs-type { color: light-dark(#8a2a6b, #f0a6d8); }
.hljs-string, .hljs-attr { color: light-dark(#14614b, #86d3b4); }
.hljs-number, .hljs-literal, .hljs-variable { color: light-dark(#1d4f91, #9cc4ff); }
@media (max-width: 56rem) {
  .docs { grid-template-columns: minmax(0, 1fr); }
  .pages summary { display: list-item; padding: .5rem 0; font-weight: 600; cursor: pointer; }
  .contents { columns: 1; }
  table:has(th:nth-child(3)) { min-width: 34rem; }
  table:has(th:nth-child(4)) { min-width: 44rem; }
}
`;
