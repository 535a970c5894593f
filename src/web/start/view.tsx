import { Document, styleSource } from '../ui/layout.tsx';
import { Name } from '../ui/name.tsx';
import { SiteHeader } from '../ui/site-header.tsx';
import { STYLE } from '../ui/style.ts';

export interface StartProps {
  /** Who is signed in, with the organizations; undefined for the welcome page. */
  viewer?: { name: string; organizations: { id: string; name: string; role: string }[] };
}

const START_STYLE = `${STYLE}
main { max-width: 60rem; padding: clamp(1.5rem, 6vh, 4rem) 1rem 4rem; }
h1 { font-size: clamp(1.75rem, 4vw, 2.5rem); }
.lead { max-width: 40rem; font-size: 1.125rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 1rem; margin: 0 0 2rem; padding: 0; list-style: none; }
.tiles .card { margin: 0; }
.tiles a { font-weight: 650; }
.tiles p { margin: .25rem 0 0; color: var(--quiet); }
.button { display: inline-block; width: auto; margin-bottom: 2.5rem; padding-inline: 2rem; }
`;

/** CSP of the page: its own style. */
export const START_POLICY = { 'style-src': styleSource(START_STYLE) };

const TILES = [
  ['/console', 'Console', 'People, projects, keys and applications of your organizations.'],
  ['/graphql', 'GraphiQL', 'Write queries in the browser, with examples for every subject.'],
  ['/api/v1/docs', 'API reference', 'The routes of REST v1, and requests to try.'],
  ['/verify', 'Check a sealed file', 'Whether a signed PDF is unchanged. It does not leave the browser.'],
  ['/docs/client', 'Front end to copy from', 'An example in React, and the client package that it uses.'],
  ['/docs', 'Documentation', 'Use it, run it, change it.'],
] as const;

/** `/`: what this is and where to go; for who is signed in, with their organizations. */
export const Start = ({ viewer }: StartProps) => (
  <Document title={viewer ? 'Start' : 'Welcome'} style={START_STYLE}>
    <SiteHeader current="/" viewerName={viewer?.name} />
    <main id="main">
      {viewer ? <Greeting name={viewer.name} /> : <Welcome />}
      <ul class="tiles">
        {TILES.map(([path, title, about]) => (
          <li class="card">
            <a href={path}>{title}</a>
            <p>{about}</p>
          </li>
        ))}
      </ul>
      {viewer && <Organizations organizations={viewer.organizations} />}
    </main>
  </Document>
);

const Welcome = () => (
  <>
    <h1>Document management as one graph</h1>
    <p class="lead">
      Docgraph stores documents with their folders, tasks, approvals, forms and signatures. Programs use it by
      GraphQL, by REST, and with OAuth 2.0 in the name of people.
    </p>
    <a class="button" href="/sign-in?return_to=/">
      Sign in
    </a>
  </>
);

const Greeting = ({ name }: { name: string }) => (
  <>
    <h1>
      Welcome, <Name of={name} maxLength={80} />
    </h1>
    <p class="lead">
      <a href="/account">Your account</a> has your password and sign-ins;{' '}
      <a href="/oauth/apps">applications</a> are those that you gave access.
    </p>
  </>
);

const Organizations = ({
  organizations,
}: {
  organizations: NonNullable<StartProps['viewer']>['organizations'];
}) => (
  <section aria-labelledby="organizations">
    <h2 id="organizations">Your organizations</h2>
    {organizations.length === 0 ? (
      <p>You are in no organization yet. An invitation comes by mail.</p>
    ) : (
      <ul class="tiles">
        {organizations.map(({ id, name, role }) => (
          <li class="card">
            <a href={`/console/${id}`}>
              <Name of={name} maxLength={80} />
            </a>
            <p>
              {role.toLowerCase()}, <code>{id}</code>
            </p>
          </li>
        ))}
      </ul>
    )}
  </section>
);
