/** Of the argument every update has. */
export const EXPECTED_VERSION = 'The version you saw; CONFLICT when it is not the current one.';
