import fc from 'fast-check';
import { type AnyCommand, command, maybe, name, ref, refs, several, who } from '../command.ts';
import type { At, Role, Selection } from '../twin.ts';

type Who = Role | 'nobody';

const colour = fc.constantFrom('#369', '#336699', '', 'blue');

const folderCommands: AnyCommand[] = [
  command<{ name: string; parent?: Selection; colour?: string; to?: Who[] }[]>({
    mutation: 'createFolders',
    row: 'createDocumentFolders',
    sample: [
      { name: 'Alpha', colour: '#336699', to: ['member'] },
      { name: 'Beta', colour: '#369' },
    ],
    args: several(
      fc.record({
        name,
        parent: maybe(ref),
        colour: maybe(colour),
        to: maybe(fc.array(who, { maxLength: 2 })),
      }),
    ),
    graph: (folders, at) => ({
      folders: folders.map((each) => ({
        name: each.name,
        parentId: at.maybe('Folder', each.parent),
        hexColor: each.colour || undefined,
        assigneeEmails: each.to?.map((one) => at.email(one)),
      })),
    }),
    rest: (folders, at) => ({
      body: folders.map((each) => ({
        Name: each.name,
        ParentID: at.maybe('Folder', each.parent) ?? '',
        HexColor: each.colour ?? '',
        AssignmentUserEmails: each.to?.map((one) => at.email(one)) ?? null,
      })),
    }),
  }),
  command<{ folder: Selection; name?: string; colour?: string; to?: Who[]; into?: Selection | null }>({
    mutation: 'updateFolder',
    row: 'updateDocumentFolder',
    weight: 6,
    sample: { folder: 0, name: 'Gamma', colour: '', to: ['guest'], into: 1 },
    args: fc.record({
      folder: ref,
      name: maybe(name),
      colour: maybe(colour),
      to: maybe(fc.array(who, { maxLength: 2 })),
      into: maybe(fc.option(ref)),
    }),
    graph: ({ folder, name: newName, colour: hexColor, to, into }, at) => ({
      folderId: at.id('Folder', folder),
      name: newName,
      hexColor,
      assigneeEmails: to?.map((one) => at.email(one)),
      parentId: into === undefined ? undefined : (at.maybe('Folder', into) ?? null),
    }),
    rest: ({ folder, name: newName, colour: hexColor, to, into }, at) => ({
      path: { documentFolderId: at.id('Folder', folder) },
      body: {
        Name: newName,
        HexColor: hexColor,
        AssignmentUserEmails: to?.map((one) => at.email(one)),
        ParentID: into === null ? '' : at.maybe('Folder', into),
      },
    }),
  }),
];

const batch = (mutation: string, row: string, weight = 4) =>
  command<Selection[]>({
    mutation,
    row,
    weight,
    sample: [0],
    args: refs,
    graph: (documents, at) => ({ documentIds: at.ids('Document', documents) }),
    rest: (documents, at) => ({ body: { IDs: at.ids('Document', documents) } }),
  });

const clientDataCommands: AnyCommand[] = [
  command<{ name: string; value: string }>({
    mutation: 'updatePreferences',
    row: 'updateUserPreference',
    weight: 2,
    sample: { name: 'ViewType', value: 'List' },
    args: fc.record({
      name: fc.constantFrom('ViewType', 'a.b', 'not a name', ''),
      value: fc.constantFrom('List', 'x'.repeat(2_001), ''),
    }),
    graph: (preference) => ({ preferences: [preference] }),
    rest: ({ name: ID, value }) => ({ body: { ID, StringValue: value } }),
  }),
  command<boolean>({
    mutation: 'hideContacts',
    row: 'hideAddressBookItems',
    weight: 1,
    sample: true,
    args: fc.boolean(),
    graph: (all) => (all ? {} : { emails: ['nobody@example.test'] }),
    rest: (all) => ({ body: all ? undefined : { IDs: ['nobody@example.test'] } }),
  }),
  command<string>({
    mutation: 'createClientLog',
    row: 'createLog',
    weight: 2,
    sample: 'drawn',
    args: fc.constantFrom('drawn', 'x'.repeat(2_001)),
    graph: (value) => ({ header: 'H', values: [value, '', ''] }),
    rest: (value) => ({ body: { Header: 'H', Value1: value } }),
  }),
];

const following = (mutation: string, subscribed: boolean) =>
  command<Selection>({
    mutation,
    row: 'saveDocumentSubscription',
    weight: 2,
    sample: 0,
    args: ref,
    graph: (document, at) => ({ documentIds: [at.id('Document', document)] }),
    rest: (document, at) => ({
      path: { documentId: at.id('Document', document) },
      body: { Subscribed: subscribed },
    }),
  });

interface DocumentChange {
  document: Selection;
  name?: string;
  to?: Who[];
  /** Of the newest field. */
  values?: string[];
}

const documentChange = fc.record<DocumentChange>({
  document: ref,
  name: maybe(name),
  to: maybe(fc.array(who, { maxLength: 2 })),
  values: maybe(fc.array(fc.constantFrom('red', 'green', '', '7'), { maxLength: 2 })),
});

const changeInGraph = ({ document, name: newName, to, values }: DocumentChange, at: At) => ({
  documentId: at.id('Document', document),
  name: newName,
  assigneeEmails: to?.map((one) => at.email(one)),
  fieldValues: values && [{ fieldId: at.id('Field', 0), values }],
});

export const documentCommands: AnyCommand[] = [
  ...folderCommands,
  command<null>({
    mutation: 'reserveUploads',
    row: 'reserveDocumentUpload',
    weight: 6,
    sample: null,
    args: fc.constant(null),
    graph: () => ({}),
    rest: () => ({}),
    after: (twin) => twin.sendBytes(),
  }),
  command<{
    upload: Selection;
    name: string;
    size?: number;
    folder?: Selection;
    tags?: string[];
    values?: string[];
  }>({
    mutation: 'confirmUploads',
    row: 'confirmDocumentUploads',
    weight: 8,
    sample: { upload: 0, name: 'first.txt', size: 12, folder: 0, tags: ['One', 'two'], values: [] },
    args: fc.record({
      upload: ref,
      name,
      size: maybe(fc.constantFrom(12, 12, 12, 13)),
      folder: maybe(ref),
      tags: maybe(fc.array(name, { maxLength: 2 })),
      values: maybe(fc.array(fc.constantFrom('red', '7'), { maxLength: 1 })),
    }),
    graph: ({ upload, folder, values, ...file }, at) => ({
      files: [
        {
          ...file,
          uploadId: at.id('Upload', upload),
          folderId: at.maybe('Folder', folder),
          fieldValues: values?.map((value) => ({ fieldId: at.id('Field', 0), values: [value] })),
        },
      ],
    }),
    rest: ({ upload, folder, values, ...file }, at) => ({
      query: `?uniqueId=${at.id('Upload', upload)}`,
      body: [
        {
          uniqueId: at.id('Upload', upload),
          originalFilename: file.name,
          originalFileSize: file.size,
          documentFolderID: at.maybe('Folder', folder) ?? '',
          tags: file.tags,
          fieldIDsAndValues:
            values && Object.fromEntries(values.map((value) => [at.id('Field', 0), [value]])),
        },
      ],
    }),
  }),
  command<DocumentChange>({
    mutation: 'updateDocument',
    row: 'updateDocument',
    sample: { document: 0, name: 'renamed.txt', to: ['member'], values: ['red'] },
    args: documentChange,
    graph: changeInGraph,
    rest: ({ document, name: newName, to, values }, at) => ({
      path: { documentId: at.id('Document', document) },
      body: {
        ID: at.id('Document', document),
        Name: newName,
        AssignmentUserEmails: to?.map((one) => at.email(one)),
        FieldIDsAndValues: values && { [at.id('Field', 0)]: values },
      },
    }),
  }),
  command<DocumentChange>({
    mutation: 'updateDocument',
    row: 'saveDocumentPackage',
    sample: { document: 0, name: 'again.txt', to: ['member'], values: [] },
    args: documentChange,
    graph: changeInGraph,
    rest: ({ document, name: newName, to, values }, at) => ({
      path: { documentId: at.id('Document', document) },
      body: {
        Document: { Name: newName, AssignmentUserEmails: to?.map((one) => at.email(one)) },
        Fields: values && [{ FieldID: at.id('Field', 0), Values: JSON.stringify(values) }],
      },
    }),
  }),
  command<{ documents: Selection[]; into?: Selection }>({
    mutation: 'moveDocuments',
    row: 'setDocumentFolder',
    sample: { documents: [0], into: 1 },
    args: fc.record({ documents: refs, into: maybe(ref) }),
    graph: ({ documents, into }, at) => ({
      documentIds: at.ids('Document', documents),
      folderId: at.maybe('Folder', into),
    }),
    rest: ({ documents, into }, at) => ({
      body: { IDs: at.ids('Document', documents), DocumentFolderID: at.maybe('Folder', into) ?? '' },
    }),
  }),
  ...clientDataCommands,
  following('followDocuments', true),
  following('unfollowDocuments', false),
  batch('recycleDocuments', 'sendToRecycleBin', 3),
  batch('restoreDocuments', 'restoreFromRecycleBin', 5),
  command<{ document: Selection; texts: string[] }>({
    mutation: 'createComments',
    row: 'createDocumentComments',
    sample: { document: 0, texts: ['one', 'two'] },
    args: fc.record({ document: ref, texts: several(name) }),
    graph: ({ document, texts }, at) => ({ documentId: at.id('Document', document), texts }),
    rest: ({ document, texts }, at) => ({
      path: { documentId: at.id('Document', document) },
      body: { Comments: texts },
    }),
  }),
  command<Selection[]>({
    mutation: 'deleteFolders',
    row: 'deleteDocumentFolders',
    weight: 2,
    sample: [0],
    args: refs,
    graph: (folders, at) => ({ folderIds: at.ids('Folder', folders) }),
    rest: (folders, at) => ({ body: { IDs: at.ids('Folder', folders) } }),
  }),
];
