// @ts-nocheck: this file runs in browsers, and the project has no types for them.

/** JSON without the headers of requests, which may hold a key: neither tabs nor the history store them. */
function withoutHeaders(value) {
  try {
    return JSON.stringify(JSON.parse(value, (name, member) => (name === 'headers' ? null : member)));
  } catch {
    return value;
  }
}

/** Storage of one user: another one who signs in with the same browser does not see the tabs. */
export function ownStorage(owner) {
  const keyOf = (key) => `${owner}:${key}`;
  return {
    get length() {
      return localStorage.length;
    },
    getItem: (key) => localStorage.getItem(keyOf(key)),
    setItem: (key, value) => localStorage.setItem(keyOf(key), withoutHeaders(value)),
    removeItem: (key) => localStorage.removeItem(keyOf(key)),
    clear: () => localStorage.clear(),
  };
}
