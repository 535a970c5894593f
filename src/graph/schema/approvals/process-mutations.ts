import type { Process as ProcessRow } from '../../../domain/approvals/process.ts';
import { createProcesses, updateProcess } from '../../../domain/approvals/process-change.ts';
import type { ProcessRun as RunRow } from '../../../domain/approvals/process-run.ts';
import { startProcess } from '../../../domain/approvals/process-start.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { ApprovalRule, Process } from './process.ts';
import { ProcessRun } from './process-run.ts';

const NewProcessStep = builder.inputType('NewProcessStep', {
  description: 'One step of a new process.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Display name, 1 to 255 characters.' }),
    rule: t.field({ type: ApprovalRule, description: 'ONE unless you say otherwise.' }),
    approverIds: t.idList({
      required: true,
      description: 'Its approvers: 1 to 50 people who are editors of the project, by their user ids.',
    }),
  }),
});

const NewProcess = builder.inputType('NewProcess', {
  description: 'One process to create.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Display name, 1 to 255 characters.' }),
    steps: t.field({
      type: [NewProcessStep],
      required: true,
      description: '1 to 20 steps, in the order in which they are asked.',
    }),
  }),
});

const CreateProcessesInput = builder.inputType('CreateProcessesInput', {
  description: 'New processes of one project: all are created, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'Where to create them.' }),
    processes: t.field({ type: [NewProcess], required: true, description: 'The processes, in order.' }),
  }),
});

const ProcessStepChange = builder.inputType('ProcessStepChange', {
  description: 'A step as it is to be.',
  fields: (t) => ({
    id: t.id({ description: 'The step that stays, and changes; a new one when left out.' }),
    name: t.string({ required: true, description: 'Display name, 1 to 255 characters.' }),
    rule: t.field({ type: ApprovalRule, description: 'ONE unless you say otherwise.' }),
    approverIds: t.idList({
      required: true,
      description: 'Its approvers: 1 to 50 people who are editors of the project, by their user ids.',
    }),
  }),
});

const UpdateProcessInput = builder.inputType('UpdateProcessInput', {
  description: 'A change of a process; what is left out stays as it is.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    processId: t.id({ required: true, description: 'Which process.' }),
    name: t.string({ description: 'The new display name.' }),
    steps: t.field({
      type: [ProcessStepChange],
      description:
        'Its steps from now on: replaces the list. Runs under way are asked what they were not asked yet. CONFLICT when a step is left out that was asked before.',
    }),
    disabled: t.boolean({ description: 'Switches it off or on; runs under way go on.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const StartProcessInput = builder.inputType('StartProcessInput', {
  description: 'What to send through a process: all of it, or nothing.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    processId: t.id({ required: true, description: 'Which process.' }),
    itemIds: t.idList({ required: true, description: 'Documents and tasks of its project.' }),
  }),
});

const ProcessPayload = builder.objectRef<{ process: ProcessRow }>('ProcessPayload').implement({
  description: 'The process as it now is.',
  fields: (t) => ({ process: t.expose('process', { type: Process, description: 'The process.' }) }),
});

const CreateProcessesPayload = builder
  .objectRef<{ processes: ProcessRow[] }>('CreateProcessesPayload')
  .implement({
    description: 'The new processes.',
    fields: (t) => ({
      processes: t.expose('processes', { type: [Process], description: 'In the order of the input.' }),
    }),
  });

const StartProcessPayload = builder.objectRef<{ runs: RunRow[] }>('StartProcessPayload').implement({
  description: 'The runs that began.',
  fields: (t) => ({
    runs: t.expose('runs', {
      type: [ProcessRun],
      description: 'One for each item, in the order of the input.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createProcesses: t.field({
    type: CreateProcessesPayload,
    description: 'Creates processes. Takes the role ADMIN in the project.',
    args: { input: t.arg({ type: CreateProcessesInput, required: true, description: 'The processes.' }) },
    resolve: async (_, { input }, ctx) => ({ processes: await createProcesses(ctx, input) }),
  }),
  updateProcess: t.field({
    type: ProcessPayload,
    description: 'Changes a process, or switches it off or on. Takes the role ADMIN in the project.',
    args: { input: t.arg({ type: UpdateProcessInput, required: true, description: 'The change.' }) },
    resolve: async (_, { input }, ctx) => ({ process: await updateProcess(ctx, input) }),
  }),
  startProcess: t.field({
    type: StartProcessPayload,
    description: 'Sends documents and tasks through a process. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: StartProcessInput, required: true, description: 'The items.' }) },
    resolve: async (_, { input }, ctx) => ({ runs: await startProcess(ctx, input) }),
  }),
}));
