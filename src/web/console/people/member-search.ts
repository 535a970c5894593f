/** The filter of members for what somebody typed: the beginning of an address, or of a name. */
export const memberFilter = (search: string) =>
  search.includes('@') ? { emailPrefix: search } : search ? { namePrefix: search } : {};
