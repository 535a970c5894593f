import { raw } from 'hono/html';
import { embeddedJson } from '../ui/embedded-json.ts';
import { Brand, Document } from '../ui/layout.tsx';
import { EDITOR_POLICY } from './editor-policy.ts';
import type { PreparedExample } from './examples.ts';

export interface GraphiqlProps {
  /** Path of GraphiQL's static files. */
  files: string;
  nonce: string;
  examples: PreparedExample[];
  /** The signed-in user; if undefined, requests need an API key in their headers. */
  viewer?: { userId: string; name: string; formToken: string };
}

/** CSP for GraphiQL. */
export const graphiqlPolicy = (nonce: string): Record<string, string> => ({
  ...EDITOR_POLICY,
  'script-src': `'nonce-${nonce}'`,
});

const STYLE = `
:root { color-scheme: light dark; }
body.graphiql-light { color-scheme: light; }
body.graphiql-dark { color-scheme: dark; }
body { margin: 0; height: 100vh; height: 100dvh; display: grid; grid-template-rows: auto minmax(0, 1fr); font: 15px/1.4 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; background: light-dark(#fff, #212a3b); color: light-dark(#1c2420, #e8ede9); }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1rem; padding: .375rem 1rem; background: light-dark(#f4f5f1, #191f2d); border-bottom: 1px solid light-dark(#d5dad4, #343d4f); }
.brand { display: inline-flex; align-items: center; gap: .5rem; font-weight: 650; }
.brand svg { width: 1.25rem; height: 1.25rem; color: light-dark(#14614b, #86d3b4); }
.bar p { margin: 0 0 0 auto; color: light-dark(#56615b, #a5b1aa); overflow-wrap: anywhere; }
.bar form { margin: 0; }
.bar .home { display: flex; color: inherit; text-decoration: none; }
.bar nav { display: flex; gap: 1rem; }
.bar a { color: light-dark(#14614b, #86d3b4); text-underline-offset: .18em; }
.bar button { min-height: 2.25rem; padding: .25rem .875rem; font: inherit; font-weight: 600; color: inherit; background: transparent; border: 1px solid light-dark(#7b857f, #7d8a83); border-radius: .5rem; cursor: pointer; }
.bar button:hover { background: light-dark(#fff, #2b3445); }
.bar :focus-visible { outline: 3px solid light-dark(#1769d2, #8ab8ff); outline-offset: 2px; }
.bar form { flex: none; }
main { min-height: 0; position: relative; overflow: hidden; }
#graphiql { height: 100%; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.graphiql-container { height: 100% !important; --color-primary: 163, 66%, 25% !important; }
.graphiql-dark .graphiql-container { --color-primary: 155, 47%, 45% !important; }
@media (prefers-color-scheme: dark) { body:not(.graphiql-light) .graphiql-container { --color-primary: 155, 47%, 45% !important; } }
.graphiql-container .monaco-editor * { font-variant-ligatures: none !important; font-feature-settings: "liga" 0, "calt" 0 !important; }
.examples h2 { margin: 0 0 1rem; font-size: 1.8em; font-weight: 500; }
.examples ul { list-style: none; margin: 0; padding: 0; }
.examples li { padding: .375rem 0; }
.examples p { margin: .125rem 0 0; color: light-dark(#56615b, #a5b1aa); font-size: .875rem; }
.examples button { padding: .25rem 0; font: inherit; font-weight: 600; color: light-dark(#14614b, #86d3b4); background: none; border: 0; cursor: pointer; text-align: left; }
.examples button:hover { text-decoration: underline; }
@media (max-width: 44rem) {
  .bar { gap: .25rem .75rem; padding: .375rem .75rem; }
  .bar p { font-size: .875rem; }
  .bar .who { display: none; }
  .bar form { margin-left: auto; }
  .graphiql-container .graphiql-logo { display: none; }
  .graphiql-container .graphiql-sessions { min-width: 0; margin: 0; border-radius: 0; }
  #graphiql-session { flex-direction: column !important; overflow-y: auto; }
  #graphiql-session > .graphiql-editors, #graphiql-session > .graphiql-response { flex: none !important; height: 78%; }
  #graphiql-session > .graphiql-horizontal-drag-bar { display: none; }
  .graphiql-sidebar:has(> .active) + .graphiql-main > :is(.graphiql-sessions, .graphiql-horizontal-drag-bar) { display: none; }
  .graphiql-sidebar:has(> .active) + .graphiql-main > .graphiql-plugin { flex: 1 !important; min-width: 0 !important; }
}
`;

/** GraphiQL for a signed-in user, or with a key. It loads files of this server only. */
export const Graphiql = ({ files, nonce, examples, viewer }: GraphiqlProps) => (
  <Document title="GraphiQL" style={STYLE} head={<link rel="stylesheet" href={`${files}/graphiql.css`} />}>
    <header class="bar">
      <a class="home" href="/">
        <Brand />
      </a>
      <nav aria-label="Docgraph">
        <a href="/console">Console</a>
        <a href="/api/v1/docs">API reference</a>
        <a href="/docs">Docs</a>
      </nav>
      {viewer ? <SignedIn name={viewer.name} formToken={viewer.formToken} /> : <WithKey />}
    </header>
    <main id="main">
      <h1 class="visually-hidden">GraphiQL</h1>
      <div id="graphiql">
        <noscript>GraphiQL runs in the browser, and needs JavaScript. The API itself does not.</noscript>
      </div>
    </main>
    <script type="application/json" id="settings">
      {raw(
        embeddedJson({
          files,
          examples,
          owner: viewer?.userId ?? 'key',
          headers: viewer ? undefined : KEY_HEADERS,
        }),
      )}
    </script>
    <script nonce={nonce} src={`${files}/graphiql.js`} />
  </Document>
);

const KEY_HEADERS = '{\n  "Authorization": "Bearer dgk_YOUR_KEY"\n}';

const SignedIn = ({ name, formToken }: { name: string; formToken: string }) => (
  <>
    <p class="who">Signed in as {name}</p>
    <form method="post" action="/sign-out">
      <input type="hidden" name="form_token" value={formToken} />
      <button type="submit">Sign out</button>
    </form>
  </>
);

const WithKey = () => (
  <p>
    Put your API key under <em>Headers</em>, or <a href="/sign-in?return_to=/graphql">sign in</a>.
  </p>
);
