import type { Context as Call } from 'hono';
import { bearerOf, viewerOfBearer } from '../auth/bearer.ts';
import { bearerRefusal } from '../auth/bearer-refusal.ts';
import { networkOf } from '../auth/client-address.ts';
import type { Session } from '../auth/session.ts';
import type { SessionCookie } from '../auth/session-cookie.ts';
import type { Database } from '../db/database.ts';
import { readSince } from '../domain/access/shared-read.ts';
import type { AccountService } from '../domain/kernel/account-service.ts';
import type { Client, Context, Storage } from '../domain/kernel/context.ts';
import { type DomainError, unauthenticated } from '../domain/kernel/errors.ts';
import { linkViewer, tenantOf, type Viewer } from '../domain/kernel/viewer.ts';
import { MCP_API, type OwnResource } from '../domain/oauth/resource-server.ts';
import { Cancellation } from '../lib/cancellation.ts';
import { ownPageSession, pageTokenSession, type SessionOptions } from '../web/sign-in/own-page-session.ts';
import type { Admission } from './admission.ts';
import type { HeldRows } from './held-rows.ts';
import { addressOf, cancellationOf } from './node-request.ts';
import type { Allowance, RequestRateLimit } from './rate-limit.ts';
import { readerOf } from './shares/reader-bytes.ts';
import type { UnreadResponses } from './unread-responses.ts';
import { noteCaller } from './usage/count-usage.ts';

export interface RequestContextOptions {
  db: Database;
  storage: Storage;
  limits: Context['limits'];
  cookie: SessionCookie;
  publicUrl: string;
  /** Trusted proxies in front of the server. */
  trustProxy: number;
  rateLimit: RequestRateLimit;
  accounts: AccountService;
  admission: Admission;
  unread: UnreadResponses;
  rows: HeldRows;
  report: (error: unknown, requestId: string) => void;
}

/** Creates the domain context of a request: authenticates, counts against the rate limits, and admits by tenant. */
export class RequestContexts {
  readonly #options: RequestContextOptions;

  constructor(options: RequestContextOptions) {
    this.#options = options;
  }

  readonly requestIdOf = (call: Call): string => call.get('requestId');

  readonly addressOf = (call: Call): string => addressOf(call, this.#options.trustProxy);

  readonly clientOf = (call: Call): Client => ({
    address: this.addressOf(call),
    userAgent: call.req.header('user-agent') ?? '',
  });

  /** Origins that count as ours when a browser names the page that sent a request. */
  readonly ownOrigins = (call: Call): string[] => [
    new URL(this.#options.publicUrl).origin,
    new URL(call.req.url).origin,
  ];

  /** The context of an authenticated viewer, neither counted nor admitted. */
  readonly contextFor = (viewer: Viewer, requestId: string): Context => {
    const { db, storage, limits, accounts, report } = this.#options;
    const context = { db, storage, viewer, limits, requestId, accounts };
    return { ...context, report: (error) => report(error, requestId) };
  };

  /**
   * Authenticates by the bearer credential, or by `link`, the secret of a public link. Undefined without a live
   * credential. Throws RATE_LIMITED, also then, before any other work is done.
   */
  readonly contextOf = async (
    call: Call,
    link?: string,
    allowance?: Allowance,
  ): Promise<Context | undefined> => {
    const viewer = link ? linkViewer(link) : await this.#bearerViewer(call);
    return this.#admit(call, viewer, allowance);
  };

  /** For agents, by a bearer credential for `/mcp`. Throws UNAUTHENTICATED and RATE_LIMITED. */
  readonly agentContextOf = async (call: Call): Promise<Context> => {
    const ctx = await this.#admit(call, await this.#bearerViewer(call, MCP_API));
    if (!ctx) throw await this.refusalOf(call);
    return { ...ctx, client: this.clientOf(call) };
  };

  async #admit(call: Call, viewer: Viewer | undefined, allowance?: Allowance): Promise<Context | undefined> {
    if (viewer) noteCaller(call, viewer);
    await this.#options.rateLimit.count(call, viewer ?? undefined, this.addressOf(call), allowance);
    return viewer ? this.#enter(call, viewer) : undefined;
  }

  /** For a browser session. Throws RATE_LIMITED. */
  readonly contextOfSession = async (
    call: Call,
    { viewer }: Session,
    allowance?: Allowance,
  ): Promise<Context> => {
    await this.#options.rateLimit.count(call, viewer, '', allowance);
    return this.#enter(call, viewer);
  };

  /** For REST, which also accepts the session cookie with the token of one of our pages. Throws RATE_LIMITED and FORBIDDEN. */
  readonly restContextOf = async (
    call: Call,
    link?: string,
    allowance?: Allowance,
  ): Promise<Context | undefined> => {
    const session = link ? undefined : await pageTokenSession(this.#sessionOptions, call);
    return session ? this.contextOfSession(call, session, allowance) : this.contextOf(call, link, allowance);
  };

  /** UNAUTHENTICATED, with the reason; of a request that has been counted. */
  readonly refusalOf = async (call: Call): Promise<DomainError> => {
    const refusal = await bearerRefusal(this.#options.db, bearerOf(call.req.header('authorization')));
    call.set('bearerRefusal', refusal);
    return unauthenticated(refusal);
  };

  /** For a public link whose secret came in the body of a request that has been counted. */
  readonly contextOfLink = (call: Call, link: string): Promise<Context> =>
    this.#enter(call, linkViewer(link));

  /** For GraphQL, which also accepts the session cookie from our own pages. Throws UNAUTHENTICATED and RATE_LIMITED. */
  readonly graphContextOf = async (call: Call): Promise<Context> => {
    const session = await this.#session(call);
    const ctx = session ? await this.contextOfSession(call, session) : await this.contextOf(call);
    if (!ctx) throw await this.refusalOf(call);
    return { ...ctx, client: this.clientOf(call) };
  };

  /**
   * Authenticates a long-lived GraphQL request again, without counting it again; those with the same credential share what was
   * read at `since` (performance.now()) or later. Throws UNAUTHENTICATED.
   */
  readonly renewGraphContext = async (call: Call, since: number): Promise<Context> => {
    const read = () => this.#bearerViewer(call);
    const credential = call.req.header('authorization') ?? '';
    const viewer =
      (await this.#session(call))?.viewer ??
      (await readSince(this.#options.db, ['credential', credential], since, read));
    if (!viewer) throw await this.refusalOf(call);
    const cancellation = new Cancellation(tenantOf(viewer));
    const context = this.#contextOfCall(call, viewer, cancellation);
    return { ...context, client: this.clientOf(call) };
  };

  #bearerViewer(call: Call, resource?: OwnResource): Promise<Viewer | undefined> {
    return viewerOfBearer(this.#options.db, bearerOf(call.req.header('authorization')) ?? '', resource);
  }

  get #sessionOptions(): SessionOptions {
    const { db, cookie } = this.#options;
    return { db, cookie, ownOrigins: this.ownOrigins };
  }

  #session(call: Call): Promise<Session | undefined> {
    return ownPageSession(this.#sessionOptions, call);
  }

  /** Waits for the tenant's share of the process. The context's statements are cancelled with the request. */
  async #enter(call: Call, viewer: Viewer): Promise<Context> {
    call.set('credentialId', viewer.credentialId || undefined);
    const network = networkOf(this.addressOf(call));
    this.#options.unread.enter(call, viewer, network);
    await this.#options.admission.enter(call, viewer, network);
    this.#options.unread.check(call);
    return this.#contextOfCall(call, viewer, cancellationOf(call, tenantOf(viewer) ?? network));
  }

  #contextOfCall(call: Call, viewer: Viewer, cancellation: Cancellation): Context {
    const context = this.contextFor(viewer, this.requestIdOf(call));
    const rows = this.#options.rows.of(call, readerOf(viewer, networkOf(this.addressOf(call))));
    return { ...context, db: context.db.forCaller(cancellation, rows.add), releaseRows: rows.release };
  }
}
