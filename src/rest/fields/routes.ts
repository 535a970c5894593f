import { badInput, notFound } from '../../domain/kernel/errors.ts';
import {
  CreateFieldsDocument,
  DeleteFieldsDocument,
  GetFieldDocument,
  ListFieldsDocument,
  ListTagsDocument,
  UpdateFieldDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { PROJECT, projectPath, requireInProject } from '../wire/path.ts';
import type { Members } from '../wire/read.ts';
import { type RestRequest, type Route, route } from '../wire/route.ts';
import { pageRecord } from '../wire/wire.ts';
import { fieldRecord, fieldTraits, fieldTypeOf } from './record.ts';

const FIELDS = `${PROJECT}/fields`;

const fieldIn = ({ path }: RestRequest) => path.fieldId as string;

function typeOf(item: Members) {
  const type = fieldTypeOf(item.required('Type'));
  if (!type) throw badInput('Type: is no type of a field.', 'Type');
  return type;
}

export const fieldRoutes: Route[] = [
  route({
    id: 'listFields',
    method: 'GET',
    path: FIELDS,
    operation: storedOperation(ListFieldsDocument),
    in: (request) => ({ projectId: projectPath(request).projectId, ...request.page }),
    out: ({ project }, request) => {
      if (project?.organizationId !== projectPath(request).organizationId) throw notFound('Project');
      return pageRecord('Fields', project.fields, request.page.first, fieldRecord);
    },
  }),
  route({
    id: 'createFields',
    method: 'POST',
    path: FIELDS,
    operation: storedOperation(CreateFieldsDocument),
    in: (request) => ({
      input: {
        ...projectPath(request),
        fields: request.body
          .array()
          .map((item) => ({ name: item.required('Name'), type: typeOf(item), ...fieldTraits(item) })),
      },
    }),
    out: ({ createFields }) => createFields.fields.map(fieldRecord),
  }),
  route({
    id: 'deleteFields',
    method: 'DELETE',
    path: FIELDS,
    operation: storedOperation(DeleteFieldsDocument),
    in: (request) => ({
      input: { ...projectPath(request), fieldIds: request.body.object().texts('IDs') ?? [] },
    }),
    out: () => undefined,
  }),
  route({
    id: 'getField',
    method: 'GET',
    path: `${FIELDS}/:fieldId`,
    operation: storedOperation(GetFieldDocument),
    in: (request) => ({ fieldId: fieldIn(request) }),
    out: ({ field }, request) => fieldRecord(requireInProject(field, request, 'Field')),
  }),
  route({
    id: 'updateField',
    method: 'PUT',
    path: `${FIELDS}/:fieldId`,
    operation: storedOperation(UpdateFieldDocument),
    in: (request) => {
      const item = request.body.object();
      const parentId = item.text('ParentFieldID');
      return {
        input: {
          ...projectPath(request),
          fieldId: fieldIn(request),
          name: item.text('Name'),
          ...fieldTraits(item),
          parentId,
        },
      };
    },
    out: ({ updateField }) => fieldRecord(updateField.field),
  }),
  route({
    id: 'listTags',
    method: 'GET',
    path: `${PROJECT}/tags`,
    operation: storedOperation(ListTagsDocument),
    in: (request) => ({ projectId: projectPath(request).projectId, ...request.page }),
    out: ({ project }, request) => {
      if (project?.organizationId !== projectPath(request).organizationId) throw notFound('Project');
      return pageRecord('Tags', project.tags, request.page.first, ({ text, modifiedAt }) => ({
        Text: text,
        TextLower: text.toLowerCase(),
        ModifiedOn: modifiedAt,
        AssetItemTag: null,
      }));
    },
  }),
];
