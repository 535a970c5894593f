import type { InputFieldBuilder } from '@pothos/core';
import type { Process as ProcessRow } from '../../../domain/approvals/process.ts';
import { createProcesses, updateProcess } from '../../../domain/approvals/process-change.ts';
import type { ProcessRun as RunRow } from '../../../domain/approvals/process-run.ts';
import { startProcess } from '../../../domain/approvals/process-start.ts';
import { withdrawProcessRuns } from '../../../domain/approvals/process-withdraw.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { ApprovalRule, OverdueAction, Process } from './process.ts';
import { ProcessRun } from './process-run.ts';

const stepFields = (t: InputFieldBuilder<typeof builder.$inferSchemaTypes, 'InputObject'>) => ({
  name: t.string({ required: true, description: 'Display name, 1 to 255 characters.' }),
  rule: t.field({ type: ApprovalRule, description: 'ONE by default.' }),
  need: t.int({
    description:
      'How many of its approvers have to approve, 1 to 50; instead of `rule`. At most as many as it names, unless it names groups.',
  }),
  veto: t.boolean({
    description:
      'Whether one denial denies it, as by default. If false, it is denied once too few approvers are left to approve.',
  }),
  rank: t.int({
    description:
      'Steps of an equal rank, 0 to 19, are decided at the same time; the next rank begins when all of them are approved. For each step of the process or for none; by default the position in the list.',
  }),
  excludeRequester: t.boolean({
    description: 'Whether who starts the process may not decide it; false by default.',
  }),
  distinctFromEarlier: t.boolean({
    description: 'Whether who voted on a step of an earlier rank may not decide it; false by default.',
  }),
  dueAfterDays: t.int({
    description:
      'Within how many days of its request it is to be decided, 1 to 3650; never overdue if omitted.',
  }),
  onOverdue: t.field({
    type: OverdueAction,
    description: 'What happens once it is overdue: REMIND by default; the others with `dueAfterDays` only.',
  }),
  escalateToIds: t.idList({
    description:
      'With ESCALATE: up to 50 people, editors of the project, who get a vote once it is overdue, by their user ids; at least one without a group.',
  }),
  escalateToGroupId: t.id({
    description:
      'With ESCALATE: a group of the organization whose members get a vote once it is overdue: those who are in it, and editors of the project, then.',
  }),
  approverIds: t.idList({
    description:
      'Its approvers: up to 50 people who are editors of the project, by their user ids; at least one unless it names groups.',
  }),
  groupIds: t.idList({
    description:
      'Up to 20 groups of the organization whose members are its approvers too: those who are in them, and editors of the project, when the step is requested.',
  }),
});

const NewProcessStep = builder.inputType('NewProcessStep', {
  description: 'One step of a new process.',
  fields: stepFields,
});

const NewProcess = builder.inputType('NewProcess', {
  description: 'One process to create.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Display name, 1 to 255 characters.' }),
    steps: t.field({
      type: [NewProcessStep],
      required: true,
      description: '1 to 20 steps, in the order in which they are decided unless they have ranks.',
    }),
  }),
});

const createProcessesInput = mutationInput({
  description: 'New processes of one project: all are created, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'Where to create them.' }),
    processes: t.field({ type: [NewProcess], required: true, description: 'The processes, in order.' }),
  }),
});

const ProcessStepChange = builder.inputType('ProcessStepChange', {
  description: 'A step of a changed process.',
  fields: (t) => ({
    id: t.id({ description: 'The existing step to change; a new step if omitted.' }),
    ...stepFields(t),
  }),
});

const updateProcessInput = mutationInput({
  description: 'A change of a process; an omitted member keeps its value.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    processId: t.id({ required: true, description: 'Which process.' }),
    name: t.string({ description: 'The new display name.' }),
    steps: t.field({
      type: [ProcessStepChange],
      description:
        'Its steps: replaces the list. Runs that have begun continue with the steps that they have not reached yet. CONFLICT if a step is omitted that a run has reached.',
    }),
    disabled: t.boolean({ description: 'Disables or enables it; runs that have begun continue.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const startProcessInput = mutationInput({
  description: 'Items to start a process on: on all of them, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    processId: t.id({ required: true, description: 'Which process.' }),
    itemIds: t.idList({ required: true, description: 'Documents and tasks of its project.' }),
  }),
});

const withdrawProcessRunsInput = mutationInput({
  description: 'Runs to withdraw: all of them, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    runIds: t.idList({ required: true, description: 'Which runs.' }),
    reason: t.string({ description: 'Why, up to 2,000 characters; the event has it.' }),
  }),
});

const processPayload = mutationPayload<{ process: ProcessRow }>({
  description: 'The process after the change.',
  fields: (t) => ({ process: t.expose('process', { type: Process, description: 'The process.' }) }),
});

const createProcessesPayload = mutationPayload<{ processes: ProcessRow[] }>({
  description: 'The new processes.',
  fields: (t) => ({
    processes: t.expose('processes', { type: [Process], description: 'In the order of the input.' }),
  }),
});

const runsPayload = (description: string) =>
  mutationPayload<{ runs: RunRow[] }>({
    description,
    fields: (t) => ({
      runs: t.expose('runs', { type: [ProcessRun], description: 'In the order of the input.' }),
    }),
  });

mutation('createProcesses', {
  scope: 'approvals:write',
  description: 'Creates processes. Requires the role ADMIN in the project.',
  argument: 'The processes.',
  input: createProcessesInput,
  payload: createProcessesPayload,
  batch: { items: 'processes', empty: { processes: [] } },
  resolve: async (input, ctx) => ({ processes: await createProcesses(ctx, input) }),
});

mutation('updateProcess', {
  scope: 'approvals:write',
  description: 'Changes a process, or disables or enables it. Requires the role ADMIN in the project.',
  argument: 'The change.',
  input: updateProcessInput,
  payload: processPayload,
  resolve: async (input, ctx) => ({ process: await updateProcess(ctx, input) }),
});

mutation('startProcess', {
  scope: 'approvals:write',
  description: 'Starts a process on documents and tasks. Requires the role EDITOR in the project.',
  argument: 'The items.',
  input: startProcessInput,
  payload: runsPayload('The new runs, one for each item.'),
  batch: { items: 'itemIds', empty: { runs: [] } },
  resolve: async (input, ctx) => ({ runs: await startProcess(ctx, input) }),
});

mutation('withdrawProcessRuns', {
  scope: 'approvals:write',
  description:
    'Takes back runs and their pending approvals. CONFLICT for a run that has ended. Requires the role EDITOR in the project of who started a run, and ADMIN of others.',
  argument: 'The runs.',
  input: withdrawProcessRunsInput,
  payload: runsPayload('The runs after the change.'),
  batch: { items: 'runIds', empty: { runs: [] } },
  resolve: async (input, ctx) => ({ runs: await withdrawProcessRuns(ctx, input) }),
});
