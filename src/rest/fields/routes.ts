import {
  CreateFieldsDocument,
  DeleteFieldsDocument,
  GetFieldDocument,
  ListFieldsDocument,
  ListTagsDocument,
  UpdateFieldDocument,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import { idList } from '../shape/ids.ts';
import { pagedOrAll } from '../wire/operations.ts';
import { pageRecord } from '../wire/pages.ts';
import { PROJECT, projectPath, requireInProject, requireProject } from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import { type Route, route } from '../wire/route.ts';
import { fieldChange, newField } from './input.ts';
import { fieldRecord, tagRecord } from './record.ts';

const FIELDS = `${PROJECT}/fields`;
const FIELD = `${FIELDS}/:fieldId`;

const fieldIn = ({ path }: RestRequest) => ({ fieldId: path.fieldId as string });

export const fieldRoutes: Route[] = [
  {
    id: 'listFields',
    method: 'GET',
    path: FIELDS,
    operations: pagedOrAll('Fields', {
      operation: storedOperation(ListFieldsDocument),
      in: (request) => ({ projectId: projectPath(request).projectId }),
      list: ({ project }, request) => requireProject(project, request).fields,
      record: fieldRecord,
    }),
  },
  route({
    id: 'createFields',
    names: { fields: '', ...newField.names },
    method: 'POST',
    path: FIELDS,
    operation: storedMutation(CreateFieldsDocument),
    in: (request) => ({ input: { ...projectPath(request), fields: request.body.array().map(newField) } }),
    out: ({ createFields }) => createFields.fields.map(fieldRecord),
  }),
  route({
    id: 'deleteFields',
    names: { fieldIds: 'IDs' },
    method: 'DELETE',
    path: FIELDS,
    operation: storedMutation(DeleteFieldsDocument),
    in: (request) => ({
      input: { ...projectPath(request), fieldIds: idList(request.body.object()).ids },
    }),
    out: () => undefined,
  }),
  route({
    id: 'getField',
    method: 'GET',
    path: FIELD,
    operation: storedOperation(GetFieldDocument),
    in: fieldIn,
    out: ({ field }, request) => fieldRecord(requireInProject(field, request, 'Field')),
  }),
  route({
    id: 'updateField',
    names: fieldChange.names,
    method: 'PUT',
    path: FIELD,
    operation: storedMutation(UpdateFieldDocument),
    in: (request) => ({
      input: { ...projectPath(request), ...fieldIn(request), ...fieldChange(request.body.object()) },
    }),
    out: ({ updateField }) => fieldRecord(updateField.field),
  }),
  route({
    id: 'listTags',
    method: 'GET',
    path: `${PROJECT}/tags`,
    operation: storedOperation(ListTagsDocument),
    in: (request) => ({ projectId: projectPath(request).projectId, ...request.page }),
    out: ({ project }, request) => {
      const { tags } = requireProject(project, request);
      return pageRecord('Tags', tags, request.page.first, tagRecord);
    },
  }),
];
