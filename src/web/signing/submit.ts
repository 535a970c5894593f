import type { Context as Call } from 'hono';
import { DomainError } from '../../domain/kernel/errors.ts';
import { declineSignature, signDocument } from '../../domain/signing/sign.ts';
import { hasSameValues } from '../../domain/signing/sign-repeat.ts';
import { findValueErrors } from '../../domain/signing/sign-values.ts';
import { viewSigning } from '../../domain/signing/signing-view.ts';
import { localeOf } from '../public/page-locale.ts';
import { formOf, type PublicPageService, seeOther } from '../public/public-pages.ts';
import { type OpenedLink, openLink, requireOpenSigning } from './link.ts';
import { CONSENT, readSubmittedFields, type SubmittedFields } from './page.ts';
import { signedPage, signingPage } from './show.ts';

/** Drawn signatures are sent as data URLs, several in a form. */
const MAX_SIGNING_FORM_BYTES = 4 * 2 ** 20;

export async function submitSignature(service: PublicPageService, call: Call): Promise<Response> {
  const link = await openLink(service, call);
  const { base, status } = link;
  if (status !== 'READY' && status !== 'SIGNED') return seeOther(base);
  const signing = await requireOpenSigning(link);
  if (signing.locked) return seeOther(base);
  const form = await formOf(call, MAX_SIGNING_FORM_BYTES);
  const locale = localeOf(call.req.header('accept-language'));
  if (status === 'SIGNED') return answerRepeat(link, form, locale);
  const { ownFields } = await viewSigning(link.ctx, signing);
  const submitted = readSubmittedFields(form, ownFields, locale);
  const values = findValueErrors(ownFields, submitted.values);
  const consent = submitted.consent ? undefined : 'Agree to sign electronically.';
  if (values.size > 0 || consent) return signingPage(link, signing, submitted, { values, consent });
  try {
    await sign(link, submitted);
  } catch (error) {
    const fieldErrors = fieldErrorsIn(error, submitted);
    if (fieldErrors) return signingPage(link, signing, submitted, { values: fieldErrors });
    const now = await openLink(service, call);
    if (now.status === 'SIGNED') return answerRepeat(now, form, locale);
    throw error;
  }
  return seeOther(base);
}

const valuesOf = ({ values }: SubmittedFields) => [...values].map(([fieldId, value]) => ({ fieldId, value }));

const sign = ({ ctx, sessionId, recipientId, pass }: OpenedLink, submitted: SubmittedFields) =>
  signDocument(ctx, {
    ...{ sessionId, recipientId, pass, consent: CONSENT, timeZone: submitted.timeZone },
    values: valuesOf(submitted),
  });

/** The error that the domain found in a value, by field id; the error names its index in the list. */
function fieldErrorsIn(error: unknown, submitted: SubmittedFields): Map<string, string> | undefined {
  if (!(error instanceof DomainError) || error.code !== 'BAD_USER_INPUT') return undefined;
  const index = /^values\.(\d+)\./.exec(error.at ?? '')?.[1];
  const fieldId = index && [...submitted.values.keys()][Number(index)];
  return fieldId ? new Map([[fieldId, error.reason]]) : undefined;
}

/** For a form that comes after the signature: the same again, or other values, from another window or device. */
async function answerRepeat(link: OpenedLink, form: URLSearchParams, locale: string): Promise<Response> {
  const { signing, fields } = await signedBefore(link);
  const submitted = readSubmittedFields(form, fields, locale);
  const isSame = await hasSameValues(link.ctx, signing, fields, valuesOf(submitted));
  return isSame ? seeOther(link.base) : signedPage(link, signing, { fields, timeZone: submitted.timeZone });
}

/** The signing and the fields that the signer completed. */
async function signedBefore(link: OpenedLink) {
  const signing = await requireOpenSigning(link);
  const { otherFields } = await viewSigning(link.ctx, signing);
  return { signing, fields: otherFields.filter(({ recipientId }) => recipientId === signing.id) };
}

export async function submitDecline(service: PublicPageService, call: Call): Promise<Response> {
  const link = await openLink(service, call);
  const { ctx, base, sessionId, recipientId, pass, status } = link;
  const reason = ((await formOf(call)).get('reason') ?? '').trim();
  if (status === 'READY') await declineSignature(ctx, { sessionId, recipientId, pass, reason });
  if (status !== 'SIGNED') return seeOther(base);
  const { signing, fields } = await signedBefore(link);
  return signing.locked ? seeOther(base) : signedPage(link, signing, { fields, timeZone: null });
}
