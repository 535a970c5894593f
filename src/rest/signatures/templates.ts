import { notFound } from '../../domain/kernel/errors.ts';
import {
  AddSignatureTemplateFieldsDocument,
  CreateSignatureTemplatesDocument,
  DeleteSignatureTemplateDocument,
  ListSignatureTemplateFieldsDocument,
  ListSignatureTemplatesDocument,
  UpdateSignatureTemplateDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { PROJECT, projectPath, requireInProject } from '../wire/path.ts';
import type { Members } from '../wire/read.ts';
import { type RestRequest, type Route, route } from '../wire/route.ts';
import { whole } from '../wire/whole.ts';
import { fieldTypeOf, signatureTemplateFieldRecord, signatureTemplateRecord, signerIn } from './record.ts';

const TEMPLATES = `${PROJECT}/signatureFormTemplates`;
const TEMPLATE = `${TEMPLATES}/:signatureFormTemplateId`;
const FIELDS = `${TEMPLATE}/fields`;

const templateIn = (request: RestRequest) => ({
  ...projectPath(request),
  templateId: request.path.signatureFormTemplateId as string,
});

const LIST = storedOperation(ListSignatureTemplatesDocument);
const TEMPLATE_FIELDS = storedOperation(ListSignatureTemplateFieldsDocument);

const fieldOf = (item: Members) => ({
  type: fieldTypeOf(item.text('Type')) ?? ('SIGNATURE' as const),
  ...signerIn(item.text('DocumentSignatureSessionRecipientID')),
  pageIndex: item.integer('PageIndex') ?? 0,
  x: item.number('X') ?? 0,
  y: item.number('Y') ?? 0,
  label: item.text('Label'),
  widthPercent: item.number('WidthPercent') || undefined,
  rank: item.integer('SortRank'),
});

export const signatureTemplateRoutes: Route[] = [
  {
    id: 'listSignatureFormTemplates',
    method: 'GET',
    path: TEMPLATES,
    scope: LIST.scope,
    run: async (request, execute) => {
      const { organizationId, projectId } = projectPath(request);
      const templates = await whole(async (page) => {
        const { project } = await execute(LIST, { projectId, ...page });
        if (project?.organizationId !== organizationId) throw notFound('Project');
        return project.signatureFormTemplates;
      });
      return templates.map(signatureTemplateRecord);
    },
  },
  route({
    id: 'createSignatureFormTemplates',
    method: 'POST',
    path: TEMPLATES,
    operation: storedOperation(CreateSignatureTemplatesDocument),
    in: (request) => ({
      input: {
        ...projectPath(request),
        templates: request.body.array().map((item) => ({ name: item.required('Name') })),
      },
    }),
    out: ({ createSignatureFormTemplates: { templates } }) => templates.map(signatureTemplateRecord),
  }),
  route({
    id: 'updateSignatureFormTemplate',
    method: 'PUT',
    path: TEMPLATE,
    operation: storedOperation(UpdateSignatureTemplateDocument),
    in: (request) => ({ input: { ...templateIn(request), name: request.body.object().text('Name') } }),
    out: ({ updateSignatureFormTemplate: { template } }) => signatureTemplateRecord(template),
  }),
  route({
    id: 'deleteSignatureFormTemplate',
    method: 'DELETE',
    path: TEMPLATE,
    operation: storedOperation(DeleteSignatureTemplateDocument),
    in: (request) => {
      request.body.optionalObject();
      return { input: templateIn(request) };
    },
    out: () => undefined,
  }),
  {
    id: 'listSignatureFormTemplateFields',
    method: 'GET',
    path: FIELDS,
    scope: TEMPLATE_FIELDS.scope,
    run: async (request, execute) => {
      const { templateId } = templateIn(request);
      const fields = await whole(async (page) => {
        const { signatureFormTemplate } = await execute(TEMPLATE_FIELDS, { templateId, ...page });
        return requireInProject(signatureFormTemplate, request, 'Signature template').fields;
      });
      return fields.map(signatureTemplateFieldRecord);
    },
  },
  route({
    id: 'addSignatureFormTemplateFields',
    method: 'POST',
    path: FIELDS,
    operation: storedOperation(AddSignatureTemplateFieldsDocument),
    in: (request) => ({
      input: {
        ...templateIn(request),
        clearExisting: request.query.flag('clearExisting'),
        fields: request.body.array().map(fieldOf),
      },
    }),
    out: ({ addSignatureTemplateFields: { fields } }) => fields.map(signatureTemplateFieldRecord),
  }),
];
