import {
  findStorageUse,
  type StorageUse as StorageUseRow,
} from '../../../domain/organizations/storage-use.ts';
import { builder } from '../kernel/builder.ts';
import { MANAGERS_ONLY } from '../kernel/field-options.ts';
import { Organization } from './type.ts';

const StorageUse = builder.objectRef<StorageUseRow>('StorageUse').implement({
  description: 'What the documents of an organization take. Costs 1,000 points.',
  fields: (t) => ({
    documents: t.exposeInt('documents', { description: 'Documents outside of the recycle bins.' }),
    recycled: t.exposeInt('recycled', {
      description: 'Documents in the recycle bins, which still take space.',
    }),
    revisions: t.exposeInt('revisions', { description: 'Revisions of all documents.' }),
    files: t.exposeInt('files', {
      description: 'Files: those of revisions, forms and signature sessions. Equal ones are stored once.',
    }),
    bytes: t.expose('bytes', { type: 'BigInt', description: 'The size of these files.' }),
    pages: t.expose('pages', {
      type: 'BigInt',
      description: 'The pages of those files whose pages are counted.',
    }),
  }),
});

builder.objectField(Organization, 'storageUse', (t) =>
  t.field({
    scope: 'documents:read',
    type: StorageUse,
    hidden: MANAGERS_ONLY,
    nullable: true,
    description: 'What its documents take; null for all but its owners and admins.',
    resolve: ({ id }, _, { load }) => load.one(findStorageUse, id),
  }),
);
