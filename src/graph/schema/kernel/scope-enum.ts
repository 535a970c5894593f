import { builder } from './builder.ts';

export const Scope = builder.enumType('Scope', {
  description: 'What a credential may be used for, in GraphQL and in REST v1.',
  values: {
    READ: {
      value: 'read',
      description: 'Queries: read what its owner can read. The scope `read` of OAuth and REST v1.',
    },
    WRITE: {
      value: 'write',
      description: 'Mutations: change what its owner can change. The scope `write` of OAuth and REST v1.',
    },
  } as const,
});
