import { badInput } from '../../domain/kernel/errors.ts';
import {
  AddFieldChoicesDocument,
  GetFieldDocument,
  ListFieldChoicesDocument,
  type ListFieldChoicesQuery,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import { escapeFormulas, unescapeFormulas } from '../../lib/csv/formulas.ts';
import { formatCsv } from '../../lib/csv/line.ts';
import { parseCsv } from '../wire/csv.ts';
import type { Members } from '../wire/members.ts';
import { allPages, choose, type Execute, sequence, single } from '../wire/operations.ts';
import { PROJECT, projectPath, requireInProject } from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import type { Route } from '../wire/route.ts';
import { PlainText } from '../wire/text-reply.ts';
import { newChoice } from './input.ts';
import { choiceRecord } from './record.ts';

const LIST_ITEMS = `${PROJECT}/fields/:fieldId/listItems`;

/** Of choices in a JSON reply. People narrow the list by `valueFilter`; programs ask for the flat file. */
const MAX_LISTED = 1_000;

/** The batch of choices may be larger than that of other objects. */
const MAX_ADDED = 10_000;

const GET_FIELD = storedOperation(GetFieldDocument);
const ADD = storedMutation(AddFieldChoicesDocument);

const fieldIn = ({ path }: RestRequest) => ({ fieldId: path.fieldId as string });

/** The reply is complete rather than a page: it has no place for a cursor. */
const choiceList = {
  operation: storedOperation(ListFieldChoicesDocument),
  in: (request: RestRequest) => ({
    ...fieldIn(request),
    parentValue: request.query.text('parentValue'),
    prefix: request.query.text('valueFilter'),
  }),
  list: ({ field }: ListFieldChoicesQuery, request: RestRequest) => {
    const { choices, choicesDependOnParent } = requireInProject(field, request, 'Field');
    return { ...choices, nodes: choices.nodes.map((choice) => ({ ...choice, choicesDependOnParent })) };
  },
};

interface Choice {
  value: string;
  parentValue: string;
  choicesDependOnParent: boolean;
}

/** A line of CSV for each choice: its value, or the value of its parent and its value. */
function flatFile(choices: Choice[]): PlainText {
  const lines = choices.map(({ choicesDependOnParent, parentValue, value }) =>
    choicesDependOnParent ? [parentValue, value] : [value],
  );
  return new PlainText('text/csv', formatCsv(lines.map((line) => line.map(escapeFormulas))));
}

/** The choices in a flat file. Unless choices depend on a parent, a line is one value and commas belong to it. */
const choicesInFile = (file: string, choicesDependOnParent: boolean) =>
  parseCsv(file, MAX_ADDED).map((line, index) => {
    if (!choicesDependOnParent) return { value: unescapeFormulas(line.join(',')) };
    const [parentValue, value] = line.map(unescapeFormulas);
    if (line.length !== 2 || value === undefined)
      throw badInput(`Entry ${index + 1} must have the value of the parent and a value.`, 'body');
    return { value, parentValue };
  });

/** The caller's names for the members of choices. */
export const CHOICE_NAMES = { choices: '', ...newChoice.names };

/** The choices in the body of a request, and whether they replace those of the field: a flat file does. */
export const choicesIn = ({ query, body }: RestRequest, choicesDependOnParent: boolean) =>
  isFile(query)
    ? { choices: choicesInFile(body.plainText(), choicesDependOnParent), replace: true }
    : { choices: body.array(MAX_ADDED).map(newChoice) };

async function replaceByFile(request: RestRequest, execute: Execute): Promise<void> {
  const { field } = await execute(GET_FIELD, fieldIn(request));
  const { choicesDependOnParent } = requireInProject(field, request, 'Field');
  const input = {
    ...projectPath(request),
    ...fieldIn(request),
    ...choicesIn(request, choicesDependOnParent),
  };
  await execute(ADD, { input });
}

export const isFile = (query: Members) => query.text('type')?.toLowerCase() === 'file';

export const fieldChoiceRoutes: Route[] = [
  {
    id: 'listFieldListItems',
    names: { prefix: 'valueFilter', parentValue: 'parentValue' },
    method: 'GET',
    path: LIST_ITEMS,
    operations: choose(({ query }) => (query.flag('getAllAsFlatFile') ? 'file' : 'records'), {
      records: allPages({
        ...choiceList,
        limit: MAX_LISTED,
        out: (choices) => choices.map(choiceRecord),
      }),
      file: allPages({ ...choiceList, out: flatFile }),
    }),
  },
  {
    id: 'addFieldListItems',
    names: CHOICE_NAMES,
    method: 'POST',
    path: LIST_ITEMS,
    takesText: isFile,
    operations: choose(({ query }) => (isFile(query) ? 'file' : 'records'), {
      records: single({
        operation: ADD,
        in: (request) => ({
          input: {
            ...projectPath(request),
            ...fieldIn(request),
            ...choicesIn(request, false),
          },
        }),
        out: () => undefined,
      }),
      file: sequence([GET_FIELD, ADD], replaceByFile),
    }),
  },
];
