import { styleSource } from '../../ui/layout.tsx';
import { STYLE } from '../../ui/style.ts';
import { DOCUMENT_STYLE } from './document-style.ts';

/** CSS of the console. On a phone the links of the navigation are folded above the page; on wider screens they are beside it, where the browser can show a closed `details`. */
export const CONSOLE_STYLE = `${STYLE}
.shell { width: 100%; max-width: 72rem; margin: 0 auto; padding: 1.25rem 1rem 4rem; display: grid; gap: 1.25rem; align-content: start; }
.shell > * { min-width: 0; }
main { max-width: none; margin: 0; padding: 0; }
main:focus { outline: none; }
.menu h2 { margin: 0 0 .25rem; font-size: .9375rem; color: var(--quiet); font-weight: 550; }
.menu ul { margin: 0 0 .75rem; padding: 0; list-style: none; }
.menu summary { padding: .5rem .75rem; min-height: 2.75rem; border: 1px solid var(--edge); border-radius: .5rem; font-weight: 600; }
.menu details[open] > summary { margin-bottom: .75rem; }
.menu a { display: block; padding: .375rem .75rem; min-height: 2.25rem; border-radius: .5rem; color: var(--ink); text-decoration: none; }
.menu a:hover { background: var(--paper); text-decoration: underline; }
.menu a[aria-current] { background: var(--calm-ground); color: var(--accent); font-weight: 600; }
.crumbs ol { display: flex; flex-wrap: wrap; gap: .25rem .5rem; margin: 0 0 .75rem; padding: 0; list-style: none; font-size: .9375rem; }
.crumbs li + li::before { content: "/"; margin-right: .5rem; color: var(--quiet); }
.tabs ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0 0 1.25rem; padding: 0; list-style: none; border-bottom: 1px solid var(--line); }
.tabs a { display: block; padding: .5rem 0; color: var(--ink); text-decoration: none; border-bottom: 3px solid transparent; margin-bottom: -1px; }
.tabs a:hover { text-decoration: underline; }
.tabs [aria-current] { font-weight: 600; border-bottom-color: var(--accent); }
main > .card { margin: 1rem 0 0; }
main > .lead { max-width: 46rem; margin-bottom: 1rem; }
.card > h2, .card > h3 { margin-bottom: .75rem; }
.part { margin: 2rem 0 .25rem; }
h3 { margin: 1.25rem 0 .25rem; font-size: 1rem; line-height: 1.35; font-weight: 650; }
.card .rows { margin: 0; padding: 0; list-style: none; }
.rows + * { margin-top: 1rem; }
.card .rows > li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .25rem 1rem; padding: .75rem 0; margin: 0; border-top: 1px solid var(--line); }
.card .rows > li:first-child { border-top: 0; padding-top: 0; }
.card .rows > li:last-child { padding-bottom: 0; }
.rows p { margin: 0; }
.rows .what { flex: 1 1 14rem; min-width: 0; overflow-wrap: anywhere; }
.rows .what p { color: var(--quiet); font-size: .9375rem; }
.rows .buttons { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.rows .buttons form { margin: 0; }
.rows .buttons .button { align-content: center; }
a.unread { font-weight: 650; }
.rows details { flex-basis: 100%; }
.rows .more { flex-basis: 100%; padding-left: 1rem; border-left: 2px solid var(--line); }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.rows .what p.text { color: var(--ink); }
.ways { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
form > .buttons { display: flex; flex-wrap: wrap; gap: .75rem; }
.badge { display: inline-block; padding: .0625rem .5rem; border: 1px solid var(--line); border-radius: 1rem; font-size: .875rem; color: var(--quiet); white-space: nowrap; }
.badge.good { color: var(--accent); border-color: var(--accent); }
.badge.bad { color: var(--alarm); border-color: var(--alarm); }
form.lines { max-width: 34rem; }
form.inline { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin: 0; }
form.inline .field { margin: 0; flex: 1 1 14rem; max-width: 20rem; }
form.inline .field:has(> select) { flex: none; }
form.inline button { flex: none; }
form.inline select { width: auto; min-height: 2.5rem; padding-block: .3125rem; }
.card form.inline + .rows { margin-top: 1rem; }
main button, main .button { width: auto; display: inline-block; }
button.small, .button.small { min-height: 2.5rem; padding: .3125rem .75rem; font-size: .9375rem; }
button.danger { background: transparent; border-color: var(--alarm); color: var(--alarm); }
button.danger:hover { background: var(--alarm-ground); color: var(--alarm); }
.card.danger { border-color: var(--alarm); }
textarea, select { display: block; width: 100%; min-height: 2.875rem; padding: .5rem .75rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge); border-radius: .5rem; }
textarea { resize: vertical; }
textarea.code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .9375rem; }
textarea:focus-visible, select:focus-visible { border-radius: .5rem; }
textarea[aria-invalid=true], select[aria-invalid=true] { border-color: var(--alarm); box-shadow: inset 0 0 0 1px var(--alarm); }
input[type=checkbox], input[type=radio] { flex: none; width: 1.25rem; min-height: 1.25rem; height: 1.25rem; margin: .125rem 0 0; padding: 0; accent-color: var(--accent); }
.check { display: flex; gap: .75rem; align-items: flex-start; min-height: 2.5rem; padding: .375rem 0; margin: 0; font-weight: 400; cursor: pointer; }
fieldset { min-width: 0; margin: 0 0 1.125rem; padding: 0; border: 0; }
legend { padding: 0; margin-bottom: .25rem; font-weight: 550; }
fieldset .hint { margin-top: 0; }
.people { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: 0 1.25rem; }
.people .check > span { min-width: 0; overflow-wrap: anywhere; }
.people .hint { margin: 0; }
.find { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin-top: .5rem; }
.find .field { flex: 1 1 12rem; margin: 0; }
.process > .card { margin: 0 0 1rem; }
.process .card > * { max-width: 44rem; }
.process .buttons { display: flex; flex-wrap: wrap; gap: .75rem; }
.process .due { margin: 1rem 0; }
.process .due > summary { margin-bottom: .75rem; }
.process .check + fieldset { margin-top: 1rem; }
h2:focus { outline: none; }
.ways > form { margin: 0; }
fieldset > p { margin: .25rem 0 .5rem; color: var(--quiet); }
dl.facts { display: grid; gap: .125rem 1rem; margin: 0 0 1rem; }
dl.facts dt { color: var(--quiet); font-size: .9375rem; }
dl.facts dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
pre { margin: 0 0 1rem; padding: .75rem; overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem; background: var(--ground); font: .875rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.secret { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-bottom: 1rem; }
.secret code { flex: 1 1 14rem; padding: .625rem .75rem; border: 1px solid var(--edge); border-radius: .5rem; background: var(--ground); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .375rem .75rem .375rem 0; text-align: right; white-space: nowrap; border-top: 1px solid var(--line); font-weight: 400; }
thead th { border-top: 0; color: var(--quiet); font-size: .9375rem; }
th:first-child { text-align: left; }
svg.bars { display: block; width: 100%; height: 8rem; margin-bottom: 1rem; }
.bars .all { fill: var(--accent); }
.bars .errors { fill: var(--alarm); }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 1rem; margin: 1rem 0 0; padding: 0; list-style: none; }
.tiles .card { margin: 0; }
.tiles h3 { margin: 0 0 .25rem; font-size: 1.0625rem; }
.tiles :is(h2, h3) a { font-weight: 650; }
code.line { display: block; }
.filters { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin-bottom: 1rem; }
.filters a { padding: .25rem 0; }
.filters [aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
.filters + .filters { margin-top: -.75rem; }
h1 + .filters { margin-top: .5rem; }
.card form.lines + :is(.rows, p) { margin-top: 1.25rem; }
.pager { display: flex; flex-wrap: wrap; gap: 1rem; margin: 1rem 0 0; }
main .pager form { margin: 0; }
.tried { margin-top: 1.5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.tried:focus { outline: none; }
.tried h3 { margin-top: 0; }
.tried pre { max-height: 30rem; overflow-y: auto; }
.editor-button { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; margin: -.5rem 0 1.125rem; }
.selection-editor { height: 16rem; border: 1px solid var(--edge); border-radius: .5rem; overflow: hidden; resize: vertical; }
.selection-editor:focus-within { outline: 3px solid var(--ring); outline-offset: 2px; }
.selection-editor .monaco { height: 100%; }
h1 + .note { margin-top: .75rem; }
.note p + p { margin-top: .5rem; }
summary { cursor: pointer; color: var(--accent); }
time { white-space: nowrap; }
${DOCUMENT_STYLE}
@media (max-width: 40rem) {
  form.inline .field { flex-basis: 100%; max-width: none; }
  .rows .what { flex-basis: 100%; }
  .tabs ul { column-gap: .625rem; font-size: .9375rem; }
}
@media (min-width: 56rem) {
  .shell { grid-template-columns: 13rem minmax(0, 1fr); gap: 2rem; padding-top: 1.75rem; }
  .menu { position: sticky; top: 1rem; align-self: start; }
  dl.facts { grid-template-columns: 12rem minmax(0, 1fr); }
  dl.facts dd { margin: 0 0 .25rem; }
  @supports selector(::details-content) {
    .menu details > summary { display: none; }
    .menu details::details-content { content-visibility: visible; }
  }
}
@media (max-width: 55.99rem) {
  .menu ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 10.5rem), 1fr)); }
}
`;

/** CSP of the console: its style, and its one script. */
export const CONSOLE_POLICY = { 'style-src': styleSource(CONSOLE_STYLE), 'script-src': "'self'" };
