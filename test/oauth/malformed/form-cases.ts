import { basic, CALLBACK, type Form, type TestClient } from '../../support/oauth.ts';

/** The two applications of the cases. */
interface Applications {
  confidential: TestClient;
  open: TestClient;
}

/** Parts of the request of a form other than its parameters. */
interface Sending {
  path?: string;
  headers?: Record<string, string>;
  behind?: string;
}

export type FormRow = [
  wrong: string,
  clause: string,
  differ: (of: Applications) => Form,
  sending: (of: Applications) => Sending,
  expected: [status: number, error: string],
];

const none = () => ({});
const header = (authorization: string) => () => ({ headers: { authorization } });
const type = (value: string) => () => ({ headers: { 'content-type': value } });

export const TOKEN: FormRow[] = [
  ['no grant_type', 'RFC 6749 §4.1.3', () => ({ grant_type: undefined }), none, [400, 'invalid_request']],
  ['an empty grant_type', 'RFC 6749 §3.2', () => ({ grant_type: '' }), none, [400, 'invalid_request']],
  ['grant_type twice', 'RFC 6749 §3.2', none, () => ({ behind: '&grant_type=x' }), [400, 'invalid_request']],
  [
    'an unknown grant_type',
    'RFC 6749 §5.2',
    () => ({ grant_type: 'x' }),
    none,
    [400, 'unsupported_grant_type'],
  ],
  [
    'grant_type password',
    'RFC 9700 §2.4',
    () => ({ grant_type: 'password' }),
    none,
    [400, 'unsupported_grant_type'],
  ],
  ['no code', 'RFC 6749 §4.1.3', () => ({ code: undefined }), none, [400, 'invalid_request']],
  ['an unknown code', 'RFC 6749 §5.2', () => ({ code: 'dgc_x' }), none, [400, 'invalid_grant']],
  ['code twice', 'RFC 6749 §3.2', none, () => ({ behind: '&code=x' }), [400, 'invalid_request']],
  ['a code with NUL', 'RFC 6749 appendix A.11', () => ({ code: 'x\0' }), none, [400, 'invalid_request']],
  ['no redirect_uri', 'RFC 6749 §4.1.3', () => ({ redirect_uri: undefined }), none, [400, 'invalid_request']],
  [
    'another redirect_uri',
    'RFC 6749 §4.1.3',
    () => ({ redirect_uri: `${CALLBACK}/` }),
    none,
    [400, 'invalid_grant'],
  ],
  ['no code_verifier', 'RFC 7636 §4.6', () => ({ code_verifier: undefined }), none, [400, 'invalid_grant']],
  [
    'another code_verifier',
    'RFC 7636 §4.6',
    () => ({ code_verifier: 'x'.repeat(43) }),
    none,
    [400, 'invalid_grant'],
  ],
  ['a short code_verifier', 'RFC 7636 §4.1', () => ({ code_verifier: 'x' }), none, [400, 'invalid_grant']],
  [
    'code_verifier twice',
    'RFC 6749 §3.2',
    none,
    () => ({ behind: '&code_verifier=x' }),
    [400, 'invalid_request'],
  ],
  [
    'a refresh without a token',
    'RFC 6749 §6',
    () => ({ grant_type: 'refresh_token' }),
    none,
    [400, 'invalid_request'],
  ],
  [
    'an unknown refresh_token',
    'RFC 6749 §5.2',
    () => ({ grant_type: 'refresh_token', refresh_token: 'x' }),
    none,
    [400, 'invalid_grant'],
  ],
  [
    'a refresh with a bad scope',
    'RFC 6749 §6',
    () => ({ grant_type: 'refresh_token', refresh_token: 'x', scope: 'x' }),
    none,
    [400, 'invalid_scope'],
  ],
  [
    'no client',
    'RFC 6749 §5.2',
    () => ({ client_id: undefined, client_secret: undefined }),
    none,
    [401, 'invalid_client'],
  ],
  ['an unknown client', 'RFC 6749 §5.2', () => ({ client_id: 'app_none' }), none, [401, 'invalid_client']],
  ['no secret', 'RFC 6749 §3.2.1', () => ({ client_secret: undefined }), none, [401, 'invalid_client']],
  ['a wrong secret', 'RFC 6749 §5.2', () => ({ client_secret: 'x' }), none, [401, 'invalid_client']],
  [
    'a secret of a public client',
    'RFC 6749 §2.3',
    ({ open }) => ({ client_id: open.id }),
    none,
    [401, 'invalid_client'],
  ],
  ['client_id twice', 'RFC 6749 §3.2', none, () => ({ behind: '&client_id=x' }), [400, 'invalid_request']],
  [
    'client_secret twice',
    'RFC 6749 §3.2',
    none,
    () => ({ behind: '&client_secret=x' }),
    [400, 'invalid_request'],
  ],
  [
    'two ways to authenticate',
    'RFC 6749 §2.3',
    none,
    ({ confidential }) => header(basic(confidential.id, confidential.secret as string))(),
    [400, 'invalid_request'],
  ],
  ['a Basic of no base64', 'RFC 7617 §2', none, header('Basic ***'), [401, 'invalid_client']],
  ['a Basic without a colon', 'RFC 7617 §2', none, header(`Basic ${btoa('x')}`), [401, 'invalid_client']],
  [
    'a Basic with a bad escape',
    'RFC 6749 §2.3.1',
    none,
    header(`Basic ${btoa('%:x')}`),
    [401, 'invalid_client'],
  ],
  ['a scheme that is not Basic', 'RFC 6749 §2.3', none, header('Bearer x'), [401, 'invalid_client']],
  ['a body of JSON', 'RFC 6749 §4.1.3', none, type('application/json'), [400, 'invalid_request']],
  [
    'a body of parts',
    'RFC 6749 §4.1.3',
    none,
    type('multipart/form-data; boundary=x'),
    [400, 'invalid_request'],
  ],
  [
    'a type that only starts right',
    'RFC 6749 §4.1.3',
    none,
    type('application/x-www-form-urlencoded-x'),
    [400, 'invalid_request'],
  ],
  [
    'a secret in the address',
    'RFC 6749 §2.3.1',
    none,
    () => ({ path: '/oauth/token?client_secret=x' }),
    [400, 'invalid_request'],
  ],
  [
    'a code in the address',
    'RFC 6749 §3.2',
    none,
    () => ({ path: '/oauth/token?code=x' }),
    [400, 'invalid_request'],
  ],
  [
    'a body that is too large',
    'RFC 9110 §15.5.14',
    () => ({ padding: 'x'.repeat(2 ** 15) }),
    none,
    [413, 'invalid_request'],
  ],
  [
    'an introspection without a token',
    'RFC 7662 §2.1',
    none,
    () => ({ path: '/oauth/introspect' }),
    [400, 'invalid_request'],
  ],
  [
    'an introspection with token twice',
    'RFC 6749 §3.2',
    none,
    () => ({ path: '/oauth/introspect', behind: '&token=x&token=y' }),
    [400, 'invalid_request'],
  ],
  [
    'an introspection by a public client',
    'RFC 7662 §2.1',
    ({ open }) => ({ client_id: open.id, client_secret: undefined, token: 'x' }),
    () => ({ path: '/oauth/introspect' }),
    [401, 'invalid_client'],
  ],
  [
    'a revocation without a token',
    'RFC 7009 §2.1',
    none,
    () => ({ path: '/oauth/revoke' }),
    [400, 'invalid_request'],
  ],
  [
    'a revocation without a client',
    'RFC 7009 §2.1',
    () => ({ client_id: undefined, client_secret: undefined, token: 'x' }),
    () => ({ path: '/oauth/revoke' }),
    [401, 'invalid_client'],
  ],
  [
    'a revocation with the token in the address',
    'RFC 7009 §2.1',
    none,
    () => ({ path: '/oauth/revoke?token=x' }),
    [400, 'invalid_request'],
  ],
];
