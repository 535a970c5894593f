import {
  fieldsOfProject,
  findFields,
  findFieldValues,
  findTags,
  type Tag as TagRow,
  tagsOfProject,
} from '../../../domain/fields/field.ts';
import type { GraphContext } from '../../engine/context.ts';
import { Document } from '../documents/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect, fixedOrder } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { IN_PAST } from '../kernel/field-options.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Project } from '../projects/type.ts';
import { Field } from './type.ts';

const Tag = builder.objectRef<TagRow>('Tag').implement({
  scope: 'organizations:read',
  description: 'A tag of documents and tasks of a project.',
  interfaces: [Node],
  fields: (t) => ({
    text: t.exposeString('text', { description: 'The text, as it was first written.' }),
    modifiedAt: t.expose('modifiedAt', { type: 'DateTime', description: 'When it was created.' }),
  }),
});

nodeType('Tag', ({ load }, id) => load.one(findTags, id));

interface FieldValue {
  fieldId: string;
  values: string[];
}

const FieldValue = builder.objectRef<FieldValue>('FieldValue').implement({
  description: 'The values that a document has for one field.',
  fields: (t) => ({
    field: t.field({
      type: Field,
      description: 'The field.',
      extensions: IN_PAST,
      resolve: ({ fieldId }, _, { load }) => load.seen(findFields, fieldId, 'Field'),
    }),
    values: t.exposeStringList('values', { description: 'As text, in their order.' }),
  }),
});

async function valuesOf(documentId: string, { load }: GraphContext): Promise<FieldValue[]> {
  const document = await load.one(findFieldValues, documentId);
  const byField = new Map<string, string[]>();
  for (const { fieldId, text } of document?.values ?? [])
    byField.set(fieldId, [...(byField.get(fieldId) ?? []), text]);
  return [...byField].map(([fieldId, values]) => ({ fieldId, values }));
}

builder.objectField(Document, 'fieldValues', (t) =>
  t.field({
    type: [FieldValue],
    description: 'The values of its fields, in the order of the fields.',
    extensions: IN_PAST,
    resolve: ({ id }, _, ctx) => valuesOf(id, ctx),
  }),
);

const byRank = fixedOrder('RANK');

builder.objectFields(Project, (t) => ({
  fields: t.connection(
    {
      type: Field,
      description: 'The fields for which its documents and forms may have values, in their order.',
      extensions: IN_PAST,
      resolve: (project, args, ctx) => connect(ctx, fieldsOfProject, project, args, byRank),
    },
    connectionOf(Field),
  ),
  tags: t.connection(
    {
      type: Tag,
      description: 'The tags of its documents and tasks, in alphabetical order.',
      args: { prefix: t.arg.string({ description: 'What the text starts with, ignoring case.' }) },
      resolve: (project, { prefix, ...page }, ctx) =>
        connect(ctx, tagsOfProject, project, {
          ...page,
          filter: { prefix },
          orderBy: { field: 'TEXT', direction: 'ASC' },
        }),
    },
    connectionOf(Tag),
  ),
}));

builder.queryField('field', (t) =>
  t.field({
    type: Field,
    nullable: true,
    description: 'A field by its id. NOT_FOUND if it does not exist or is not visible to you.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_, { id }, { load }) => load.seen(findFields, id, 'Field'),
  }),
);
