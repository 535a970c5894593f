import { combined, type InputMember, input } from '../shape/input.ts';
import { flag, integer, number, requiredText, text, texts } from '../shape/input-member.ts';

const name: InputMember<string> = {
  ...requiredText('UserName'),
  members: {
    UserName: 'string! The display name.',
    UserEmail: 'string Accepted and ignored: this operation does not change the address.',
  },
};

export const profileChange = input(
  'ProfileInput',
  'Changes of the profile; members that are left out do not change.',
  { name },
  { example: { UserName: 'Tove Ahlgren' } },
);

/** The value as text; empty for the zero values. */
const value = {
  ...combined(
    {
      text: text('StringValue', 'A text, up to 2,000 characters.'),
      flag: flag('BoolValue', 'True or false; false removes the preference.'),
      integer: integer('IntValue', 'A whole number.'),
      number: number('FloatValue', 'A number.'),
    },
    (item, parts) => {
      const values = [
        parts.text.read(item) ?? '',
        parts.flag.read(item) ? 'true' : '',
        String(parts.integer.read(item) || ''),
        String(parts.number.read(item) || ''),
      ];
      return values.find((each) => each !== '') ?? '';
    },
  ),
  names: { '': 'StringValue' },
};

export const preference = input(
  'PreferenceInput',
  'A preference. The first value that is not empty, false or 0 is stored; without one it is removed.',
  { name: requiredText('ID', 'Its name, such as a member of UserPreferences.'), value },
  { example: { ID: 'ViewType', StringValue: 'List' } },
);

export const preferenceValue = input(
  'PreferenceValueInput',
  'The value of a preference, as in PreferenceInput; the path has its name.',
  { value },
  { example: { StringValue: 'List' } },
);

export const contactsToHide = input(
  'AddressBookIDs',
  'Items of the address book; all of them if there are no IDs or no body.',
  { emails: texts('IDs', 'The e-mail addresses (`EmailLower`) of the items.') },
  { example: { IDs: ['tove.ahlgren@example.test'] } },
);

/** The graph has the values as a list. */
const values = combined(
  {
    0: requiredText('Value1', 'Up to 2,000 characters.'),
    1: text('Value2', 'Up to 2,000 characters.'),
    2: text('Value3', 'Up to 2,000 characters.'),
  },
  (item, parts) => [parts[0].read(item), parts[1].read(item) ?? '', parts[2].read(item) ?? ''],
);

export const logLine = input(
  'LogInput',
  'A line that a client reports about itself.',
  { header: text('Header', 'Up to 200 characters.'), values },
  { example: { Header: 'Viewer', Value1: 'The page could not be drawn.' } },
);

export const userInputs = [profileChange, preference, preferenceValue, contactsToHide, logLine];
