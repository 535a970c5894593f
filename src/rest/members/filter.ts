import type { ProjectMemberFilter } from '../../generated/operations/graphql.ts';
import { foldEmail } from '../../lib/text/email-address.ts';
import { FIELD_TYPES } from '../fields/record.ts';
import type { Members } from '../wire/members.ts';
import { commonValues, metaFilterEntries, unknownFilter } from '../wire/meta-filters.ts';

const USER_EMAIL = 'Meta_text_kw256lc[UserEmail].keyword';

/** `equals` is in the contract; `startsWith` is an addition. */
const OPERATORS = { EQUALS: 'equals', STARTS_WITH: 'startsWith' } as const;

function emailCondition(entry: Members) {
  const fieldId = entry.required('FieldID');
  if (fieldId.toLowerCase() !== USER_EMAIL.toLowerCase()) throw unknownFilter(fieldId, USER_EMAIL);
  entry.term('FieldType', { TEXT: FIELD_TYPES.TEXT });
  const operator = entry.term('Operator', OPERATORS) ?? 'EQUALS';
  return { operator, email: foldEmail(entry.required('FieldValue')) };
}

/** The members whose address meets all conditions of the query. Throws BAD_USER_INPUT for any other condition. */
export function memberFilterIn(query: Members): ProjectMemberFilter {
  const conditions = metaFilterEntries(query).map(emailCondition);
  const emailsOf = (operator: keyof typeof OPERATORS) =>
    conditions.filter((each) => each.operator === operator).map(({ email }) => email);
  const prefixes = emailsOf('STARTS_WITH').sort((one, other) => other.length - one.length);
  const [longest] = prefixes;
  const contradict = prefixes.some((prefix) => !longest?.startsWith(prefix));
  return { emailPrefix: longest, emails: contradict ? [] : commonValues(emailsOf('EQUALS')) };
}
