/** Describes the argument `expectedVersion` of updates. */
export const EXPECTED_VERSION =
  'The version you saw; CONFLICT, with the current one in extensions.version, when it is another.';

/** Describes mutations that no application may call, whatever its scopes. */
export const NO_APPLICATION = 'Applications cannot.';

/** Describes the argument `organizationId` that an item has to belong to. */
export const WITHIN = 'NOT_FOUND unless it belongs to this organization.';

/** Describes the argument `projectId` that an item has to belong to. */
export const WITHIN_PROJECT = 'NOT_FOUND unless it belongs to this project.';

/** Describes the argument `inline` of download URLs. */
export const INLINE = 'Shows it in the browser where its type is safe for that; otherwise it is saved.';

/** Describes download URLs. */
export const DOWNLOAD_URL =
  'A URL that returns the bytes without a credential, for some minutes; anyone who has it can use it.';
