import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Settings of LibreOffice, by their node: no macros, no links to other files, and formulas as they were calculated last. */
const SETTINGS: Record<string, Record<string, number | boolean>> = {
  'org.openoffice.Office.Common/Security/Scripting': {
    MacroSecurityLevel: 3,
    DisableMacrosExecution: true,
    BlockUntrustedRefererLinks: true,
  },
  'org.openoffice.Office.Writer/Content/Update': { Link: 2 },
  'org.openoffice.Office.Calc/Content/Update': { Link: 2 },
  'org.openoffice.Office.Calc/Formula/Load': { ODFRecalcMode: 1, OOXMLRecalcMode: 1 },
};

const property = ([name, value]: [string, number | boolean]): string =>
  `<prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop>`;

const items = Object.entries(SETTINGS).map(
  ([path, values]) => `<item oor:path="/${path}">${Object.entries(values).map(property).join('')}</item>`,
);

const REGISTRY = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">${items.join('')}</oor:items>
`;

/** Creates a profile of LibreOffice with these settings. A shared one would let one conversion run at a time, and leak into the next. */
export async function createProfile(folder: string): Promise<void> {
  await mkdir(join(folder, 'user'), { recursive: true });
  await writeFile(join(folder, 'user', 'registrymodifications.xcu'), REGISTRY);
}
