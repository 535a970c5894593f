import { raw } from 'hono/html';
import { Document, styleSource } from '../ui/layout.tsx';
import { SiteHeader } from '../ui/site-header.tsx';
import type { DocsPage } from './pages.ts';
import { DOCS_STYLE } from './style.ts';

export interface DocsProps {
  page: DocsPage;
  groups: { title: string; pages: DocsPage[] }[];
  /** Path of the files of the search. */
  files: string;
  viewerName?: string;
}

/** CSP of the pages: their own style and the script of the search. */
export const DOCS_POLICY = {
  'style-src': styleSource(DOCS_STYLE),
  'script-src': "'self'",
  'connect-src': "'self'",
};

/** A page of the documentation. */
export const Docs = ({ page, groups, files, viewerName }: DocsProps) => (
  <Document title={page.title} style={DOCS_STYLE}>
    <SiteHeader current="/docs" viewerName={viewerName} />
    <div class="docs">
      <div>
        <search>
          <form class="search" hidden data-index={`${files}/search.json`}>
            <label for="search">Search the documentation</label>
            <input id="search" type="search" autocomplete="off" spellcheck={false} />
          </form>
        </search>
        <Pages groups={groups} current={page.slug} />
      </div>
      <main id="main">
        <section id="results" aria-label="Search results" hidden>
          <p role="status" />
          <ul />
        </section>
        <article>{raw(withContents(page))}</article>
      </main>
    </div>
    <script type="module" src={`${files}/search.js`} />
  </Document>
);

const Pages = ({ groups, current }: { groups: DocsProps['groups']; current: string }) => (
  <details class="pages" open>
    <summary>Pages</summary>
    <nav aria-label="Documentation">
      {groups.map(({ title, pages }) => (
        <>
          <h2>{title}</h2>
          <ul>
            {pages.map(({ slug, title }) => (
              <li>
                <a href={`/docs/${slug}`} aria-current={slug === current ? 'page' : undefined}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </>
      ))}
    </nav>
  </details>
);

/** The page with a table of contents below its title, if it has several sections. */
function withContents({ html, headings }: DocsPage): string {
  if (headings.length < 4) return html;
  const contents = (
    <ul class="contents">
      {headings.map(({ id, text }) => (
        <li>
          <a href={`#${id}`}>{text}</a>
        </li>
      ))}
    </ul>
  );
  return html.replace('</h1>', () => `</h1>${contents.toString()}`);
}
