import type { GetPermissionsQuery, ViewerPreferencesFragment } from '../../generated/operations/graphql.ts';
import { isAdmin } from '../members/record.ts';
import { boolean, integer, number, one, type RecordMembers, record, string } from '../shape/record.ts';

interface Permissions {
  user: { id: string; name: string; email: string };
  organization: NonNullable<GetPermissionsQuery['organization']>;
}

/** Whoever is not a member of the organization reads as a guest. */
const roleOf = ({ organization }: Permissions) => organization.viewerMembership?.role ?? 'GUEST';

const userMembers: RecordMembers<Pick<Permissions, 'user'>> = {
  UserID: string(({ user }) => user.id),
  UserName: string(({ user }) => user.name),
  UserEmail: string(({ user }) => user.email),
};

export const permissionsRecord = record<Permissions>(
  'OrganizationPermissions',
  'The rights of the caller in an organization.',
  {
    OrganizationID: string(({ organization }) => organization.id),
    OrganizationName: string(({ organization }) => organization.name),
    ...userMembers,
    OrganizationMemberID: string(({ organization }) => organization.viewerMembership?.id),
    Disabled: boolean(() => false, 'Always false: a membership is not disabled, but ends.'),
    IsReadOnly: boolean((permissions) => roleOf(permissions) === 'GUEST'),
    IsAdmin: boolean((permissions) => isAdmin(roleOf(permissions))),
  },
);

/** The members about roles and fields are empty: they have no addresses. */
export const addressBookItem = record<{ name: string; email: string }>(
  'AddressBookItem',
  'A person that the caller shares an organization with.',
  {
    EmailLower: string(
      (person) => person.email,
      'The e-mail address in lower case.',
      'tove.ahlgren@example.test',
    ),
    Name: string((person) => person.name),
    TenantMemberID: string(() => '', 'Always empty: the address book is not of one project.'),
    RoleID: string(() => ''),
    FieldID: string(() => '', 'Always empty.'),
    FormTemplateID: string(() => '', 'Always empty.'),
    FormTemplateName: string(() => '', 'Always empty.'),
    FormTemplateFieldID: string(() => '', 'Always empty.'),
  },
);

type Viewer = ViewerPreferencesFragment;

const storedText = ({ preferences }: Viewer, name: string) =>
  preferences.find((each) => each.name === name)?.value ?? '';

/** The preference of this name, as a text or a flag. */
const text = (name: string, about: string, sample?: string) =>
  string((viewer: Viewer) => storedText(viewer, name), about, sample);

const flag = (name: string, about: string) =>
  boolean((viewer: Viewer) => storedText(viewer, name) === 'true', about);

const scannerRecord = record<Viewer>(
  'SelectedTwainDevice',
  'The scanner that a client uses; empty unless a client stored it.',
  {
    DeviceSourceName: text('DeviceSourceName', 'The name of the scanner.'),
    DuplexType: text('DuplexType', 'Whether both sides are scanned.'),
    InputSource: text('InputSource', 'Where the paper lies.'),
    PixelType: text('PixelType', 'Colour, grey or black and white.'),
    Resolution: text('Resolution', 'The resolution.'),
    Size: text('Size', 'The size of the paper.'),
  },
);

/** The preferences whose names are members of the contract. */
export const preferencesRecord = record<Viewer>(
  'UserPreferences',
  'The preferences that clients stored for the caller.',
  {
    ...userMembers,
    ActiveOrganizationID: text('ActiveOrganizationID', 'The organization that was open last.'),
    ActiveOrganizationName: text('ActiveOrganizationName', 'Its name, as the client stored it.'),
    ActiveTenantID: text('ActiveTenantID', 'The project that was open last.'),
    ActiveTenantName: text('ActiveTenantName', 'Its name, as the client stored it.'),
    ViewType: text('ViewType', 'How documents are shown.', 'List'),
    DocumentPropertiesOpen: flag('DocumentPropertiesOpen', 'Whether the properties of a document are shown.'),
    DocumentCommentsOpen: flag('DocumentCommentsOpen', 'Whether the comments on a document are shown.'),
    SinglePagePreview: flag('SinglePagePreview', 'Whether one page is shown at a time.'),
    SelectedTwainDevice: one(scannerRecord, (viewer) => viewer, 'The scanner.'),
    DisableTwainDeviceSoftware: flag(
      'DisableTwainDeviceSoftware',
      'Whether the software of the scanner is not used.',
    ),
  },
);

type Preference = Viewer & { name: string };

const ownValue = (preference: Preference) => storedText(preference, preference.name);
const ownNumber = (preference: Preference) => Number(ownValue(preference));

/** One stored text, read as each of the types; the zero values if nothing is stored under the name. */
export const preferenceRecord = record<Preference>(
  'UserPreference',
  'One preference of the caller.',
  {
    ID: string((preference) => preference.name, 'The name of the preference.'),
    ...userMembers,
    StringValue: string(ownValue, 'The stored text; empty if there is none.'),
    BoolValue: boolean((preference) => ownValue(preference) === 'true', 'Whether the text is `true`.'),
    IntValue: integer((preference) => {
      const value = ownNumber(preference);
      return Number.isSafeInteger(value) ? value : 0;
    }, 'The text as a whole number; 0 for other texts.'),
    FloatValue: number((preference) => {
      const value = ownNumber(preference);
      return Number.isFinite(value) ? value : 0;
    }, 'The text as a number; 0 for other texts.'),
  },
  { ID: 'ViewType', StringValue: 'List' },
);

export const clientDataRecords = [
  permissionsRecord,
  addressBookItem,
  scannerRecord,
  preferencesRecord,
  preferenceRecord,
];
