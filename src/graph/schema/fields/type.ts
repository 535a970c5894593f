import {
  type Choice as ChoiceRow,
  choicesOfField,
  findChoices,
  findFields,
} from '../../../domain/fields/field.ts';
import { builder } from '../kernel/builder.ts';
import { connect } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { IN_PAST } from '../kernel/field-options.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Project, projectOf } from '../projects/type.ts';

export const FieldType = builder.enumType('FieldType', {
  description: 'The type of the values of a field.',
  values: {
    TEXT: { description: 'Text of up to 10,000 characters.' },
    NUMBER: { description: 'A number in decimal notation.' },
    CURRENCY: { description: 'An amount in decimal notation.' },
    DATE: { description: 'A date or a time, in ISO 8601.' },
    BOOL: { description: '`true` or `false`.' },
  } as const,
});

export const Choice = builder.objectRef<ChoiceRow>('FieldChoice').implement({
  scope: 'organizations:read',
  description: 'A value that a field offers.',
  interfaces: [Node],
  fields: (t) => ({
    value: t.exposeString('value', { description: 'The value.' }),
    parentValue: t.exposeString('parentValue', {
      description: 'Offered only if the parent field has this value; empty if always offered.',
    }),
    rank: t.exposeInt('rank', { description: 'Its position among the choices.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
  }),
});

nodeType('FieldListItem', ({ load }, id) => load.one(findChoices, id), 'FieldChoice');

export const Field = builder.prismaObject('Field', {
  scope: { scope: 'organizations:read', open: ['name', 'label', 'type', 'sensitive'] },
  description: 'A field of a project: documents and forms may have values for it.',
  interfaces: [Node],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization it belongs to.' }),
    project: t.field({
      type: Project,
      nullable: true,
      description:
        'The project it belongs to; null for users who see the field only on a form that was shared with them.',
      extensions: IN_PAST,
      resolve: ({ projectId }, _, ctx) => projectOf(ctx, projectId),
    }),
    parentId: t.exposeID('parentId', { nullable: true, description: 'The field that this one depends on.' }),
    childIds: t.idList({
      description: 'The fields that depend on this one.',
      select: { children: { select: { id: true }, orderBy: [{ rank: 'asc' }, { id: 'asc' }] } },
      resolve: ({ children }) => children.map(({ id }) => id),
    }),
    name: t.exposeString('name', {
      description: 'The name, unique within the project, ignoring case.',
    }),
    label: t.exposeString('label', { nullable: true, description: 'Shown instead of the name.' }),
    type: t.expose('type', { type: FieldType, description: 'The type of its values.' }),
    rank: t.exposeFloat('rank', { description: 'Its position among the fields.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    version: t.exposeInt('version', {
      description: 'Incremented by each change; pass it as expectedVersion to detect changes by others.',
    }),
  }),
});

builder.objectFields(Field, (t) => ({
  required: t.exposeBoolean('required', { description: 'Whether forms require a value.' }),
  sensitive: t.exposeBoolean('sensitive', { description: 'Whether clients mask its values.' }),
  multipleValues: t.exposeBoolean('multipleValues', {
    description: 'Whether a document may have several values.',
  }),
  multipleLines: t.exposeBoolean('multipleLines', {
    description: 'Whether clients offer an input of several lines.',
  }),
  rows: t.exposeInt('rows', { description: 'How many lines clients show.' }),
  decimalPlaces: t.exposeInt('decimalPlaces', { description: 'How many decimal places clients show.' }),
  mask: t.exposeString('mask', { nullable: true, description: 'The input mask that clients use.' }),
  usesCreationDate: t.exposeBoolean('usesCreationDate', {
    description: 'Whether clients fill in the date of creation.',
  }),
  textMatchType: t.exposeString('textMatchType', {
    nullable: true,
    description: 'How clients match its text.',
  }),
  onDocuments: t.exposeBoolean('onDocuments', { description: 'Whether documents may have values for it.' }),
  labelHidden: t.exposeBoolean('labelHidden', { description: 'Whether clients hide the label.' }),
}));

builder.objectFields(Field, (t) => ({
  hasChoices: t.exposeBoolean('choices', { description: 'Whether it offers choices.' }),
  choicesDependOnParent: t.exposeBoolean('choicesDependOnParent', {
    description: 'Whether the choices it offers depend on the value of the parent field.',
  }),
  newChoicesAllowed: t.exposeBoolean('newChoicesAllowed', {
    description: 'Whether values other than its choices are accepted.',
  }),
  newChoicesSaved: t.exposeBoolean('newChoicesSaved', { description: 'Whether such values become choices.' }),
  choices: t.connection(
    {
      type: Choice,
      description: 'The choices it offers, in their order.',
      args: {
        parentValue: t.arg.string({ description: 'Only choices for this value of the parent field.' }),
        prefix: t.arg.string({ description: 'What the value starts with, ignoring case.' }),
      },
      resolve: (field, { parentValue, prefix, ...page }, ctx) =>
        connect(ctx, choicesOfField, field, {
          ...page,
          filter: { parentValue, prefix },
          orderBy: { field: 'RANK', direction: 'ASC' },
        }),
    },
    connectionOf(Choice),
  ),
}));

nodeType('Field', ({ load }, id) => load.one(findFields, id));
