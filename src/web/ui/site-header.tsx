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
