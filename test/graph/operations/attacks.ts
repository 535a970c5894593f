export const times = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

export const nested = (count: number, open: string, inner: string, close: string): string =>
  open.repeat(count) + inner + close.repeat(count);

const LISTS =
  'organizations(first: 100) { nodes { projects(first: 100) { nodes { documents(first: 100) { nodes { id } } } } } }';
export const TOO_MUCH = 'COST_LIMIT_EXCEEDED';
export const BAD = 'BAD_USER_INPUT';

/** Documents beyond the limits or invalid, and the code of the refusal. */
export const DOCUMENTS: [what: string, query: string, code: string][] = [
  ['1,000 aliases', `{ ${times(1_000, (index) => `a${index}: viewer { user { id } }`)} }`, TOO_MUCH],
  ['1,000 aliases of __typename', `{ ${times(1_000, (index) => `a${index}: __typename`)} }`, TOO_MUCH],
  ['5,000 directives', `{ __typename ${'@skip(if: false) '.repeat(5_000)} }`, TOO_MUCH],
  ['5,000 unknown directives', `{ __typename ${'@aa '.repeat(4_900)} }`, TOO_MUCH],
  ['the same directive twice', '{ __typename @skip(if: false) @skip(if: false) }', BAD],
  ['one field 500 times', `{ ${'__typename '.repeat(500)} }`, TOO_MUCH],
  ['fields 5,000 levels deep', nested(5_000, '{ a ', '', '}'), TOO_MUCH],
  ['lists 100 \u00d7 100 \u00d7 100', `{ viewer { ${LISTS} } }`, TOO_MUCH],
  ['circular fragments', '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }', BAD],
  ['a fragment that spreads itself', '{ ...A } fragment A on Query { ...A }', BAD],
  [
    '10,000 fragments',
    `{ __typename } ${times(10_000, (index) => `fragment F${index} on Query { __typename }`)}`,
    TOO_MUCH,
  ],
  [
    '700 fragments side by side',
    `{ ${times(700, (index) => `...F${index}`)} } ${times(700, (index) => `fragment F${index} on Query { viewer { user { id } } }`)}`,
    TOO_MUCH,
  ],
  [
    'a fragment bomb',
    `{ ...F0 } ${times(300, (index) => `fragment F${index} on Query { a: viewer { user { id } } ...F${index + 1} ...F${index + 1} }`)}
      fragment F300 on Query { __typename }`,
    TOO_MUCH,
  ],
  [
    'a fragment bomb below the limit of aliases',
    `{ ...F0 } ${times(40, (index) => `fragment F${index} on Query { viewer { user { id } } ...F${index + 1} ...F${index + 1} }`)}
      fragment F40 on Query { viewer { user { id } } }`,
    TOO_MUCH,
  ],
  ['100,000 tokens', `{ ${'a '.repeat(100_000)} }`, TOO_MUCH],
  ['50,000 operations\u2019 worth of brackets', '{'.repeat(50_000), TOO_MUCH],
  [
    'an introspection that goes round',
    `{ __schema { types { ${nested(8, 'fields { type { ', 'name', '} }')} } } }`,
    BAD,
  ],
  [
    '100 faults behind half a million lines',
    `{${'\n'.repeat(500_000)}${times(100, (index) => `x${index}`)}}`,
    TOO_MUCH,
  ],
  ['half a million comments', `{ __typename }${'#\r'.repeat(300_000)}`, TOO_MUCH],
  ['16 levels', `{ viewer { ${nested(8, 'organizations { nodes { ', 'id', '} }')} } }`, BAD],
  ['a page of 2^31', '{ viewer { organizations(first: 2147483648) { nodes { id } } } }', BAD],
  ['an unknown field', '{ viewer { idd } }', BAD],
  ['a string without an end', '{ viewer(id: "', BAD],
  ['nothing', '', BAD],
];

const CREATE = 'mutation ($input: CreateTasksInput!) { createTasks(input: $input) { tasks { id } } }';

/** Request bodies beyond the limits or invalid, and the status of the answer. */
export const BODIES: [what: string, body: string, status: number][] = [
  [
    'variables 200,000 levels deep',
    `{"query":"{ __typename }","variables":{"a":${nested(200_000, '[', '', ']')}}}`,
    200,
  ],
  [
    'a list of 300,000 variables',
    `{"query":"query ($ids: [ID!]!) { nodes(ids: $ids) { id } }","variables":{"ids":[${'1,'.repeat(300_000)}1]}}`,
    200,
  ],
  [
    'a list of a million',
    `{"query":"query ($ids: [ID!]!) { nodes(ids: $ids) { id } }","variables":{"ids":[${'1,'.repeat(1_000_000)}1]}}`,
    413,
  ],
  [
    '49,000 members of an input that nobody knows',
    `{"query":"${CREATE}","variables":{"input":{${Array.from({ length: 49_000 }, (_, index) => `"name${index}":1`).join()}}}}`,
    200,
  ],
  [
    '24,000 items of a batch',
    `{"query":"${CREATE}","variables":{"input":{"projectId":"prj_x","tasks":[${'{"name":"x"},'.repeat(24_000)}{}]}}}`,
    200,
  ],
  [
    'a subscription with 49,000 faults',
    `{"query":"subscription ($id: ID!, $kinds: [String!]) { eventAppended(organizationId: $id, kinds: $kinds) { id } }","variables":{"id":"org_x","kinds":[${'1,'.repeat(49_000)}1]}}`,
    200,
  ],
  [
    'extensions of 300,000 objects',
    `{"query":"{ __typename }","extensions":{"a":[${'{},'.repeat(300_000)}{}]}}`,
    200,
  ],
  ['variables that are a list', '{"query":"{ __typename }","variables":[1]}', 400],
  ['variables that are a text', '{"query":"{ __typename }","variables":"x"}', 400],
  ['extensions that are a text', '{"query":"{ __typename }","extensions":"x"}', 400],
  ['a batch', `[${'{"query":"{ __typename }"},'.repeat(9)}{"query":"{ __typename }"}]`, 400],
  ['members that nobody knows', '{"query":"{ __typename }","admin":true}', 400],
  ['a prototype', '{"query":"{ __typename }","__proto__":{"polluted":true}}', 400],
];
