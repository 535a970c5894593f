import {
  changesOfProject,
  eventsOfChange,
  type ItemChange as ItemChangeRow,
} from '../../../domain/history/diff.ts';
import { pastAt } from '../../../domain/history/moment.ts';
import { badValue } from '../../../domain/kernel/errors.ts';
import { InContext } from '../../engine/complete.ts';
import type { GraphContext } from '../../engine/context.ts';
import { Event } from '../events/type.ts';
import { AsOf, contextAt } from '../kernel/as-of.ts';
import { builder } from '../kernel/builder.ts';
import { connect, fixedOrder } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { findNode, Node } from '../kernel/node.ts';
import { Project } from '../projects/type.ts';

const ItemKind = builder.enumType('ItemKind', {
  description: 'What has a recorded past.',
  values: {
    PROJECT: { description: 'A project, with its settings.' },
    FOLDER: { description: 'A folder, with its assignees.' },
    DOCUMENT: { description: 'A document, with its assignees, tags and field values.' },
    FIELD: { description: 'A field.' },
  } as const,
});

/** The names of the graph, where they are others than those of the columns. */
const MEMBERS: Record<string, string> = {
  assignees: 'assigneeEmails',
  folder_id: 'folder',
  parent_id: 'parent',
  created_by_id: 'createdBy',
  recycled_by_id: 'recycledBy',
  disabled_at: 'disabled',
  values: 'fieldValues',
};

const memberOf = (column: string): string =>
  MEMBERS[column] ?? column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Derived from others. */
const DERIVED = ['name_key', 'organization_id', 'project_id'];

async function nodeAt(ctx: GraphContext, { organizationId, id }: ItemChangeRow, sequence: bigint) {
  const context = contextAt(ctx, { organizationId, sequence });
  const node = await findNode(context, id);
  return node && (new InContext(node, context) as unknown as { id: string });
}

const byAge = fixedOrder('CREATED_AT');

const ItemChange = builder.objectRef<ItemChangeRow>('ItemChange').implement({
  scope: 'documents:read',
  description: 'An item that differs between two moments. What was changed and changed back is not listed.',
  fields: (t) => ({
    subjectId: t.exposeID('id', { description: 'The id of the item.' }),
    kind: t.expose('kind', { type: ItemKind, description: 'What it is.' }),
    members: t.stringList({
      description: 'The names of the members that differ.',
      resolve: ({ columns }) => columns.filter((each) => !DERIVED.includes(each)).map(memberOf),
    }),
    before: t.field({
      type: Node,
      nullable: true,
      description: 'The item as it was at the first moment; null if it did not exist.',
      resolve: (change, _, ctx) => nodeAt(ctx, change, change.from),
    }),
    after: t.field({
      type: Node,
      nullable: true,
      description: 'The item as it was at the second moment; null if it was gone.',
      resolve: (change, _, ctx) => nodeAt(ctx, change, change.to),
    }),
    events: t.connection(
      {
        type: Event,
        description: 'Its events between the two moments, oldest first.',
        resolve: (change, args, ctx) => connect(ctx, eventsOfChange(change), change, args, byAge),
      },
      connectionOf(Event),
    ),
  }),
});

const byId = fixedOrder('ID');

builder.objectField(Project, 'diff', (t) =>
  t.connection(
    {
      type: ItemChange,
      description:
        'What differs in the project between two moments: itself, folders, documents and fields, in the order of their ids. Of what is gone today only for those with the role ADMIN.',
      args: {
        from: t.arg({ type: AsOf, required: true, description: 'The first moment.' }),
        to: t.arg({ type: AsOf, description: 'The second moment; now by default.' }),
      },
      resolve: async ({ organizationId, id }, { from, to, ...page }, ctx) => {
        const [first, last] = await Promise.all([
          pastAt(ctx, organizationId, from, 'from'),
          pastAt(ctx, organizationId, to ?? {}, 'to'),
        ]);
        if (last.sequence < first.sequence) throw badValue('to', 'is before `from`');
        const span = { from: first.sequence, to: last.sequence };
        return connect(ctx, changesOfProject(span), { organizationId, id }, page, byId);
      },
    },
    connectionOf(ItemChange),
  ),
);
