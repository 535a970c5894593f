/** CSS of the pages of documents, of uploads and of the search. */
export const DOCUMENT_STYLE = `
details.card { padding-block: .875rem; }
details.card[open] > summary { margin-bottom: 1rem; }
details.card[open] { padding-bottom: 1.5rem; }
.card .folders { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: .25rem 1rem; margin: 0; padding: 0; list-style: none; }
.card .folders > li { display: flex; gap: .625rem; align-items: center; min-width: 0; min-height: 2.5rem; margin: 0; }
.icon { flex: none; width: 1.5rem; height: 1.5rem; color: var(--edge); stroke: var(--edge); }
.entry-of-list { display: flex; gap: .875rem; }
.entry-of-list > div { min-width: 0; }
.sheet { flex: none; display: flex; align-items: center; justify-content: center; width: 3rem; height: 4rem; border: 1px solid var(--line); border-radius: .25rem; overflow: hidden; background: var(--ground); color: var(--quiet); font-size: .8125rem; }
.sheet img { width: 100%; height: 100%; object-fit: contain; background: #fff; }
.below { margin: 1rem 0; }
p.buttons { display: flex; flex-wrap: wrap; gap: .75rem; }
.card .sheets { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 12rem), 1fr)); gap: 1rem; margin: .5rem 0 0; padding: 0; list-style: none; }
.sheets li { display: flex; flex-direction: column; align-items: center; margin: 0; color: var(--quiet); font-size: .9375rem; }
.sheets img { width: 100%; min-height: 8rem; border: 1px solid var(--line); border-radius: .25rem; background: #fff; }
.card form.lines + :is(.rows, p) { margin-top: 1.25rem; }
.card.upload { padding: 1rem clamp(1rem, 4vw, 2rem); border: 2px dashed var(--edge); }
.card.upload.over { border-color: var(--accent); background: var(--calm-ground); }
.late { animation: late .01s 1s backwards; }
@keyframes late { from { visibility: hidden; } }
.drop { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; }
.drop label { margin: 0; }
.drop input:not([type=hidden]) { width: auto; max-width: 100%; border: 0; padding: 0; background: transparent; cursor: pointer; }
::file-selector-button { min-height: 2.5rem; margin-right: .75rem; padding: .3125rem .75rem; font: inherit; font-weight: 600; cursor: pointer; border: 1px solid var(--edge); border-radius: .5rem; background: transparent; color: var(--ink); }
.upload [role=status], .upload .rows:empty { margin: 0; }
.upload .rows:not(:empty) { margin-top: 1rem; }
progress { display: block; width: 100%; max-width: 30rem; height: .625rem; margin: .375rem 0; accent-color: var(--accent); }
.rows .what p.error { color: var(--alarm); }
form.search { display: flex; gap: .5rem; max-width: 40rem; }
form.search input:not([type=hidden]) { flex: 1 1 0; width: 0; min-width: 0; }
form.search button { flex: none; width: auto; }
.menu form.search { margin: .25rem 0 .75rem; }
.menu form.search input:not([type=hidden]) { min-height: 2.5rem; padding-block: .3125rem; }
search + details, search + p { margin-top: .75rem; }
::placeholder { color: var(--quiet); opacity: 1; }
mark { background: var(--calm-ground); color: var(--ink); font-weight: 650; text-decoration: underline; text-decoration-color: var(--accent); text-decoration-thickness: 2px; }
`;
