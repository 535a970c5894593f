import { choicesOfField } from '../../../domain/fields/field.ts';
import { findForms } from '../../../domain/forms/form.ts';
import { type FormField as FormFieldRow, findFormFields } from '../../../domain/forms/form-field.ts';
import type { FieldType as TypeOfField } from '../../../generated/prisma/client.ts';
import { Choice, Field, FieldType } from '../fields/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect } from '../kernel/connection.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { orderBy, related } from '../kernel/related.ts';
import { FormTemplate } from './type.ts';

/** In decimal notation without trailing zeros; Prisma's numbers are objects, and those of SQL are text. */
function decimalText(value: FormFieldRow['minimum']): string | null {
  if (value === null) return null;
  const text = typeof value === 'string' ? (value as string) : value.toFixed();
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

export const FormField = builder.prismaObject('FormField', {
  description: 'A field of the project on a form.',
  interfaces: [Node],
  fields: (t) => ({
    formTemplate: t.field({
      type: FormTemplate,
      description: 'The form it is on.',
      resolve: ({ formTemplateId }, _, { load }) => load.seen(findForms, formTemplateId, 'Form'),
    }),
    field: t.relation('field', { type: Field, description: 'The field of the project.' }),
    linkId: t.exposeString('linkId', { description: 'A second identifier, hard to guess.' }),
    type: t.field({
      type: FieldType,
      description: 'What an answer is: the type of the field.',
      resolve: ({ type }) => type as TypeOfField,
    }),
    rank: t.exposeInt('rank', { description: 'Its position among the fields of the form, from 0.' }),
    required: t.boolean({
      description: 'An answer is required, by the form or by the field itself.',
      select: { required: true, field: { select: { required: true } } },
      resolve: ({ required, field }) => required || field.required,
    }),
    minimum: t.string({
      nullable: true,
      description: 'The smallest number or amount it takes, in decimal notation.',
      resolve: ({ minimum }) => decimalText(minimum),
    }),
    maximum: t.string({
      nullable: true,
      description: 'The greatest number or amount it takes, in decimal notation.',
      resolve: ({ maximum }) => decimalText(maximum),
    }),
    possibleValues: t.exposeStringList('possibleValues', {
      description: 'The only values it takes; empty where the form does not narrow the choices of the field.',
    }),
    defaultValues: t.exposeStringList('defaultValues', { description: 'What clients fill in beforehand.' }),
    pageIndex: t.exposeInt('pageIndex', { description: 'The page it is on, from 0.' }),
    x: t.exposeFloat('x', { description: 'How far from the left, in the units of the client.' }),
    y: t.exposeFloat('y', { description: 'How far from the top.' }),
    width: t.exposeFloat('width', { description: 'How wide.' }),
    fontSize: t.exposeInt('fontSize', { description: 'Size of its text; 0 where it has not been set.' }),
    columnLayout: t.exposeBoolean('columnLayout', { description: 'Clients lay its choices out in columns.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
    choices: t.connection({
      type: Choice,
      description: 'The choices of the field that the form takes, in their order.',
      args: {
        parentValue: t.arg.string({ description: 'Those of this value of the parent field.' }),
        prefix: t.arg.string({ description: 'What they start with, whatever the case.' }),
      },
      resolve: ({ organizationId, fieldId, possibleValues }, { parentValue, prefix, ...page }, ctx) =>
        connect(
          ctx,
          choicesOfField,
          { organizationId, id: fieldId },
          {
            ...page,
            filter: { parentValue, prefix, among: possibleValues.length > 0 ? possibleValues : null },
            orderBy: { field: 'RANK', direction: 'ASC' },
          },
        ),
    }),
  }),
});

nodeType('FormField', ({ load }, id) => load.one(findFormFields, id));

builder.queryField('formField', (t) =>
  t.field({
    type: FormField,
    nullable: true,
    description: 'A field of a form by its id. NOT_FOUND for what is not there or not visible to you.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_, { id }, { load }) => load.seen(findFormFields, id, 'Form field'),
  }),
);

builder.prismaObjectField(FormTemplate, 'fields', (t) =>
  t.connection({
    type: FormField,
    description: 'Its fields, in their order; at most 100.',
    ...related<FormFieldRow>({
      ...{ model: 'formTemplate', relation: 'fields', type: 'FormField' },
      order: orderBy('rank', 'int'),
    }),
  }),
);
