declare module 'pg/lib/utils.js' {
  /** A value as node-postgres sends it: text, bytes or null. */
  export const prepareValue: (value: unknown) => string | Buffer | null;
}
