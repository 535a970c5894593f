import { type Context as Call, Hono } from 'hono';
import { findAnswerErrors } from '../../domain/forms/form-answer.ts';
import { type OpenForm, openLinkedForm } from '../../domain/forms/form-open.ts';
import { submitForm } from '../../domain/forms/form-submit.ts';
import { DomainError } from '../../domain/kernel/errors.ts';
import {
  contextOfLink,
  formOf,
  type PublicPageService,
  publicEndpoint,
  publicPage,
  seeOther,
} from '../public/public-pages.ts';
import { Notice } from '../public/states.tsx';
import { type Answers, formProps, readAnswers } from './page.ts';
import { Form, FormSent } from './view.tsx';

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
  return { ctx, base: `/forms/${secret}`, opened: await openLinkedForm(ctx) };
}

const CLOSED = {
  title: 'This form is closed',
  text: 'It does not accept answers at the moment. Ask the person who sent you the link.',
};

async function showForm(service: PublicPageService, call: Call): Promise<Response> {
  const { base, opened } = await openForm(service, call);
  if (opened.closed) return publicPage(Notice(CLOSED));
  return publicPage(Form(formProps(base, opened)));
}

async function submitAnswers(service: PublicPageService, call: Call): Promise<Response> {
  const { ctx, base, opened } = await openForm(service, call);
  if (opened.closed) return publicPage(Notice(CLOSED), { status: 409 });
  const { form, questions } = opened;
  const submitted = readAnswers(await formOf(call, MAX_ANSWER_BYTES), questions);
  const again = (errors: ReadonlyMap<string, string>) =>
    publicPage(Form(formProps(base, opened, submitted, errors)), { status: 422 });
  const errors = await findAnswerErrors(questions, submitted);
  if (errors.size > 0) return again(errors);
  const answers = [...submitted].map(([formFieldId, values]) => ({ formFieldId, values: [...values] }));
  try {
    await submitForm(ctx, { formTemplateId: form.id, submissions: [{ answers }] });
  } catch (error) {
    const fieldErrors = fieldErrorsIn(error, opened, submitted);
    if (!fieldErrors) throw error;
    return again(fieldErrors);
  }
  return seeOther(`${base}/sent`);
}

/** The error that the domain found in an answer, by question id; the error text begins with the question's name. */
function fieldErrorsIn(
  error: unknown,
  { questions }: OpenForm,
  submitted: Answers,
): Map<string, string> | undefined {
  if (!(error instanceof DomainError) || error.code !== 'BAD_USER_INPUT') return undefined;
  const about = questions.find(({ id, name }) => submitted.has(id) && error.message.startsWith(`${name}: `));
  return about && new Map([[about.id, error.message.slice(`${about.name}: `.length)]]);
}

async function showSent(service: PublicPageService, call: Call): Promise<Response> {
  const { base, opened } = await openForm(service, call);
  const link = opened.closed ? undefined : { href: base, text: 'Fill it in again' };
  return publicPage(FormSent({ name: opened.form.name, organizationName: opened.organizationName, link }));
}
