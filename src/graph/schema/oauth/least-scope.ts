import { apiScopesOf } from '../../../domain/kernel/scope.ts';
import { typeOfId } from '../../../lib/id.ts';
import { leastScopesOfRoute, leastScopesOfText, reachedRoutes } from '../../operations/least-scope.ts';
import { type Credential, reachedFields } from '../../operations/scope-reach.ts';
import { builder } from '../kernel/builder.ts';
import { Scope } from '../kernel/scope-enum.ts';

const CredentialKind = builder.enumType('CredentialKind', {
  description: 'A kind of credential.',
  values: {
    SESSION: { description: 'The session of a browser in which somebody is signed in.' },
    API_KEY: { description: 'An API key.' },
    ACCESS_TOKEN: { description: 'The access token of an application.' },
  },
});

const kindOf = (credentialId: string): Credential['kind'] => {
  const type = typeOfId(credentialId);
  if (type === 'Grant') return 'ACCESS_TOKEN';
  return type === 'ApiKey' ? 'API_KEY' : 'SESSION';
};

const ScopeReach = builder.objectRef<Credential>('ScopeReach').implement({
  description: 'What a credential may ask for by its scopes. Which objects it finds depends on its person.',
  fields: (t) => ({
    scopes: t.field({
      type: [Scope],
      description: 'Its scopes.',
      resolve: ({ scopes }) => [...scopes],
    }),
    fields: t.stringList({
      description: 'The fields that it may select, as `Type.field`.',
      resolve: (credential, _, __, { schema }) => reachedFields(schema, credential),
    }),
    routes: t.stringList({
      description: 'The routes of REST v1 that it may call, such as `GET /user/profile`.',
      resolve: (credential) => reachedRoutes(credential),
    }),
  }),
});

builder.queryFields((t) => ({
  scopeReach: t.field({
    scope: [],
    type: ScopeReach,
    description:
      'What a credential of this kind with these scopes reaches. Each is that of the credential of this request, unless it is given.',
    args: {
      scopes: t.arg({ type: [Scope], description: 'The scopes to look at.' }),
      kind: t.arg({ type: CredentialKind, description: 'The kind of credential.' }),
    },
    resolve: (_, { scopes, kind }, { viewer }) => ({
      scopes: scopes ? apiScopesOf(scopes) : viewer.scopes,
      kind: kind ?? kindOf(viewer.credentialId),
    }),
  }),
  leastScope: t.field({
    scope: [],
    type: [Scope],
    description:
      'The smallest set of scopes with which an operation runs, whoever sends it: without any of them it is refused. BAD_USER_INPUT if it is not valid.',
    args: {
      document: t.arg.string({
        required: true,
        description: 'The text of the operation, with its fragments.',
      }),
      operationName: t.arg.string({ description: 'Which operation, if the text has several.' }),
    },
    resolve: (_, { document, operationName }, __, { schema }) =>
      leastScopesOfText(schema, document, operationName),
  }),
  leastScopeOfRoute: t.field({
    scope: [],
    type: [Scope],
    description:
      'The smallest set of scopes for a route of REST v1: without any of them it is refused. NOT_FOUND if there is no such route.',
    args: {
      method: t.arg.string({ required: true, description: 'The HTTP method, such as `GET`.' }),
      path: t.arg.string({
        required: true,
        description:
          'The path below `/api/v1`, with ids or with names in braces: `/organizations/{organizationId}`.',
      }),
    },
    resolve: (_, { method, path }) => leastScopesOfRoute(method, path),
  }),
}));
