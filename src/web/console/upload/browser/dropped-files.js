// @ts-nocheck: this file runs in browsers, and the project has no types for them.

/** The files that were dropped, and the names of folders, which have no content of their own. */
export function filesOfDrop({ items, files }) {
  const entries = [...items].filter(({ kind }) => kind === 'file').map((item) => item.webkitGetAsEntry?.());
  return {
    files: [...files].filter((_, index) => !entries[index]?.isDirectory),
    folders: entries.filter((entry) => entry?.isDirectory).map(({ name }) => name),
  };
}
