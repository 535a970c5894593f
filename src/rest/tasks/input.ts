import { badValue } from '../../domain/kernel/errors.ts';
import type { DurationUnit } from '../../generated/operations/graphql.ts';
import { combined, type InputMember, input } from '../shape/input.ts';
import {
  clearableText,
  filledText,
  integer,
  mapped,
  object,
  objects,
  requiredText,
  term,
  text,
  texts,
  time,
} from '../shape/input-member.ts';
import type { Members } from '../wire/members.ts';
import { INTERVALS } from './record.ts';

/** Clients send complete documents; the zero-valued document has no id. */
const documentId: InputMember<string> = {
  members: { DocumentID: 'string', ID: 'string' },
  names: { '': 'DocumentID' },
  read: (item) => item.text('DocumentID') || item.text('ID') || '',
};

const linkedDocument = input(
  'LinkedDocument',
  'A document to link. A whole record may be sent; only its id is used.',
  { documentId },
  { example: { DocumentID: 'doc_01k9nztfxdmdms8g8s6whatht9' } },
);

const stakeholder = input(
  'StakeholderInput',
  'A person to keep informed. A whole Stakeholder may be sent; only its id is used.',
  { userId: requiredText('UserID') },
  { example: { UserID: 'usr_01k9wrma4tgvp725ak395bc86y' } },
);

/** A multiplier of 0 removes the duration. Undefined if both members are left out, or empty. */
const duration = combined(
  {
    amount: integer('DurationMultiplier', 'From 1 to 10,000 of DurationInterval; 0 for no duration.'),
    unit: term(
      'DurationInterval',
      INTERVALS,
      '`Minute`, `Hour`, `Day` or `Week`; given together with DurationMultiplier.',
    ),
  },
  (item, parts) => durationOf(item, parts.amount.read(item), parts.unit.read(item)),
);

function durationOf(item: Members, amount: number | undefined, unit: DurationUnit | undefined) {
  if (amount === 0) return null;
  if (amount !== undefined && unit) return { amount, unit };
  if (amount === undefined && !unit) return undefined;
  const [given, missing] = unit
    ? ['DurationInterval', 'DurationMultiplier']
    : ['DurationMultiplier', 'DurationInterval'];
  throw badValue(item.pathOf(given), `needs ${missing}.`);
}

/**
 * The members of a task that a caller may set. A parent that the caller may not see reads as empty, so an empty
 * ParentTaskID leaves the parent as it is.
 */
const content = {
  description: text('Description'),
  descriptionHtml: text('DescriptionHtml'),
  descriptionRichText: text('DescriptionRichTextJson'),
  assigneeEmail: clearableText('AssignmentUserEmail'),
  dueAt: time('DueOn', 'When it is due; empty or the zero time for no due date.'),
  parentId: filledText('ParentTaskID'),
  priority: integer('Priority', 'From 0 to 9; 9 is the most urgent.'),
  duration,
  tags: texts('Tags', 'Replaces the tags.'),
  stakeholderIds: mapped(
    objects('Stakeholders', stakeholder, 'Replaces the stakeholders: members who see the task.'),
    (people) => people?.map(({ userId }) => userId),
  ),
};

/** The primary document is the first one, if there is one. */
const documentIds = {
  ...combined(
    {
      primary: object('PrimaryDocument', linkedDocument),
      others: objects('OtherDocuments', linkedDocument),
    },
    (item, { primary, others }) =>
      [primary.read(item), ...(others.read(item) ?? [])].flatMap((document) => document?.documentId || []),
  ),
  names: {
    '': '',
    '.0': 'PrimaryDocument|OtherDocuments',
    '.1': 'OtherDocuments|PrimaryDocument',
  },
};

export const newTask = input(
  'TaskInput',
  'A new task. A whole Task may be sent; members that the server sets are ignored.',
  { name: requiredText('Name'), ...content, documentIds },
  {
    example: {
      Name: 'Check the permit',
      AssignmentUserEmail: 'tove.ahlgren@example.test',
      DueOn: '2031-03-11T17:00:00Z',
    },
  },
);

export const taskChange = input(
  'TaskPart',
  'Changes of a task; members that are left out do not change.',
  { name: text('Name'), ...content },
  { example: { DueOn: '2031-03-18T17:00:00Z' } },
);

export const assignment = input(
  'Assignee',
  'The person to assign the task to.',
  {
    assigneeEmail: mapped(
      requiredText('AssignmentUserEmail', 'The e-mail address; empty to unassign.'),
      (email) => email || null,
    ),
  },
  { example: { AssignmentUserEmail: 'tove.ahlgren@example.test' } },
);

export const completion = input(
  'Completion',
  'The result of a task.',
  {
    result: mapped(
      text('Result', 'The outcome; `Completed` by default. `Denied` denies the task.'),
      (result) => result?.trim() || undefined,
    ),
  },
  { example: { Result: 'Completed' } },
);

export const taskInputs = [linkedDocument, stakeholder, newTask, taskChange, assignment, completion];
