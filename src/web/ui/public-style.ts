/** Additional CSS of the pages for people without an account. */
export const PUBLIC_STYLE = `
html { scroll-padding-top: 1rem; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
.masthead { padding: 1rem clamp(1rem, 4vw, 2rem); border-bottom: 1px solid var(--line); background: var(--paper); }
main.columns { max-width: 76rem; padding: 1.25rem 1rem 3rem; display: grid; gap: 1.25rem; }
main.narrow { max-width: 38rem; padding-top: clamp(1.25rem, 6vh, 3.5rem); }
main.narrow h1 { font-size: 1.75rem; }
.columns > * { min-width: 0; }
.sender { margin: 0 0 .5rem; color: var(--quiet); }
.sender strong { color: var(--ink); font-weight: 600; }
.intro .lead, .intro .sender { margin-bottom: .375rem; }
.optional { color: var(--quiet); font-weight: 400; }
.hint { display: block; margin: -.125rem 0 .375rem; color: var(--quiet); font-size: .9375rem; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.card > h2 { margin-bottom: 1rem; font-size: 1.1875rem; }
input[type=checkbox], input[type=radio] { flex: none; width: 1.375rem; min-height: 1.375rem; height: 1.375rem; margin: .0625rem 0 0; padding: 0; accent-color: var(--accent); }
.check { display: flex; gap: .75rem; align-items: flex-start; min-height: 2.75rem; padding: .375rem 0; margin: 0; font-weight: 400; cursor: pointer; }
.check + .check { border-top: 1px solid var(--line); }
fieldset { min-width: 0; margin: 0 0 1.125rem; padding: 0; border: 0; }
legend { padding: 0; margin-bottom: .375rem; font-weight: 550; }
.caption { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; }
.to-page { flex: none; padding: .25rem 0; font-size: .9375rem; }

.sheets { display: grid; gap: 1rem; justify-items: center; align-content: start; }
.sheet { position: relative; width: 100%; margin: 0; background: #fff; color: #14201b; border-radius: .25rem; box-shadow: 0 1px 2px #0003, 0 4px 16px #0000001a; container-type: inline-size; }
.sheet > img { display: block; width: 100%; height: auto; aspect-ratio: auto 210 / 297; border-radius: .25rem; }
.mark { position: absolute; display: flex; align-items: center; justify-content: flex-start; min-height: 1rem; padding: 0 .75cqw; overflow: hidden; color: #0d4a39; background: #2c9b7829; border: 1px solid #14614b; border-radius: .2rem; font-size: max(.5625rem, 1.75cqw); font-weight: 600; line-height: 1.2; text-decoration: none; white-space: nowrap; }
.mark:hover { background: #2c9b7847; color: #0d4a39; }
.mark.current { outline: 3px solid #2c9b78; outline-offset: 1px; }
.mark.filled { background: #2c9b7814; border-style: dashed; color: #14201b; font-weight: 450; }
.mark.done { background: none; border-color: transparent; color: #14201b; font-weight: 450; }
.mark img { max-width: 100%; max-height: 100%; object-fit: contain; object-position: left center; }
.mark.handwritten span { font-family: "Snell Roundhand", "Segoe Script", "Bradley Hand", "URW Chancery L", "Z003", "Apple Chancery", cursive; font-weight: 500; }
.mark.handwritten span { font-size: max(.75rem, 2.75cqw); }
.mark:not(.filled, .done) span { font-family: inherit; font-size: inherit; font-weight: inherit; }
.jump { position: sticky; bottom: 0; width: 100%; margin: 0; padding: .75rem 0 max(.75rem, env(safe-area-inset-bottom)); background: linear-gradient(transparent, var(--ground) 40%); }
.no-preview { width: 100%; text-align: center; padding-block: 3rem; }
input.typed:not([type=hidden]) { font-family: "Snell Roundhand", "Segoe Script", "Bradley Hand", "URW Chancery L", "Z003", "Apple Chancery", cursive; font-size: 1.375rem; }
.typed::placeholder { font: 400 1rem system-ui, sans-serif; color: var(--quiet); }
.modes { display: grid; grid-template-columns: 1fr 1fr; margin-bottom: .5rem; border: 1px solid var(--edge); border-radius: .5rem; overflow: hidden; }
.modes[hidden], .pad[hidden], .typed[hidden] { display: none; }
.modes label { position: relative; margin: 0; text-align: center; cursor: pointer; }
.modes input { position: absolute; inset: 0; width: 100%; height: 100%; min-height: 0; opacity: 0; cursor: pointer; }
.modes span { display: block; padding: .625rem; min-height: 2.75rem; }
.modes input:checked + span { background: var(--accent); color: var(--on-accent); }
.modes input:focus-visible + span { outline: 3px solid var(--ring); outline-offset: -3px; }
.pad { position: relative; background: #fff; border: 1px solid var(--edge); border-radius: .5rem; }
.pad canvas { display: block; width: 100%; height: 10rem; touch-action: none; cursor: crosshair; border-radius: .5rem; background: linear-gradient(#0000 calc(100% - 2.5rem), #c9d0cb 0, #c9d0cb calc(100% - 2.4375rem), #0000 0); }
.pad .clear { position: absolute; top: .25rem; right: .25rem; width: auto; min-height: 2.75rem; padding: .25rem .75rem; background: none; color: #14614b; font-weight: 550; }
.pad .clear:hover { background: #eaf3ee; }
.decline { margin-top: 1rem; }
.decline > summary { padding: .75rem .25rem; color: var(--quiet); cursor: pointer; }
.decline > summary:hover { color: var(--ink); }
button.danger { background: transparent; border-color: var(--alarm); color: var(--alarm); }
button.danger:hover { background: var(--alarm-ground); color: var(--alarm); }
button[aria-disabled=true] { opacity: .6; cursor: progress; }
.status-icon { display: grid; place-items: center; width: 3.5rem; height: 3.5rem; margin-bottom: 1rem; border-radius: 50%; background: var(--calm-ground); color: var(--accent); font-size: 1.75rem; }
.status-icon.warning { background: var(--alarm-ground); color: var(--alarm); }
.form-name { margin-bottom: 1.5rem; }
.stack { display: grid; gap: .75rem; margin-top: 1.25rem; }
.done-pages { margin-top: 1.25rem; }

@media (min-width: 64rem) {
  main.columns { grid-template-columns: minmax(0, 1fr) 23rem; column-gap: 2rem; padding: 2rem 2rem 4rem; }
  .intro { grid-column: 1 / -1; }
  .sheet { max-width: 46rem; }
  .panel { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto; padding: .25rem; margin: -.25rem; }
  .jump { display: none; }
}
@media (prefers-color-scheme: dark) {
  .sheet { box-shadow: 0 0 0 1px var(--line); }
  .sheet > img { filter: brightness(.92); }
}
@media (forced-colors: active) {
  .mark { border: 2px solid; }
  .modes input:checked + span { border: 2px solid Highlight; }
}
@media print { .panel, .jump, .masthead { display: none; } }
`;
