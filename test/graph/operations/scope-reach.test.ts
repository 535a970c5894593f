import {
  type DocumentNode,
  type GraphQLNamedType,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  OperationTypeNode,
  type SelectionNode,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import type { Scope } from '../../../src/domain/kernel/scope.ts';
import { allowedWith } from '../../../src/domain/kernel/viewer.ts';
import { requiredScopes } from '../../../src/graph/operations/required-scopes.ts';
import { missingScopes } from '../../../src/graph/operations/scope.ts';
import { reachedFields } from '../../../src/graph/operations/scope-reach.ts';
import { schema } from '../../../src/graph/schema/schema.ts';
import { newWorld } from '../../support/world.ts';

/** A way down from a root type: names of fields and of types, as `on Document`. */
type Way = readonly string[];

const nameOf = (value: string) => ({ kind: Kind.NAME as const, value });

function selectionOf([first = '', ...rest]: Way): SelectionNode {
  const selectionSet = {
    kind: Kind.SELECTION_SET as const,
    selections: rest.length > 0 ? [selectionOf(rest)] : [],
  };
  return first.startsWith('on ')
    ? {
        kind: Kind.INLINE_FRAGMENT,
        typeCondition: { kind: Kind.NAMED_TYPE, name: nameOf(first.slice(3)) },
        selectionSet,
      }
    : { kind: Kind.FIELD, name: nameOf(first), selectionSet: rest.length > 0 ? selectionSet : undefined };
}

const documentOf = (operation: OperationTypeNode, way: Way): DocumentNode => ({
  kind: Kind.DOCUMENT,
  definitions: [
    {
      kind: Kind.OPERATION_DEFINITION,
      operation,
      selectionSet: { kind: Kind.SELECTION_SET, selections: [selectionOf(way)] },
    },
  ],
});

const runs = (operation: OperationTypeNode, way: Way, scopes: readonly Scope[]): boolean =>
  missingScopes(requiredScopes(schema, documentOf(operation, way)), allowedWith(scopes, false)) === 0;

/** The fields of a type, and the types that a condition in it may name. */
function stepsFrom(type: GraphQLNamedType): [step: string, below: GraphQLNamedType][] {
  const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
  const conditions = isAbstractType(type) ? schema.getPossibleTypes(type) : [];
  return [
    ...fields.map(({ name, type: below }): [string, GraphQLNamedType] => [name, getNamedType(below)]),
    ...conditions.map((each): [string, GraphQLNamedType] => [`on ${each.name}`, each]),
  ];
}

/**
 * The fields that operations of one way each can select, by trying each operation as a whole. Of the ways to a type only those
 * are followed whose next two steps are others than those of the ways before.
 */
function fieldsByTrial(scopes: readonly Scope[]): string[] {
  const selected = new Set<string>();
  const followed = new Set<string>();
  for (const operation of Object.values(OperationTypeNode)) {
    const root = schema.getRootType(operation);
    const left: [GraphQLNamedType, Way][] = root ? [[root, []]] : [];
    for (const [type, way] of left) {
      const openAt = (of: GraphQLNamedType, at: Way) =>
        stepsFrom(of).filter(([step]) => runs(operation, [...at, step], scopes));
      const open = openAt(type, way);
      const next = open.map(([step, below]) => [step, openAt(below, [...way, step]).map(([name]) => name)]);
      const key = `${operation} ${type.name} ${JSON.stringify(next)}`;
      if (followed.has(key)) continue;
      followed.add(key);
      for (const [step, below] of open) {
        if (!step.startsWith('on ')) selected.add(`${type.name}.${step}`);
        if (isCompositeType(below)) left.push([below, [...way, step]]);
      }
    }
  }
  return [...selected].sort();
}

describe('the fields that scopes reach', () => {
  it.each<[Scope[]]>([
    [['read']],
    [['write']],
    [['tasks:read']],
    [['documents:write']],
    [['approvals:read', 'tasks:write']],
    [['events:read', 'webhooks:write']],
    [['organizations:read', 'documents:read', 'signatures:write']],
  ])('of %j are those of the operations that run with them', (scopes) => {
    expect(reachedFields(schema, { scopes, kind: 'SESSION' })).toEqual(fieldsByTrial(scopes));
  });

  it('are all with read and write, and for an application with members:write all but what no application may run', () => {
    const scopes: Scope[] = ['read', 'write'];
    const all = reachedFields(schema, { scopes, kind: 'SESSION' });
    const every = Object.values(schema.getTypeMap())
      .filter((type) => isObjectType(type) && !type.name.startsWith('__'))
      .flatMap((type) =>
        isObjectType(type) ? Object.keys(type.getFields()).map((name) => `${type.name}.${name}`) : [],
      );
    expect(every.filter((each) => !all.includes(each))).toEqual([]);
    const withMembers: Scope[] = [...scopes, 'members:write'];
    const ofApplication = new Set(reachedFields(schema, { scopes: withMembers, kind: 'ACCESS_TOKEN' }));
    const closed = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(({ description }) =>
      description?.includes('Not available to applications'),
    );
    const lost = all.filter((each) => each.startsWith('Mutation.') && !ofApplication.has(each));
    expect(lost).toEqual(closed.map(({ name }) => `Mutation.${name}`).sort());
    expect(closed.length).toBeGreaterThan(10);
  });
});

const REACH =
  'query ($scopes: [Scope!], $kind: CredentialKind) { scopeReach(scopes: $scopes, kind: $kind) { scopes fields routes } }';

describe('scopeReach', () => {
  it('answers for the credential of the request', async () => {
    const { owner } = await newWorld();
    const { data } = await owner.graph(REACH);
    expect(data.scopeReach.scopes).toEqual(['READ', 'WRITE']);
    expect(data.scopeReach.fields).not.toContain('Mutation.changePassword');
    expect(data.scopeReach.fields).toContain('Mutation.createProjects');
    expect(data.scopeReach.routes).toContain('POST /organizations/{organizationId}/projects');
  });

  it('answers for other scopes, and for applications', async () => {
    const { owner } = await newWorld();
    const { data } = await owner.graph(REACH, { scopes: ['TASKS_READ'] });
    const { fields, routes } = data.scopeReach;
    expect(fields).toContain('Task.name');
    expect(fields).not.toContain('Mutation.createTasks');
    expect(routes).toContain('GET /organizations/{organizationId}/projects/{projectId}/taskStats');
    expect(routes.filter((each: string) => !each.startsWith('GET'))).toEqual([]);
    const application = await owner.graph(REACH, { scopes: ['WRITE'], kind: 'ACCESS_TOKEN' });
    expect(application.data.scopeReach.fields).not.toContain('Mutation.createApiKeys');
    expect(application.data.scopeReach.routes).not.toContain('POST /user/apiKeys');
  });
});
