import type { AnyCommand } from '../command.ts';
import { documentCommands } from './documents.ts';
import { fieldCommands, fieldRemovals } from './fields.ts';
import { formCommands } from './forms.ts';
import { placeCommands, removalCommands } from './places.ts';
import { signatureCommands } from './signatures.ts';
import { approvalCommands, taskCommands } from './tasks.ts';

/** Every change that both APIs can make, and those of GraphQL that bring a world further; each works after those before it. */
export const COMMANDS: AnyCommand[] = [
  ...placeCommands,
  ...fieldCommands,
  ...documentCommands,
  ...taskCommands,
  ...approvalCommands,
  ...formCommands,
  ...signatureCommands,
  ...fieldRemovals,
  ...removalCommands,
];

/** What random sequences find in their worlds: the first sample of each. */
const FOUND = [
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
export const SETUP_COMMANDS = FOUND.map(
  (name) => COMMANDS.find(({ mutation }) => mutation === name) as AnyCommand,
);
