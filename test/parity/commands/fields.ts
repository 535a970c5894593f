import fc from 'fast-check';
import { type AnyCommand, command, maybe, name, ref, refs, several } from '../command.ts';
import type { At, Selection } from '../twin.ts';

interface Traits {
  parent?: Selection;
  label?: string;
  required?: boolean;
  several?: boolean;
  choices?: boolean;
  dependent?: boolean;
  rows?: number;
  decimals?: number;
}

const flag = maybe(fc.boolean());
const traits = fc.record<Traits>({
  parent: maybe(ref),
  label: maybe(name),
  required: flag,
  several: flag,
  choices: fc.constantFrom(true, true, false, undefined),
  dependent: maybe(fc.constantFrom(false, false, true)),
  rows: maybe(fc.constantFrom(1, 7, 101)),
  decimals: maybe(fc.constantFrom(0, 2, 21)),
});

const inGraph = (fieldTraits: Traits, at: At) => ({
  parentId: at.maybe('Field', fieldTraits.parent),
  label: fieldTraits.label,
  required: fieldTraits.required,
  multipleValues: fieldTraits.several,
  choices: fieldTraits.choices,
  choicesDependOnParent: fieldTraits.dependent,
  rows: fieldTraits.rows,
  decimalPlaces: fieldTraits.decimals,
});

const inRest = (fieldTraits: Traits, at: At) => ({
  ParentFieldID: at.maybe('Field', fieldTraits.parent),
  Label: fieldTraits.label,
  Required: fieldTraits.required,
  AllowMultipleValues: fieldTraits.several,
  DisplaySelectionList: fieldTraits.choices,
  SelectionListIsDependent: fieldTraits.dependent,
  Rows: fieldTraits.rows,
  DecimalPlaces: fieldTraits.decimals,
});

const TYPES = {
  TEXT: 'FieldType_Text',
  NUMBER: 'FieldType_Number',
  CURRENCY: 'FieldType_Currency',
  DATE: 'FieldType_Date',
  BOOL: 'FieldType_Bool',
};
type Type = keyof typeof TYPES;
const type = fc.constantFrom<Type>('TEXT', 'TEXT', 'NUMBER', 'CURRENCY', 'DATE', 'BOOL');

const value = fc.constantFrom('red', 'green', 'blue', 'a, b', ' ', '');

export const fieldCommands: AnyCommand[] = [
  command<({ name: string; type: Type } & Traits)[]>({
    mutation: 'createFields',
    row: 'createFields',
    sample: [
      { name: 'Kind', type: 'NUMBER', decimals: 2 },
      { name: 'Colour', type: 'TEXT', label: 'Shown', choices: true },
    ],
    args: several(
      fc
        .record({ name, type, traits })
        .map(({ traits: fieldTraits, ...each }) => ({ ...each, ...fieldTraits })),
    ),
    graph: (fields, at) => ({
      fields: fields.map((each) => ({ name: each.name, type: each.type, ...inGraph(each, at) })),
    }),
    rest: (fields, at) => ({
      body: fields.map((each) => ({ Name: each.name, Type: TYPES[each.type], ...inRest(each, at) })),
    }),
  }),
  command<{ field: Selection; name?: string; traits: Traits }>({
    mutation: 'updateField',
    row: 'updateField',
    sample: { field: 0, name: 'Hue', traits: { label: '', required: true } },
    args: fc.record({ field: ref, name: maybe(name), traits }),
    graph: ({ field, name: newName, traits: more }, at) => ({
      fieldId: at.id('Field', field),
      name: newName,
      ...inGraph(more, at),
    }),
    rest: ({ field, name: newName, traits: more }, at) => ({
      path: { fieldId: at.id('Field', field) },
      body: { Name: newName, ...inRest(more, at) },
    }),
  }),
  command<{ field: Selection; values: { value: string; parent?: string }[] }>({
    mutation: 'addFieldChoices',
    row: 'addFieldListItems',
    sample: { field: 0, values: [{ value: 'red' }, { value: 'green' }] },
    args: fc.record({ field: ref, values: several(fc.record({ value, parent: maybe(value) })) }),
    graph: ({ field, values }, at) => ({
      fieldId: at.id('Field', field),
      choices: values.map((each) => ({ value: each.value, parentValue: each.parent })),
    }),
    rest: ({ field, values }, at) => ({
      path: { fieldId: at.id('Field', field) },
      body: values.map((each) => ({ Value: each.value, ParentValue: each.parent })),
    }),
  }),
  command<{ field: Selection; values: string[] }>({
    mutation: 'addFieldChoices',
    row: 'addFieldListItems',
    weight: 2,
    sample: { field: 0, values: ['red', 'blue'] },
    args: fc.record({
      field: ref,
      values: fc.array(fc.constantFrom('red', 'green', 'blue'), { minLength: 1, maxLength: 3 }),
    }),
    graph: ({ field, values }, at) => ({
      fieldId: at.id('Field', field),
      replace: true,
      choices: values.map((each) => ({ value: each })),
    }),
    rest: ({ field, values }, at) => ({
      path: { fieldId: at.id('Field', field) },
      query: '?type=file',
      body: { text: values.join('\n') },
    }),
  }),
];

export const fieldRemovals: AnyCommand[] = [
  command<Selection[]>({
    mutation: 'deleteFields',
    row: 'deleteFields',
    weight: 2,
    sample: [0],
    args: refs,
    graph: (fields, at) => ({ fieldIds: at.ids('Field', fields) }),
    rest: (fields, at) => ({ body: { IDs: at.ids('Field', fields) } }),
  }),
];
