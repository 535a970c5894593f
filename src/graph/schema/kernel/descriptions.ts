/** Of the argument every update has. */
export const EXPECTED_VERSION =
  'The version you saw; CONFLICT, with the current one in extensions.version, when it is another.';

/** Of what is done by people alone, whatever the scopes of an application. */
export const NO_APPLICATION = 'Applications cannot.';

/** Of the argument that pins a thing to its organization. */
export const WITHIN = 'NOT_FOUND unless it belongs to this organization.';

/** Of the argument that pins a thing to its project. */
export const WITHIN_PROJECT = 'NOT_FOUND unless it belongs to this project.';

/** Of the argument that chooses how a download is presented. */
export const INLINE = 'Shows it in the browser where its type is safe for that; otherwise it is saved.';

/** Of a download address. */
export const DOWNLOAD_URL =
  'An address that gives the bytes to whoever has it, without a credential, for some minutes.';
