import type { ExecutionResult } from 'graphql';
import { JsonBytes } from '../../lib/json-bytes.ts';
import { Answer, type Values } from './answer.ts';
import { Written } from './leaves.ts';

/** The result of a run as JSON; `written` is the run's buffer. */
export function answerBytes(result: ExecutionResult, written: JsonBytes): Uint8Array<ArrayBuffer> {
  const json = new JsonBytes(Math.ceil(1.5 * written.length) + INITIAL_BYTES);
  writeMembers(json, result as Values, written);
  return json.finish();
}

/** Initial bytes for lists and names, in addition to half of the bytes written. */
const INITIAL_BYTES = 1_024;

function write(json: JsonBytes, value: unknown, written: JsonBytes): void {
  if (value instanceof Written) json.copy(written, value.from, value.to);
  else if (Array.isArray(value)) writeList(json, value, written);
  else if (value instanceof Answer) writeMembers(json, value, written);
  else json.value(value);
}

function writeList(json: JsonBytes, items: readonly unknown[], written: JsonBytes): void {
  let separator = '[';
  for (const item of items) {
    json.ascii(separator);
    write(json, item, written);
    separator = ',';
  }
  json.ascii(items.length > 0 ? ']' : '[]');
}

function writeMembers(json: JsonBytes, object: Values, written: JsonBytes): void {
  let separator = '{';
  for (const key in object) {
    const value = object[key];
    json.ascii(separator);
    if (!(value instanceof Written) || value.isWhole) writeKey(json, key);
    write(json, value, written);
    separator = ',';
  }
  json.ascii(separator === '{' ? '{}' : '}');
}

/** A GraphQL name, which needs no escapes. */
function writeKey(json: JsonBytes, name: string): void {
  json.ascii('"');
  json.ascii(name);
  json.ascii('":');
}
