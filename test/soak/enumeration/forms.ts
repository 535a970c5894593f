import { formToken } from '../../../src/auth/same-origin.ts';
import { newId } from '../../../src/lib/id.ts';
import { newSecret } from '../../../src/lib/secret.ts';
import { type Holder, PASSWORD, type People } from './people.ts';

export interface Request {
  path: string;
  cookie?: string;
  key?: string;
  form?: Record<string, string>;
  json?: object;
}

/** The request of one turn, for what exists and for what does not. */
export interface Form {
  known: (turn: number) => Request;
  unknown: (turn: number) => Request;
}

let strangers = 0;
const stranger = () => `nobody${strangers++}@example.test`;

/** One that takes an address. */
const byAddress = ({ holders }: People, request: (email: string, holder: Holder) => Request): Form => {
  const holderOf = (turn: number) => holders[turn % holders.length] as Holder;
  return {
    known: (turn) => request(holderOf(turn).email, holderOf(turn + 1)),
    unknown: (turn) => request(stranger(), holderOf(turn + 1)),
  };
};

const signIn = (email: string) => ({ path: '/sign-in', form: { email, password: 'wrong password' } });

const changeEmail = (email: string, { session }: Holder): Request => ({
  path: '/account/email',
  cookie: `docgraph_session=${session}`,
  form: { email, emailPassword: PASSWORD, form_token: formToken(session) },
});

const invite = ({ owner: { key }, organizationId }: People, email: string): Request => ({
  path: '/graphql',
  key,
  json: {
    query: 'mutation ($input: InviteMembersInput!) { inviteMembers(input: $input) { invitations { id } } }',
    variables: { input: { organizationId, members: [{ email, role: 'MEMBER' }] } },
  },
});

const redeem = (clientId: string): Request => ({
  path: '/oauth/token',
  form: {
    ...{ grant_type: 'authorization_code', code: 'x', redirect_uri: 'https://app.example/callback' },
    ...{ client_id: clientId, client_secret: 'wrong' },
  },
});

const ask = (key: string): Request => ({ path: '/graphql', key, json: { query: '{ __typename }' } });

/** Every form that takes an address of an account, or the name of a credential. */
export function formsOf(people: People): Record<string, Form> {
  const { clientId, revokedKey, connecting, owner } = people;
  return {
    'two unknown addresses (control)': { known: () => signIn(stranger()), unknown: () => signIn(stranger()) },
    'sign-in': byAddress(people, signIn),
    'forgotten password': byAddress(people, (email) => ({ path: '/password/forgot', form: { email } })),
    'sign-up': byAddress(people, (email) => ({ path: '/sign-up', form: { email } })),
    'change of address': byAddress(people, changeEmail),
    invitation: byAddress(people, (email) => invite(people, email)),
    'identity provider': byAddress(people, (email) => ({
      ...signIn(email),
      ...{ path: '/sign-in/oidc/connect', cookie: `docgraph_oidc=${connecting}` },
    })),
    'client id': { known: () => redeem(clientId), unknown: () => redeem(newId('Client')) },
    'revoked API key': { known: () => ask(revokedKey), unknown: () => ask(newSecret('dgk_')) },
    'prefix of an API key': {
      known: () => ask(owner.key.slice(0, 12) + newSecret('dgk_').slice(12)),
      unknown: () => ask(newSecret('dgk_')),
    },
  };
}
