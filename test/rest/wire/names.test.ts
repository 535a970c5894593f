import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { contractOf } from '../../../src/rest/openapi/openapi.ts';
import { splitTypeText } from '../../../src/rest/openapi/schema.ts';
import { restRoutes } from '../../../src/rest/routes.ts';
import { type Snapshot, takeSnapshot } from '../../matrix/snapshot.ts';
import { newDatabase } from '../../support/database.ts';
import { newRestWorld } from '../fixture.ts';

/** Values that no member of a type takes: of another type, and of the right type but not storable. */
const WRONG_VALUES: Record<string, unknown[]> = {
  string: [{}, 'a\0b'],
  'string[]': ['x', ['a\0b']],
  integer: ['x', 2 ** 40],
  number: ['x'],
  boolean: ['maybe'],
};

/** Members of whole records that are not read, or that take a larger value. */
const NOT_READ = new Set([
  'createProjects 0.SourceContentCopy',
  'updateDocument ID',
  'updateDocumentFolder ID',
  'updateUserProfile UserEmail',
  'updateUserPreference IntValue',
  'updateSingleUserPreference IntValue',
  'confirmDocumentUploads 0.SignedUrl',
  'confirmDocumentUploads 0.ObjectName',
  'signDocument 0.ID',
  'createTasks 0.PrimaryDocument.ID',
  'createTasks 0.OtherDocuments.0.ID',
]);

/** Members for which the error names the parameter they are compared with, or the record that has them. */
const NAMED_OTHERWISE = new Map([
  ['confirmDocumentUploads 0.UniqueId', 'uniqueId'],
  ['createTasks 0.PrimaryDocument.DocumentID', '0.PrimaryDocument'],
  ['createTasks 0.OtherDocuments.0.DocumentID', '0.OtherDocuments'],
  ['createTasks 0.Stakeholders.0.UserID', '0.Stakeholders.0'],
  ['updateTask Stakeholders.0.UserID', 'Stakeholders.0'],
]);

interface Fault {
  at: string;
  body: unknown;
}

/** A body with one wrong value for each member of the input that a route describes. */
function wrongBodies(id: string, body: unknown): Fault[] {
  const { area, contract } = contractOf(id);
  const type = contract.body?.replace(/\?$/, '') ?? '';
  const isArray = type.endsWith('[]');
  const object = (isArray ? (body as object[])[0] : body) as Record<string, unknown>;
  const faults = faultsOf(type.replace('[]', ''), object, area.inputs ?? {});
  return faults.map(({ at, body: each }) => (isArray ? { at: `0.${at}`, body: [each] } : { at, body: each }));
}

function faultsOf(
  shape: string,
  object: Record<string, unknown>,
  inputs: Readonly<
    Record<string, { members: Readonly<Record<string, string>>; example?: Readonly<Record<string, unknown>> }>
  >,
): Fault[] {
  return Object.entries(inputs[shape]?.members ?? {}).flatMap(([name, text]) => {
    const type = splitTypeText(text).type.replace(/[!?]$/, '');
    const wrong = (WRONG_VALUES[type] ?? []).map((value) => ({
      at: name,
      body: { ...object, [name]: value },
    }));
    const item = type.replace('[]', '');
    if (!inputs[item]) return wrong;
    const isArray = item !== type;
    const [nested = inputs[item].example ?? {}] = [object[name] ?? undefined].flat();
    return faultsOf(item, nested as Record<string, unknown>, inputs).map(({ at, body }) => ({
      at: isArray ? `${name}.0.${at}` : `${name}.${at}`,
      body: { ...object, [name]: isArray ? [body] : body },
    }));
  });
}

/** A name of the graph: a variable, or a word in camel case that is no parameter of the request. */
const graphNames = (text: string, parameters: string[]) =>
  [...text.matchAll(/\$\w+|\binput\b|\b[a-z]+[A-Z]\w*/g)].flatMap(([name]) =>
    parameters.includes(name) ? [] : name,
  );

let world: Awaited<ReturnType<typeof newRestWorld>>;
let stored: Snapshot;

beforeAll(async () => {
  world = await newRestWorld(await newDatabase());
  stored = await takeSnapshot(world.db);
});
afterEach(() => stored.restore());
afterAll(() => world.db.close());

const withBody = restRoutes.filter(({ id, method }) => method !== 'GET' && contractOf(id).contract.body);

it.each(withBody)('an invalid value of $method $path is named as the caller wrote it', async (route) => {
  const { id, method, path } = route;
  const { owner, bodies, fill } = world;
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string).concat('uniqueId');
  const wrong: unknown[] = [];
  for (const fault of wrongBodies(id, bodies[id])) {
    const { status, body } = await owner.rest(method, fill(route), fault.body);
    const member = `${id} ${fault.at}`;
    if (NOT_READ.has(member) && [200, 404].includes(status)) {
      await stored.restore();
      continue;
    }
    const message = String(body?.message);
    const isNamed =
      [fault.at, `${fault.at}.0`, NAMED_OTHERWISE.get(member)].includes(body?.at) &&
      message.startsWith(body.at);
    if (status !== 400 || !isNamed || graphNames(message, parameters).length > 0)
      wrong.push([member, status, body?.at, message]);
  }
  expect(wrong).toEqual([]);
  expect(await stored.changed()).toEqual([]);
});
