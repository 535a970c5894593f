import { votesNeeded } from '../../../domain/approvals/approval-state.ts';
import {
  findProcesses,
  findProcessSteps,
  processesOfProject,
  type ProcessStep as StepRow,
} from '../../../domain/approvals/process.ts';
import { findGroups, groupsOfStep } from '../../../domain/groups/group.ts';
import type { User as UserRow } from '../../../domain/users/user.ts';
import { Group } from '../groups/type.ts';
import { builder } from '../kernel/builder.ts';
import { BY_NAME_OR_AGE, connect, defaultOrder, fixedOrder, orderInput } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { orderBy, related } from '../kernel/related.ts';
import { Project, projectOf } from '../projects/type.ts';
import { Tracked, Versioned } from '../users/tracked.ts';
import { User } from '../users/type.ts';

export const ApprovalRule = builder.enumType('ApprovalRule', {
  description: 'How many of the approvers of a step have to approve.',
  values: {
    ONE: { description: 'One of them is enough.' },
    ALL: { description: 'All of them, except those who declined; or more than one, as `need` says.' },
  } as const,
});

export const OverdueAction = builder.enumType('OverdueAction', {
  description: 'What happens once the due time of an approval has passed.',
  values: {
    REMIND: { description: 'Its approvers and who started the process are notified, once.' },
    ESCALATE: { description: 'As REMIND, and further people get a vote, once.' },
    DECLINE: { description: 'It is declined, which ends its run.' },
  } as const,
});

const groupsByName = fixedOrder('NAME');

export const ProcessStep = builder.prismaObject('ProcessStep', {
  scope: { scope: 'approvals:read', open: ['name'] },
  description: 'One step of a process: its approvers, and how many of them have to approve.',
  interfaces: [Node],
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Display name.' }),
    rank: t.exposeInt('rank', {
      description: 'Its position in the order, from 0; steps of an equal rank are decided at the same time.',
    }),
    rule: t.expose('rule', { type: ApprovalRule, description: 'How many of its approvers have to approve.' }),
    need: t.int({
      nullable: true,
      description: 'How many of its approvers have to approve; null: all of them, except those who declined.',
      resolve: votesNeeded,
    }),
    veto: t.exposeBoolean('veto', { description: 'Whether one denial denies it.' }),
    excludeRequester: t.exposeBoolean('excludeRequester', {
      description: 'Whether who started the process may not decide it.',
    }),
    distinctFromEarlier: t.exposeBoolean('distinctFromEarlier', {
      description: 'Whether who voted on a step of an earlier rank may not decide it.',
    }),
    dueAfterDays: t.exposeInt('dueAfterDays', {
      nullable: true,
      description: 'Within how many days of its request it is to be decided; null if it is never overdue.',
    }),
    approvers: t.connection(
      {
        type: User,
        description: 'Its approvers that it names themselves, by their id.',
        ...related<UserRow>({
          ...{ model: 'processStep', relation: 'approvers', type: 'User' },
          through: { member: 'user', select: { id: true, email: true, name: true } },
          order: { ...orderBy<UserRow>('id', 'text', { unique: true }), member: 'userId' },
        }),
      },
      connectionOf(User),
    ),
    groups: t.connection(
      {
        type: Group,
        description: 'The groups whose members are its approvers too, by name.',
        resolve: (step, args, ctx) => connect(ctx, groupsOfStep, step, args, groupsByName),
      },
      connectionOf(Group),
    ),
  }),
});

builder.prismaObjectFields(ProcessStep, (t) => ({
  onOverdue: t.expose('onOverdue', {
    type: OverdueAction,
    description: 'What happens once its approval is overdue.',
  }),
  escalateTo: t.connection(
    {
      type: User,
      description: 'With ESCALATE: the people who get a vote once its approval is overdue, by their id.',
      ...related<UserRow>({
        ...{ model: 'processStep', relation: 'escalations', type: 'User' },
        through: { member: 'user', select: { id: true, email: true, name: true } },
        order: { ...orderBy<UserRow>('id', 'text', { unique: true }), member: 'userId' },
      }),
    },
    connectionOf(User),
  ),
  escalateToGroup: t.field({
    type: Group,
    nullable: true,
    description: 'With ESCALATE: the group whose members get a vote once its approval is overdue.',
    resolve: ({ escalateGroupId }, _, { load }) =>
      escalateGroupId ? load.one(findGroups, escalateGroupId) : null,
  }),
}));

nodeType('ProcessStep', ({ load }, id) => load.one(findProcessSteps, id));

/** Further fields: process-run.ts. */
export const Process = builder.prismaObject('Process', {
  scope: { scope: 'approvals:read', open: ['name'] },
  description: 'The steps in which documents and tasks of a project are approved, rank by rank.',
  interfaces: [Node, Versioned, Tracked],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization it belongs to.' }),
    project: t.field({
      type: Project,
      description: 'The project it belongs to.',
      resolve: ({ projectId }, _, ctx) => projectOf(ctx, projectId),
    }),
    name: t.exposeString('name', { description: 'Display name.' }),
    disabled: t.boolean({
      description: 'Whether it is disabled: no new runs can be started; those that have begun continue.',
      resolve: ({ archivedAt }) => archivedAt !== null,
    }),
    steps: t.connection(
      {
        scope: 'approvals:read',
        type: ProcessStep,
        description: 'Its steps, in their order.',
        ...related<StepRow>({
          ...{ model: 'process', relation: 'steps', type: 'ProcessStep' },
          order: orderBy('rank', 'int'),
        }),
      },
      connectionOf(ProcessStep),
    ),
  }),
});

nodeType('Process', ({ load }, id) => load.one(findProcesses, id));

const ProcessFilter = builder.inputType('ProcessFilter', {
  description: 'Conditions for the processes of a list; all have to be met.',
  fields: (t) => ({
    namePrefix: t.string({ description: 'What the name starts with, ignoring case.' }),
    disabled: t.boolean({
      description: 'With true: only disabled ones. With false: only enabled ones.',
    }),
  }),
});

const ProcessOrder = orderInput('Process', BY_NAME_OR_AGE);

const byName = defaultOrder({ field: 'NAME', direction: 'ASC' });

builder.objectField(Project, 'processes', (t) =>
  t.connection(
    {
      scope: 'approvals:read',
      type: Process,
      description: 'Its approval processes.',
      args: {
        filter: t.arg({ type: ProcessFilter, description: 'Which processes; all if omitted.' }),
        orderBy: t.arg({
          type: ProcessOrder,
          description: 'The order; by name by default.',
        }),
      },
      resolve: (project, args, ctx) => connect(ctx, processesOfProject, project, args, byName),
    },
    connectionOf(Process),
  ),
);

builder.queryField('process', (t) =>
  t.field({
    type: Process,
    nullable: true,
    description: 'A process by its id. NOT_FOUND if it does not exist or is not visible to you.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_, { id }, { load }) => load.seen(findProcesses, id, 'Process'),
  }),
);
