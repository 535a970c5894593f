import { builder } from '../kernel/builder.ts';
import { author, toAuthor, User } from './type.ts';

interface VersionedRow {
  createdAt: Date;
  createdById: string;
  modifiedAt: Date | null;
  version: number;
}

/** Who created a row, when, and when and how often it was changed. */
export const Versioned = builder.interfaceRef<VersionedRow>('Versioned').implement({
  description: 'An object with a creator and a version.',
  fields: (t) => ({
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    createdBy: t.field({
      type: User,
      description: 'Who created it.',
      extensions: toAuthor('created_by_id'),
      resolve: (row, _, ctx) => author(ctx, row.createdById),
    }),
    modifiedAt: t.expose('modifiedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last changed.',
    }),
    version: t.exposeInt('version', {
      description: 'Incremented by each change; pass it as expectedVersion to detect changes by others.',
    }),
  }),
});

interface TrackedRow extends VersionedRow {
  modifiedById: string | null;
}

/** Versioned rows that have a column `modified_by_id` as well. Types that implement it list both interfaces. */
export const Tracked = builder.interfaceRef<TrackedRow>('Tracked').implement({
  description: 'An object with a creator, a version, and the person who last changed it.',
  interfaces: [Versioned],
  fields: (t) => ({
    modifiedBy: t.field({
      type: User,
      nullable: true,
      description: 'Who last changed it.',
      extensions: toAuthor('modified_by_id'),
      resolve: ({ modifiedById }, _, ctx) => (modifiedById ? author(ctx, modifiedById) : null),
    }),
  }),
});
