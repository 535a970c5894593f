import { scriptFile } from '../ui/script-file.ts';

/** The script of the signing and form pages. */
export const PAGE_SCRIPT = scriptFile(new URL('./script.js', import.meta.url), '/pages', [
  new URL('../../lib/text/local-number.js', import.meta.url),
]);
