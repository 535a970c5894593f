import type { ApplicationScope } from '../../domain/kernel/scope.ts';
import { SCOPE_TEXTS } from '../../domain/kernel/scope-text.ts';
import { shownEmail } from '../../lib/text/shown-email.ts';
import { Frame } from '../ui/layout.tsx';
import { Name } from '../ui/name.tsx';
import { SiteHeader } from '../ui/site-header.tsx';

export interface AuthorizedAppsProps {
  account: { name: string; email: string };
  apps: readonly AuthorizedApp[];
  formToken: string;
  /** URL of the next page. */
  nextHref?: string;
  /** The names of organizations and projects, by id. */
  limitNames: ReadonlyMap<string, string>;
  /** What has just been done. */
  done?: keyof typeof DONE | undefined;
}

const DONE = { revoked: 'The access was revoked.', limited: 'Where the application may act was changed.' };

interface AuthorizedApp {
  id: string;
  clientName: string;
  organizationName: string;
  scopes: readonly ApplicationScope[];
  createdAt: Date;
  lastUsedAt: Date | null;
  /** By organization the projects, or null for all of it; null where it is not limited. */
  limitedTo: Readonly<Record<string, readonly string[] | null>> | null;
}

/** The applications that may use the account, each with a button to revoke it. */
export const AuthorizedApps = ({
  account,
  apps,
  formToken,
  nextHref,
  limitNames,
  done,
}: AuthorizedAppsProps) => (
  <Frame
    title="Applications with access"
    header={<SiteHeader current="/oauth/apps" viewerName={account.name} />}
  >
    {done && (
      <div class="note" role="status">
        <p>{DONE[done]}</p>
      </div>
    )}
    <div class="card">
      <h1>Applications with access</h1>
      <p class="lead who">
        Applications that can use the account of <Name of={account.name} /> ({shownEmail(account.email)}).
      </p>
      {apps.length === 0 && <p>No application has access to your account.</p>}
    </div>
    {apps.map((app) => (
      <App app={app} limitNames={limitNames} formToken={formToken} />
    ))}
    {nextHref && (
      <p class="after">
        <a href={nextHref}>More applications</a>
      </p>
    )}
  </Frame>
);

type AppProps = { app: AuthorizedApp } & Pick<AuthorizedAppsProps, 'formToken' | 'limitNames'>;

const App = ({ app, formToken, limitNames }: AppProps) => (
  <section class="card" aria-labelledby={app.id}>
    <h2 id={app.id} class="who">
      <Name of={app.clientName} />
    </h2>
    <p class="lead who">
      By <Name of={app.organizationName} />. Allowed on {day(app.createdAt)}
      {app.lastUsedAt && <>, last used on {day(app.lastUsedAt)}</>}.
    </p>
    <ul>
      {app.scopes.map((scope) => (
        <li>
          {SCOPE_TEXTS[scope].text}
          {SCOPE_TEXTS[scope].danger && <>; {SCOPE_TEXTS[scope].danger}</>}
        </li>
      ))}
    </ul>
    <p class="who">
      <Reach limitedTo={app.limitedTo} limitNames={limitNames} />{' '}
      <a href={`/oauth/apps/limit?client_id=${app.id}`} aria-describedby={app.id}>
        Change where
      </a>
    </p>
    <form method="post" action="/oauth/apps">
      <input type="hidden" name="client_id" value={app.id} />
      <input type="hidden" name="form_token" value={formToken} />
      <button type="submit" class="plain" aria-describedby={app.id}>
        Revoke access
      </button>
    </form>
  </section>
);

const Reach = ({
  limitedTo,
  limitNames,
}: Pick<AuthorizedApp, 'limitedTo'> & Pick<AuthorizedAppsProps, 'limitNames'>) => {
  if (!limitedTo) return <>In all of your organizations and projects.</>;
  const ids = Object.entries(limitedTo).flatMap(([id, projects]) => projects ?? [id]);
  const names = ids.flatMap((id) => limitNames.get(id) ?? []);
  if (names.length === 0) return <>Nowhere: what you chose is not there any more.</>;
  return (
    <>
      Only in{' '}
      {names.map((name, index) => (
        <>
          {index > 0 && ', '}
          <Name of={name} />
        </>
      ))}
      .
    </>
  );
};

const day = (time: Date) => <time datetime={time.toISOString()}>{time.toISOString().slice(0, 10)}</time>;
