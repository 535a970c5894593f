// Renders the pages of docs/ for the pages below /docs: HTML, navigation and the index of the search. A part of scripts/page-assets.js.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import hljs from 'highlight.js/lib/common';
import { Marked } from 'marked';
import { ROOT } from './fingerprint.js';

const DOCS = join(ROOT, 'docs');
const PICTURES = join(DOCS, 'images');

/** The pages, by their paths in docs/. */
const FILES = readdirSync(DOCS, { encoding: 'utf8', recursive: true })
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.replaceAll('\\', '/'));

/** The address of a page below /docs: its name, whatever its folder. */
const slugOf = (/** @type {string} */ file) => basename(file, '.md');

/** The navigation; pages that it does not name come last in the second group. */
const GROUPS = {
  Start: 'README start-front-end start-rest start-oauth applications agents tour',
  Use: 'console client uploads access search webhooks notifications approvals bulk history retention signing office rest errors limits',
  Run: 'configuration deployment operations scaling mail accounts personal-data export',
  Change: 'architecture engine listing postgres event-log',
};

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (/** @type {string} */ text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replace(/ /g, '-');

const escaped = (/** @type {string} */ text) => text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);

/** @type {Record<string, string>} */
const ENTITIES = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** @param {string} html */
const textOf = (html) =>
  html
    .replaceAll('<wbr>', '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x?([0-9a-f]+);/gi, (all, code) =>
      String.fromCodePoint(Number.parseInt(code, all[2] === 'x' ? 16 : 10)),
    )
    .replace(/&(?:lt|gt|quot|amp);/g, (each) => ENTITIES[each] ?? each)
    .replace(/\s+/g, ' ')
    .trim();

/** Links to other pages lead to them; what is outside of docs/ is not served, so its link becomes text. */
function linkTarget(/** @type {string} */ href, /** @type {string} */ file) {
  if (/^(?:https?:|mailto:|#|\/)/.test(href)) return href;
  const [path = '', hash] = href.split('#');
  const linked = posix.join(dirname(file), path);
  return FILES.includes(linked) ? `/docs/${slugOf(linked)}${hash ? `#${hash}` : ''}` : undefined;
}

function highlighted(/** @type {string} */ text, /** @type {string} */ language) {
  const name = language.split(' ')[0] ?? '';
  const code = hljs.getLanguage(name) ? hljs.highlight(text, { language: name }).value : escaped(text);
  return `<pre tabindex="0"><code>${code}</code></pre>\n`;
}

/** @returns {import('marked').RendererObject} */
const rendererOf = (/** @type {string} */ file) => ({
  heading({ tokens, depth, text }) {
    const id = anchorOf(text.replace(/[`*]/g, ''));
    const content = this.parser.parseInline(tokens);
    return depth === 1
      ? `<h1>${content}</h1>\n`
      : `<h${depth} id="${id}"><a class="anchor" href="#${id}">${content}</a></h${depth}>\n`;
  },
  code: ({ text, lang = '' }) => highlighted(text, lang),
  // Names and paths may break behind their separators, and nowhere else.
  codespan: ({ text }) => `<code>${escaped(text).replace(/[_/](?=[\w{])/g, '$&<wbr>')}</code>`,
  link({ href, tokens }) {
    const target = linkTarget(href, file);
    const content = this.parser.parseInline(tokens);
    return target ? `<a href="${escaped(target)}">${content}</a>` : content;
  },
  image: ({ href, text }) =>
    `<img src="/docs/pictures/${escaped(basename(href))}" alt="${escaped(text)}" loading="lazy">`,
});

const hooks = {
  postprocess: (/** @type {string} */ html) =>
    html
      .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
      .replaceAll('</table>', '</table></div>'),
};

/** @param {string} file */
function pageOf(file) {
  const slug = slugOf(file);
  const marked = new Marked({ renderer: rendererOf(file), hooks });
  const html = String(marked.parse(readFileSync(join(DOCS, file), 'utf8')));
  const title = textOf(/<h1>(.*?)<\/h1>/s.exec(html)?.[1] ?? slug);
  const headings = [...html.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/gs)].map(([, id = '', text = '']) => ({
    id,
    text: textOf(text),
  }));
  return { slug, title, html, headings };
}

/** The sections of a page, each from its heading to the next. */
const sectionsOf = (/** @type {ReturnType<typeof pageOf>} */ { slug, title, html }) =>
  html.split(/(?=<h[23] id=")/).map((part) => {
    const [, id, heading = ''] = /^<h[23] id="([^"]+)">(.*?)<\/h[23]>/s.exec(part) ?? [];
    const text = textOf(part.replace(/^<h([123])[^>]*>.*?<\/h\1>/s, ''));
    return { path: `/docs/${slug}${id ? `#${id}` : ''}`, title, heading: textOf(heading), text };
  });

function navigation(/** @type {string[]} */ slugs) {
  const listed = Object.values(GROUPS).join(' ').split(' ');
  const others = slugs.filter((slug) => !listed.includes(slug));
  return Object.entries(GROUPS).map(([title, names], index) => ({
    title,
    pages: [...names.split(' '), ...(index === 1 ? others : [])].filter((slug) => slugs.includes(slug)),
  }));
}

/** Writes pages.json, search.json and the pictures into `folder`. */
export function renderDocs(/** @type {string} */ folder) {
  const pages = FILES.map(pageOf).sort((a, b) => (a.slug < b.slug ? -1 : 1));
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'pages.json'),
    JSON.stringify({ groups: navigation(pages.map(({ slug }) => slug)), pages }),
  );
  writeFileSync(join(folder, 'search.json'), JSON.stringify(pages.flatMap(sectionsOf)));
  cpSync(PICTURES, join(folder, 'pictures'), { recursive: true });
}
