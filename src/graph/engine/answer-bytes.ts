import type { ExecutionResult } from 'graphql';
import { JsonBytes } from '../../lib/json-bytes.ts';
import { Answer, type Values } from './answer.ts';
import { Written } from './leaves.ts';

/** The result of a run as JSON, with what the run has `written` of it. */
export function answerBytes(result: ExecutionResult, written: JsonBytes): Uint8Array<ArrayBuffer> {
  const json = new JsonBytes(Math.ceil(1.5 * written.length) + BESIDE);
  writeMembers(json, result as Values, written);
  return json.taken();
}

/** Bytes for the lists and names around what is written, beside half of that, to begin with. */
const BESIDE = 1_024;

function write(json: JsonBytes, value: unknown, written: JsonBytes): void {
  if (value instanceof Written) json.part(written, value.from, value.to);
  else if (Array.isArray(value)) writeList(json, value, written);
  else if (value instanceof Answer) writeMembers(json, value, written);
  else json.value(value);
}

function writeList(json: JsonBytes, items: readonly unknown[], written: JsonBytes): void {
  let before = '[';
  for (const item of items) {
    json.ascii(before);
    write(json, item, written);
    before = ',';
  }
  json.ascii(items.length > 0 ? ']' : '[]');
}

function writeMembers(json: JsonBytes, object: Values, written: JsonBytes): void {
  let before = '{';
  for (const key in object) {
    const value = object[key];
    json.ascii(before);
    if (!(value instanceof Written) || value.isWhole) writeKey(json, key);
    write(json, value, written);
    before = ',';
  }
  json.ascii(before === '{' ? '{}' : '}');
}

/** A name as GraphQL has them, which need no escapes. */
function writeKey(json: JsonBytes, name: string): void {
  json.ascii('"');
  json.ascii(name);
  json.ascii('":');
}
