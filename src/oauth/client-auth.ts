import type { Context as Call } from 'hono';
import type { Database } from '../db/database.ts';
import { clientWithSecret, findProtocolClient, type ProtocolClient } from '../domain/oauth/client.ts';
import type { IntrospectingClient } from '../domain/oauth/token-state.ts';
import { invalidClient, invalidRequest } from './errors.ts';
import { decodeForm, type Parameters } from './parameters.ts';
import type { AuthorizationServer } from './service.ts';
import { countFailure } from './throttle.ts';

export const CLIENT_PARAMETERS = ['client_id', 'client_secret'];

/** An application as it names itself, and what it proves that with: a public one with nothing. */
interface Credentials {
  id: string;
  secret?: string;
}

/**
 * The client that sent a form, which `withSecret` finds when it has one: a right secret always counts, since one look-up
 * by its hash costs no more than a limit would, and failures of others must not keep a client out. Throws invalid_client, or invalid_request for one
 * that tries two ways (RFC 6749 §2.3).
 */
export async function authenticateClient(
  parts: AuthorizationServer,
  call: Call,
  form: Parameters,
  withSecret: (
    db: Database,
    id: string,
    secret: string,
  ) => Promise<IntrospectingClient | undefined> = clientWithSecret,
): Promise<IntrospectingClient> {
  const { id, secret } = credentialsOf(call.req.header('authorization'), form);
  const { db } = parts;
  const client = secret === undefined ? await publicClient(db, id) : await withSecret(db, id, secret);
  if (client) return client;
  await countFailure(parts, call, id);
  throw invalidClient();
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
    throw invalidRequest('client_id names another client than the header.');
  return basic;
}

/** RFC 6749 §2.3.1: base64 of id and secret, each encoded as a form would, with a colon between them. */
function readBasic(header: string): Required<Credentials> | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header)?.[1];
  const pair = encoded && /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString());
  const [id, secret] = pair ? [decodeForm(pair[1] as string), decodeForm(pair[2] as string)] : [];
  return id !== undefined && secret !== undefined ? { id, secret } : undefined;
}
