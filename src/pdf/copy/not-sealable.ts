/** The file can never be sealed: it is broken or locked, or would not show what was signed. The message is for people. */
export class NotSealable extends Error {}
