import { formFileUrl } from '../../../domain/downloads/download.ts';
import {
  findForms,
  formLink,
  formsOfProject,
  formsSharedWithViewer,
  formUrl,
} from '../../../domain/forms/form.ts';
import { groupsOfForm } from '../../../domain/groups/group.ts';
import { findProjects } from '../../../domain/projects/project.ts';
import { Group } from '../groups/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect, fixedOrder, orderInput } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { foundRow } from '../kernel/found-row.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Project } from '../projects/type.ts';
import { Tracked, Versioned } from '../users/tracked.ts';
import { Viewer } from '../viewer/type.ts';

const FormState = builder.enumType('FormState', {
  description: 'Whether a form accepts submissions.',
  values: {
    PRIVATE: { description: 'It is being designed, and accepts none.' },
    SHARED: {
      description:
        'It accepts submissions from people with whom it is shared, and from editors of its project.',
    },
  } as const,
});

const FormFilter = builder.inputType('FormTemplateFilter', {
  description: 'Which forms a list holds; all conditions must match.',
  fields: (t) => ({
    namePrefix: t.string({ description: 'What the name starts with, ignoring case.' }),
    state: t.field({ type: FormState, description: 'Only those in this state.' }),
  }),
});

const FormOrder = orderInput('FormTemplate', {
  NAME: { description: 'The name, ignoring case.' },
  CREATED_AT: { description: 'When it was created.' },
});

const foundForm = foundRow(findForms, 'viewerCanEdit', 'Form template');

/** Further fields: field.ts, submission.ts. */
export const FormTemplate = builder.prismaObject('FormTemplate', {
  scope: 'forms:read',
  description:
    'A form of a project, made of fields of the project. Each time it is filled in is a submission.',
  interfaces: [Node, Versioned, Tracked],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization it belongs to.' }),
    projectId: t.exposeID('projectId', { description: 'The project it belongs to.' }),
    project: t.field({
      type: Project,
      nullable: true,
      description: 'That project; null if you see the form only because it is shared with you.',
      resolve: ({ projectId }, _, { load }) => load.one(findProjects, projectId),
    }),
    name: t.exposeString('name', { description: 'Display name.' }),
    state: t.expose('state', { type: FormState, description: 'Whether it accepts submissions.' }),
    downloadUrl: t.string({
      nullable: true,
      description:
        'A URL that returns the PDF on which it is filled in, for 15 minutes; null if it has none, and answers are listed.',
      resolve: (form, _, ctx) => foundForm(ctx, form, (found) => formFileUrl(ctx, found)),
    }),
    pageCount: t.int({
      description: 'How many pages its fields are on.',
      resolve: (form, _, ctx) => foundForm(ctx, form, (found) => found.pages),
    }),
    aspect: t.exposeFloat('aspect', {
      description: 'Width of a page divided by its height; 0 if it is not set.',
    }),
  }),
});

/** Who may fill it in. */
builder.prismaObjectFields(FormTemplate, (t) => ({
  isPublic: t.exposeBoolean('isPublic', { description: 'Anyone who has the link may submit it.' }),
  linkId: t.string({
    nullable: true,
    description:
      'The secret of its public link, `uniqueId` in REST v1; null unless it is public. Each time it becomes public it gets a new link.',
    resolve: (form, _, ctx) => foundForm(ctx, form, (found) => formLink(ctx, found)),
  }),
  publicUrl: t.string({
    nullable: true,
    description: 'The URL of the form for anyone who has it, in any browser; null unless it is public.',
    resolve: (form, _, ctx) => foundForm(ctx, form, (found) => formUrl(ctx, found)),
  }),
  sharedWith: t.stringList({
    description: 'The e-mail addresses with which it is shared; only your own unless you are an editor.',
    resolve: (form, _, ctx) => foundForm(ctx, form, (found) => found.sharedWith),
  }),
  viewerCanUpdate: t.boolean({
    description: 'Whether you may change it.',
    resolve: (form, _, ctx) => foundForm(ctx, form, (found) => found.viewerCanEdit),
  }),
  viewerCanSubmit: t.boolean({
    description: 'Whether it accepts submissions from you.',
    resolve: (form, _, ctx) =>
      foundForm(ctx, form, (found) => found.viewerCanFill && form.state === 'SHARED'),
  }),
}));

builder.prismaObjectField(FormTemplate, 'sharedWithGroups', (t) =>
  t.connection(
    {
      type: Group,
      description:
        'The groups with whose members it is shared, by name; only those that you are in unless you are an editor.',
      resolve: (form, args, ctx) => connect(ctx, groupsOfForm, form, args, fixedOrder('NAME')),
    },
    connectionOf(Group),
  ),
);

nodeType('FormTemplate', ({ load }, id) => load.one(findForms, id));

builder.queryField('formTemplate', (t) =>
  t.field({
    type: FormTemplate,
    nullable: true,
    description: 'A form by its id. NOT_FOUND if it does not exist or is not visible to you.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_, { id }, { load }) => load.seen(findForms, id, 'Form'),
  }),
);

builder.objectField(Project, 'formTemplates', (t) =>
  t.connection(
    {
      type: FormTemplate,
      description: 'Its forms.',
      args: {
        filter: t.arg({ type: FormFilter, description: 'Which of them.' }),
        orderBy: t.arg({ type: FormOrder, description: 'The order; by name by default.' }),
      },
      resolve: (project, args, ctx) =>
        connect(ctx, formsOfProject, project, args, ({ filter, orderBy, ...page }) => ({
          ...page,
          filter: filter ?? {},
          orderBy: orderBy ?? { field: 'NAME', direction: 'ASC' },
        })),
    },
    connectionOf(FormTemplate),
  ),
);

builder.objectField(Viewer, 'sharedFormTemplates', (t) =>
  t.connection(
    {
      type: FormTemplate,
      description: 'The forms that are shared with you by e-mail, in all projects of your organizations.',
      args: {
        filter: t.arg({ type: FormFilter, description: 'Which of them.' }),
        orderBy: t.arg({ type: FormOrder, description: 'The order; by name by default.' }),
      },
      resolve: ({ id }, args, ctx) =>
        connect(
          ctx,
          formsSharedWithViewer,
          { organizationId: '', id },
          args,
          ({ filter, orderBy, ...page }) => ({
            ...page,
            filter: filter ?? {},
            orderBy: orderBy ?? { field: 'NAME', direction: 'ASC' },
          }),
        ),
    },
    connectionOf(FormTemplate),
  ),
);
