/** JSON that cannot end the script element it is embedded in. */
export const embeddedJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
