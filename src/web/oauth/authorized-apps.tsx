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
  /** Whether an application has just been revoked. */
  revoked?: boolean;
}

interface AuthorizedApp {
  id: string;
  clientName: string;
  organizationName: string;
  scopes: readonly ApplicationScope[];
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** The applications that may use the account, each with a button to revoke it. */
export const AuthorizedApps = ({ account, apps, formToken, nextHref, revoked }: AuthorizedAppsProps) => (
  <Frame
    title="Applications with access"
    header={<SiteHeader current="/oauth/apps" viewerName={account.name} />}
  >
    {revoked && (
      <div class="note" role="status">
        <p>The access was revoked.</p>
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
      <App app={app} formToken={formToken} />
    ))}
    {nextHref && (
      <p class="after">
        <a href={nextHref}>More applications</a>
      </p>
    )}
  </Frame>
);

const App = ({ app, formToken }: { app: AuthorizedApp; formToken: string }) => (
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
    <form method="post" action="/oauth/apps">
      <input type="hidden" name="client_id" value={app.id} />
      <input type="hidden" name="form_token" value={formToken} />
      <button type="submit" class="plain" aria-describedby={app.id}>
        Revoke access
      </button>
    </form>
  </section>
);

const day = (time: Date) => <time datetime={time.toISOString()}>{time.toISOString().slice(0, 10)}</time>;
