import { createHash } from 'node:crypto';
import { STYLE } from '../ui/style.ts';

/** Additional CSS: a long page with its table of contents at the side, or on top on a phone. */
export const REFERENCE_STYLE = `${STYLE}
html { scroll-padding-top: 1.5rem; }
.bar { display: flex; justify-content: space-between; align-items: center; gap: 1rem; padding: 1rem clamp(1rem, 4vw, 2.5rem); border-bottom: 1px solid var(--line); background: var(--paper); }
.sides { display: grid; grid-template-columns: 17rem minmax(0, 1fr); width: 100%; max-width: 80rem; margin: 0 auto; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; max-height: 100dvh; overflow-y: auto; padding: 2rem 1rem 2rem clamp(1rem, 4vw, 2.5rem); font-size: .875rem; line-height: 1.4; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav > ul > li { margin-bottom: 1.125rem; }
nav > ul > li > a { font-weight: 650; color: var(--ink); }
nav a { display: block; padding: .1875rem 0; color: var(--quiet); text-decoration: none; }
nav a:hover { color: var(--accent); text-decoration: underline; }
.sides main { max-width: 54rem; padding: 2rem clamp(1rem, 4vw, 2.5rem) 5rem; margin: 0; }
main h1 { font-size: 2rem; }
section { margin-top: 4rem; }
h2 { font-size: 1.5rem; letter-spacing: -.015em; }
h3 { margin: 0 0 .5rem; font-size: 1.0625rem; line-height: 1.35; font-weight: 650; overflow-wrap: anywhere; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; color: inherit; }
article { margin-top: 1.25rem; padding: clamp(1rem, 3vw, 1.5rem); background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; }
article > :last-child { margin-bottom: 0; }
:target { border-color: var(--accent); }
tr:target { background: var(--calm-ground); }
.lead { margin-bottom: 1.25rem; }
.tag { margin-left: .5rem; padding: .0625rem .4375rem; border-radius: 1rem; border: 1px solid var(--line); color: var(--quiet); font-size: .75rem; font-weight: 500; white-space: nowrap; }
.tag { display: inline-block; }
td a { overflow-wrap: anywhere; }
code { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
article p code, td code { padding: .0625rem .25rem; border-radius: .25rem; background: var(--ground); }
.path { display: flex; align-items: baseline; gap: .625rem; margin-bottom: .75rem; }
article .path code { padding: 0; background: none; color: var(--quiet); }
.method { display: inline-block; flex: none; min-width: 3.75rem; padding: .125rem .5rem; border-radius: .375rem; background: var(--ground); color: var(--ink); font-size: .75rem; letter-spacing: .03em; text-align: center; }
.method.get { background: var(--calm-ground); color: var(--accent); }
.method.delete { background: var(--alarm-ground); color: var(--alarm); }
table { width: 100%; margin: 0 0 1rem; border-collapse: collapse; font-size: .9375rem; line-height: 1.45; }
caption { padding: .5rem 0 .25rem; text-align: left; color: var(--quiet); font-size: .8125rem; font-weight: 600; }
.record caption { position: absolute; left: -999rem; }
thead { position: absolute; left: -999rem; }
th, td { padding: .4375rem .75rem .4375rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; }
th { width: 34%; font-weight: 500; }
#errors th { width: 5rem; font-variant-numeric: tabular-nums; }
#errors .code th { width: 34%; }
.type { width: 22%; color: var(--quiet); }
.bodies { margin: 0 0 1rem; font-size: .9375rem; }
.bodies div { display: grid; grid-template-columns: 5.5rem 1fr; padding: .25rem 0; }
.bodies dt { color: var(--quiet); }
.bodies dd { margin: 0; overflow-wrap: anywhere; }
pre { margin: 0 0 1rem; padding: .75rem 1rem; overflow-x: auto; border-radius: .5rem; background: var(--ground); border: 1px solid var(--line); }
pre code { white-space: pre-wrap; word-break: break-all; }
details { font-size: .9375rem; }
summary { width: fit-content; color: var(--quiet); cursor: pointer; }
summary:hover { color: var(--accent); }
details pre { margin: .5rem 0 0; }
@media (max-width: 56rem) {
  .sides { grid-template-columns: minmax(0, 1fr); }
  nav { position: static; max-height: none; padding-bottom: 0; }
  nav > ul { display: flex; flex-wrap: wrap; gap: .375rem; }
  nav > ul > li { margin: 0; }
  nav > ul > li > a { padding: .375rem .75rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--paper); font-weight: 550; }
  nav ul ul { display: none; }
  main h1 { font-size: 1.625rem; }
}
@media (max-width: 34rem) {
  tr { display: block; padding: .5rem 0; border-top: 1px solid var(--line); }
  th, td, #errors th, #errors .code th { display: block; width: auto; padding: 0; border: 0; }
}
`;

const hash = createHash('sha256').update(REFERENCE_STYLE).digest('base64');

/** CSP of the page: stricter than the default, as it has no form. */
export const REFERENCE_POLICY = { 'style-src': `'sha256-${hash}'`, 'form-action': "'none'" };
