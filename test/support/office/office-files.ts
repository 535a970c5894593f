import { strToU8, zipSync } from 'fflate';

const OOXML = 'http://schemas.openxmlformats.org';
const DOC = `${OOXML}/officeDocument/2006/relationships`;
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

const zip = (parts: Record<string, string>): Buffer =>
  Buffer.from(
    zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]))),
  );

const relationships = (each: Record<string, string>): string =>
  `${XML}<Relationships xmlns="${OOXML}/package/2006/relationships">${Object.entries(each)
    .map(([id, attributes]) => `<Relationship Id="${id}" ${attributes}/>`)
    .join('')}</Relationships>`;

const openXml = (format: string, main: string, parts: Record<string, string>): Buffer =>
  zip({
    '[Content_Types].xml': `${XML}<Types xmlns="${OOXML}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${Object.keys(
      parts,
    )
      .filter((name) => name.endsWith('.xml'))
      .map(
        (name) =>
          `<Override PartName="/${name}" ContentType="application/vnd.openxmlformats-officedocument.${name === main ? `${format}.main` : name.includes('/slides/') ? 'presentationml.slide' : 'spreadsheetml.worksheet'}+xml"/>`,
      )
      .join('')}</Types>`,
    '_rels/.rels': relationships({ r1: `Type="${DOC}/officeDocument" Target="${main}"` }),
    ...parts,
  });

/** A text of Word. `body`: beside the text; `links`: relationships, by id. */
export const docx = (text: string, body = '', links: Record<string, string> = {}): Buffer =>
  openXml('wordprocessingml.document', 'word/document.xml', {
    'word/document.xml': `${XML}<w:document xmlns:w="${OOXML}/wordprocessingml/2006/main" xmlns:r="${DOC}"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': relationships(links),
  });

/** A paragraph with a picture, by the id of its relationship. */
export const linkedPicture = (id: string): string =>
  `<w:p><w:r><w:drawing><wp:inline xmlns:wp="${OOXML}/drawingml/2006/wordprocessingDrawing"><wp:extent cx="1000000" cy="1000000"/><wp:docPr id="1" name="p"/><a:graphic xmlns:a="${OOXML}/drawingml/2006/main"><a:graphicData uri="${OOXML}/drawingml/2006/picture"><pic:pic xmlns:pic="${OOXML}/drawingml/2006/picture"><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="${id}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1000000" cy="1000000"/></a:xfrm><a:prstGeom prst="rect"/></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;

/** The relationship of a picture at this address. */
export const pictureAt = (url: string): string => `Type="${DOC}/image" Target="${url}" TargetMode="External"`;

export const xlsx = (text: string): Buffer =>
  openXml('spreadsheetml.sheet', 'xl/workbook.xml', {
    'xl/workbook.xml': `${XML}<workbook xmlns="${OOXML}/spreadsheetml/2006/main" xmlns:r="${DOC}"><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships({
      r1: `Type="${DOC}/worksheet" Target="worksheets/sheet1.xml"`,
    }),
    'xl/worksheets/sheet1.xml': `${XML}<worksheet xmlns="${OOXML}/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row></sheetData></worksheet>`,
  });

export const pptx = (text: string): Buffer =>
  openXml('presentationml.presentation', 'ppt/presentation.xml', {
    'ppt/presentation.xml': `${XML}<p:presentation xmlns:p="${OOXML}/presentationml/2006/main" xmlns:r="${DOC}"><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships({
      r1: `Type="${DOC}/slide" Target="slides/slide1.xml"`,
    }),
    'ppt/slides/slide1.xml': `${XML}<p:sld xmlns:p="${OOXML}/presentationml/2006/main" xmlns:a="${OOXML}/drawingml/2006/main"><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/><p:sp><p:nvSpPr><p:cNvPr id="2" name="t"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="100000" y="100000"/><a:ext cx="6000000" cy="1000000"/></a:xfrm><a:prstGeom prst="rect"/></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
  });

const ODF = 'urn:oasis:names:tc:opendocument:xmlns';

const openDocument = (kind: string, body: string): Buffer => {
  const type = `application/vnd.oasis.opendocument.${kind}`;
  return zip({
    mimetype: type,
    'META-INF/manifest.xml': `${XML}<manifest:manifest xmlns:manifest="${ODF}:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
    'content.xml': `${XML}<office:document-content xmlns:office="${ODF}:office:1.0" xmlns:text="${ODF}:text:1.0" xmlns:table="${ODF}:table:1.0" xmlns:draw="${ODF}:drawing:1.0" xmlns:svg="${ODF}:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><office:body>${body}</office:body></office:document-content>`,
  });
};

/** `more`: further content of its text. */
export const odt = (text: string, more = ''): Buffer =>
  openDocument('text', `<office:text><text:p>${text}</text:p>${more}</office:text>`);

export const ods = (text: string): Buffer =>
  openDocument(
    'spreadsheet',
    `<office:spreadsheet><table:table table:name="One"><table:table-row><table:table-cell><text:p>${text}</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>`,
  );

export const odp = (text: string): Buffer =>
  openDocument(
    'presentation',
    `<office:presentation><draw:page draw:name="One"><draw:frame svg:width="10cm" svg:height="2cm"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame></draw:page></office:presentation>`,
  );

/** A package whose one part is inflated to so many bytes of spaces. */
export const docxBomb = (bytes: number): Buffer => docx(' '.repeat(bytes));
