import {
  type ClientLog as ClientLogRow,
  createClientLog,
  findClientLogs,
} from '../../../domain/users/client-log.ts';
import {
  findPreferences,
  type Preference as PreferenceRow,
  updatePreferences,
} from '../../../domain/users/preference.ts';
import { builder } from '../kernel/builder.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Viewer } from './type.ts';

const Preference = builder.objectRef<PreferenceRow>('Preference').implement({
  scope: 'read',
  description: 'A setting that a client stored for you. The server does not read it.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the setting.' }),
    value: t.exposeString('value', { description: 'Its value, as text.' }),
  }),
});

const ClientLog = builder.objectRef<ClientLogRow>('ClientLog').implement({
  scope: 'read',
  description: 'A line that a client of yours reported about itself. Nothing in it is verified.',
  fields: (t) => ({
    header: t.exposeString('header', { description: 'What the line is about; may be empty.' }),
    values: t.exposeStringList('values', { description: 'The text, in up to three parts.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was received.' }),
  }),
});

builder.objectFields(Viewer, (t) => ({
  preferences: t.field({
    type: [Preference],
    description: 'The settings that clients stored for you with updatePreferences, by name.',
    resolve: (_, __, ctx) => findPreferences(ctx),
  }),
  clientLogs: t.field({
    type: [ClientLog],
    description: 'The newest 100 lines that clients of yours reported, newest first.',
    resolve: (_, __, ctx) => findClientLogs(ctx),
  }),
}));

const PreferenceInput = builder.inputType('PreferenceInput', {
  description: 'A setting to store.',
  fields: (t) => ({
    name: t.string({
      required: true,
      description: 'Its name: 1 to 100 letters, digits, dots, hyphens, underscores.',
    }),
    value: t.string({
      required: true,
      description: 'Its value, up to 2,000 characters; empty to remove it.',
    }),
  }),
});

const updatePreferencesInput = mutationInput({
  description: 'Settings to store; others stay as they are.',
  fields: (t) => ({
    preferences: t.field({ type: [PreferenceInput], required: true, description: 'At most 100.' }),
  }),
});

const updatePreferencesPayload = mutationPayload<{ preferences: PreferenceRow[] }>({
  description: 'Your preferences after the change.',
  fields: (t) => ({
    preferences: t.expose('preferences', { type: [Preference], description: 'All of them, by name.' }),
  }),
});

const createClientLogInput = mutationInput({
  description: 'A line that a client reports about itself.',
  fields: (t) => ({
    header: t.string({ description: 'What it is about, up to 200 characters.' }),
    values: t.stringList({
      required: true,
      description: 'The text in 1 to 3 parts of up to 2,000 characters.',
    }),
  }),
});

const createClientLogPayload = mutationPayload<{ clientLog: ClientLogRow }>({
  description: 'The line that was stored.',
  fields: (t) => ({
    clientLog: t.expose('clientLog', { type: ClientLog, description: 'The line.' }),
  }),
});

mutation('updatePreferences', {
  scope: 'write',
  description: 'Stores settings of a client for you. Nobody else sees them.',
  argument: 'The settings.',
  input: updatePreferencesInput,
  payload: updatePreferencesPayload,
  batch: { items: 'preferences', empty: { preferences: [] } },
  resolve: async (input, ctx) => {
    await updatePreferences(ctx, input);
    return { preferences: await findPreferences(ctx) };
  },
});

mutation('createClientLog', {
  scope: 'write',
  description: 'Stores a line that a client reports about itself. The newest 100 of a person are stored.',
  argument: 'The line.',
  input: createClientLogInput,
  payload: createClientLogPayload,
  resolve: async (input, ctx) => ({ clientLog: await createClientLog(ctx, input) }),
});
