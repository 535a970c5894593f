import { leastScopesOfRoute, leastScopesOfText } from '../../operations/least-scope.ts';
import { builder } from '../kernel/builder.ts';
import { Scope } from '../kernel/scope-enum.ts';

builder.queryFields((t) => ({
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
