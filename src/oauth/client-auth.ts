import type { Context as Call } from 'hono';
import type { Database } from '../db/database.ts';
import {
  clientWithSecret,
  findProtocolClient,
  type ProtocolClient,
  type UsedSecret,
} from '../domain/oauth/client.ts';
import { recordSecretUse } from '../domain/oauth/clients/client-secret.ts';
import type { LiveToken } from '../domain/oauth/token-state.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { invalidClient, invalidRequest } from './errors.ts';
import { decodeForm, type Parameters } from './parameters.ts';
import { countFailure } from './rate-limits.ts';

export const CLIENT_PARAMETERS = ['client_id', 'client_secret'];

/** What a client authenticates with; a public one has no secret. */
interface Credentials {
  id: string;
  secret?: string;
}

/** A client, with the token that it introspects. */
type AuthenticatedClient = ProtocolClient & { token?: LiveToken };
type SecretHolder = AuthenticatedClient & UsedSecret;

/**
 * Authenticates the client of a form; `withSecret` finds one with a secret. A correct secret is never rate limited, as
 * failures of others must not lock a client out. Throws invalid_client, invalid_request for two methods at once (RFC 6749
 * §2.3), and temporarily_unavailable after too many failures.
 */
export async function authenticateClient(
  server: AuthorizationServer,
  call: Call,
  form: Parameters,
  withSecret: (
    db: Database,
    id: string,
    secret: string,
  ) => Promise<SecretHolder | undefined> = clientWithSecret,
): Promise<AuthenticatedClient> {
  const { id, secret } = credentialsOf(call.req.header('authorization'), form);
  const { db } = server;
  const client =
    secret === undefined ? await publicClient(db, id) : await recorded(db, await withSecret(db, id, secret));
  if (client) return client;
  await countFailure(server, call, id);
  throw invalidClient();
}

async function recorded(db: Database, client: SecretHolder | undefined): Promise<SecretHolder | undefined> {
  if (client) await recordSecretUse(db, client);
  return client;
}

async function publicClient(db: Database, id: string): Promise<ProtocolClient | undefined> {
  const client = await findProtocolClient(db, id);
  return client?.kind === 'PUBLIC' ? client : undefined;
}

function credentialsOf(header: string | undefined, form: Parameters): Credentials {
  const [id, secret] = [form.value('client_id'), form.value('client_secret')];
  if (header === undefined) {
    if (id === undefined) throw invalidClient();
    return { id, secret };
  }
  const basic = readBasic(header);
  if (!basic) throw invalidClient();
  if (secret !== undefined) throw invalidRequest('The client authenticates in more than one way.');
  if (id !== undefined && id !== basic.id)
    throw invalidRequest('client_id and the Authorization header name different clients.');
  return basic;
}

/** RFC 6749 §2.3.1: base64 of id and secret, each encoded as a form would, with a colon between them. */
function readBasic(header: string): Required<Credentials> | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header)?.[1];
  const pair = encoded && /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString());
  const [id, secret] = pair ? [decodeForm(pair[1] as string), decodeForm(pair[2] as string)] : [];
  return id !== undefined && secret !== undefined ? { id, secret } : undefined;
}
