import type { Context as Call, Hono } from 'hono';
import { formToken } from '../../../auth/same-origin.ts';
import type { Session } from '../../../auth/session.ts';
import type { Context } from '../../../domain/kernel/context.ts';
import { DomainError } from '../../../domain/kernel/errors.ts';
import type { Viewer } from '../../../domain/kernel/viewer.ts';
import { ConsoleClosedDocument } from '../../../generated/operations/graphql.ts';
import { runStored, type StoredOperation, storedOperation } from '../../../graph/http/execute.ts';
import { ifFresh, type SessionOptions, withForm, withSession } from '../../account/own-session.ts';
import type { ErrorReporting } from '../../ui/error-page.ts';
import { fileFormLimit, fileFormOf, formLimit, formOf } from '../../ui/form-body.ts';
import { seeOther } from '../../ui/responses.ts';

const CLOSED = storedOperation(ConsoleClosedDocument);

export interface ConsoleOptions extends ErrorReporting, SessionOptions {
  publicUrl: string;
  /** Counts the request against the limits of the session's user, and waits for their share. Throws RATE_LIMITED. */
  contextOf: (call: Call, session: Session) => Promise<Context>;
}

/** A request of a person who is signed in. All that it reads and changes goes through operations of the graph. */
export interface Visit {
  readonly viewer: Pick<Viewer, 'name' | 'userId' | 'email'>;
  /** The token of the forms of the page. */
  readonly formToken: string;
  readonly publicUrl: string;
  /** The path of the request without its query. */
  readonly path: string;
  param: (name: string) => string;
  query: (name: string) => string | undefined;
  run: <Data, Variables extends Record<string, unknown>>(
    operation: StoredOperation<Data, Variables>,
    variables: Variables,
  ) => Promise<Data>;
}

/** The path of a part of the organization of a page, as `people`. */
export const sectionHref = ({ param }: Visit, section: string): string =>
  `/console/${param('organization')}/${section}`;

type Show = (visit: Visit) => Promise<Response>;
type Act = (visit: Visit, form: URLSearchParams) => Promise<Response>;

/** Registers pages of the console and their forms; whoever is not signed in is asked to, and continues there. */
export class ConsolePages {
  readonly #app: Hono;
  readonly #options: ConsoleOptions;

  constructor(app: Hono, options: ConsoleOptions) {
    this.#app = app;
    this.#options = options;
  }

  get(path: string, show: Show): void {
    this.#app.get(path, (call) =>
      this.#withSession(call, async (session) => unlessClosed(await this.#visit(call, session), show)),
    );
  }

  /** A form, of 16 KiB unless `limit` is another middleware. Throws FORBIDDEN for one of another session. */
  post(path: string, act: Act, limit = formLimit): void {
    this.#app.post(path, limit, (call) =>
      this.#withForm(call, async (session, form) => act(await this.#visit(call, session), form)),
    );
  }

  /** A form with a file, as `fileFormOf` reads it. */
  postFile(path: string, act: Act): void {
    this.#app.post(path, fileFormLimit, (call) =>
      this.#withForm(call, async (session, form) => act(await this.#visit(call, session), form), fileFormOf),
    );
  }

  /** A page of which `post` needs a proof: it asks for that first, so that nothing that was typed is lost. */
  getFresh(path: string, show: Show): void {
    const { db } = this.#options;
    this.#app.get(path, (call) =>
      this.#withSession(call, (session) =>
        ifFresh(db, session, pathOf(call), async () => show(await this.#visit(call, session))),
      ),
    );
  }

  /** A form that needs a proof within ten minutes of who its sender is; without one, it continues at the page `target`. */
  postFresh(path: string, target: (call: Call) => string, act: Act): void {
    const { db } = this.#options;
    this.#app.post(path, formLimit, (call) =>
      this.#withForm(call, (session, form) =>
        ifFresh(db, session, target(call), async () => act(await this.#visit(call, session), form)),
      ),
    );
  }

  #withSession(call: Call, answer: (session: Session) => Promise<Response>): Promise<Response> {
    return withSession(this.#options, call, answer, pathOf(call));
  }

  /** Who is not signed in any more begins anew: the form is gone. */
  #withForm(
    call: Call,
    answer: (session: Session, form: URLSearchParams) => Promise<Response>,
    read = formOf,
  ) {
    return withForm(this.#options, call, answer, '/console', read);
  }

  async #visit(call: Call, session: Session): Promise<Visit> {
    const { viewer, secret } = session;
    const { publicUrl } = this.#options;
    const ctx = await this.#options.contextOf(call, session);
    return {
      viewer,
      publicUrl,
      formToken: formToken(secret),
      path: call.req.path,
      param: (name) => call.req.param(name) ?? '',
      query: (name) => call.req.query(name),
      run: (operation, variables) => runStored(operation, variables, ctx),
    };
  }
}

function pathOf(call: Call): string {
  const { pathname, search } = new URL(call.req.url);
  return pathname + search;
}

/**
 * Runs `show`. What is not found may be in an organization that is closed to the visitor for lack of a second factor: the first page
 * of the console says so.
 */
async function unlessClosed(visit: Visit, show: Show): Promise<Response> {
  try {
    return await show(visit);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'NOT_FOUND')) throw error;
    const { viewer } = await visit.run(CLOSED, {});
    if (!viewer.account?.closedOrganizations.length) throw error;
    return seeOther('/console');
  }
}
