import { notFound } from '../../domain/kernel/errors.ts';
import {
  ListSigningFieldsDocument,
  OpenSigningDocument,
  type OpenSigningQuery,
  SignDocumentDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { designWord, signingFieldRecord } from '../signatures/record.ts';
import { type Execute, type RestRequest, type Route, route } from '../wire/route.ts';
import { whole } from '../wire/whole.ts';

const FIELDS =
  '/documentSignatureSessions/:documentSignatureSessionId/signingRecipients/:documentSignatureSessionRecipientId/fields';

const signingIn = ({ path, query }: RestRequest) => ({
  sessionId: path.documentSignatureSessionId as string,
  recipientId: path.documentSignatureSessionRecipientId as string,
  accessCode: query.text('accessCode') || undefined,
});

/** The signer's own link; who has an account may sign with that instead. */
const link = ({ query }: RestRequest) => query.text('uniqueId') || undefined;

const OPEN = storedOperation(OpenSigningDocument);
const MORE = storedOperation(ListSigningFieldsDocument);

type Signing = NonNullable<OpenSigningQuery['signing']>;
type Form = NonNullable<Signing['form']>;

/** The pages behind the first, which came with the form. */
const allFields = (request: RestRequest, execute: Execute, first: Form['waiting'], completed: boolean) =>
  whole(async ({ after }) => {
    if (after === null) return first;
    const { signing } = await execute(MORE, { ...signingIn(request), completed, after });
    if (!signing?.form) throw notFound('Signing request');
    return signing.form.fields;
  });

async function formRecord(request: RestRequest, execute: Execute, form: Form) {
  const waiting = await allFields(request, execute, form.waiting, false);
  const completed = await allFields(request, execute, form.completed, true);
  return {
    FormDesignType: designWord(form.design),
    QuickDesignPlaceInitials: form.placeInitials,
    QuickDesignPlaceFullName: form.placeFullName,
    QuickDesignPlaceEmail: form.placeEmail,
    QuickDesignPlaceTitle: form.placeTitle,
    FormFields: waiting.map(signingFieldRecord),
    CompletedFormFields: completed.map(signingFieldRecord),
  };
}

/** What is held back is sent with nothing in it. */
const NO_FORM = {
  FormDesignType: '',
  QuickDesignPlaceInitials: false,
  QuickDesignPlaceFullName: false,
  QuickDesignPlaceEmail: false,
  QuickDesignPlaceTitle: false,
  FormFields: [],
  CompletedFormFields: [],
};

const contentRecord = (content: Signing['content'], pageIndex: string | undefined) => ({
  Url: content?.url ?? '',
  ContentType: content?.contentType ?? '',
  Name: content?.name ?? '',
  PageIndex: /^\d{1,6}$/.test(pageIndex ?? '') ? Number(pageIndex) : 0,
  PageCount: content?.pageCount ?? 0,
});

/** DocumentSignatureSessionSigningRecipientPackage. */
async function open(request: RestRequest, execute: Execute) {
  const { query } = request;
  const withForm = !query.flag('skipFormFieldPackage');
  const { signing } = await execute(OPEN, { ...signingIn(request), withForm });
  if (!signing) throw notFound('Signing request');
  return {
    RequireAccessCode: signing.requiresAccessCode,
    SigningRecipient: { Email: signing.email, FullName: signing.fullName },
    FormFieldPackage: signing.form ? await formRecord(request, execute, signing.form) : NO_FORM,
    ServerDate: signing.serverTime,
    ContentPackage: contentRecord(signing.content, query.text('pageIndex')),
  };
}

export const signingRoutes: Route[] = [
  { id: 'openSigning', method: 'GET', path: FIELDS, scope: OPEN.scope, link, run: open },
  {
    ...route({
      id: 'signDocument',
      method: 'PUT',
      path: FIELDS,
      operation: storedOperation(SignDocumentDocument),
      in: (request) => ({
        input: {
          ...signingIn(request),
          values: request.body.array().map((item) => ({
            fieldId: item.text('DocumentSignatureFormFieldID') || item.required('ID'),
            value: item.text('Value') ?? '',
          })),
        },
      }),
      out: () => undefined,
    }),
    link,
  },
];
