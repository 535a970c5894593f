import { CALLBACK, encode, type Form } from '../../support/oauth.ts';

/** `page`: shown to the person, without a redirect. Otherwise the error code in the redirect. */
type Outcome = 'page' | 'invalid_request' | 'invalid_scope' | 'unsupported_response_type';

/** The fault, the clause, the parameters that differ from a valid request, text appended to the query, and the expected answer. */
export type AuthorizeRow = [wrong: string, clause: string, differ: Form, behind: string, expected: Outcome];

const S = encode({ redirect_uri: CALLBACK });

export const AUTHORIZE: AuthorizeRow[] = [
  ['no client_id', 'RFC 6749 §4.1.1', { client_id: undefined }, '', 'page'],
  ['an empty client_id', 'RFC 6749 §3.1', { client_id: '' }, '', 'page'],
  ['an unknown client_id', 'RFC 6749 §4.1.2.1', { client_id: 'app_none' }, '', 'page'],
  ['a client_id with NUL', 'RFC 6749 appendix A.1', { client_id: undefined }, '&client_id=a%00b', 'page'],
  ['a client_id of broken UTF-8', 'RFC 6749 appendix B', { client_id: undefined }, '&client_id=%ff', 'page'],
  ['client_id twice', 'RFC 6749 §3.1', {}, '&client_id=app_none', 'page'],
  ['client_id twice, once empty', 'RFC 6749 §3.1', {}, '&client_id=', 'page'],
  ['no redirect_uri', 'specification §5.1', { redirect_uri: undefined }, '', 'page'],
  ['redirect_uri twice', 'RFC 6749 §3.1', {}, `&${S}`, 'page'],
  ['a relative redirect_uri', 'RFC 6749 §3.1.2', { redirect_uri: '/callback' }, '', 'page'],
  ['a fragment in redirect_uri', 'RFC 6749 §3.1.2', { redirect_uri: `${CALLBACK}#` }, '', 'page'],
  ['a longer redirect_uri', 'RFC 9700 §2.1', { redirect_uri: `${CALLBACK}/x` }, '', 'page'],
  ['another query in redirect_uri', 'RFC 9700 §2.1', { redirect_uri: `${CALLBACK}?` }, '', 'page'],
  [
    'another host in redirect_uri',
    'RFC 9700 §2.1',
    { redirect_uri: 'https://evil.example/callback' },
    '',
    'page',
  ],
  ['a script as redirect_uri', 'RFC 9700 §2.1', { redirect_uri: 'javascript:alert(1)' }, '', 'page'],
  ['line breaks in redirect_uri', 'RFC 9700 §2.1', { redirect_uri: `${CALLBACK}\r\nX: y` }, '', 'page'],
  ['nothing at all', 'RFC 6749 §4.1.1', { client_id: undefined, redirect_uri: undefined }, '', 'page'],
  ['no response_type', 'RFC 6749 §3.1.1', { response_type: undefined }, '', 'invalid_request'],
  ['response_type twice', 'RFC 6749 §3.1', {}, '&response_type=code', 'invalid_request'],
  ['response_type token', 'RFC 9700 §2.1.2', { response_type: 'token' }, '', 'unsupported_response_type'],
  ['response_type Code', 'RFC 6749 §3.1.1', { response_type: 'Code' }, '', 'unsupported_response_type'],
  [
    'response_type code code',
    'RFC 6749 §3.1.1',
    { response_type: 'code code' },
    '',
    'unsupported_response_type',
  ],
  ['response_mode fragment', 'RFC 6749 §4.1.2', { response_mode: 'fragment' }, '', 'invalid_request'],
  ['no scope', 'specification §5.1', { scope: undefined }, '', 'invalid_request'],
  ['an empty scope', 'RFC 6749 §3.1', { scope: '' }, '', 'invalid_request'],
  ['scope twice', 'RFC 6749 §3.1', {}, '&scope=read', 'invalid_request'],
  ['an unknown scope', 'RFC 6749 §4.1.2.1', { scope: 'read delete' }, '', 'invalid_scope'],
  ['two spaces in scope', 'RFC 6749 §3.3', { scope: 'read  write' }, '', 'invalid_scope'],
  ['a comma in scope', 'RFC 6749 §3.3', { scope: 'read,write' }, '', 'invalid_scope'],
  ['a quote in scope', 'RFC 6749 §3.3', { scope: '"read"' }, '', 'invalid_scope'],
  [
    'a scope of broken UTF-8',
    'RFC 6749 appendix B',
    { scope: undefined },
    '&scope=%c3%28',
    'invalid_request',
  ],
  ['no state', 'specification §5.1', { state: undefined }, '', 'invalid_request'],
  ['state twice', 'RFC 6749 §3.1', {}, '&state=other', 'invalid_request'],
  [
    'a state of broken UTF-8',
    'RFC 6749 appendix B',
    { state: undefined },
    '&state=%e0%80',
    'invalid_request',
  ],
  ['a state that is too long', 'RFC 6749 §4.1.1', { state: 'x'.repeat(2_001) }, '', 'invalid_request'],
  ['code_challenge twice', 'RFC 6749 §3.1', {}, '&code_challenge=x', 'invalid_request'],
  ['a short code_challenge', 'RFC 7636 §4.2', { code_challenge: 'x'.repeat(42) }, '', 'invalid_request'],
  [
    'a padded code_challenge',
    'RFC 7636 §4.2',
    { code_challenge: `${'x'.repeat(43)}=` },
    '',
    'invalid_request',
  ],
  [
    'a code_challenge in base64',
    'RFC 7636 §4.2',
    { code_challenge: `${'x'.repeat(42)}/` },
    '',
    'invalid_request',
  ],
  ['a method without a challenge', 'RFC 7636 §4.3', { code_challenge: undefined }, '', 'invalid_request'],
  ['no code_challenge_method', 'RFC 7636 §4.3', { code_challenge_method: undefined }, '', 'invalid_request'],
  ['the method plain', 'RFC 9700 §2.1.1', { code_challenge_method: 'plain' }, '', 'invalid_request'],
  ['an unknown method', 'RFC 7636 §4.4.1', { code_challenge_method: 'S512' }, '', 'invalid_request'],
];
