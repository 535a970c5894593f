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
import { inPlace, PROJECT, place } from '../wire/path.ts';
import type { Members } from '../wire/read.ts';
import { type RestRequest, type Row, row } from '../wire/route.ts';
import { paged } from '../wire/wire.ts';
import { fieldRecord, fieldTraits, fieldTypeOf } from './record.ts';

const FIELDS = `${PROJECT}/fields`;

const fieldIn = ({ path }: RestRequest) => path.fieldId as string;

function typeOf(item: Members) {
  const type = fieldTypeOf(item.required('Type'));
  if (!type) throw badInput('Type: is no type of a field.', 'Type');
  return type;
}

export const fieldRows: Row[] = [
  row({
    id: 'listFields',
    method: 'GET',
    path: FIELDS,
    operation: storedOperation(ListFieldsDocument),
    in: (request) => ({ projectId: place(request).projectId, ...request.page }),
    out: ({ project }, request) => {
      if (project?.organizationId !== place(request).organizationId) throw notFound('Project');
      return paged('Fields', project.fields, request.page.first, fieldRecord);
    },
  }),
  row({
    id: 'createFields',
    method: 'POST',
    path: FIELDS,
    operation: storedOperation(CreateFieldsDocument),
    in: (request) => ({
      input: {
        ...place(request),
        fields: request.body
          .array()
          .map((item) => ({ name: item.required('Name'), type: typeOf(item), ...fieldTraits(item) })),
      },
    }),
    out: ({ createFields }) => createFields.fields.map(fieldRecord),
  }),
  row({
    id: 'deleteFields',
    method: 'DELETE',
    path: FIELDS,
    operation: storedOperation(DeleteFieldsDocument),
    in: (request) => ({
      input: { ...place(request), fieldIds: request.body.object().texts('IDs') ?? [] },
    }),
    out: () => undefined,
  }),
  row({
    id: 'getField',
    method: 'GET',
    path: `${FIELDS}/:fieldId`,
    operation: storedOperation(GetFieldDocument),
    in: (request) => ({ fieldId: fieldIn(request) }),
    out: ({ field }, request) => fieldRecord(inPlace(field, request, 'Field')),
  }),
  row({
    id: 'updateField',
    method: 'PUT',
    path: `${FIELDS}/:fieldId`,
    operation: storedOperation(UpdateFieldDocument),
    in: (request) => {
      const item = request.body.object();
      const parentId = item.text('ParentFieldID');
      return {
        input: {
          ...place(request),
          fieldId: fieldIn(request),
          name: item.text('Name'),
          ...fieldTraits(item),
          parentId,
        },
      };
    },
    out: ({ updateField }) => fieldRecord(updateField.field),
  }),
  row({
    id: 'listTags',
    method: 'GET',
    path: `${PROJECT}/tags`,
    operation: storedOperation(ListTagsDocument),
    in: (request) => ({ projectId: place(request).projectId, ...request.page }),
    out: ({ project }, request) => {
      if (project?.organizationId !== place(request).organizationId) throw notFound('Project');
      return paged('Tags', project.tags, request.page.first, ({ text, modifiedAt }) => ({
        Text: text,
        TextLower: text.toLowerCase(),
        ModifiedOn: modifiedAt,
        AssetItemTag: null,
      }));
    },
  }),
];
