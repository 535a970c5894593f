import { randomBytes } from 'node:crypto';

/**
 * TypeID: a prefix that names the type, `_`, and 26 characters of Crockford base32 that hold a UUIDv7.
 * One string in the database, in REST and in GraphQL. Source: the TypeID specification 0.3, RFC 9562 §5.7.
 */
export const ID_PREFIXES = {
  User: 'usr',
  Organization: 'org',
  Membership: 'mem',
  Invitation: 'inv',
  Group: 'grp',
  Project: 'prj',
  ProjectMember: 'pmb',
  ProjectInvitation: 'pin',
  Folder: 'fld',
  Document: 'doc',
  Revision: 'rev',
  Blob: 'blb',
  Upload: 'upl',
  Event: 'evt',
  Comment: 'cmt',
  LogAnchor: 'lga',
  SecurityEvent: 'sev',
  Tag: 'tag',
  Field: 'fie',
  FieldListItem: 'fli',
  Task: 'tsk',
  FormTemplate: 'frm',
  FormField: 'ffd',
  FormSubmission: 'fsb',
  Process: 'prc',
  ProcessStep: 'pst',
  ProcessRun: 'run',
  Approval: 'apr',
  SignatureForm: 'sgf',
  SignatureField: 'sfd',
  SignatureSession: 'sgs',
  SignatureRecipient: 'sgr',
  SignatureFormTemplate: 'sft',
  SignatureTemplateField: 'stf',
  SearchTemplate: 'sch',
  ClientLog: 'clg',
  Follow: 'fol',
  OpenedDocument: 'opn',
  Webhook: 'whk',
  WebhookDelivery: 'whd',
  WebhookAttempt: 'wha',
  ApiKey: 'key',
  Client: 'app',
  ClientSecret: 'acs',
  Grant: 'gra',
  SigningKey: 'jwk',
  SignIn: 'sin',
  AccountToken: 'atk',
  Passkey: 'pky',
  EmailChange: 'emc',
  SignUp: 'sup',
  ExternalIdentity: 'xid',
  Mail: 'mal',
  Notification: 'ntf',
  BulkOperation: 'blk',
  OrganizationExport: 'exp',
  RetentionPolicy: 'rtp',
  RetentionAssignment: 'rta',
  Disposal: 'dsp',
} as const;

export type IdType = keyof typeof ID_PREFIXES;

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const SHAPE = /^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const TYPES = new Map<string, IdType>(
  Object.entries(ID_PREFIXES).map(([type, prefix]) => [prefix as string, type as IdType]),
);

function base32(bytes: Uint8Array): string {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  let text = '';
  for (let shift = 125n; shift >= 0n; shift -= 5n) text += ALPHABET[Number((value >> shift) & 31n)];
  return text;
}

let last = { at: 0, count: 0 };

/** RFC 9562 §6.2, method 1: a counter in the 12 bits after the clock keeps the ids of one millisecond in order. */
function tick(now: number): { at: number; count: number } {
  const at = Math.max(now, last.at);
  const count = at === last.at ? last.count + 1 : 0;
  last = count < 4096 ? { at, count } : { at: at + 1, count: 0 };
  return last;
}

/** A new id of a type. Ids made by one process ascend, so lists keep the order of creation and indexes stay dense. */
export function newId(type: IdType): string {
  const { at, count } = tick(Date.now());
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at, 0, 6);
  bytes.writeUInt16BE(0x7000 | count, 6);
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f);
  return `${ID_PREFIXES[type]}_${base32(bytes)}`;
}

/** The type an id names, or undefined when the text is no id of ours. */
export const typeOfId = (id: string): IdType | undefined =>
  SHAPE.test(id) ? TYPES.get(id.slice(0, 3)) : undefined;

/** The id of the same object as another type: a comment has the UUID of its event. */
export const idAs = (type: IdType, id: string): string => `${ID_PREFIXES[type]}${id.slice(3)}`;
