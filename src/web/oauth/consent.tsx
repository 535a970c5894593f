import { readsLikeProduct } from '../../lib/lookalike.ts';
import { Frame } from '../ui/layout.tsx';
import { Name, shownName } from '../ui/name.tsx';

export interface ConsentProps {
  app: { name: string; organizationName: string; host: string };
  account: { name: string; email: string };
  /** What each scope lets the application do: those to be decided on, and those it has. */
  asked: readonly ScopeName[];
  allowed: readonly ScopeName[];
  /** Other servers that it is to use the account at. */
  servers: readonly { uri: string; name: string }[];
  /** The request as it came, and what binds the form to it and to this browser. */
  request: string;
  proof: string;
  switchHref: string;
}

/** In characters: longer names were given before the limit, or are of organizations and people. */
const NAME_MAX = 50;

/** For names that were given before they were refused. */
const NotOurs = () => (
  <div class="note alarm">
    <p>This application is not part of Docgraph, whatever its name says.</p>
  </div>
);

export type ScopeName = 'read' | 'write';

export const SCOPE_WORDS: Record<ScopeName, string> = {
  read: 'See everything that you can see: organizations, projects, documents, tasks, forms and approvals',
  write:
    'Create, change and delete in your name what you may change yourself, except members, invitations, API keys and applications',
};

/** The authorization screen: which application, who made it, which account, and each scope in plain words. */
export const Consent = ({
  app,
  account,
  asked,
  allowed,
  servers,
  request,
  proof,
  switchHref,
}: ConsentProps) => (
  <Frame title={`Allow ${shownName(app.name, NAME_MAX)}?`}>
    <div class="card">
      <h1>
        Allow <Name of={app.name} most={NAME_MAX} /> to use your account?
      </h1>
      <p class="lead who">
        An application of <Name of={app.organizationName} most={NAME_MAX} />. It asks for access to{' '}
        <Name of={account.name} most={NAME_MAX} /> ({account.email}).{' '}
        <a href={switchHref}>Use another account</a>
      </p>
      {[app.name, app.organizationName].some(readsLikeProduct) && <NotOurs />}
      {asked.length > 0 && <Scopes title="It will be able to" scopes={asked} />}
      {allowed.length > 0 && <Scopes title="You have already allowed it to" scopes={allowed} />}
      {servers.length > 0 && <Servers servers={servers} />}
      <p class="who">
        You will be sent to <Name of={app.host} />. You can take the access back at any time.
      </p>
      <form class="decision" method="post" action="/oauth/authorize">
        <input type="hidden" name="request" value={request} />
        <input type="hidden" name="proof" value={proof} />
        <div class="row">
          <button type="submit" name="decision" value="deny" class="plain">
            Deny
          </button>
          <button type="submit" name="decision" value="approve">
            Allow
          </button>
        </div>
      </form>
    </div>
  </Frame>
);

const Scopes = ({ title, scopes }: { title: string; scopes: readonly ScopeName[] }) => (
  <section>
    <h2>{title}</h2>
    <ul>
      {scopes.map((scope) => (
        <li>
          {SCOPE_WORDS[scope]} (<code>{scope}</code>)
        </li>
      ))}
    </ul>
  </section>
);

const Servers = ({ servers }: Pick<ConsentProps, 'servers'>) => (
  <section>
    <h2>It will use this access at</h2>
    <ul>
      {servers.map(({ uri, name }) => (
        <li class="who">
          <Name of={name} most={NAME_MAX} /> (<code>{uri}</code>)
        </li>
      ))}
    </ul>
  </section>
);
