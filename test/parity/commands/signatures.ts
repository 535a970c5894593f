import fc from 'fast-check';
import { type AnyCommand, command, maybe, name, ref, refs, several } from '../command.ts';
import type { At, Selection } from '../twin.ts';
import { opening, save, sessionCommands } from './sessions.ts';

const TYPES = {
  SIGNATURE: 'Signature',
  INITIALS: 'Initials',
  FULL_NAME: 'FullName',
  DATE: 'Date',
  TEXT: 'text',
};
type Type = keyof typeof TYPES;
const type = fc.constantFrom<Type>('SIGNATURE', 'SIGNATURE', 'INITIALS', 'FULL_NAME', 'DATE', 'TEXT');
const rank = fc.constantFrom(1, 1, 2, 9);
const field = fc.record({ type, rank, x: fc.constantFrom(0, 12.5, -1), y: fc.constantFrom(0, 40.25) });
interface Field {
  type: Type;
  rank: number;
  x: number;
  y: number;
}

const inGraph = ({ rank: recipientRank, ...each }: Field) => ({ ...each, recipientRank, pageIndex: 0 });
const inRest = (each: Field) => ({
  Type: TYPES[each.type],
  DocumentSignatureSessionRecipientID: String(each.rank),
  PageIndex: 0,
  X: each.x,
  Y: each.y,
});

/** A form, under its document. */
const formOf = (form: Selection, at: At) => {
  const formId = at.id('SignatureForm', form);
  return { formId, documentId: at.of('signature_forms', formId, 'document_id', 'Document') };
};
const pathOf = (form: Selection, at: At) => {
  const { formId, documentId } = formOf(form, at);
  return { documentId, documentSignatureFormId: formId };
};

const templateCommands: AnyCommand[] = [
  command<string[]>({
    mutation: 'createSignatureFormTemplates',
    row: 'createSignatureFormTemplates',
    weight: 2,
    sample: ['Two signers'],
    args: several(name),
    graph: (names) => ({ templates: names.map((each) => ({ name: each })) }),
    rest: (names) => ({ body: names.map((Name) => ({ Name })) }),
  }),
  command<{ template: Selection; name?: string }>({
    mutation: 'updateSignatureFormTemplate',
    row: 'updateSignatureFormTemplate',
    weight: 2,
    sample: { template: 0, name: 'Three signers' },
    args: fc.record({ template: ref, name: maybe(name) }),
    graph: ({ template, name: newName }, at) => ({
      templateId: at.id('SignatureFormTemplate', template),
      name: newName,
    }),
    rest: ({ template, name: newName }, at) => ({
      path: { signatureFormTemplateId: at.id('SignatureFormTemplate', template) },
      body: { Name: newName },
    }),
  }),
  command<{ template: Selection; clear?: boolean; fields: Field[] }>({
    mutation: 'addSignatureTemplateFields',
    row: 'addSignatureFormTemplateFields',
    weight: 2,
    sample: { template: 0, clear: true, fields: [{ type: 'INITIALS', rank: 2, x: 1, y: 2 }] },
    args: fc.record({ template: ref, clear: maybe(fc.boolean()), fields: several(field) }),
    graph: ({ template, clear, fields }, at) => ({
      templateId: at.id('SignatureFormTemplate', template),
      clearExisting: clear,
      fields: fields.map(inGraph),
    }),
    rest: ({ template, clear, fields }, at) => ({
      path: { signatureFormTemplateId: at.id('SignatureFormTemplate', template) },
      query: clear === undefined ? '' : `?clearExisting=${clear}`,
      body: fields.map(inRest),
    }),
  }),
];

const formCommands: AnyCommand[] = [
  opening('ensureSignatureForm', 'getSignatureForm', 'signatureForm'),
  command<{ form: Selection; template?: Selection; page?: number }>({
    mutation: 'updateSignatureForm',
    row: 'updateSignatureForm',
    weight: 2,
    sample: { form: 0, page: 3 },
    args: fc.record({ form: ref, template: maybe(ref), page: maybe(fc.constantFrom(0, 3, -1)) }),
    graph: ({ form, template, page }, at) => ({
      ...formOf(form, at),
      templateId: at.maybe('SignatureFormTemplate', template),
      lastViewedPageIndex: page,
    }),
    rest: ({ form, template, page }, at) => ({
      path: pathOf(form, at),
      body: {
        SignatureFormTemplateID: at.maybe('SignatureFormTemplate', template),
        LastViewedPageIndex: page,
      },
    }),
  }),
];

const fieldCommands: AnyCommand[] = [
  command<{ form: Selection; clear?: boolean; fields: Field[] }>({
    mutation: 'addSignatureFields',
    row: 'addSignatureFormFields',
    weight: 5,
    sample: {
      form: 0,
      clear: true,
      fields: [
        { type: 'SIGNATURE', rank: 1, x: 12.5, y: 40.25 },
        { type: 'TEXT', rank: 1, x: 0, y: 0 },
        { type: 'DATE', rank: 1, x: 0, y: 0 },
      ],
    },
    args: fc.record({ form: ref, clear: maybe(fc.boolean()), fields: several(field) }),
    graph: ({ form, clear, fields }, at) => ({
      ...formOf(form, at),
      clearExisting: clear,
      fields: fields.map(inGraph),
    }),
    rest: ({ form, clear, fields }, at) => ({
      path: pathOf(form, at),
      query: clear === undefined ? '' : `?clearExisting=${clear}`,
      body: fields.map(inRest),
    }),
  }),
  command<{ form: Selection; field: Selection; changes: Partial<Field> }>({
    mutation: 'updateSignatureField',
    row: 'updateSignatureFormField',
    weight: 2,
    sample: { form: 0, field: 0, changes: { type: 'INITIALS', x: 3 } },
    args: fc.record({
      form: ref,
      field: ref,
      changes: fc.record(
        { type, rank, x: fc.constantFrom(1, 2), y: fc.constantFrom(3) },
        { requiredKeys: [] },
      ),
    }),
    graph: ({ form, field: picked, changes: { rank: recipientRank, ...changes } }, at) => ({
      ...formOf(form, at),
      fieldId: at.id('SignatureField', picked),
      ...changes,
      recipientRank,
    }),
    rest: ({ form, field: picked, changes }, at) => ({
      path: { ...pathOf(form, at), documentSignatureFormFieldId: at.id('SignatureField', picked) },
      body: {
        Type: changes.type && TYPES[changes.type],
        X: changes.x,
        Y: changes.y,
        DocumentSignatureSessionRecipientID: changes.rank === undefined ? undefined : String(changes.rank),
      },
    }),
  }),
  command<{ form: Selection; fields?: Selection[] }>({
    mutation: 'deleteSignatureFields',
    row: 'deleteSignatureFormFields',
    weight: 1,
    sample: { form: 0, fields: [0] },
    args: fc.record({ form: ref, fields: maybe(refs) }),
    graph: ({ form, fields }, at) => ({
      ...formOf(form, at),
      fieldIds: fields && at.ids('SignatureField', fields),
    }),
    rest: ({ form, fields }, at) => ({
      path: pathOf(form, at),
      body: fields && { IDs: at.ids('SignatureField', fields) },
    }),
  }),
  command<{ form: Selection; field: Selection }>({
    mutation: 'deleteSignatureFields',
    row: 'deleteSignatureFormField',
    weight: 1,
    sample: { form: 0, field: 1 },
    args: fc.record({ form: ref, field: ref }),
    graph: ({ form, field: picked }, at) => ({
      ...formOf(form, at),
      fieldIds: [at.id('SignatureField', picked)],
    }),
    rest: ({ form, field: picked }, at) => ({
      path: { ...pathOf(form, at), documentSignatureFormFieldId: at.id('SignatureField', picked) },
    }),
  }),
];

export const signatureCommands: AnyCommand[] = [
  ...templateCommands,
  opening('ensureSignatureSession', 'getSignatureSessionPackage', 'signatureSession'),
  save,
  ...formCommands,
  ...fieldCommands,
  ...sessionCommands,
  command<Selection>({
    mutation: 'deleteSignatureFormTemplate',
    row: 'deleteSignatureFormTemplate',
    weight: 1,
    sample: 0,
    args: ref,
    graph: (template, at) => ({ templateId: at.id('SignatureFormTemplate', template) }),
    rest: (template, at) => ({
      path: { signatureFormTemplateId: at.id('SignatureFormTemplate', template) },
    }),
  }),
];
