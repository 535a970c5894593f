import { type ApplicationScope, apiScopesOf } from '../../domain/kernel/scope.ts';
import { SCOPE_TEXTS } from '../../domain/kernel/scope-text.ts';
import { ClosedWithoutFactor } from '../ui/closed-without-factor.tsx';
import { Frame } from '../ui/layout.tsx';
import { LookalikeWarning } from '../ui/lookalike-warning.tsx';
import { Name, shownName } from '../ui/name.tsx';
import { AccountChoice } from './account-choice.tsx';
import { type Applicant, ApplicantFacts, MAX_NAME_LENGTH } from './applicant.tsx';
import { LimitFields, type LimitFieldsProps } from './limit-fields.tsx';

export interface ConsentProps {
  /** `host`: where the user is sent with the answer. */
  app: Applicant & { host: string };
  account: { name: string; email: string };
  /** The scopes to decide on, and those that the user has already allowed. */
  requested: readonly ApplicationScope[];
  allowed: readonly ApplicationScope[];
  /** Resource servers at which the application will use the account. */
  servers: readonly { uri: string; name: string }[];
  /** The query of the authorization request, and the proof that binds the form to it and to this session. */
  request: string;
  proof: string;
  switchHref: string;
  /** The user is sent to a program on the computer itself. */
  isLocal: boolean;
  /** The account's organizations that do not let the application act there; `closed`: all of them. */
  closedOrganizations: readonly { name: string; canRequest: boolean; requested: boolean }[];
  closed: boolean;
  /** Names of the account's organizations that it will not reach without a second factor. */
  closedWithoutFactor: readonly string[];
  /** Whether their owners have just been asked. */
  approvalRequested: boolean;
  /** What the application can be limited to, and is at present. */
  limit: Omit<LimitFieldsProps, 'form'>;
  /** Why the form was not accepted. */
  problem?: string | undefined;
}

/** The id of the form that decides. */
const FORM = 'decision';

/** The consent page: who the application is, the account, and the scopes with their descriptions. */
export const Consent = ({ app, requested, allowed, servers, ...props }: ConsentProps) => (
  <Frame title={`Allow ${shownName(app.name, MAX_NAME_LENGTH)}?`}>
    <div class="card">
      <div class={app.logo ? 'asking' : undefined}>
        {app.logo && <img class="logo" src={app.logo} width={48} height={48} alt="" />}
        <h1>
          Allow <Name of={app.name} maxLength={MAX_NAME_LENGTH} />{' '}
          {usesApis([...requested, ...allowed]) ? 'to use your account' : 'to know who you are'}?
        </h1>
      </div>
      {props.problem && (
        <div class="note alarm" role="alert">
          <p>{props.problem}</p>
        </div>
      )}
      <ApplicantFacts applicant={app} />
      {app.isClaimable && (
        <div class="note alarm" role="alert">
          <p>
            Every program on your computer can claim to be this application. Allow it only if you have just
            started it yourself.
          </p>
        </div>
      )}
      <LookalikeWarning names={[app.name, app.organizationName]} />
      <AccountChoice account={props.account} switchHref={props.switchHref} />
      {requested.length > 0 && <Scopes title="It will be able to" scopes={requested} />}
      {allowed.length > 0 && <Scopes title="You have already allowed it to" scopes={allowed} />}
      {!props.closed && props.limit.choices.length > 0 && usesApis([...requested, ...allowed]) && (
        <LimitFields {...props.limit} form={FORM} />
      )}
      {servers.length > 0 && <Servers servers={servers} />}
      {props.closedOrganizations.length > 0 && <ClosedOrganizations {...props} />}
      <ClosedWithoutFactor names={props.closedWithoutFactor} what="The application" />
      {!props.closed && (
        <p class="who">
          You will be sent to <Name of={app.host} />
          {props.isLocal && ', a program on this computer: allow it only if you have started it yourself'}.
          You can change or revoke this at any time under <a href="/oauth/apps">applications with access</a>.
        </p>
      )}
      <DecisionForm {...props} />
    </div>
  </Frame>
);

const usesApis = (scopes: readonly ApplicationScope[]): boolean => apiScopesOf(scopes).length > 0;

const ClosedOrganizations = ({
  closedOrganizations,
  closed,
  approvalRequested,
}: Pick<ConsentProps, 'closedOrganizations' | 'closed' | 'approvalRequested'>) => (
  <section class="note alarm" aria-label="Organizations that do not allow it">
    {approvalRequested && (
      <p role="status">Their owners and admins were asked. Come back when they have approved it.</p>
    )}
    <p>
      {closed
        ? 'None of your organizations allows this application:'
        : 'These organizations do not allow this application, and it will not reach them:'}
    </p>
    <ul>
      {closedOrganizations.map((organization) => (
        <li class="who">
          <Name of={organization.name} maxLength={MAX_NAME_LENGTH} />
          {organization.requested && ', which was asked to approve it'}
        </li>
      ))}
    </ul>
  </section>
);

const DecisionForm = ({
  request,
  proof,
  closed,
  closedOrganizations,
}: Pick<ConsentProps, 'request' | 'proof' | 'closed' | 'closedOrganizations'>) => (
  <form id={FORM} class="decision" method="post" action="/oauth/authorize">
    <input type="hidden" name="request" value={request} />
    <input type="hidden" name="proof" value={proof} />
    <div class="row">
      <button type="submit" name="decision" value="deny" class="plain">
        Deny
      </button>
      {closedOrganizations.some(({ canRequest }) => canRequest) && (
        <button type="submit" name="decision" value="request" class="plain">
          Ask the owners
        </button>
      )}
      {!closed && (
        <button type="submit" name="decision" value="approve">
          Allow
        </button>
      )}
    </div>
  </form>
);

/** A line for each scope, and apart from them what cannot be taken back or reaches other people. */
const Scopes = ({ title, scopes }: { title: string; scopes: readonly ApplicationScope[] }) => {
  const dangers = scopes.flatMap((scope) => SCOPE_TEXTS[scope].danger ?? []);
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {scopes.map((scope) => (
          <li>
            {SCOPE_TEXTS[scope].text} (<code>{scope}</code>)
          </li>
        ))}
      </ul>
      {dangers.length > 0 && (
        <div class="note alarm">
          <p>It can also, without asking you again:</p>
          <ul>
            {dangers.map((danger) => (
              <li>{danger}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
};

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
