// @ts-nocheck: this file runs in browsers, and the project has no types for them.
// Checks the file that one chooses or drops. It is read here, and sent nowhere: the page may not connect to anything.

import { webSuite } from '../../../verify/web-suite.js';
import { verdictOf } from './verdict.js';

const MAX_BYTES = 500 * 2 ** 20;

const server = JSON.parse(document.getElementById('server').textContent);
const zone = document.querySelector('.drop');
const input = zone.querySelector('input');
const result = document.getElementById('result');

const element = (name, set = {}, ...content) => {
  const node = Object.assign(document.createElement(name), set);
  node.append(...content);
  return node;
};

/** Each file that is chosen counts as one more, so that an earlier one that takes long does not replace what is shown. */
let turn = 0;

async function check(file) {
  turn += 1;
  const own = turn;
  result.replaceChildren(element('p', { className: 'progress' }, `Checking ${file.name} …`));
  result.hidden = false;
  const shown = await shownResult(file);
  if (own !== turn) return;
  result.replaceChildren(...shown);
  result.focus();
}

async function shownResult(file) {
  if (!globalThis.crypto?.subtle) return problem('This browser checks signatures on pages with https only.');
  if (file.size > MAX_BYTES) return problem('The file is larger than 500 MiB.');
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return show(file, bytes, await verdictOf(webSuite, bytes, server));
  } catch (error) {
    return problem(`The file could not be checked: ${error.message}.`);
  }
}

const problem = (text) => [
  element('div', { className: 'verdict open' }, element('h2', {}, 'Not checked'), element('p', {}, text)),
];

const TONES = { UNCHANGED: 'good', OTHER: 'bad', EXTENDED: 'bad', CHANGED: 'bad' };

function show(file, bytes, { state, title, statements, details, sealedBytes }) {
  const rows = statements.map(({ label, tone, text }) =>
    element('div', { className: `statement ${tone}` }, element('dt', {}, label), element('dd', {}, text)),
  );
  const verdict = element(
    'div',
    { className: `verdict ${TONES[state] ?? 'open'}` },
    element('h2', {}, title),
    element('p', { className: 'file' }, element('bdi', {}, file.name)),
    element('dl', { className: 'statements' }, ...rows),
    ...(sealedBytes ? [saveButton(file, bytes.subarray(0, sealedBytes))] : []),
  );
  return [verdict, expertPart(details)];
}

/** Digests and numbers, which are compared digit by digit. */
const isCode = (value) => /[0-9a-f]{20}|^[\dA-F:]{20}/i.test(value);

function expertPart(details) {
  const rows = details.map(([name, value]) =>
    element(
      'div',
      {},
      element('dt', {}, name),
      element('dd', { className: isCode(value) ? 'code' : '' }, value),
    ),
  );
  return element(
    'details',
    { className: 'expert' },
    element('summary', {}, 'Details for experts'),
    element('dl', { className: 'facts' }, ...rows),
  );
}

function saveButton(file, bytes) {
  const href = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }));
  const download = `${file.name.replace(/\.pdf$/i, '')}-as-sealed.pdf`;
  return element(
    'p',
    {},
    element('a', { className: 'button', href, download }, 'Save the part as it was sealed'),
  );
}

zone.hidden = false;
input.addEventListener('change', () => {
  if (input.files[0]) void check(input.files[0]);
  input.value = '';
});

document.addEventListener('dragover', (event) => {
  if (!event.dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  zone.classList.add('over');
});
document.addEventListener('dragleave', (event) => {
  if (!event.relatedTarget) zone.classList.remove('over');
});
document.addEventListener('drop', (event) => {
  event.preventDefault();
  zone.classList.remove('over');
  if (event.dataTransfer.files[0]) void check(event.dataTransfer.files[0]);
});
