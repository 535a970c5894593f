import { pdf } from '../../files/content/pdf-source.ts';
import { streamOf } from './ambiguous.ts';

/** Parts of a page whose objects begin at 6: fields, other annotations, and what the catalog and the page have more. */
interface Parts {
  /** Objects from 6 on. */
  objects: string[];
  annotations: string;
  fields?: string;
  form?: string;
  catalog?: string;
  resources?: string;
  content?: string;
}

const FONT = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>';
const LOOK = '/DA(/F1 12 Tf 0 g)';

const textAppearance = (text: string): string =>
  streamOf(
    `BT /F1 12 Tf 2 5 Td (${text}) Tj ET`,
    '/Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F1 5 0 R>>>>',
  );

/** An annotation whose box is at the height `y`, in points from below. */
export const annotation = (y: number, entries: string): string =>
  `<</Type/Annot/Rect[72 ${y} 272 ${y + 20}]/P 3 0 R${entries}>>`;

const textField = (y: number, name: string, value: string, entries = '/F 4'): string =>
  annotation(y, `/Subtype/Widget/FT/Tx/T(${name})/V(${value})${LOOK}${entries}`);

/** A page that says "Lease". */
export const pageWith = ({
  objects,
  annotations,
  fields = '',
  form = '',
  catalog = '',
  resources = '',
  content = '',
}: Parts): Buffer =>
  pdf([
    `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${fields}]${LOOK}/DR<</Font<</F1 5 0 R>>>>${form}>>${catalog}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>${resources}>>/Annots[${annotations}]>>`,
    streamOf(`BT /F1 14 Tf 72 700 Td (Lease) Tj ET ${content}`),
    FONT,
    ...objects,
  ]);

const NEEDED = '/NeedAppearances true';
const one = (object: string, form = '', ...more: string[]): Buffer =>
  pageWith({ objects: [object, ...more], annotations: '6 0 R', fields: '6 0 R', form });

/** By what they are: a file, what its page shows, and what it does not show. */
export const FORMS: Record<string, [file: () => Buffer, shown: string[], not: string[]]> = {
  'a value without an appearance': [() => one(textField(600, 'rent', 'Rent1250'), NEEDED), ['Rent1250'], []],
  'a value without an appearance, and without the flag': [
    () => one(textField(600, 'rent', 'Rent1250')),
    ['Rent1250'],
    [],
  ],
  'a stale appearance, with the flag': [
    () => one(textField(600, 'rent', 'Rent1250', '/F 4/AP<</N 7 0 R>>'), NEEDED, textAppearance('Rent900')),
    ['Rent1250'],
    ['Rent900'],
  ],
  'an appearance that is not the value, without the flag': [
    () => one(textField(600, 'rent', 'Rent1250', '/F 4/AP<</N 7 0 R>>'), '', textAppearance('Rent900')),
    ['Rent900'],
    ['Rent1250'],
  ],
  'a choice without an appearance': [
    () =>
      one(
        annotation(
          600,
          `/Subtype/Widget/FT/Ch/Ff 131072/T(term)/V(two)/Opt[[(one)(OneYear)][(two)(TwoYears)]]${LOOK}/F 4`,
        ),
        NEEDED,
      ),
    ['TwoYears'],
    ['OneYear'],
  ],
  'a hidden field': [() => one(textField(600, 'rent', 'Rent1250', '/F 6'), NEEDED), ['Lease'], ['Rent1250']],
  'a field for printers only': [
    () => one(textField(600, 'rent', 'Rent1250', '/F 36/AP<</N 7 0 R>>'), '', textAppearance('Rent1250')),
    ['Lease'],
    ['Rent1250'],
  ],
  'a field for screens only': [
    () => one(textField(600, 'rent', 'Rent1250', '/F 0'), NEEDED),
    ['Rent1250'],
    [],
  ],
  'a stamp for printers only': [
    () =>
      pageWith({
        objects: [annotation(600, '/Subtype/Stamp/F 36/AP<</N 7 0 R>>'), textAppearance('Void')],
        annotations: '6 0 R',
      }),
    ['Lease'],
    ['Void'],
  ],
  'a stamp for screens only': [
    () =>
      pageWith({
        objects: [annotation(600, '/Subtype/Stamp/F 0/AP<</N 7 0 R>>'), textAppearance('Draft')],
        annotations: '6 0 R',
      }),
    ['Draft'],
    [],
  ],
  'a field on a page with one Q too many': [
    () =>
      pageWith({
        objects: [textField(600, 'rent', 'Rent1250')],
        annotations: '6 0 R',
        fields: '6 0 R',
        content: 'Q 0.5 0 0 0.5 100 100 cm',
      }),
    ['Rent1250'],
    [],
  ],
};

const layered = (group: string, config: string, y = 600): Buffer =>
  pageWith({
    objects: [`<</Type/OCG/Name(Layer)${group}>>`],
    annotations: '',
    catalog: `/OCProperties<</OCGs[6 0 R]/D<<${config}>>>>`,
    resources: '/Properties<</L 6 0 R>>',
    content: `/OC /L BDC BT /F1 14 Tf 72 ${y} Td (Layered) Tj ET EMC`,
  });

/** A page with a layer at this height that a screen shows, and a printer does not. */
export const printedOtherwise = (y = 600): Buffer =>
  layered(
    '/Usage<</Print<</PrintState/OFF>>>>',
    '/ON[6 0 R]/AS[<</Event/Print/OCGs[6 0 R]/Category[/Print]>>]',
    y,
  );

/** By what they are: a file whose layer says "Layered", and whether a screen shows it. */
export const LAYERS: Record<string, [file: () => Buffer, shown: boolean]> = {
  'is off': [() => layered('', '/OFF[6 0 R]'), false],
  'is off on a screen, and on in print': [
    () =>
      layered(
        '/Usage<</View<</ViewState/OFF>>/Print<</PrintState/ON>>>>',
        '/ON[6 0 R]/AS[<</Event/Print/OCGs[6 0 R]/Category[/Print]>><</Event/View/OCGs[6 0 R]/Category[/View]>>]',
      ),
    false,
  ],
  'is on on a screen, and off in print': [() => printedOtherwise(), true],
  'is off by the base state': [() => layered('', '/BaseState/OFF'), false],
};
