import {
  AddSignatureTemplateFieldsDocument,
  CreateSignatureTemplatesDocument,
  DeleteSignatureTemplateDocument,
  ListSignatureTemplateFieldsDocument,
  ListSignatureTemplatesDocument,
  UpdateSignatureTemplateDocument,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import type { Members } from '../wire/members.ts';
import { allPages } from '../wire/operations.ts';
import { PROJECT, projectPath, requireInProject, requireProject } from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import { type Route, route } from '../wire/route.ts';
import {
  fieldTypeOf,
  SIGNATURE_FIELD_NAMES,
  signatureTemplateFieldRecord,
  signatureTemplateRecord,
  signerOf,
} from './record.ts';

const TEMPLATES = `${PROJECT}/signatureFormTemplates`;
const TEMPLATE = `${TEMPLATES}/:signatureFormTemplateId`;
const FIELDS = `${TEMPLATE}/fields`;

const templateIn = (request: RestRequest) => ({
  ...projectPath(request),
  templateId: request.path.signatureFormTemplateId as string,
});

const newField = (item: Members) => ({
  type: fieldTypeOf(item) ?? ('SIGNATURE' as const),
  ...signerOf(item),
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
    operations: allPages({
      operation: storedOperation(ListSignatureTemplatesDocument),
      in: (request) => ({ projectId: projectPath(request).projectId }),
      list: ({ project }, request) => requireProject(project, request).signatureFormTemplates,
      out: (templates) => templates.map(signatureTemplateRecord),
    }),
  },
  route({
    id: 'createSignatureFormTemplates',
    names: { templates: '', name: 'Name' },
    method: 'POST',
    path: TEMPLATES,
    operation: storedMutation(CreateSignatureTemplatesDocument),
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
    names: { templateId: 'signatureFormTemplateId', name: 'Name' },
    method: 'PUT',
    path: TEMPLATE,
    operation: storedMutation(UpdateSignatureTemplateDocument),
    in: (request) => ({ input: { ...templateIn(request), name: request.body.object().text('Name') } }),
    out: ({ updateSignatureFormTemplate: { template } }) => signatureTemplateRecord(template),
  }),
  route({
    id: 'deleteSignatureFormTemplate',
    names: { templateId: 'signatureFormTemplateId' },
    method: 'DELETE',
    path: TEMPLATE,
    operation: storedMutation(DeleteSignatureTemplateDocument),
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
    operations: allPages({
      operation: storedOperation(ListSignatureTemplateFieldsDocument),
      in: (request) => ({ templateId: templateIn(request).templateId }),
      list: ({ signatureFormTemplate }, request) =>
        requireInProject(signatureFormTemplate, request, 'Signature template').fields,
      out: (fields) => fields.map(signatureTemplateFieldRecord),
    }),
  },
  route({
    id: 'addSignatureFormTemplateFields',
    names: {
      ...SIGNATURE_FIELD_NAMES,
      templateId: 'signatureFormTemplateId',
      fields: '',
      clearExisting: 'clearExisting',
      label: 'Label',
      widthPercent: 'WidthPercent',
      rank: 'SortRank',
    },
    method: 'POST',
    path: FIELDS,
    operation: storedMutation(AddSignatureTemplateFieldsDocument),
    in: (request) => ({
      input: {
        ...templateIn(request),
        clearExisting: request.query.flag('clearExisting'),
        fields: request.body.array().map(newField),
      },
    }),
    out: ({ addSignatureTemplateFields: { fields } }) => fields.map(signatureTemplateFieldRecord),
  }),
];
