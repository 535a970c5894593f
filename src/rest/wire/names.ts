import { DomainError } from '../../domain/kernel/errors.ts';
import { shorten } from '../../lib/text/shorten.js';
import type { RestRequest } from './request.ts';

/**
 * The caller's name for each member of the graph's input: its path below the item or object that it was read from, such as
 * `DueOn` or `Document.Name`; a parameter of the request; '' for the body itself. Of `Values|Value`, the first that the
 * body has or else the last, without an index. A key may have an index: `values.1`. `Name{}` is an object with a member for
 * each item of the list.
 */
export type WireNames = Readonly<Record<string, string>>;

/** Arguments of lists, and containers of the graph's input that no request has. */
const COMMON: WireNames = { after: 'cursor', input: '', filter: '' };

/** Set from If-Match, and answered as 412. */
const NOT_NAMED = 'expectedVersion';

/** An error of a stored operation as the caller of a route reads it: with the names and the values of the request. */
export function inNamesOfRequest(error: unknown, names: WireNames, request: RestRequest): unknown {
  if (!(error instanceof DomainError) || error.at === undefined || error.at === NOT_NAMED) return error;
  const at = wirePath(error.at, { ...pathNames(request), ...COMMON, ...names }, request);
  const isSubject = error.subject === error.at;
  const subject = isSubject ? at || 'The body' : Object.hasOwn(request.path, at) ? undefined : at;
  return error.renamed(
    { at: at || undefined, subject: subject || undefined },
    isSubject ? error.reason : error.message,
  );
}

/** Longer values are cut off. */
const MAX_VALUE_LENGTH = 100;

/** Values that are not repeated. */
const SECRET = /(?:^|\.)accessCode$/i;

/** The error with the value that is wrong after the name, if its text begins with the name and the value is a scalar. */
export function withValue(error: unknown, { body, query }: RestRequest): unknown {
  if (!(error instanceof DomainError) || !error.at || SECRET.test(error.at)) return error;
  const { at, subject } = error;
  const value = body.at(at.split('.')) ?? query.value(at);
  if (subject !== at || !['string', 'number', 'boolean'].includes(typeof value)) return error;
  return error.renamed({ at, subject: `${at} ${JSON.stringify(cut(value)).toWellFormed()}` });
}

const cut = (value: unknown): unknown =>
  typeof value === 'string' ? shorten(value, MAX_VALUE_LENGTH, '…') : value;

/** The parameters of a path have the same names in the graph, unless the route names them otherwise. */
const pathNames = ({ path }: RestRequest): WireNames =>
  Object.fromEntries(Object.keys(path).map((name) => [name, name]));

/** Parameters begin with a lower-case letter, members with a capital one (contract, "JSON style"). */
const PARAMETER = /^[a-z]/;

/** A path of the graph's input in the caller's names, as far as it can be named and the request has it. */
function wirePath(at: string, names: WireNames, request: RestRequest): string {
  const path: string[] = [];
  const segments = at.split('.');
  let isAlternative = false;
  let isMap = false;
  for (const [index, segment] of segments.entries()) {
    const isIndex = /^\d+$/.test(segment);
    if (isIndex && isMap) {
      path.push(...keyAt(request.body.at(path), Number(segment)));
      isMap = false;
      continue;
    }
    if (isIndex && (isAlternative || !Array.isArray(request.body.at(path)))) continue;
    const name = isIndex ? segment : (names[`${segment}.${segments[index + 1]}`] ?? names[segment]);
    if (name === undefined) break;
    if (PARAMETER.test(name)) return name;
    isAlternative = name.includes('|');
    isMap = name.endsWith('{}');
    if (name) path.push(...alternative(name.replace('{}', ''), path, request));
  }
  return path.join('.');
}

/** The name of the member of an object at this position. */
const keyAt = (value: unknown, index: number): string[] => Object.keys(Object(value)).slice(index, index + 1);

/** The first alternative that the body has, or else the last. */
function alternative(name: string, above: string[], { body }: RestRequest): string[] {
  const alternatives = name.split('|').map((each) => each.split('.'));
  const sent = alternatives.find((each) => body.at([...above, ...each]));
  return sent ?? (alternatives.at(-1) as string[]);
}
