import {
  findSignatureTemplates,
  findTemplateFields,
  signatureTemplatesOfProject,
  type TemplateField,
} from '../../../domain/signatures/signature-template.ts';
import { builder } from '../kernel/builder.ts';
import { BY_NAME_OR_AGE, connect, orderInput } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { orderBy, related } from '../kernel/related.ts';
import { Project, projectOf } from '../projects/type.ts';
import { Versioned } from '../users/tracked.ts';
import { SignatureFieldType } from './form.ts';

export const SignatureTemplateField = builder.prismaObject('SignatureTemplateField', {
  scope: 'signatures:read',
  description: 'A field of a signature form template.',
  interfaces: [Node],
  fields: (t) => ({
    type: t.expose('type', { type: SignatureFieldType, description: 'What goes into it.' }),
    recipientRank: t.exposeInt('recipientRank', { description: 'The rank of the signers it is for.' }),
    label: t.exposeString('label', { nullable: true, description: 'The text next to it.' }),
    rank: t.exposeInt('rank', { description: 'Its position in the order of the template.' }),
    pageIndex: t.exposeInt('pageIndex', { description: 'Its page, counted from 0.' }),
    x: t.exposeFloat('x', { description: 'Its left edge, in percent of the width of the page.' }),
    y: t.exposeFloat('y', { description: 'Its upper edge, in percent of the height of the page.' }),
    widthPercent: t.exposeFloat('widthPercent', {
      nullable: true,
      description: 'In percent of the width of the page.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
  }),
});

nodeType('SignatureTemplateField', ({ load }, id) => load.one(findTemplateFields, id));

export const SignatureFormTemplate = builder.prismaObject('SignatureFormTemplate', {
  scope: 'signatures:read',
  description:
    'Signature fields of a project, to be copied to the forms of its documents. A change of its fields is a change of the template.',
  interfaces: [Node, Versioned],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization it belongs to.' }),
    project: t.field({
      type: Project,
      description: 'The project it belongs to.',
      resolve: ({ projectId }, _, ctx) => projectOf(ctx, projectId),
    }),
    name: t.exposeString('name', { description: 'Display name.' }),
    fields: t.connection(
      {
        type: SignatureTemplateField,
        description: 'Its fields, in their order.',
        ...related<TemplateField>({
          ...{ model: 'signatureFormTemplate', relation: 'fields', type: 'SignatureTemplateField' },
          order: orderBy('rank', 'int'),
        }),
      },
      connectionOf(SignatureTemplateField),
    ),
  }),
});

nodeType('SignatureFormTemplate', ({ load }, id) => load.one(findSignatureTemplates, id));

const SignatureFormTemplateFilter = builder.inputType('SignatureFormTemplateFilter', {
  description: 'Which templates a list holds.',
  fields: (t) => ({
    namePrefix: t.string({ description: 'What the name starts with, ignoring case.' }),
  }),
});

const SignatureFormTemplateOrder = orderInput('SignatureFormTemplate', BY_NAME_OR_AGE);

builder.objectField(Project, 'signatureFormTemplates', (t) =>
  t.connection(
    {
      type: SignatureFormTemplate,
      description: 'Its templates of signature forms.',
      args: {
        filter: t.arg({ type: SignatureFormTemplateFilter, description: 'Which of them.' }),
        orderBy: t.arg({
          type: SignatureFormTemplateOrder,
          description: 'The order; by name by default.',
        }),
      },
      resolve: (project, { filter, orderBy, ...page }, ctx) =>
        connect(ctx, signatureTemplatesOfProject, project, {
          ...page,
          filter: filter ?? {},
          orderBy: orderBy ?? { field: 'NAME', direction: 'ASC' },
        }),
    },
    connectionOf(SignatureFormTemplate),
  ),
);

builder.queryField('signatureFormTemplate', (t) =>
  t.field({
    type: SignatureFormTemplate,
    nullable: true,
    description: 'A template by its id. NOT_FOUND if it does not exist or is not visible to you.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_, { id }, { load }) => load.seen(findSignatureTemplates, id, 'Signature template'),
  }),
);
