import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The program of LibreOffice that opens a file, by its extension. Distributions have a package for each of them. */
const PARTS: Readonly<Record<string, string>> = {
  ...{ docx: 'Writer', odt: 'Writer' },
  ...{ xlsx: 'Calc', ods: 'Calc' },
  ...{ pptx: 'Impress', odp: 'Impress' },
};

/** The programs that an installation lacks, by the settings beside them; none where it has no settings in the usual folder. */
export async function missingParts(program: string): Promise<readonly string[]> {
  const settings = await readdir(join(dirname(program), '../share/registry')).catch((): string[] => []);
  if (!settings.includes('main.xcd')) return [];
  return [...new Set(Object.values(PARTS))].filter((part) => !settings.includes(`${part.toLowerCase()}.xcd`));
}

/** The one that a file with this extension needs. */
export const partOf = (extension: string): string | undefined => PARTS[extension];
