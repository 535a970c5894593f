import type { ConsoleAppFragment } from '../../../generated/operations/graphql.ts';
import { scopeText } from '../ui/scopes.ts';
import { snippetsOf } from './snippets.ts';

/** Requests with the ids of the application, to copy. */
export const Snippets = ({ app, publicUrl }: { app: ConsoleAppFragment; publicUrl: string }) => (
  <section class="card" aria-labelledby="snippets">
    <h2 id="snippets">How it gets tokens</h2>
    <p>
      The whole flow in 30 lines: <a href="/docs/start-oauth">Start with OAuth</a>. Libraries need the address{' '}
      <code>{publicUrl}/.well-known/oauth-authorization-server</code> only.
    </p>
    {snippetsOf(app, publicUrl, app.scopes.map(scopeText).join(' ')).map(({ title, text }, index) => (
      <>
        <h3>{title}</h3>
        <pre id={`snippet-${index}`} tabindex={0}>
          {text}
        </pre>
        <p>
          <button type="button" class="plain small" data-copy={`snippet-${index}`} hidden>
            Copy
          </button>{' '}
          <span role="status" />
        </p>
      </>
    ))}
  </section>
);
