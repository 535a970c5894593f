import type { Deprecation as DeprecationEntry } from '../../../lib/deprecation/deprecation.ts';
import { DEPRECATIONS } from '../../../lib/deprecation/deprecations.ts';
import { builder } from '../kernel/builder.ts';

const DAY = 'YYYY-MM-DD, UTC';

const Deprecation = builder.objectRef<DeprecationEntry & { name: string }>('Deprecation').implement({
  description: 'Something that still works and should not be used any more.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description:
        'A coordinate of the schema, such as `Query.field` or `Query.field(argument:)`; a route of REST v1, such as `POST /api/v1/path`; or `scope name`.',
    }),
    since: t.exposeString('since', { description: `Since when (${DAY}).` }),
    removal: t.exposeString('removal', {
      nullable: true,
      description: `The day on which it is removed (${DAY}); null while none is decided.`,
    }),
    instead: t.exposeString('instead', { description: 'What to use instead.' }),
  }),
});

builder.queryField('deprecations', (t) =>
  t.field({
    scope: [],
    type: [Deprecation],
    description: 'All that is deprecated in both APIs.',
    resolve: () => Object.entries(DEPRECATIONS).map(([name, deprecation]) => ({ name, ...deprecation })),
  }),
);
