import { documentChange } from '../documents/input.ts';
import { valueMembers } from '../fields/values.ts';
import { followChange } from '../follows/input.ts';
import { type InputMember, input } from '../shape/input.ts';
import { object, objects, requiredText } from '../shape/input-member.ts';

const values = valueMembers(
  'The value; empty for none.',
  'Several values as a JSON array; if it is not empty, Value is not read.',
);

export const packageField = input(
  'PackageFieldInput',
  'The values of one field of a document.',
  { fieldId: requiredText('FieldID'), values },
  { example: { FieldID: 'fie_01k93wsc89ed30b967wnpk5afg', Value: 'P-2031-44' } },
);

interface DocumentChange {
  id: string | undefined;
  name: string | undefined;
  assigneeEmails: string[] | undefined;
}

/** A document as the update of documents takes it, without the values of fields, which the package has apart. */
const document: InputMember<DocumentChange | undefined> = {
  members: { Document: `${documentChange.shapeName} Its name and assignments.` },
  names: {},
  nestedNames: { name: 'Document.Name', assigneeEmails: 'Document.AssignmentUserEmails' },
  read: (item) => {
    const of = item.object('Document');
    return (
      of && { id: of.text('ID'), name: of.text('Name'), assigneeEmails: of.texts('AssignmentUserEmails') }
    );
  },
};

export const packageChange = input(
  'PackageInput',
  'A package as it was read, with what changes. Other members are accepted, and not read.',
  {
    document,
    fieldValues: objects('Fields', packageField, 'The fields to write; others keep their values.'),
    subscription: object(
      'DocumentSubscription',
      followChange,
      'Whether the caller follows the document from now on.',
    ),
  },
  { example: { Fields: [{ FieldID: 'fie_01k93wsc89ed30b967wnpk5afg', Value: 'P-2031-44' }] } },
);
