import { readsLikeProduct } from '../../lib/lookalike.ts';
import { Frame } from '../ui/layout.tsx';
import { Name, shownName } from '../ui/name.tsx';

export interface ConsentProps {
  app: { name: string; organizationName: string; host: string };
  account: { name: string; email: string };
  /** Descriptions of the scopes: those to decide on, and those already allowed. */
  asked: readonly ScopeName[];
  allowed: readonly ScopeName[];
  /** Resource servers at which the application will use the account. */
  servers: readonly { uri: string; name: string }[];
  /** The query of the authorization request, and the proof that binds the form to it and to this session. */
  request: string;
  proof: string;
  switchHref: string;
}

/** In characters. Names can be longer: those older than the limit, and those of organizations and people. */
const NAME_MAX = 50;

/** For names that are older than the rule against them. */
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

/** The consent page: the application, its organization, the account, and each scope in plain words. */
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
