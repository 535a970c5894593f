import type { ConsoleAppFragment } from '../../../generated/operations/graphql.ts';

interface Snippet {
  title: string;
  text: string;
}

/** A value as a word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Requests of an application by the grant types that it has. */
export function snippetsOf(app: ConsoleAppFragment, publicUrl: string, scope: string): Snippet[] {
  if (app.kind === 'RESOURCE_SERVER') return [introspection(app, publicUrl)];
  const redirectUri = app.redirectUris[0] ?? '';
  return [
    { title: 'Send the browser to', text: authorizeUrl(app, publicUrl, scope) },
    {
      title: 'Exchange the code of the redirect for tokens',
      text: tokenRequest(app, publicUrl, [
        'grant_type=authorization_code',
        'code=CODE',
        `redirect_uri=${redirectUri}`,
        'code_verifier=VERIFIER',
      ]),
    },
    {
      title: 'Get the next access token; each refresh token works once',
      text: tokenRequest(app, publicUrl, ['grant_type=refresh_token', 'refresh_token=REFRESH_TOKEN']),
    },
    ...(app.serviceAccount ? [ofServiceAccount(app, publicUrl)] : []),
  ];
}

const ofServiceAccount = (app: ConsoleAppFragment, publicUrl: string): Snippet => ({
  title: 'Get an access token of the service account, without a person',
  text: tokenRequest(app, publicUrl, ['grant_type=client_credentials']),
});

const authorizeUrl = ({ id, redirectUris }: ConsoleAppFragment, publicUrl: string, scope: string): string =>
  `${publicUrl}/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: id,
    redirect_uri: redirectUris[0] ?? '',
    scope,
    state: 'STATE',
    code_challenge: 'CHALLENGE',
    code_challenge_method: 'S256',
  })}`;

const tokenRequest = ({ id, kind }: ConsoleAppFragment, publicUrl: string, form: string[]): string =>
  [
    `curl ${quoted(`${publicUrl}/oauth/token`)}`,
    ...(kind === 'PUBLIC' ? [] : [`-u ${quoted(`${id}:`)}"$CLIENT_SECRET"`]),
    ...[...(kind === 'PUBLIC' ? [`client_id=${id}`] : []), ...form].map(
      (each) => `--data-urlencode ${quoted(each)}`,
    ),
  ].join(' \\\n  ');

const introspection = ({ id }: ConsoleAppFragment, publicUrl: string): Snippet => ({
  title: 'Check a token (RFC 7662)',
  text: [
    `curl ${quoted(`${publicUrl}/oauth/introspect`)}`,
    `-u ${quoted(`${id}:`)}"$CLIENT_SECRET"`,
    `--data-urlencode ${quoted('token=TOKEN')}`,
  ].join(' \\\n  '),
});
