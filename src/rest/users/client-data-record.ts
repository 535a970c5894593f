import type { ViewerPreferencesFragment } from '../../generated/operations/graphql.ts';

/** AddressBookItem of a person. The members about roles and fields are empty: they have no addresses. */
export const addressBookItem = ({ name, email }: { name: string; email: string }) => ({
  EmailLower: email,
  Name: name,
  TenantMemberID: '',
  RoleID: '',
  FieldID: '',
  FormTemplateID: '',
  FormTemplateName: '',
  FormTemplateFieldID: '',
});

/** UserPreferences: the preferences whose names are members of the contract. */
export function preferencesRecord({ user, preferences }: ViewerPreferencesFragment) {
  const values = new Map(preferences.map((each) => [each.name, each.value]));
  const stored = (member: string) => values.get(member) ?? '';
  const flag = (member: string) => stored(member) === 'true';
  return {
    UserID: user.id,
    UserName: user.name,
    UserEmail: user.email,
    ActiveOrganizationID: stored('ActiveOrganizationID'),
    ActiveOrganizationName: stored('ActiveOrganizationName'),
    ActiveTenantID: stored('ActiveTenantID'),
    ActiveTenantName: stored('ActiveTenantName'),
    ViewType: stored('ViewType'),
    DocumentPropertiesOpen: flag('DocumentPropertiesOpen'),
    DocumentCommentsOpen: flag('DocumentCommentsOpen'),
    SinglePagePreview: flag('SinglePagePreview'),
    SelectedTwainDevice: {
      DeviceSourceName: stored('DeviceSourceName'),
      DuplexType: stored('DuplexType'),
      InputSource: stored('InputSource'),
      PixelType: stored('PixelType'),
      Resolution: stored('Resolution'),
      Size: stored('Size'),
    },
    DisableTwainDeviceSoftware: flag('DisableTwainDeviceSoftware'),
  };
}

/** UserPreference: one stored text, read as each of the types; the zero values if nothing is stored under the name. */
export function preferenceRecord({ user, preferences }: ViewerPreferencesFragment, name: string) {
  const value = preferences.find((each) => each.name === name)?.value ?? '';
  const number = Number(value);
  return {
    ID: name,
    UserID: user.id,
    UserName: user.name,
    UserEmail: user.email,
    StringValue: value,
    BoolValue: value === 'true',
    IntValue: Number.isSafeInteger(number) ? number : 0,
    FloatValue: Number.isFinite(number) ? number : 0,
  };
}
