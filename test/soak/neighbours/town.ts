import pg from 'pg';
import type { Database } from '../../../src/db/database.ts';
import { freePort, type ServerProcess } from '../../support/servers/processes.ts';
import { newMember, newWorld } from '../../support/world.ts';
import { newSite } from '../site.ts';
import { Client, pathOf } from './client.ts';

/** An organization, and its people with a key each. */
export class Tenant {
  readonly organizationId: string;
  readonly projectId: string;
  readonly keys: readonly string[];
  readonly clients: readonly Client[];
  readonly url: string;
  /** Without a credential, from the network of this organization. */
  readonly anonymous: Client;
  #turn = 0;

  constructor({ organizationId, projectId, keys }: Facts, url: string, address: string) {
    this.organizationId = organizationId;
    this.projectId = projectId;
    this.keys = keys;
    this.url = url;
    this.clients = keys.map((key) => new Client(url, key, address));
    this.anonymous = new Client(url, undefined, address);
  }

  /** The owner. */
  get owner(): Client {
    return this.clients[0] as Client;
  }

  /** Each of them in turn, so that no key reaches its limit before the others. */
  get next(): Client {
    return this.clients[this.#turn++ % this.clients.length] as Client;
  }

  get restPath(): string {
    return `/api/v1/organizations/${this.organizationId}/projects/${this.projectId}`;
  }

  /** Uploads files, and gives the ids of their documents. */
  async upload(files: readonly { name: string; bytes: Uint8Array }[]): Promise<string[]> {
    return this.confirm(await this.send(files));
  }

  /** Uploads the bytes of files that are to be confirmed. */
  async send(files: readonly { name: string; bytes: Uint8Array }[]): Promise<Sent[]> {
    const input = { projectId: this.projectId, count: files.length };
    const { uploads } = await this.owner.mutate('reserveUploads', input, 'uploads { id url }');
    const sent: Sent[] = [];
    for (const [index, { name, bytes }] of files.entries()) {
      const { id, url } = uploads[index];
      const reply = await this.anonymous.send({ method: 'PUT', path: pathOf(url), body: bytes });
      if (reply.status !== 200) throw new Error(`upload: ${reply.status} ${reply.text}`);
      sent.push({ uploadId: id, name, size: bytes.length });
    }
    return sent;
  }

  async confirm(files: readonly Sent[]): Promise<string[]> {
    const { documents } = await this.owner.mutate('confirmUploads', { files }, 'documents { id }');
    return documents.map(({ id }: { id: string }) => id);
  }

  /** The address of the picture of a document's first page; null where it has none. */
  async thumbnailOf(documentId: string, width = 320): Promise<string | null> {
    const query = 'query ($id: ID!, $width: Int) { document(id: $id) { thumbnailUrl(width: $width) } }';
    const { document } = await this.next.graph(query, { id: documentId, width });
    return document.thumbnailUrl && pathOf(document.thumbnailUrl);
  }
}

export interface Sent {
  uploadId: string;
  name: string;
  size: number;
}

interface Facts {
  organizationId: string;
  projectId: string;
  keys: string[];
}

export interface Town {
  victim: Tenant;
  aggressor: Tenant;
  server: ServerProcess;
  /** Asks the database beside the server; undefined for the embedded one. */
  query: ((text: string, values: unknown[]) => Promise<pg.QueryResult>) | undefined;
  remove(): Promise<void>;
}

export interface Setting {
  env?: Record<string, string>;
  /** How many people the aggressor's organization has; 20 unless given. */
  aggressors?: number;
}

const VICTIMS = 10;

/** The limits as they are when nobody sets them. */
const DEFAULTS = { REQUESTS_PER_MINUTE: '', REQUESTS_PER_MINUTE_ADDRESS: '' };

/** A server with its default limits, and two organizations on it. */
export async function newTown(
  { env, aggressors = 20 }: Setting,
  databaseServer: string | undefined,
  program: string[],
): Promise<Town> {
  const site = await newSite(databaseServer);
  const { victim, aggressor } = await site.look(async (db) => ({
    victim: await newTenant(db, VICTIMS),
    aggressor: await newTenant(db, aggressors),
  }));
  const server = await site.serve(await freePort(), { ...DEFAULTS, ...env }, program).catch(async (error) => {
    await site.remove();
    throw error;
  });
  const pool = site.databaseUrl ? new pg.Pool({ connectionString: site.databaseUrl, max: 1 }) : undefined;
  pool?.on('error', () => {});
  return {
    victim: new Tenant(victim, server.url, '127.0.0.1'),
    aggressor: new Tenant(aggressor, server.url, '127.0.0.2'),
    server,
    query: pool && ((text, values) => pool.query(text, values)),
    async remove() {
      await pool?.end();
      await server.stop();
      await site.remove();
    },
  };
}

async function newTenant(db: Database, people: number): Promise<Facts> {
  const { organization, project, owner } = await newWorld(db);
  const keys = [owner.key];
  while (keys.length < people) keys.push((await newMember(db, organization.id, 'ADMIN')).key);
  return { organizationId: organization.id, projectId: project.id, keys };
}
