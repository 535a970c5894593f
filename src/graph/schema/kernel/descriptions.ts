/** Describes the argument `expectedVersion` of updates. */
export const EXPECTED_VERSION =
  'The version that the change is based on. CONFLICT if the current version is another; extensions.version has it.';

/** Describes mutations that no application may call, even with all scopes. */
export const NO_APPLICATION = 'Not available to applications.';

/** Describes mutations of accounts, for people at a browser alone. */
export const ONLY_SESSIONS = 'Only in a browser session. Not available to applications, nor with an API key.';

/** Describes mutations of members, for which an application needs a scope of its own. */
export const BY_MEMBERS_SCOPE =
  'An application needs the scope `members:write`, which `write` does not include, and neither appoints, changes nor removes owners, admins and its own user.';

/** Describes the argument `organizationId` that an item has to belong to. */
export const WITHIN = 'NOT_FOUND unless it belongs to this organization.';

/** Describes the argument `projectId` that an item has to belong to. */
export const WITHIN_PROJECT = 'NOT_FOUND unless it belongs to this project.';

/** Describes the argument `inline` of download URLs. */
export const INLINE =
  'Shows the file in the browser if its type is safe to show; otherwise the browser saves it.';

/** Describes download URLs. */
export const DOWNLOAD_URL =
  'A URL that returns the content without a credential. It is valid for some minutes, for anyone who has it.';
