import { badValue } from '../../domain/kernel/errors.ts';
import {
  ListFormFieldsDocument,
  ListFormTemplatesDocument,
  ShareFormTemplatesDocument,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import { allPages, PAGE_SIZE } from '../wire/operations.ts';
import { pageRecord } from '../wire/pages.ts';
import { PROJECT, projectPath, requireInProject, requireProject } from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import { type Route, route } from '../wire/route.ts';
import { formShare } from './input.ts';
import { formFieldRecord, formTemplateRecord } from './record.ts';

const FORMS = `${PROJECT}/formTemplates`;

/** The page, with the size that `pageSize` of the query asks for, if it does. */
function pageOf({ page, query }: RestRequest): RestRequest['page'] {
  const size = query.text('pageSize');
  if (!size || page.first === 0) return page;
  if (!/^[1-9]\d{0,8}$/.test(size)) throw badValue('pageSize', 'must be a whole number from 1');
  return { ...page, first: Math.min(Number(size), PAGE_SIZE) };
}

export const formRoutes: Route[] = [
  route({
    id: 'listFormTemplates',
    method: 'GET',
    path: FORMS,
    operation: storedOperation(ListFormTemplatesDocument),
    in: (request) => ({ projectId: projectPath(request).projectId, ...pageOf(request) }),
    out: ({ project }, request) => {
      const { formTemplates } = requireProject(project, request);
      return pageRecord('FormTemplates', formTemplates, pageOf(request).first, (form) =>
        formTemplateRecord(form),
      );
    },
  }),
  {
    id: 'listFormTemplateFields',
    method: 'GET',
    path: `${FORMS}/:formTemplateId/fields`,
    operations: allPages({
      operation: storedOperation(ListFormFieldsDocument),
      in: ({ path }) => ({ formTemplateId: path.formTemplateId as string }),
      list: ({ formTemplate }, request) => {
        const { fields, ...form } = requireInProject(formTemplate, request, 'Form');
        return { ...fields, nodes: fields.nodes.map((field) => formFieldRecord(form, field)) };
      },
      out: (fields) => fields,
    }),
  },
  route({
    id: 'shareFormTemplates',
    names: formShare.names,
    method: 'POST',
    path: `${PROJECT}/formTemplateActions/share`,
    operation: storedMutation(ShareFormTemplatesDocument),
    in: (request) => ({ input: { ...projectPath(request), ...formShare(request.body.object()) } }),
    out: ({ shareFormTemplates }) => shareFormTemplates.formTemplates.map((form) => formTemplateRecord(form)),
  }),
];
