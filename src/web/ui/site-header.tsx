import { Brand } from './layout.tsx';
import { shownName } from './name.tsx';

/** The pages for people who use the API. */
const PAGES = [
  { path: '/console', text: 'Console' },
  { path: '/graphql', text: 'GraphiQL' },
  { path: '/api/v1/docs', text: 'API reference' },
  { path: '/docs', text: 'Documentation' },
] as const;

export interface SiteHeaderProps {
  /** The path of this page. */
  current?: string;
  /** Who is signed in; undefined where nobody is. */
  viewerName?: string;
}

/** The top of wide pages: links to the other ones, and to the account or the sign-in page. */
export const SiteHeader = ({ current, viewerName }: SiteHeaderProps) => (
  <header class="site">
    <a class="skip" href="#main">
      Skip to content
    </a>
    <a class="home" href="/">
      <Brand />
    </a>
    <nav aria-label="Docgraph">
      {PAGES.map(({ path, text }) => (
        <a href={path} aria-current={path === current ? 'page' : undefined}>
          {text}
        </a>
      ))}
      {viewerName === undefined ? (
        <a href={`/sign-in${current ? `?return_to=${encodeURIComponent(current)}` : ''}`}>Sign in</a>
      ) : (
        <a class="account" href="/account" title="Your account">
          <bdi>{shownName(viewerName, 30)}</bdi>
        </a>
      )}
    </nav>
  </header>
);

/** CSS of the header, beside that of every page. */
export const SITE_HEADER_STYLE = `
.site { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem; padding: .625rem clamp(1rem, 4vw, 2rem); border-bottom: 1px solid var(--line); background: var(--paper); }
.site .home { display: flex; text-decoration: none; }
.site nav { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin-left: auto; font-size: .9375rem; }
.site nav a { padding: .5rem 0; color: var(--quiet); text-decoration: none; }
.site nav a:hover { color: var(--accent); text-decoration: underline; }
.site nav [aria-current] { color: var(--ink); font-weight: 600; }
@media (max-width: 40rem) { .site nav { width: 100%; margin: 0; } }
`;
