import { DARK, LIGHT, properties } from './palette.ts';

/** CSS of every page: system fonts, light and dark, one column that fits a phone. */
export const STYLE = `
:root {
  color-scheme: light dark;
  ${properties(LIGHT)}
}
@media (prefers-color-scheme: dark) {
  :root {
    ${properties(DARK)}
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { font: 100%/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column; background: var(--ground); color: var(--ink); }
.top { display: flex; justify-content: center; padding: clamp(1.25rem, 9vh, 5.5rem) 1rem 1.25rem; }
.brand { display: inline-flex; align-items: center; gap: .5rem; font-weight: 650; font-size: 1.0625rem; letter-spacing: -.01em; color: var(--ink); text-decoration: none; }
.brand svg { width: 1.5rem; height: 1.5rem; color: var(--accent); }
main { width: 100%; max-width: 26rem; margin: 0 auto; padding: 0 1rem 3rem; }
main.wide { max-width: 44rem; }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; padding: clamp(1.25rem, 5vw, 2rem); }
iframe.mail { width: 100%; height: 34rem; margin-bottom: 1rem; border: 1px solid var(--line); border-radius: .75rem; background: #fff; }
details.card pre { overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .875rem; }
.card + .card { margin-top: 1rem; }
.card > :last-child { margin-bottom: 0; }
.card ul { margin: .25rem 0 1rem; padding-left: 1.25rem; }
.card li + li { margin-top: .375rem; }
h1 { margin: 0 0 .25rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.02em; font-weight: 650; text-wrap: balance; }
h2 { margin: 0 0 .25rem; font-size: 1.0625rem; line-height: 1.35; font-weight: 650; }
p { margin: 0 0 1rem; }
.lead { color: var(--quiet); margin-bottom: 1.5rem; }
.after { margin: 1.25rem 0 0; color: var(--quiet); text-align: center; font-size: .9375rem; }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: 1px; }
a:hover { color: var(--accent-strong); text-decoration-thickness: 2px; }
.field { margin-bottom: 1.125rem; }
label { display: block; margin-bottom: .375rem; font-weight: 550; }
.hint { display: block; margin: -.25rem 0 .375rem; color: var(--quiet); font-size: .9375rem; }
input.code { font-variant-numeric: tabular-nums; letter-spacing: .15em; }
.entry { margin: 0 0 1rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.entry p { margin-bottom: .25rem; }
.entry .other { margin-top: 0; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.qr { max-width: 15rem; margin: 0 auto 1rem; background: #fff; border-radius: .5rem; }
.qr svg { display: block; width: 100%; height: auto; border-radius: .5rem; }
code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .9375rem; overflow-wrap: anywhere; }
.codes { margin: 0 0 1.25rem; padding-left: 1.75rem; }
.codes li + li { margin-top: .25rem; }
details.other { margin-top: 1.5rem; }
details.other summary { color: var(--accent); cursor: pointer; }
details.other[open] summary { margin-bottom: 1rem; }
.error { display: block; margin: 0 0 .375rem; color: var(--alarm); font-weight: 550; font-size: .9375rem; }
input:not([type=hidden]) { width: 100%; min-height: 2.875rem; padding: .5rem .75rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge); border-radius: .5rem; }
input[aria-invalid=true] { border-color: var(--alarm); box-shadow: inset 0 0 0 1px var(--alarm); }
fieldset.limit { margin: 0 0 1rem; padding: 0; border: 0; min-width: 0; }
fieldset.limit legend { margin: 0 0 .25rem; padding: 0; font-size: 1.0625rem; line-height: 1.35; font-weight: 650; }
.choice { display: grid; grid-template-columns: auto 1fr; gap: .625rem; align-items: start; padding: .25rem 0; margin: 0; font-weight: 400; }
input:is([type=radio], [type=checkbox]) { width: 1.125rem; min-height: 1.125rem; margin: .1875rem 0 0; padding: 0; accent-color: var(--accent); }
.choices { margin: .25rem 0 0 1.75rem; }
.choices details { margin: 0 0 .5rem 1.75rem; }
.choices summary { color: var(--quiet); cursor: pointer; font-size: .9375rem; }
fieldset.limit:has([value=all]:checked) .choices { display: none; }
button, .button { display: block; width: 100%; min-height: 2.875rem; padding: .5625rem 1rem; font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; border: 1px solid transparent; border-radius: .5rem; background: var(--accent); color: var(--on-accent); }
button:hover, .button:hover { background: var(--accent-strong); color: var(--on-accent); }
button.plain, .button.plain { background: transparent; border-color: var(--edge); color: var(--ink); }
button.plain:hover, .button.plain:hover { background: var(--ground); color: var(--ink); }
textarea, select { width: 100%; min-height: 2.875rem; padding: .5rem .75rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge); border-radius: .5rem; }
textarea { display: block; resize: vertical; }
textarea[aria-invalid=true], select[aria-invalid=true] { border-color: var(--alarm); box-shadow: inset 0 0 0 1px var(--alarm); }
textarea:focus-visible, select:focus-visible { border-radius: .5rem; }
form .actions { margin-top: 1.5rem; }
.actions button + button { margin-top: .75rem; }
.card form + .who { margin: 1.5rem 0 0; }
.actions a { display: inline-block; margin-top: .875rem; }
.card h2 + form, form + form { margin-top: 1rem; }
form[data-passkey] ~ form { margin-top: 1.5rem; }
.row { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; margin-top: 1.25rem; }
.asking { display: grid; grid-template-columns: auto 1fr; gap: .75rem; align-items: start; margin-bottom: .5rem; }
.asking p { margin: 0; }
.logo { display: block; border-radius: .5rem; }
.applicant { display: grid; grid-template-columns: auto 1fr; gap: .125rem .75rem; margin: .5rem 0 1rem; font-size: .9375rem; }
.applicant dt { color: var(--quiet); }
.applicant dd { margin: 0; }
.applicant .unverified { font-weight: 600; }
.using { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .25rem 1rem; margin: 0 0 1.25rem; padding: .625rem .875rem; border: 1px solid var(--line); border-radius: .5rem; font-size: .9375rem; }
.using p { margin: 0; }
.using .address { display: block; color: var(--quiet); }
.decision { position: sticky; bottom: 0; margin: 0 -1rem -1rem; padding: .75rem 1rem 1rem; background: var(--paper); border-top: 1px solid var(--line); }
.decision .row { grid-template-columns: 1fr 1fr; margin-top: 0; }
.note { margin: 0 0 1.25rem; padding: .75rem 1rem; border-radius: .5rem; background: var(--calm-ground); border-left: .25rem solid var(--accent); }
.note.alarm { background: var(--alarm-ground); border-left-color: var(--alarm); }
.note h2, .note p, .note ul { margin: 0; }
.note ul { padding-left: 1.125rem; }
.note.alarm a { color: var(--alarm); }
.who { overflow-wrap: anywhere; }
.whole { white-space: nowrap; }
:focus-visible { outline: 3px solid var(--ring); outline-offset: 2px; border-radius: .25rem; }
input:focus-visible, button:focus-visible, .button:focus-visible { border-radius: .5rem; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem .75rem; background: var(--paper); border-radius: .5rem; }
@media (max-width: 26rem) {
  .row:not(.decision .row) { grid-template-columns: 1fr; }
}
@media (forced-colors: active) {
  .card, .note, button, .button { border: 1px solid; }
}
.site { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem; padding: .625rem clamp(1rem, 4vw, 2rem); border-bottom: 1px solid var(--line); background: var(--paper); }
.site .home { display: flex; text-decoration: none; }
.site nav { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin-left: auto; font-size: .9375rem; }
.site nav a { padding: .5rem 0; color: var(--quiet); text-decoration: none; }
.site nav a:hover { color: var(--accent); text-decoration: underline; }
.site nav [aria-current] { color: var(--ink); font-weight: 600; }
.site + main > :is(.card, .note, p):first-child { margin-top: 1.5rem; }
@media (max-width: 40rem) { .site nav { width: 100%; margin: 0; } }
`;
