import { choicesOfField } from '../../../domain/fields/field.ts';
import { findForms } from '../../../domain/forms/form.ts';
import { type FormField as FormFieldRow, findFormFields } from '../../../domain/forms/form-field.ts';
import type { FieldType as TypeOfField } from '../../../generated/prisma/client.ts';
import { Choice, Field, FieldType } from '../fields/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
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
  scope: 'forms:read',
  description: 'A field of the project on a form.',
  interfaces: [Node],
  fields: (t) => ({
    formTemplate: t.field({
      type: FormTemplate,
      description: 'The form it is on.',
      resolve: ({ formTemplateId }, _, { load }) => load.seen(findForms, formTemplateId, 'Form'),
    }),
    field: t.relation('field', {
      scope: 'forms:read',
      type: Field,
      description: 'The field of the project.',
    }),
    linkId: t.exposeString('linkId', { description: 'A second identifier, hard to guess.' }),
    type: t.field({
      type: FieldType,
      description: 'The type of an answer: the type of the field.',
      resolve: ({ type }) => type as TypeOfField,
    }),
    rank: t.exposeInt('rank', { description: 'Its position among the fields of the form, from 0.' }),
    required: t.boolean({
      description: 'An answer is required, by the form or by the field itself.',
      select: { required: true, field: { select: { required: true } } },
      resolve: ({ required, field }) => required || field.required,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
  }),
});

/** The answers it takes. */
builder.prismaObjectFields(FormField, (t) => ({
  minimum: t.string({
    nullable: true,
    description: 'The smallest allowed number or amount, in decimal notation.',
    resolve: ({ minimum }) => decimalText(minimum),
  }),
  maximum: t.string({
    nullable: true,
    description: 'The greatest allowed number or amount, in decimal notation.',
    resolve: ({ maximum }) => decimalText(maximum),
  }),
  possibleValues: t.exposeStringList('possibleValues', {
    description: 'The only allowed values; empty if the form does not narrow the choices of the field.',
  }),
  defaultValues: t.exposeStringList('defaultValues', { description: 'The values that clients prefill.' }),
  choices: t.connection(
    {
      scope: 'forms:read',
      type: Choice,
      description: 'The choices of the field that the form allows, in their order.',
      args: {
        parentValue: t.arg.string({ description: 'Those of this value of the parent field.' }),
        prefix: t.arg.string({ description: 'What they start with, ignoring case.' }),
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
    },
    connectionOf(Choice),
  ),
}));

/** Where and how it is drawn. */
builder.prismaObjectFields(FormField, (t) => ({
  pageIndex: t.exposeInt('pageIndex', { description: 'The page it is on, from 0.' }),
  x: t.exposeFloat('x', { description: 'Distance from the left edge, in the units of the client.' }),
  y: t.exposeFloat('y', { description: 'Distance from the top.' }),
  width: t.exposeFloat('width', { description: 'How wide.' }),
  fontSize: t.exposeInt('fontSize', { description: 'Font size; 0 if it is not set.' }),
  columnLayout: t.exposeBoolean('columnLayout', { description: 'Clients lay its choices out in columns.' }),
}));

nodeType('FormField', ({ load }, id) => load.one(findFormFields, id));

builder.queryField('formField', (t) =>
  t.field({
    type: FormField,
    nullable: true,
    description: 'A field of a form by its id. NOT_FOUND if it does not exist or is not visible to you.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_, { id }, { load }) => load.seen(findFormFields, id, 'Form field'),
  }),
);

builder.prismaObjectField(FormTemplate, 'fields', (t) =>
  t.connection(
    {
      type: FormField,
      description: 'Its fields, in their order; at most 100.',
      ...related<FormFieldRow>({
        ...{ model: 'formTemplate', relation: 'fields', type: 'FormField' },
        order: orderBy('rank', 'int'),
      }),
    },
    connectionOf(FormField),
  ),
);
