import { badInput } from '../../domain/kernel/errors.ts';
import {
  AddFieldChoicesDocument,
  GetFieldDocument,
  ListFieldChoicesDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { formatCsv, parseCsv } from '../wire/csv.ts';
import { everyPage } from '../wire/every-page.ts';
import { escapeFormulas, unescapeFormulas } from '../wire/formula.ts';
import { PROJECT, projectPath, requireInProject } from '../wire/path.ts';
import type { Query } from '../wire/read.ts';
import { type Execute, type RestRequest, type Route, route } from '../wire/route.ts';
import { PlainText } from '../wire/wire.ts';

const ITEMS = `${PROJECT}/fields/:fieldId/listItems`;
const CHOICES = storedOperation(ListFieldChoicesDocument);
const FIELD = storedOperation(GetFieldDocument);
const ADD = storedOperation(AddFieldChoicesDocument);

const fieldIn = ({ path }: RestRequest) => path.fieldId as string;

/** Who types finds the others by valueFilter, and programs ask for the flat file. */
const MOST = 1_000;

/** Choices are added in larger batches than anything else. */
const MOST_ADDED = 10_000;

/** The answer is a bare array, which has no place for a cursor; so it is not a page of the list but the list. */
const choicesOf = (request: RestRequest, execute: Execute, most?: number) =>
  everyPage(async (after) => {
    const { field } = await execute(CHOICES, {
      fieldId: fieldIn(request),
      parentValue: request.query.text('parentValue'),
      prefix: request.query.text('valueFilter'),
      first: 100,
      after,
    });
    const { choices, choicesDependOnParent } = requireInProject(field, request, 'Field');
    return {
      pageInfo: choices.pageInfo,
      nodes: choices.nodes.map((each) => ({ ...each, choicesDependOnParent })),
    };
  }, most);

const list = async (request: RestRequest, execute: Execute) =>
  (await choicesOf(request, execute, MOST)).map(({ id, parentValue, value }) => ({
    ID: id,
    ParentValue: parentValue,
    Value: value,
  }));

async function flatFile(request: RestRequest, execute: Execute): Promise<PlainText> {
  const choices = await choicesOf(request, execute);
  const lines = choices.map(({ choicesDependOnParent, parentValue, value }) =>
    choicesDependOnParent ? [parentValue, value] : [value],
  );
  return new PlainText('text/csv', formatCsv(lines.map((line) => line.map(escapeFormulas))));
}

const add = route({
  id: 'addFieldListItems',
  method: 'POST',
  path: ITEMS,
  operation: ADD,
  in: (request) => ({
    input: {
      ...projectPath(request),
      fieldId: fieldIn(request),
      choices: request.body
        .array(MOST_ADDED)
        .map((item) => ({ value: item.required('Value'), parentValue: item.text('ParentValue') })),
    },
  }),
  out: () => undefined,
});

/**
 * Takes the flat file back as it was given, without the apostrophes that keep spreadsheets from computing it.
 * What a line says depends on the field: a value, in which commas are its own, or the value of its parent and a value.
 */
async function replaceAll(request: RestRequest, execute: Execute): Promise<void> {
  const { field } = await execute(FIELD, { fieldId: fieldIn(request) });
  const { choicesDependOnParent } = requireInProject(field, request, 'Field');
  const choices = parseCsv(request.body.plainText(), MOST_ADDED).map((line, index) => {
    if (!choicesDependOnParent) return { value: unescapeFormulas(line.join(',')) };
    const [parentValue, value] = line.map(unescapeFormulas);
    if (line.length !== 2 || value === undefined)
      throw badInput(`Entry ${index + 1} must have the value of the parent and a value.`, 'body');
    return { value, parentValue };
  });
  await execute(ADD, {
    input: { ...projectPath(request), fieldId: fieldIn(request), choices, replace: true },
  });
}

const isFile = (query: Query) => query.text('type')?.toLowerCase() === 'file';

export const choiceRoutes: Route[] = [
  {
    id: 'listFieldListItems',
    method: 'GET',
    path: ITEMS,
    scope: CHOICES.scope,
    run: (request, execute) => (request.query.flag('getAllAsFlatFile') ? flatFile : list)(request, execute),
  },
  {
    ...add,
    takesText: isFile,
    run: (request, execute) => (isFile(request.query) ? replaceAll : add.run)(request, execute),
  },
];
