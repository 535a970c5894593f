import { notFound } from '../../domain/kernel/errors.ts';
import {
  ListFormFieldsDocument,
  ListFormTemplatesDocument,
  ShareFormTemplatesDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { everyPage } from '../wire/every-page.ts';
import { PROJECT, projectPath, requireInProject } from '../wire/path.ts';
import { type Route, route } from '../wire/route.ts';
import { pageRecord } from '../wire/wire.ts';
import { formFieldRecord, formTemplateRecord } from './record.ts';

const FIELDS = storedOperation(ListFormFieldsDocument);

export const formRoutes: Route[] = [
  route({
    id: 'listFormTemplates',
    method: 'GET',
    path: `${PROJECT}/formTemplates`,
    operation: storedOperation(ListFormTemplatesDocument),
    in: (request) => ({ projectId: projectPath(request).projectId, ...request.page }),
    out: ({ project }, request) => {
      if (project?.organizationId !== projectPath(request).organizationId) throw notFound('Project');
      return pageRecord('FormTemplates', project.formTemplates, request.page.first, (form) =>
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
        const { fields, ...rest } = requireInProject(form, request, 'Form');
        return { ...fields, nodes: fields.nodes.map((field) => formFieldRecord(rest, field)) };
      }),
  },
  route({
    id: 'shareFormTemplates',
    method: 'POST',
    path: `${PROJECT}/formTemplateActions/share`,
    operation: storedOperation(ShareFormTemplatesDocument),
    in: (request) => {
      const said = request.body.object();
      return {
        input: {
          ...projectPath(request),
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
