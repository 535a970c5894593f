import { type Deprecation, type Deprecations, routeName, scopeName } from './deprecation.ts';

const PROJECT = '/organizations/:organizationId/projects/:projectId';

/** The paths of decisions as older clients have them, which stay as long as these clients do. */
const decision = (verb: string): [string, Deprecation] => [
  routeName('POST', `${PROJECT}/approvalActions/${verb}`),
  { since: '2026-11-26', instead: routeName('POST', `${PROJECT}/approvals/actions/${verb}`) },
];

/**
 * All that is deprecated: fields, arguments, members of inputs and values of enums by their coordinate in the schema
 * (`Type.field`, `Type.field(argument:)`), routes of REST v1, and scopes. `@deprecated`, the headers of REST, the OpenAPI
 * document and the counts of who uses it are made from this.
 */
export const DEPRECATIONS: Deprecations = Object.fromEntries([
  decision('approve'),
  decision('decline'),
  decision('deny'),
  [
    scopeName('admin'),
    { since: '2026-11-26', instead: 'organizations:read organizations:write events:read' },
  ],
  [
    scopeName('workflow'),
    { since: '2026-11-26', instead: 'tasks:read tasks:write approvals:read approvals:write' },
  ],
]);
