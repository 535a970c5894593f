import type { Context as Call, Hono } from 'hono';
import { formToken } from '../../auth/same-origin.ts';
import type { Session } from '../../auth/session.ts';
import type { Database } from '../../db/database.ts';
import type { Context } from '../../domain/kernel/context.ts';
import { DomainError } from '../../domain/kernel/errors.ts';
import type { Viewer } from '../../domain/kernel/viewer.ts';
import { eraseAccount, planOwnErasure } from '../../domain/own-account/erasure.ts';
import { exportPerson, jsonLines } from '../../domain/personal-data/export.ts';
import type { Person } from '../../domain/personal-data/holding.ts';
import { findPerson } from '../../domain/personal-data/person.ts';
import { formLimit } from '../ui/form-body.ts';
import { page } from '../ui/page.ts';
import { streamedFile } from '../ui/responses.ts';
import { type AccountOptions, withFreshForm, withFreshSession } from './own-session.ts';
import { ErasedPage, ErasePage } from './sections/erasure.tsx';

const ERASE = '/account/erase';

export interface ErasureOptions extends AccountOptions {
  /** The context of a request of this viewer. */
  contextFor: (viewer: Viewer, requestId: string) => Context;
}

/** `/account/data.jsonl` and `/account/erase`: what is held about who is signed in, and its end. */
export function personalDataRoutes(app: Hono, options: ErasureOptions): void {
  app.get('/account/data.jsonl', (call) =>
    withFreshSession(options, call, '/account#your-data', (session) => download(options, session)),
  );
  app.get(ERASE, (call) =>
    withFreshSession(options, call, ERASE, (session) => erasePage(options, call, session)),
  );
  app.post(ERASE, formLimit, (call) =>
    withFreshForm(options, call, ERASE, (session, form) => erase(options, call, session, form)),
  );
}

async function download({ db }: AccountOptions, { viewer }: Session): Promise<Response> {
  const lines = linesOf(db, await findPerson(db, viewer.userId));
  return streamedFile(lines, 'data.jsonl', 'application/x-ndjson; charset=utf-8');
}

async function* linesOf(db: Database, person: Person): AsyncGenerator<string> {
  for await (const records of exportPerson(db, person)) yield jsonLines(records);
}

const contextOf = ({ contextFor, requestIdOf }: ErasureOptions, call: Call, { viewer }: Session): Context =>
  contextFor(viewer, requestIdOf(call));

async function erasePage(
  options: ErasureOptions,
  call: Call,
  session: Session,
  error?: string,
): Promise<Response> {
  const plan = await planOwnErasure(contextOf(options, call, session));
  const { name, email } = session.viewer;
  const props = { name, email, plan, formToken: formToken(session.secret), error };
  return page(ErasePage(props), { status: error ? 422 : 200 });
}

async function erase(
  options: ErasureOptions,
  call: Call,
  session: Session,
  form: URLSearchParams,
): Promise<Response> {
  try {
    const report = await eraseAccount(contextOf(options, call, session), { email: form.get('email') ?? '' });
    return page(ErasedPage({ report }));
  } catch (error) {
    if (!(error instanceof DomainError) || !['BAD_USER_INPUT', 'CONFLICT'].includes(error.code)) throw error;
    const isTyped = error.code === 'BAD_USER_INPUT';
    return erasePage(options, call, session, isTyped ? 'Type the address of your account.' : error.message);
  }
}
