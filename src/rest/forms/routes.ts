import { notFound } from '../../domain/kernel/errors.ts';
import {
  ListFormFieldsDocument,
  ListFormTemplatesDocument,
  ShareFormTemplatesDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { everyPage } from '../wire/every-page.ts';
import { inPlace, PROJECT, place } from '../wire/path.ts';
import { type Row, row } from '../wire/route.ts';
import { paged } from '../wire/wire.ts';
import { formFieldRecord, formTemplateRecord } from './record.ts';

const FIELDS = storedOperation(ListFormFieldsDocument);

export const formRows: Row[] = [
  row({
    id: 'listFormTemplates',
    method: 'GET',
    path: `${PROJECT}/formTemplates`,
    operation: storedOperation(ListFormTemplatesDocument),
    in: (request) => ({ projectId: place(request).projectId, ...request.page }),
    out: ({ project }, request) => {
      if (project?.organizationId !== place(request).organizationId) throw notFound('Project');
      return paged('FormTemplates', project.formTemplates, request.page.first, (form) =>
        formTemplateRecord(form),
      );
    },
  }),
  {
    id: 'listFormTemplateFields',
    method: 'GET',
    path: `${PROJECT}/formTemplates/:formTemplateId/fields`,
    scope: FIELDS.scope,
    run: (request, execute) =>
      everyPage(async (after) => {
        const { formTemplateId } = request.path as { formTemplateId: string };
        const { formTemplate } = await execute(FIELDS, { formTemplateId, after });
        const form = formTemplate && { ...formTemplate, project: { id: formTemplate.projectId } };
        const { fields, ...rest } = inPlace(form, request, 'Form');
        return { ...fields, nodes: fields.nodes.map((field) => formFieldRecord(rest, field)) };
      }),
  },
  row({
    id: 'shareFormTemplates',
    method: 'POST',
    path: `${PROJECT}/formTemplateActions/share`,
    operation: storedOperation(ShareFormTemplatesDocument),
    in: (request) => {
      const said = request.body.object();
      return {
        input: {
          ...place(request),
          formTemplateIds: said.texts('IDs') ?? [],
          userEmails: said.texts('UserEmails'),
          isPublic: said.flag('IsPublic'),
          message: said.text('Message'),
        },
      };
    },
    out: ({ shareFormTemplates }) => shareFormTemplates.formTemplates.map((form) => formTemplateRecord(form)),
  }),
];
