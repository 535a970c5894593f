import type { Records } from '../contract.ts';

/** The records of rights, preferences and the address book of the caller. */
export const clientDataRecords: Records = {
  shapes: {
    OrganizationPermissions: {
      about: 'The rights of the caller in an organization.',
      members: {
        OrganizationID: 'string',
        OrganizationName: 'string',
        UserID: 'string',
        UserName: 'string',
        UserEmail: 'string',
        IsAdmin: 'boolean',
      },
    },
    AddressBookItem: {
      about: 'A person that the caller shares an organization with.',
      members: {
        EmailLower: 'string',
        Name: 'string',
        TenantMemberID: 'string Always empty: the address book is not of one project.',
        RoleID: 'string',
        FieldID: 'string Always empty.',
        FormTemplateID: 'string Always empty.',
        FormTemplateName: 'string Always empty.',
        FormTemplateFieldID: 'string Always empty.',
      },
    },
    UserPreferences: {
      about: 'The preferences that clients stored for the caller.',
      members: {
        UserID: 'string',
        UserName: 'string',
        UserEmail: 'string',
        ActiveOrganizationID: 'string',
        ActiveOrganizationName: 'string',
        ActiveTenantID: 'string',
        ActiveTenantName: 'string',
        ViewType: 'string',
        DocumentPropertiesOpen: 'boolean',
        DocumentCommentsOpen: 'boolean',
        SinglePagePreview: 'boolean',
        SelectedTwainDevice: 'SelectedTwainDevice',
        DisableTwainDeviceSoftware: 'boolean',
      },
    },
    SelectedTwainDevice: {
      about: 'The scanner that a client uses; empty unless a client stored it.',
      members: {
        DeviceSourceName: 'string',
        DuplexType: 'string',
        InputSource: 'string',
        PixelType: 'string',
        Resolution: 'string',
        Size: 'string',
      },
    },
  },
  meanings: {
    EmailLower: ['The e-mail address in lower case.', 'tove.ahlgren@example.test'],
    ActiveOrganizationID: ['The organization that was open last.'],
    ActiveOrganizationName: ['Its name, as the client stored it.'],
    ActiveTenantID: ['The project that was open last.'],
    ActiveTenantName: ['Its name, as the client stored it.'],
    ViewType: ['How documents are shown.', 'List'],
    DocumentPropertiesOpen: ['Whether the properties of a document are shown.'],
    DocumentCommentsOpen: ['Whether the comments on a document are shown.'],
    SinglePagePreview: ['Whether one page is shown at a time.'],
    SelectedTwainDevice: ['The scanner.'],
    DisableTwainDeviceSoftware: ['Whether the software of the scanner is not used.'],
    DeviceSourceName: ['The name of the scanner.'],
    DuplexType: ['Whether both sides are scanned.'],
    InputSource: ['Where the paper lies.'],
    PixelType: ['Colour, grey or black and white.'],
    Resolution: ['The resolution.'],
    Size: ['The size of the paper.'],
  },
};
