import type { Database } from '../../db/database.ts';
import { findProtocolClient, logoPath } from '../../domain/oauth/client.ts';
import { isRedirectUriOf } from '../../domain/oauth/redirect-uri.ts';
import { typeOfId } from '../../lib/id.ts';

/** The application that a person signs in for. */
export interface Destination {
  name: string;
  organizationName: string;
  /** The path of its logo. */
  logo: string | null;
}

const AUTHORIZATION = '/oauth/authorize?';

/**
 * The application whose authorization request the page continues with. Undefined for other pages, and where the request
 * names no application, or a redirect URI that is not one of its own: that page shows an error instead.
 */
export async function destinationOf(db: Database, returnTo: string): Promise<Destination | undefined> {
  if (!returnTo.startsWith(AUTHORIZATION)) return undefined;
  const parameters = new URLSearchParams(returnTo.slice(AUTHORIZATION.length));
  const [clientId, redirectUri] = [single(parameters, 'client_id'), single(parameters, 'redirect_uri')];
  const client = isClientId(clientId) ? await findProtocolClient(db, clientId) : undefined;
  if (!client) return undefined;
  // The client has pushed the request: it is of that client, and its redirect URI was validated (RFC 9126 §2.1).
  const isPushed = redirectUri === undefined && parameters.has('request_uri');
  if (!isPushed && !(redirectUri && isRedirectUriOf(client, redirectUri))) return undefined;
  return { name: client.name, organizationName: client.organizationName, logo: logoPath(client) };
}

const isClientId = (text: string | undefined): text is string =>
  text !== undefined && typeOfId(text) === 'Client';

function single(parameters: URLSearchParams, name: string): string | undefined {
  const [value, ...more] = parameters.getAll(name);
  return more.length === 0 ? value : undefined;
}
