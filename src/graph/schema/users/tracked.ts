import { builder } from '../kernel/builder.ts';
import { author, toAuthor, User } from './type.ts';

interface TrackedRow {
  createdAt: Date;
  createdById: string;
  modifiedAt: Date | null;
  modifiedById: string | null;
  version: number;
}

export const Tracked = builder.interfaceRef<TrackedRow>('Tracked').implement({
  description: 'What people make and change.',
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
    modifiedBy: t.field({
      type: User,
      nullable: true,
      description: 'Who last changed it.',
      extensions: toAuthor('modified_by_id'),
      resolve: ({ modifiedById }, _, ctx) => (modifiedById ? author(ctx, modifiedById) : null),
    }),
    version: t.exposeInt('version', {
      description: 'Counts the changes; pass it as expectedVersion to change only what you saw.',
    }),
  }),
});
