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
import { type Answers, answersIn, formProps } from './page.ts';
import { Form, FormSent } from './view.tsx';

const ANSWER_BYTES = 2 ** 16;

/** Where the public link of a form leads: to its questions, and to what became of the answers. */
export function formRouter(parts: PublicPageService): Hono {
  const app = new Hono();
  const at = (endpoint: (parts: PublicPageService, call: Call) => Promise<Response>) =>
    publicEndpoint(parts, (call) => endpoint(parts, call));
  app.get('/forms/:secret', at(show));
  app.post('/forms/:secret', at(submit));
  app.get('/forms/:secret/sent', at(sent));
  return app;
}

async function open(parts: PublicPageService, call: Call) {
  const secret = call.req.param('secret') as string;
  const ctx = contextOfLink(parts, call, secret);
  return { ctx, base: `/forms/${secret}`, opened: await openLinkedForm(ctx) };
}

const CLOSED = {
  title: 'This form is closed',
  text: 'It takes no answers at the moment. Ask whoever gave you the link.',
};

async function show(parts: PublicPageService, call: Call): Promise<Response> {
  const { base, opened } = await open(parts, call);
  if (opened.closed) return publicPage(Notice(CLOSED));
  return publicPage(Form(formProps(base, opened)));
}

async function submit(parts: PublicPageService, call: Call): Promise<Response> {
  const { ctx, base, opened } = await open(parts, call);
  if (opened.closed) return publicPage(Notice(CLOSED), { status: 409 });
  const { form, questions } = opened;
  const given = answersIn(await formOf(call, ANSWER_BYTES), questions);
  const again = (faults: ReadonlyMap<string, string>) =>
    publicPage(Form(formProps(base, opened, given, faults)), { status: 422 });
  const faults = findAnswerErrors(questions, given);
  if (faults.size > 0) return again(faults);
  const answers = [...given].map(([formFieldId, values]) => ({ formFieldId, values: [...values] }));
  try {
    await submitForm(ctx, { formTemplateId: form.id, submissions: [{ answers }] });
  } catch (error) {
    const fault = faultIn(error, opened, given);
    if (!fault) throw error;
    return again(fault);
  }
  return seeOther(`${base}/sent`);
}

/** What only the rules can tell of an answer, such as a choice that goes with another one: it begins with the name. */
function faultIn(error: unknown, { questions }: OpenForm, given: Answers): Map<string, string> | undefined {
  if (!(error instanceof DomainError) || error.code !== 'BAD_USER_INPUT') return undefined;
  const about = questions.find(({ id, name }) => given.has(id) && error.message.startsWith(`${name}: `));
  return about && new Map([[about.id, error.message.slice(`${about.name}: `.length)]]);
}

async function sent(parts: PublicPageService, call: Call): Promise<Response> {
  const { base, opened } = await open(parts, call);
  const link = opened.closed ? undefined : { href: base, text: 'Fill it in again' };
  return publicPage(FormSent({ name: opened.form.name, organizationName: opened.organizationName, link }));
}
