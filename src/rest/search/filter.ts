import { badInput } from '../../domain/kernel/errors.ts';
import type {
  FieldOperator,
  FieldType,
  SearchFilter,
  SearchKind,
  SearchOrder,
  SearchOrderField,
} from '../../generated/operations/graphql.ts';
import { typeOfId } from '../../lib/id.ts';
import { FIELD_TYPES, fieldTypeOf } from '../fields/record.ts';
import { Members } from '../wire/read.ts';

/** `Document` is the contract's word; the others are ours. */
export const CONTENT_TYPES: Record<SearchKind, string> = {
  DOCUMENT: 'Document',
  FOLDER: 'Folder',
  TASK: 'Task',
  FORM: 'Form',
};

/** `equals` is the contract's word; the others are ours. */
export const OPERATORS: Record<FieldOperator, string> = {
  EQUALS: 'equals',
  STARTS_WITH: 'startsWith',
  AT_LEAST: 'atLeast',
  AT_MOST: 'atMost',
};

/** `CreatedOn` is the contract's word; the others are ours. */
const SORTS: Record<SearchOrderField, string> = {
  RELEVANCE: 'Score',
  NAME: 'Name',
  CREATED_AT: 'CreatedOn',
  MODIFIED_AT: 'ModifiedOn',
};

/** The value that one of these words stands for, whatever its case; undefined without a word. Throws BAD_USER_INPUT. */
function meaning<Value extends string>(
  words: Record<Value, string>,
  word: string | undefined,
  member: string,
): Value | undefined {
  if (!word) return undefined;
  const found = (Object.keys(words) as Value[]).find(
    (each) => words[each].toLowerCase() === word.toLowerCase(),
  );
  if (!found) throw badInput(`${member}: is none of ${Object.values(words).join(', ')}.`, member);
  return found;
}

/** The kind that a contentType names, in the singular or the plural. */
export const kindOf = (word: string | undefined) =>
  meaning(CONTENT_TYPES, word?.replace(/s$/i, ''), 'contentType');

/** Undefined where neither is given: the graph's own order. Names ascend unless said otherwise, all else descends. */
export function orderOf(query: Members, ranked: boolean): SearchOrder | undefined {
  const given = meaning(SORTS, query.text('sortType'), 'sortType');
  const descending = query.flag('sortDescending');
  if (given === undefined && descending === undefined) return undefined;
  const field = given ?? (ranked ? 'RELEVANCE' : 'CREATED_AT');
  return { field, direction: (descending ?? field !== 'NAME') ? 'DESC' : 'ASC' };
}

const MEMBER = 'metaFieldFilters_json';

/** The entries of the contract's "Search filter"; all of them have to hold. */
export function metaFilters(json: string | undefined): Pick<SearchFilter, 'projectIds' | 'fields'> {
  const entries = read(json || '[]').map((each) => new Members(Object.entries(each)));
  const projects = entries.filter(isProject).map((entry) => entry.required('FieldValue'));
  return {
    projectIds:
      projects.length > 0 ? projects.filter((id) => projects.every((other) => other === id)) : undefined,
    fields: entries.filter((entry) => !isProject(entry)).map(condition),
  };
}

function read(json: string): object[] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw badInput(`${MEMBER}: is not JSON.`, MEMBER, cause);
  }
  const isRecord = (each: unknown) => each !== null && typeof each === 'object' && !Array.isArray(each);
  if (!Array.isArray(value) || !value.every(isRecord))
    throw badInput(`${MEMBER}: must be an array of objects.`, MEMBER);
  return value;
}

const isProject = (entry: Members): boolean => /^Meta_kw256\[ProjectID\]$/i.test(entry.required('FieldID'));

/** A field of a project is named as the contract has it, or by its id alone. */
function condition(entry: Members) {
  const name = entry.required('FieldID');
  const fieldId = /^IxF_(?:Text|Number|Currency|Date|Bool)\[([^\]]+)\]$/i.exec(name)?.[1] ?? name;
  if (typeOfId(fieldId) !== 'Field') throw badInput(`${MEMBER}: ${name} is no FieldID of a search.`, MEMBER);
  const type = entry.text('FieldType');
  if (type && !fieldTypeOf(type)) throw badInput(`${MEMBER}: ${type} is no FieldType.`, MEMBER);
  const operator = meaning(OPERATORS, entry.text('Operator'), MEMBER);
  return { fieldId, operator, value: entry.required('FieldValue') };
}

/** MetaFieldFilter, for a project. */
export const projectEntry = (id: string) => ({
  FieldID: 'Meta_kw256[ProjectID]',
  FieldType: 'FieldType_Text',
  FieldValue: id,
  Operator: OPERATORS.EQUALS,
});

/** MetaFieldFilter, for a field. */
export const fieldEntry = (
  { fieldId, operator, value }: { fieldId: string; operator: FieldOperator; value: string },
  type: FieldType,
) => ({
  FieldID: `${FIELD_TYPES[type].replace('FieldType', 'IxF')}[${fieldId}]`,
  FieldType: FIELD_TYPES[type],
  FieldValue: value,
  Operator: OPERATORS[operator],
});
