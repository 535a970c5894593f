import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Context as Call, Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import { serialize } from 'hono/utils/cookie';
import { findAnswerErrors } from '../../domain/forms/form-answer.ts';
import { type OpenForm, openLinkedForm } from '../../domain/forms/form-open.ts';
import { findReceivedAnswers, receiptOf } from '../../domain/forms/form-receipt.ts';
import { submitFormOnce } from '../../domain/forms/form-submit.ts';
import { DomainError } from '../../domain/kernel/errors.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import { faceStyle } from '../public/face-style.ts';
import { localeOf } from '../public/page-locale.ts';
import {
  contextOfLink,
  formOf,
  type PublicPageService,
  publicEndpoint,
  publicPage,
  seeOther,
} from '../public/public-pages.ts';
import { Notice } from '../public/states.tsx';
import { type Answers, formProps, readAnswers, shownAnswers, storedAnswers } from './page.ts';
import { Form, type FormProps, FormSent } from './view.tsx';

const MAX_ANSWER_BYTES = 2 ** 16;

/** The pages of a public form's link. */
export function formRouter(service: PublicPageService): Hono {
  const app = new Hono();
  const route = (endpoint: (service: PublicPageService, call: Call) => Promise<Response>) =>
    publicEndpoint(service, (call) => endpoint(service, call));
  app.get('/forms/:secret', route(showForm));
  app.post('/forms/:secret', route(submitAnswers));
  app.get('/forms/:secret/sent', route(showSent));
  return app;
}

async function openForm(service: PublicPageService, call: Call) {
  const secret = call.req.param('secret') as string;
  const ctx = contextOfLink(service, call, secret);
  const locale = localeOf(call.req.header('accept-language'));
  return { ctx, base: `/forms/${secret}`, locale, opened: await openLinkedForm(ctx) };
}

const CLOSED = {
  title: 'This form is closed',
  text: 'It does not accept answers at the moment. Ask the person who sent you the link.',
};

function noticeOf({ face }: OpenForm, status?: number): Response {
  const style = faceStyle(face);
  return publicPage(Notice({ ...CLOSED, style }), { style, status });
}

const pageOf = (props: FormProps, status?: number): Response =>
  publicPage(Form(props), { style: props.style, status });

async function showForm(service: PublicPageService, call: Call): Promise<Response> {
  const { base, locale, opened } = await openForm(service, call);
  if (opened.closed) return noticeOf(opened);
  return pageOf(formProps(base, opened, { locale, token: randomUUID() }));
}

async function submitAnswers(service: PublicPageService, call: Call): Promise<Response> {
  const { ctx, base, locale, opened } = await openForm(service, call);
  if (opened.closed) return noticeOf(opened, 409);
  const { form, questions } = opened;
  const entered = await formOf(call, MAX_ANSWER_BYTES);
  const submitted = readAnswers(entered, questions);
  const stored = storedAnswers(submitted, questions, locale);
  const token = entered.get('token') ?? randomUUID();
  const again = (errors: ReadonlyMap<string, string>) =>
    pageOf(formProps(base, opened, { locale, token }, submitted, errors), 422);
  const errors = await findAnswerErrors(questions, stored);
  if (errors.size > 0) return again(errors);
  const answers = [...stored].map(([formFieldId, values]) => ({ formFieldId, values: [...values] }));
  try {
    const { submission, isRepeat } = await submitFormOnce(ctx, { token, formTemplateId: form.id, answers });
    const receipt = receiptOf(ctx, submission);
    const received = isRepeat && (await findReceivedAnswers(ctx, form, receipt));
    const isOther = received && !isDeepStrictEqual(received, withoutEmpty(answers));
    const location = `${base}/sent${isOther ? '?unchanged' : ''}`;
    return seeOther(location, { 'Set-Cookie': receiptCookie(service, base, receipt) });
  } catch (error) {
    const fieldErrors = fieldErrorsIn(error, opened, submitted);
    if (!fieldErrors) throw error;
    return again(fieldErrors);
  }
}

const withoutEmpty = (answers: readonly { formFieldId: string; values: string[] }[]): Map<string, string[]> =>
  new Map(answers.flatMap(({ formFieldId, values }) => (values.length > 0 ? [[formFieldId, values]] : [])));

const RECEIPT = 'docgraph_receipt';

/** With it, the browser that has sent the form shows how its answers were read, for as long as people look at that page. */
const receiptCookie = ({ publicUrl }: PublicPageService, base: string, receipt: string): string =>
  serialize(RECEIPT, receipt, {
    path: `${base}/sent`,
    httpOnly: true,
    sameSite: 'Lax',
    secure: publicUrl.startsWith('https:'),
    maxAge: (10 * MINUTE) / SECOND,
  });

/** The error that the domain found in an answer, by question id; the error names the question. */
function fieldErrorsIn(
  error: unknown,
  { questions }: OpenForm,
  submitted: Answers,
): Map<string, string> | undefined {
  if (!(error instanceof DomainError) || error.code !== 'BAD_USER_INPUT') return undefined;
  const about = questions.find(({ id, name }) => submitted.has(id) && error.subject === name);
  return about && new Map([[about.id, error.reason]]);
}

async function showSent(service: PublicPageService, call: Call): Promise<Response> {
  const { ctx, base, locale, opened } = await openForm(service, call);
  const received = await findReceivedAnswers(ctx, opened.form, getCookie(call, RECEIPT) ?? '');
  const link = opened.closed ? undefined : { href: base, text: 'Fill it in again' };
  const { form, organizationName, face } = opened;
  const style = faceStyle(face);
  return publicPage(
    FormSent({
      ...{ name: form.name, organizationName, link, style },
      answers: shownAnswers(opened, received, locale),
      unchanged: call.req.query('unchanged') !== undefined,
    }),
    { style },
  );
}
