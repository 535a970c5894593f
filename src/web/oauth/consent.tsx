import { readsLikeProduct } from '../../lib/lookalike.ts';
import { Frame } from '../ui/layout.tsx';
import { Name, shownName } from '../ui/name.tsx';

export interface ConsentProps {
  app: { name: string; organizationName: string; host: string };
  account: { name: string; email: string };
  /** The scopes to decide on, and those that the user has already allowed. */
  requested: readonly ScopeName[];
  allowed: readonly ScopeName[];
  /** Resource servers at which the application will use the account. */
  servers: readonly { uri: string; name: string }[];
  /** The query of the authorization request, and the proof that binds the form to it and to this session. */
  request: string;
  proof: string;
  switchHref: string;
}

/** In characters. Names of organizations and people, and older names of applications, can be longer. */
const MAX_NAME_LENGTH = 50;

/** For names that predate the rule against them. */
const LookalikeWarning = () => (
  <div class="note alarm">
    <p>This application is not part of Docgraph, although its name suggests it.</p>
  </div>
);

export type ScopeName = 'read' | 'write';

export const SCOPE_TEXTS: Record<ScopeName, string> = {
  read: 'See everything that you can see: organizations, projects, documents, tasks, forms and approvals',
  write:
    'Create, change and delete in your name whatever you can change, except members, invitations, API keys and applications',
};

/** The consent page: the application, its organization, the account, and the scopes with their descriptions. */
export const Consent = ({ app, requested, allowed, servers, ...props }: ConsentProps) => (
  <Frame title={`Allow ${shownName(app.name, MAX_NAME_LENGTH)}?`}>
    <div class="card">
      <h1>
        Allow <Name of={app.name} maxLength={MAX_NAME_LENGTH} /> to use your account?
      </h1>
      <p class="lead who">
        An application of <Name of={app.organizationName} maxLength={MAX_NAME_LENGTH} />. It requests access
        to the account of <Name of={props.account.name} maxLength={MAX_NAME_LENGTH} /> ({props.account.email}
        ). <a href={props.switchHref}>Use another account</a>
      </p>
      {[app.name, app.organizationName].some(readsLikeProduct) && <LookalikeWarning />}
      {requested.length > 0 && <Scopes title="It will be able to" scopes={requested} />}
      {allowed.length > 0 && <Scopes title="You have already allowed it to" scopes={allowed} />}
      {servers.length > 0 && <Servers servers={servers} />}
      <p class="who">
        You will be sent to <Name of={app.host} />. You can revoke the access at any time.
      </p>
      <DecisionForm request={props.request} proof={props.proof} />
    </div>
  </Frame>
);

const DecisionForm = ({ request, proof }: Pick<ConsentProps, 'request' | 'proof'>) => (
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
);

const Scopes = ({ title, scopes }: { title: string; scopes: readonly ScopeName[] }) => (
  <section>
    <h2>{title}</h2>
    <ul>
      {scopes.map((scope) => (
        <li>
          {SCOPE_TEXTS[scope]} (<code>{scope}</code>)
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
          <Name of={name} maxLength={MAX_NAME_LENGTH} /> (<code>{uri}</code>)
        </li>
      ))}
    </ul>
  </section>
);
