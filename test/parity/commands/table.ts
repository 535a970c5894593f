import type { AnyCommand } from '../command.ts';
import { containerCommands, removalCommands } from './containers.ts';
import { documentCommands } from './documents.ts';
import { fieldCommands, fieldRemovals } from './fields.ts';
import { formCommands } from './forms.ts';
import { signatureCommands } from './signatures.ts';
import { approvalCommands, taskCommands } from './tasks.ts';

/** Every mutation of both APIs, and those of GraphQL that prepare objects; each succeeds after the ones before it. */
export const COMMANDS: AnyCommand[] = [
  ...containerCommands,
  ...fieldCommands,
  ...documentCommands,
  ...taskCommands,
  ...approvalCommands,
  ...formCommands,
  ...signatureCommands,
  ...fieldRemovals,
  ...removalCommands,
];

/** Prepares the worlds of random sequences, with the first sample of each. */
const SETUP_MUTATIONS = [
  'createFields',
  'addFieldChoices',
  'createFolders',
  'reserveUploads',
  'confirmUploads',
  'createTasks',
  'createProcesses',
  'startProcess',
  'createFormTemplates',
  'createFormFields',
  'shareFormTemplates',
  'createSignatureFormTemplates',
  'addSignatureTemplateFields',
  'ensureSignatureSession',
  'updateSignatureSession',
  'ensureSignatureForm',
  'addSignatureFields',
];
export const SETUP_COMMANDS = SETUP_MUTATIONS.map(
  (name) => COMMANDS.find(({ mutation }) => mutation === name) as AnyCommand,
);
