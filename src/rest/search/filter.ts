import type {
  FieldOperator,
  FieldRecordFragment,
  FieldType,
  SearchFilter,
  SearchKind,
  SearchOrder,
  SearchOrderField,
} from '../../generated/operations/graphql.ts';
import { typeOfId } from '../../lib/id.ts';
import { FIELD_TYPES } from '../fields/record.ts';
import { type Members, notATerm } from '../wire/members.ts';
import { commonValues, metaFilterEntries, unknownFilter } from '../wire/meta-filters.ts';
import { descendsByDefault, directionIn } from '../wire/order.ts';
import { keyOfTerm, text } from '../wire/values.ts';

/** `Document` is in the contract; the other terms are additions. */
export const CONTENT_TYPES: Record<SearchKind, string> = {
  DOCUMENT: 'Document',
  FOLDER: 'Folder',
  TASK: 'Task',
  FORM: 'Form',
};

/** `equals` is in the contract; the other terms are additions. */
const OPERATORS: Record<FieldOperator, string> = {
  EQUALS: 'equals',
  STARTS_WITH: 'startsWith',
  AT_LEAST: 'atLeast',
  AT_MOST: 'atMost',
};

/** `CreatedOn` is in the contract; the other terms are additions. */
export const SEARCH_SORT_TYPES: Record<SearchOrderField, string> = {
  RELEVANCE: 'Score',
  NAME: 'Name',
  CREATED_AT: 'CreatedOn',
  MODIFIED_AT: 'ModifiedOn',
};

/** The kind that contentType names, in the singular or the plural. */
export function kindIn(query: Members): SearchKind | undefined {
  const type = query.text('contentType');
  if (!type) return undefined;
  const kind = keyOfTerm(CONTENT_TYPES, type.replace(/s$/i, ''));
  if (!kind) throw notATerm('contentType', Object.values(CONTENT_TYPES));
  return kind;
}

/** Undefined for the default order of the graph. */
export function orderIn(query: Members, hasKeyword: boolean): SearchOrder | undefined {
  const sortType = query.term('sortType', SEARCH_SORT_TYPES);
  if (sortType === undefined && query.flag('sortDescending') === undefined) return undefined;
  const field = sortType ?? (hasKeyword ? 'RELEVANCE' : 'CREATED_AT');
  return { field, direction: directionIn(query, descendsByDefault(field)) };
}

/** The conditions of a search; a hit meets all of them. */
export function metaFilters(query: Members): Pick<SearchFilter, 'projectIds' | 'fields'> {
  const entries = metaFilterEntries(query);
  const projects = entries.filter(isProject).map((entry) => entry.required('FieldValue'));
  return {
    projectIds: commonValues(projects),
    fields: entries.filter((entry) => !isProject(entry)).map(fieldCondition),
  };
}

const isProject = (entry: Members): boolean => /^Meta_kw256\[ProjectID\]$/i.test(entry.required('FieldID'));

const FIELD_IDS = 'IxF_Text[<field id>] or Meta_kw256[ProjectID]';

/** A condition on a field, which FieldID names as in the contract or by its id alone. */
function fieldCondition(entry: Members) {
  const name = entry.required('FieldID');
  const fieldId = /^IxF_(?:Text|Number|Currency|Date|Bool)\[([^\]]+)\]$/i.exec(name)?.[1] ?? name;
  if (typeOfId(fieldId) !== 'Field') throw unknownFilter(name, FIELD_IDS);
  entry.term('FieldType', FIELD_TYPES);
  return { fieldId, operator: entry.term('Operator', OPERATORS), value: entry.required('FieldValue') };
}

/** MetaFieldFilter for a project. */
export const projectEntry = (id: string) => ({
  FieldID: 'Meta_kw256[ProjectID]',
  FieldType: 'FieldType_Text',
  FieldValue: id,
  Operator: OPERATORS.EQUALS,
});

const nameOfField = (fieldId: string, type: FieldType): string =>
  `${FIELD_TYPES[type].replace('FieldType', 'IxF')}[${fieldId}]`;

/** MetaFieldFilter for a field. */
export const fieldEntry = (
  { fieldId, operator, value }: { fieldId: string; operator: FieldOperator; value: string },
  type: FieldType,
) => ({
  FieldID: nameOfField(fieldId, type),
  FieldType: FIELD_TYPES[type],
  FieldValue: value,
  Operator: OPERATORS[operator],
});

const ORDERED: FieldOperator[] = ['EQUALS', 'AT_LEAST', 'AT_MOST'];

/** The operators that compare values of a type. */
const OPERATORS_OF: Record<FieldType, FieldOperator[]> = {
  TEXT: ['EQUALS', 'STARTS_WITH'],
  NUMBER: ORDERED,
  CURRENCY: ORDERED,
  DATE: ORDERED,
  BOOL: ['EQUALS'],
};

/** How conditions of `metaFieldFilters_json` name a field, and what they may compare. */
export const filterField = ({ id, type, name, label }: FieldRecordFragment) => ({
  fieldID: nameOfField(id, type),
  fieldType: FIELD_TYPES[type],
  name,
  label: text(label),
  operators: OPERATORS_OF[type].map((operator) => OPERATORS[operator]),
});
