import { notFound } from '../../domain/kernel/errors.ts';
import {
  AddSignatureFieldsDocument,
  DeleteSignatureFieldsDocument,
  EnsureSignatureFormDocument,
  GetSignatureFormDocument,
  GetSignatureFormOfDocumentDocument,
  ListSignatureFieldsDocument,
  UpdateSignatureFieldDocument,
  UpdateSignatureFormDocument,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import type { Members } from '../wire/members.ts';
import { allPages, readOrCreate, single } from '../wire/operations.ts';
import { PROJECT, requireInProject } from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import { type Route, route } from '../wire/route.ts';
import { documentIn } from './document-path.ts';
import { emptyFormRecord } from './empty-record.ts';
import { recentForms } from './recent-forms.ts';
import {
  fieldTypeOf,
  SIGNATURE_FIELD_NAMES,
  signatureFieldRecord,
  signatureFormRecord,
  signerOf,
} from './record.ts';

const FORMS = `${PROJECT}/documents/:documentId/signatureForms`;
const FORM = `${FORMS}/:documentSignatureFormId`;
const FIELDS = `${FORM}/fields`;
const FIELD = `${FIELDS}/:documentSignatureFormFieldId`;

const formIn = (request: RestRequest) => ({
  ...documentIn(request),
  formId: request.path.documentSignatureFormId as string,
});

const FORM_NAMES = { formId: 'documentSignatureFormId' };

interface OwnedForm {
  organizationId: string;
  project: { id: string };
  document: { id: string };
}

/** The form, if it belongs to the project and the document in the path. Throws NOT_FOUND. */
function requireForm<Form extends OwnedForm>(form: Form | null | undefined, request: RestRequest): Form {
  const inProject = requireInProject(form, request, 'Signature form');
  if (inProject.document.id !== request.path.documentId) throw notFound('Signature form');
  return inProject;
}

const fieldMembers = (item: Members) => ({
  pageIndex: item.integer('PageIndex'),
  x: item.number('X'),
  y: item.number('Y'),
  ...signerOf(item),
});

/** A new field; the default type is a signature. */
const newField = (item: Members) => {
  const { pageIndex = 0, x = 0, y = 0, ...rest } = fieldMembers(item);
  return { ...rest, pageIndex, x, y, type: fieldTypeOf(item) ?? ('SIGNATURE' as const) };
};

const FORM_OF_DOCUMENT = {
  operation: storedOperation(GetSignatureFormOfDocumentDocument),
  in: ({ path }: RestRequest) => ({ documentId: path.documentId as string }),
};

export const signatureFormRoutes: Route[] = [
  {
    id: 'getSignatureForm',
    method: 'GET',
    path: FORMS,
    operations: readOrCreate(
      single({
        ...FORM_OF_DOCUMENT,
        out: ({ document }, request) => {
          const { signatureForm } = requireInProject(document, request, 'Document');
          return signatureForm && signatureFormRecord(signatureForm);
        },
      }),
      single({
        operation: storedMutation(EnsureSignatureFormDocument),
        in: (request) => ({ input: documentIn(request) }),
        out: ({ ensureSignatureForm: { form } }) => signatureFormRecord(form),
      }),
      single({
        ...FORM_OF_DOCUMENT,
        out: ({ document }, request) => emptyFormRecord(requireInProject(document, request, 'Document')),
      }),
    ),
  },
  route({
    id: 'getOneSignatureForm',
    names: FORM_NAMES,
    method: 'GET',
    path: FORM,
    operation: storedOperation(GetSignatureFormDocument),
    in: (request) => ({ formId: formIn(request).formId }),
    out: ({ signatureForm }, request) => signatureFormRecord(requireForm(signatureForm, request)),
  }),
  route({
    id: 'updateSignatureForm',
    names: {
      ...FORM_NAMES,
      templateId: 'SignatureFormTemplateID',
      lastViewedPageIndex: 'LastViewedPageIndex',
    },
    method: 'PUT',
    path: FORM,
    operation: storedMutation(UpdateSignatureFormDocument),
    in: (request) => {
      const item = request.body.object();
      return {
        input: {
          ...formIn(request),
          templateId: item.text('SignatureFormTemplateID'),
          lastViewedPageIndex: item.integer('LastViewedPageIndex'),
        },
      };
    },
    out: ({ updateSignatureForm: { form } }) => signatureFormRecord(form),
  }),
  {
    id: 'listSignatureFormFields',
    names: FORM_NAMES,
    method: 'GET',
    path: FIELDS,
    operations: allPages({
      operation: storedOperation(ListSignatureFieldsDocument),
      in: (request) => ({ formId: formIn(request).formId }),
      list: ({ signatureForm }, request) => requireForm(signatureForm, request).fields,
      out: (fields) => fields.map(signatureFieldRecord),
    }),
  },
  route({
    id: 'addSignatureFormFields',
    names: { ...FORM_NAMES, ...SIGNATURE_FIELD_NAMES, fields: '', clearExisting: 'clearExisting' },
    method: 'POST',
    path: FIELDS,
    operation: storedMutation(AddSignatureFieldsDocument),
    in: (request) => ({
      input: {
        ...formIn(request),
        clearExisting: request.query.flag('clearExisting'),
        fields: request.body.array().map(newField),
      },
    }),
    out: ({ addSignatureFields: { fields } }) => fields.map(signatureFieldRecord),
  }),
  route({
    id: 'deleteSignatureFormFields',
    names: { ...FORM_NAMES, fieldIds: 'IDs' },
    method: 'DELETE',
    path: FIELDS,
    operation: storedMutation(DeleteSignatureFieldsDocument),
    in: (request) => ({
      input: { ...formIn(request), fieldIds: request.body.optionalObject().texts('IDs') },
    }),
    out: () => undefined,
  }),
  route({
    id: 'updateSignatureFormField',
    names: { ...FORM_NAMES, ...SIGNATURE_FIELD_NAMES, fieldId: 'documentSignatureFormFieldId' },
    method: 'PUT',
    path: FIELD,
    operation: storedMutation(UpdateSignatureFieldDocument),
    in: (request) => {
      const item = request.body.object();
      return {
        input: {
          ...formIn(request),
          fieldId: request.path.documentSignatureFormFieldId as string,
          type: fieldTypeOf(item),
          ...fieldMembers(item),
        },
      };
    },
    out: ({ updateSignatureField: { field } }) => signatureFieldRecord(field),
  }),
  route({
    id: 'deleteSignatureFormField',
    names: { ...FORM_NAMES, fieldIds: 'documentSignatureFormFieldId' },
    method: 'DELETE',
    path: FIELD,
    operation: storedMutation(DeleteSignatureFieldsDocument),
    in: (request) => {
      request.body.optionalObject();
      return {
        input: { ...formIn(request), fieldIds: [request.path.documentSignatureFormFieldId as string] },
      };
    },
    out: () => undefined,
  }),
  {
    id: 'listRecentSignatureForms',
    names: { namePrefix: 'nameFilter', exceptId: 'excludingId', after: 'cursor' },
    method: 'GET',
    path: `${PROJECT}/recentDocumentSignatureForms`,
    operations: recentForms,
  },
];
