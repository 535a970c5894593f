const OPEN_XML = 'application/vnd.openxmlformats-officedocument';

/** What people call files of a media type. */
const KINDS: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  [`${OPEN_XML}.wordprocessingml.document`]: 'Word document',
  [`${OPEN_XML}.spreadsheetml.sheet`]: 'Excel workbook',
  [`${OPEN_XML}.presentationml.presentation`]: 'PowerPoint presentation',
  'application/vnd.oasis.opendocument.text': 'OpenDocument text',
  'application/vnd.oasis.opendocument.spreadsheet': 'OpenDocument spreadsheet',
  'application/vnd.oasis.opendocument.presentation': 'OpenDocument presentation',
  'application/msword': 'Word document',
  'application/vnd.ms-excel': 'Excel workbook',
  'application/vnd.ms-powerpoint': 'PowerPoint presentation',
  'application/zip': 'ZIP archive',
  'application/json': 'JSON',
  'application/octet-stream': 'File',
  'message/rfc822': 'E-mail',
  'text/plain': 'Text',
  'text/csv': 'CSV',
  'text/html': 'Web page',
  'text/markdown': 'Markdown',
  'text/calendar': 'Calendar',
};

const FAMILIES: readonly (readonly [string, string])[] = [
  ['image/', 'picture'],
  ['audio/', 'sound'],
  ['video/', 'video'],
];

/** The kind of a file in words: `PNG picture` for image/png; the media type itself where there are none. */
export function kindText(contentType: string): string {
  const essence = contentType.replace(/\s*;.*/s, '').toLowerCase();
  const family = FAMILIES.find(([start]) => essence.startsWith(start));
  if (family) return `${essence.slice(family[0].length).replace(/\+.*$/, '').toUpperCase()} ${family[1]}`;
  return KINDS[essence] ?? essence;
}

const UNITS = ['kB', 'MB', 'GB', 'TB'];

/** A size in decimal units, with one decimal below 10. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  let [size, unit] = [bytes / 1_000, 0];
  for (; size >= 999.5 && unit < UNITS.length - 1; unit++) size /= 1_000;
  return `${size < 9.95 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`;
}

export const pagesText = (count: number): string => `${count} ${count === 1 ? 'page' : 'pages'}`;
