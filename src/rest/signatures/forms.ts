import { notFound } from '../../domain/kernel/errors.ts';
import {
  AddSignatureFieldsDocument,
  DeleteSignatureFieldsDocument,
  EnsureSignatureFormDocument,
  GetSignatureFormDocument,
  GetSignatureFormOfDocumentDocument,
  ListRecentSignatureFormsDocument,
  ListSignatureFieldsDocument,
  UpdateSignatureFieldDocument,
  UpdateSignatureFormDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { PROJECT, projectPath, requireInProject } from '../wire/path.ts';
import type { Members } from '../wire/read.ts';
import { type RestRequest, type Route, route } from '../wire/route.ts';
import { whole } from '../wire/whole.ts';
import { fieldTypeOf, signatureFieldRecord, signatureFormRecord, signerIn } from './record.ts';

const FORMS = `${PROJECT}/documents/:documentId/signatureForms`;
const FORM = `${FORMS}/:documentSignatureFormId`;
const FIELDS = `${FORM}/fields`;
const FIELD = `${FIELDS}/:documentSignatureFormFieldId`;

export const documentIn = (request: RestRequest) => ({
  ...projectPath(request),
  documentId: request.path.documentId as string,
});

const formIn = (request: RestRequest) => ({
  ...documentIn(request),
  formId: request.path.documentSignatureFormId as string,
});

interface PlacedForm {
  organizationId: string;
  project: { id: string };
  document: { id: string };
}

/** A form is found only under its own document. */
function formInPlace<Form extends PlacedForm>(form: Form | null | undefined, request: RestRequest): Form {
  const found = requireInProject(form, request, 'Signature form');
  if (found.document.id !== request.path.documentId) throw notFound('Signature form');
  return found;
}

const present = route({
  id: 'getSignatureForm',
  method: 'GET',
  path: FORMS,
  operation: storedOperation(GetSignatureFormOfDocumentDocument),
  in: (request) => ({ documentId: documentIn(request).documentId }),
  out: ({ document }, request) => {
    const { signatureForm } = requireInProject(document, request, 'Document');
    return signatureForm && signatureFormRecord(signatureForm);
  },
});

const made = route({
  ...present,
  operation: storedOperation(EnsureSignatureFormDocument),
  in: (request) => ({ input: documentIn(request) }),
  out: ({ ensureSignatureForm: { form } }) => signatureFormRecord(form),
});

const FORM_FIELDS = storedOperation(ListSignatureFieldsDocument);

const traits = (item: Members) => ({
  pageIndex: item.integer('PageIndex'),
  x: item.number('X'),
  y: item.number('Y'),
  ...signerIn(item.text('DocumentSignatureSessionRecipientID')),
});

/** A field without a type is for a signature. */
const fieldOf = (item: Members) => {
  const { pageIndex = 0, x = 0, y = 0, ...rest } = traits(item);
  return { ...rest, pageIndex, x, y, type: fieldTypeOf(item.text('Type')) ?? ('SIGNATURE' as const) };
};

export const signatureFormRoutes: Route[] = [
  /** Got where it is, so that who only reads can; made where it is not. */
  {
    ...present,
    run: async (request, execute) => (await present.run(request, execute)) ?? made.run(request, execute),
  },
  route({
    id: 'getOneSignatureForm',
    method: 'GET',
    path: FORM,
    operation: storedOperation(GetSignatureFormDocument),
    in: (request) => ({ formId: formIn(request).formId }),
    out: ({ signatureForm }, request) => signatureFormRecord(formInPlace(signatureForm, request)),
  }),
  route({
    id: 'updateSignatureForm',
    method: 'PUT',
    path: FORM,
    operation: storedOperation(UpdateSignatureFormDocument),
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
    method: 'GET',
    path: FIELDS,
    scope: FORM_FIELDS.scope,
    run: async (request, execute) => {
      const { formId } = formIn(request);
      const fields = await whole(async (page) => {
        const { signatureForm } = await execute(FORM_FIELDS, { formId, ...page });
        return formInPlace(signatureForm, request).fields;
      });
      return fields.map(signatureFieldRecord);
    },
  },
  route({
    id: 'addSignatureFormFields',
    method: 'POST',
    path: FIELDS,
    operation: storedOperation(AddSignatureFieldsDocument),
    in: (request) => ({
      input: {
        ...formIn(request),
        clearExisting: request.query.flag('clearExisting'),
        fields: request.body.array().map(fieldOf),
      },
    }),
    out: ({ addSignatureFields: { fields } }) => fields.map(signatureFieldRecord),
  }),
  route({
    id: 'deleteSignatureFormFields',
    method: 'DELETE',
    path: FIELDS,
    operation: storedOperation(DeleteSignatureFieldsDocument),
    in: (request) => ({
      input: { ...formIn(request), fieldIds: request.body.optionalObject().texts('IDs') },
    }),
    out: () => undefined,
  }),
  route({
    id: 'updateSignatureFormField',
    method: 'PUT',
    path: FIELD,
    operation: storedOperation(UpdateSignatureFieldDocument),
    in: (request) => {
      const item = request.body.object();
      return {
        input: {
          ...formIn(request),
          fieldId: request.path.documentSignatureFormFieldId as string,
          type: fieldTypeOf(item.text('Type')),
          ...traits(item),
        },
      };
    },
    out: ({ updateSignatureField: { field } }) => signatureFieldRecord(field),
  }),
  route({
    id: 'deleteSignatureFormField',
    method: 'DELETE',
    path: FIELD,
    operation: storedOperation(DeleteSignatureFieldsDocument),
    in: (request) => {
      request.body.optionalObject();
      return {
        input: { ...formIn(request), fieldIds: [request.path.documentSignatureFormFieldId as string] },
      };
    },
    out: () => undefined,
  }),
  route({
    id: 'listRecentSignatureForms',
    method: 'GET',
    path: `${PROJECT}/recentDocumentSignatureForms`,
    operation: storedOperation(ListRecentSignatureFormsDocument),
    in: (request) => ({
      projectId: projectPath(request).projectId,
      first: request.page.first,
      filter: { namePrefix: request.query.text('nameFilter'), exceptId: request.query.text('excludingId') },
    }),
    out: ({ project }, request) => {
      if (project?.organizationId !== projectPath(request).organizationId) throw notFound('Project');
      return project.recentSignatureForms.nodes.map(signatureFormRecord);
    },
  }),
];
