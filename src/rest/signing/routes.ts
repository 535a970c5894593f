import { notFound } from '../../domain/kernel/errors.ts';
import {
  ListSigningFieldsDocument,
  OpenSigningDocument,
  SignDocumentDocument,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import { type Execute, sequence } from '../wire/operations.ts';
import { readAllPages } from '../wire/pages.ts';
import type { RestRequest } from '../wire/request.ts';
import { type Route, route } from '../wire/route.ts';
import { NO_FORM, type SigningForm, signingFormRecord, signingRecord } from './record.ts';

const FIELDS =
  '/documentSignatureSessions/:documentSignatureSessionId/signingRecipients/:documentSignatureSessionRecipientId/fields';

const signingIn = ({ path, query }: RestRequest) => ({
  sessionId: path.documentSignatureSessionId as string,
  recipientId: path.documentSignatureSessionRecipientId as string,
  accessCode: query.text('accessCode') || undefined,
});

const SIGNING_NAMES = {
  sessionId: 'documentSignatureSessionId',
  recipientId: 'documentSignatureSessionRecipientId',
  accessCode: 'accessCode',
};

/** The secret of the signing link. A signer with an account may use a bearer token instead. */
const link = ({ query }: RestRequest) => query.text('uniqueId') || undefined;

const OPEN = storedOperation(OpenSigningDocument);
const LIST_FIELDS = storedOperation(ListSigningFieldsDocument);

/** All fields of a list of which OPEN has read the first page. */
const allFields = (
  request: RestRequest,
  execute: Execute,
  firstPage: SigningForm['waiting'],
  completed: boolean,
) =>
  readAllPages(async (after) => {
    if (after === null) return firstPage;
    const { signing } = await execute(LIST_FIELDS, { ...signingIn(request), completed, after });
    if (!signing?.form) throw notFound('Signing request');
    return signing.form.fields;
  });

async function formRecord(request: RestRequest, execute: Execute, form: SigningForm) {
  const waiting = await allFields(request, execute, form.waiting, false);
  const completed = await allFields(request, execute, form.completed, true);
  return signingFormRecord(form, waiting, completed);
}

async function openSigning(request: RestRequest, execute: Execute) {
  const { query } = request;
  const withForm = !query.flag('skipFormFieldPackage');
  const { signing } = await execute(OPEN, { ...signingIn(request), withForm });
  if (!signing) throw notFound('Signing request');
  const form = signing.form ? await formRecord(request, execute, signing.form) : NO_FORM;
  return signingRecord(signing, form, query.text('pageIndex'));
}

export const signingRoutes: Route[] = [
  {
    id: 'openSigning',
    names: SIGNING_NAMES,
    method: 'GET',
    path: FIELDS,
    link,
    operations: sequence([OPEN, LIST_FIELDS], openSigning),
  },
  route({
    id: 'signDocument',
    names: {
      ...SIGNING_NAMES,
      timeZone: 'timeZone',
      values: '',
      fieldId: 'DocumentSignatureFormFieldID|ID',
      value: 'Value',
    },
    method: 'PUT',
    path: FIELDS,
    link,
    operation: storedMutation(SignDocumentDocument),
    in: (request) => ({
      input: {
        ...signingIn(request),
        timeZone: request.query.text('timeZone') || undefined,
        values: request.body.array().map((item) => ({
          fieldId: item.text('DocumentSignatureFormFieldID') || item.required('ID'),
          value: item.text('Value') ?? '',
        })),
      },
    }),
    out: () => undefined,
  }),
];
