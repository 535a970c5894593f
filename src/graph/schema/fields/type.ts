import { type Choice as ChoiceRow, choicesOfField, findFields } from '../../../domain/fields/field.ts';
import { builder } from '../kernel/builder.ts';
import { connect } from '../kernel/connection.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Project, projectOf } from '../projects/type.ts';

export const FieldType = builder.enumType('FieldType', {
  description: 'What the values of a field are.',
  values: {
    TEXT: { description: 'Text of up to 10,000 characters.' },
    NUMBER: { description: 'A number in decimal notation.' },
    CURRENCY: { description: 'An amount in decimal notation.' },
    DATE: { description: 'A date or a time, in ISO 8601.' },
    BOOL: { description: '`true` or `false`.' },
  } as const,
});

export const Choice = builder.objectRef<ChoiceRow>('FieldChoice').implement({
  description: 'A value that a field offers.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id.' }),
    value: t.exposeString('value', { description: 'The value.' }),
    parentValue: t.exposeString('parentValue', {
      description: 'Offered only when the parent field has this value; empty for always.',
    }),
    rank: t.exposeInt('rank', { description: 'Its position among the choices.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
  }),
});

export const Field = builder.prismaObject('Field', {
  description: 'A field that documents and forms of a project may carry values of.',
  interfaces: [Node],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization it belongs to.' }),
    project: t.field({
      type: Project,
      nullable: true,
      description:
        'The project it belongs to; null for who sees it only on a form that was shared with them.',
      resolve: ({ projectId }, _, ctx) => projectOf(ctx, projectId),
    }),
    parentId: t.exposeID('parentId', { nullable: true, description: 'The field that this one depends on.' }),
    childIds: t.idList({
      description: 'The fields that depend on this one.',
      select: { children: { select: { id: true }, orderBy: [{ rank: 'asc' }, { id: 'asc' }] } },
      resolve: ({ children }) => children.map(({ id }) => id),
    }),
    name: t.exposeString('name', {
      description: 'The name, the only one of its project, whatever the case.',
    }),
    label: t.exposeString('label', { nullable: true, description: 'What to show instead of the name.' }),
    type: t.expose('type', { type: FieldType, description: 'What its values are.' }),
    rank: t.exposeFloat('rank', { description: 'Its position among the fields.' }),
    required: t.exposeBoolean('required', { description: 'Forms ask for a value.' }),
    sensitive: t.exposeBoolean('sensitive', { description: 'Clients mask its values.' }),
    multipleValues: t.exposeBoolean('multipleValues', { description: 'A document may have several values.' }),
    multipleLines: t.exposeBoolean('multipleLines', { description: 'Clients offer several lines.' }),
    rows: t.exposeInt('rows', { description: 'How many lines they show.' }),
    hasChoices: t.exposeBoolean('choices', { description: 'It offers choices.' }),
    choicesDependOnParent: t.exposeBoolean('choicesDependOnParent', {
      description: 'Which choices it offers depends on the value of the parent field.',
    }),
    newChoicesAllowed: t.exposeBoolean('newChoicesAllowed', {
      description: 'Values other than its choices are accepted.',
    }),
    newChoicesSaved: t.exposeBoolean('newChoicesSaved', { description: 'Such values become choices.' }),
    decimalPlaces: t.exposeInt('decimalPlaces', { description: 'How many decimals clients show.' }),
    mask: t.exposeString('mask', { nullable: true, description: 'How clients guide the typing.' }),
    usesCreationDate: t.exposeBoolean('usesCreationDate', {
      description: 'Clients fill in the date of creation.',
    }),
    textMatchType: t.exposeString('textMatchType', {
      nullable: true,
      description: 'How clients match its text.',
    }),
    onDocuments: t.exposeBoolean('onDocuments', { description: 'Documents may carry it.' }),
    labelHidden: t.exposeBoolean('labelHidden', { description: 'Clients show no label.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    version: t.exposeInt('version', {
      description: 'Counts the changes; pass it as expectedVersion to change only what you saw.',
    }),
    choices: t.connection({
      type: Choice,
      description: 'The choices it offers, in their order.',
      args: {
        parentValue: t.arg.string({ description: 'Those of this value of the parent field.' }),
        prefix: t.arg.string({ description: 'What they start with, whatever the case.' }),
      },
      resolve: (field, { parentValue, prefix, ...page }, ctx) =>
        connect(ctx, choicesOfField, field, {
          ...page,
          filter: { parentValue, prefix },
          orderBy: { field: 'RANK', direction: 'ASC' },
        }),
    }),
  }),
});

nodeType('Field', ({ load }, id) => load.one(findFields, id));
