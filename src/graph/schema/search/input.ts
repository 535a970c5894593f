import { COUNT_LIMIT } from '../../../domain/kernel/listing-count.ts';
import { KINDS, OPERATORS, STATES } from '../../../domain/search/search-query.ts';
import { builder } from '../kernel/builder.ts';
import { orderInput } from '../kernel/connection.ts';

const described = <Value extends string>(values: readonly Value[], descriptions: Record<Value, string>) =>
  Object.fromEntries(values.map((value) => [value, { description: descriptions[value] }])) as Record<
    Value,
    { description: string }
  >;

export const SearchKind = builder.enumType('SearchKind', {
  description: 'The kind of a search result.',
  values: described(KINDS, {
    DOCUMENT: 'Documents.',
    FOLDER: 'Folders.',
    TASK: 'Tasks.',
    FORM: 'Form templates.',
  }),
});

export const SearchState = builder.enumType('SearchState', {
  description: 'The state of a search result.',
  values: described(STATES, {
    ACTIVE: 'Documents in use, and folders.',
    RECYCLED: 'Documents in the recycle bin.',
    OPEN: 'Tasks to be done.',
    COMPLETED: 'Tasks that are done.',
    DENIED: 'Tasks that ended without being done.',
    PRIVATE: 'Forms that are not shared.',
    SHARED: 'Forms that are shared.',
  }),
});

export const FieldOperator = builder.enumType('FieldOperator', {
  description: 'How the value of a field is compared.',
  values: described(OPERATORS, {
    EQUALS: 'The same; text whatever the case, numbers and dates as what they are.',
    STARTS_WITH: 'Text that begins with it, ignoring case.',
    AT_LEAST: 'The same number or date, or a later or greater one.',
    AT_MOST: 'The same number or date, or an earlier or smaller one.',
  }),
});

const FieldConditionInput = builder.inputType('FieldConditionInput', {
  description: 'A condition on a value of a field.',
  fields: (t) => ({
    fieldId: t.id({ required: true, description: 'The field.' }),
    operator: t.field({ type: FieldOperator, description: 'EQUALS by default.' }),
    value: t.string({ required: true, description: 'The value to compare with, as text.' }),
  }),
});

export const QUERY =
  'What to look for, at most 1,000 characters, in names, tags, values of fields, comments, the names of the folders ' +
  'above and the text of files. All words must occur; `"words in quotes"` in sequence; `-word` must not ' +
  'occur; `word*`, and the last word, are prefixes; `name:`, `tag:`, `value:`, `comment:`, `folder:` and ' +
  '`text:` restrict where. If nothing is found, words that differ by a typing mistake are searched. ' +
  `At most ${COUNT_LIMIT} results are found.`;

/** The members that searches and saved searches have in common, in addition to `query` and `kind`. */
export const SearchFilter = builder.inputType('SearchFilter', {
  description: 'Which objects are found; all conditions must match.',
  fields: (t) => ({
    kind: t.field({ type: SearchKind, description: 'Only objects of this kind.' }),
    states: t.field({
      type: [SearchState],
      description: 'In one of these states; all but RECYCLED by default.',
    }),
    projectIds: t.idList({ description: 'In one of these projects.' }),
    folderId: t.id({ description: 'Directly in this folder.' }),
    belowFolderId: t.id({ description: 'In this folder or in one below it.' }),
    tags: t.stringList({ description: 'Documents and tasks with all of these tags, ignoring case.' }),
    createdById: t.id({ description: 'Created by this person.' }),
    createdAfter: t.field({ type: 'DateTime', description: 'Created then or later.' }),
    createdBefore: t.field({ type: 'DateTime', description: 'Created before.' }),
    modifiedAfter: t.field({
      type: 'DateTime',
      description: 'Last changed, or else created, then or later.',
    }),
    modifiedBefore: t.field({ type: 'DateTime', description: 'Last changed, or else created, before.' }),
    fields: t.field({
      type: [FieldConditionInput],
      description: 'Documents with such values; at most 20 conditions.',
    }),
  }),
});

export const SearchOrder = orderInput('Search', {
  RELEVANCE: { description: 'The relevance for the query; without a query, the time of creation.' },
  NAME: { description: 'The name, ignoring case.' },
  CREATED_AT: { description: 'When it was created.' },
  MODIFIED_AT: { description: 'When it was last changed, or else created.' },
});
