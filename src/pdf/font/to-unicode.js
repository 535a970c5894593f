/** Mappings in a block (Adobe Technical Note #5014). */
const BLOCK = 100;

const HEAD = `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000><ffff>
endcodespacerange
`;
const END = `endcmap
CMapName currentdict /CMap defineresource pop
end
end`;

/**
 * The ToUnicode CMap (ISO 32000-2 §9.10.3) of the texts of codes from 1 on; a code without a text is left out.
 * @param {readonly string[]} texts
 */
export function toUnicode(texts) {
  const mappings = texts.flatMap((text, index) => (text ? [`<${hexOf(index + 1)}><${utf16(text)}>`] : []));
  const blocks = Array.from({ length: Math.ceil(mappings.length / BLOCK) }, (_, index) => {
    const block = mappings.slice(index * BLOCK, (index + 1) * BLOCK);
    return `${block.length} beginbfchar\n${block.join('\n')}\nendbfchar\n`;
  });
  return `${HEAD}${blocks.join('')}${END}`;
}

/** @param {number} code */
const hexOf = (code) => code.toString(16).padStart(4, '0');

/** Big-endian. @param {string} text */
export const utf16 = (text) =>
  Array.from({ length: text.length }, (_, at) => hexOf(text.charCodeAt(at))).join('');
