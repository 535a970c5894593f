// @ts-nocheck: this file runs in browsers, and the project has no types for them.
// The search of the documentation: in the browser, over an index of all sections.

const form = document.querySelector('form.search');
const input = form.querySelector('input');
const results = document.getElementById('results');
const MAX_RESULTS = 12;
const CONTEXT = 60;

let index;

/** A load that failed is not kept: the next key or focus tries again. */
const load = () => {
  index ??= fetch(form.dataset.index)
    .then((response) => {
      if (!response.ok) throw new Error(`The index cannot be loaded: ${response.status}.`);
      return response.json();
    })
    .catch((error) => {
      index = undefined;
      throw error;
    });
  return index;
};

/** All sections; undefined, with a message, if they cannot be loaded. */
async function sectionsOrMessage() {
  try {
    return await load();
  } catch {
    results.hidden = false;
    results.querySelector('ul').replaceChildren();
    results.querySelector('[role=status]').textContent =
      'The search cannot be loaded. Check the connection, and type on to try again.';
    return undefined;
  }
}

/** Sections with every word; a word in a title counts more than one in the text. */
function find(sections, words) {
  const scoreOf = ({ title, heading, text }) => {
    let score = 0;
    for (const word of words) {
      const weight = heading.toLowerCase().includes(word) * 8 + title.toLowerCase().includes(word) * 4;
      const inText = text.toLowerCase().includes(word);
      if (!weight && !inText) return 0;
      score += weight + inText;
    }
    return score;
  };
  return sections
    .map((section) => ({ section, score: scoreOf(section) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_RESULTS)
    .map(({ section }) => section);
}

function entry({ path, title, heading, text }, words) {
  const link = document.createElement('a');
  link.href = path;
  link.textContent = heading ? `${title}: ${heading}` : title;
  const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - CONTEXT);
  const excerpt = document.createElement('p');
  excerpt.textContent = `${at > 0 ? '… ' : ''}${text.slice(at, at + 3 * CONTEXT)} …`;
  const item = document.createElement('li');
  item.append(link, excerpt);
  return item;
}

async function search() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const sections = words.length > 0 ? await sectionsOrMessage() : [];
  if (!sections) return;
  const hits = find(sections, words);
  if (words.join(' ') !== input.value.toLowerCase().split(/\s+/).filter(Boolean).join(' ')) return;
  results.hidden = words.length === 0;
  results.querySelector('[role=status]').textContent =
    hits.length === 0 ? 'Nothing found.' : `${hits.length} sections found.`;
  results.querySelector('ul').replaceChildren(...hits.map((section) => entry(section, words)));
}

if (matchMedia('(max-width: 56rem)').matches) document.querySelector('.pages').open = false;
form.hidden = false;
input.addEventListener('focus', () => load().catch(() => {}));
input.addEventListener('input', search);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  results.querySelector('a')?.click();
});
results.addEventListener('click', () => {
  results.hidden = true;
});
