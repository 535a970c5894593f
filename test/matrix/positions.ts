import {
  type GraphQLInputType,
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';
import { type IdType, newId, typeOfId } from '../../src/lib/id.ts';
import { type Tenant, TYPES } from './tenant.ts';

/** The path of a value inside another one. */
export type Path = readonly (string | number)[];

/** The paths of all ids in a value. */
export function idPaths(value: unknown, at: Path = []): Path[] {
  if (typeof value === 'string') return typeOfId(value) ? [at] : [];
  if (value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.flatMap((each, index) => idPaths(each, [...at, index]));
  return Object.entries(value).flatMap(([name, each]) => idPaths(each, [...at, name]));
}

export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce((within, step) => (within as Record<string | number, unknown> | undefined)?.[step], value);

/** A copy with another value at a path; missing parents are created. */
export function withValue(value: unknown, [step, ...rest]: Path, put: unknown): unknown {
  if (step === undefined) return put;
  const copy = Array.isArray(value) ? [...value] : typeof step === 'number' ? [] : { ...(value as object) };
  (copy as Record<string | number, unknown>)[step] = withValue(valueAt(value, [step]), rest, put);
  return copy;
}

const MANY = 's';

/** The types of the ids of an argument, if its name is not that of the type. */
const ID_TYPES: Record<string, IdType[]> = {
  id: ['SignatureRecipient', 'ProcessStep'],
  parentId: ['Folder', 'Field', 'Task'],
  formId: ['SignatureForm', 'FormTemplate'],
  templateId: ['SignatureFormTemplate'],
  sessionId: ['SignatureSession'],
  recipientId: ['SignatureRecipient'],
  memberId: ['Membership', 'ProjectMember'],
  approverId: ['User'],
  createdById: ['User'],
  fromUserId: ['User'],
  toUserId: ['User'],
  itemId: ['Document', 'Task'],
  belowFolderId: ['Folder'],
  exceptId: ['SignatureForm'],
  deliveryId: ['WebhookDelivery'],
  identityId: ['ExternalIdentity'],
};

/** The types of the ids that an argument may have; all types if its name does not determine them. */
export function idTypesOf(name: string): IdType[] {
  const single = name.endsWith(`Id${MANY}`) ? name.slice(0, -1) : name;
  const named = single.replace(/Id$/, '').toLowerCase();
  return (
    ID_TYPES[single] ??
    (TYPES.find((type) => type.toLowerCase() === named)
      ? TYPES.filter((type) => type.toLowerCase() === named)
      : TYPES)
  );
}

/** The paths at which an input may have an id; lists by their first item. */
export function idPositions(type: GraphQLInputType, at: Path = []): Path[] {
  if (isNonNullType(type)) return idPositions(type.ofType, at);
  if (isListType(type)) return idPositions(type.ofType, [...at, 0]);
  if (!isInputObjectType(type)) return getNamedType(type).name === 'ID' ? [at] : [];
  return Object.values(type.getFields()).flatMap((field) => idPositions(field.type, [...at, field.name]));
}

/** A minimal valid value of the type, which includes `value`. */
export function completeInput(
  type: GraphQLInputType,
  value: unknown,
  ids: Tenant['ids'],
  name = '',
): unknown {
  if (isNonNullType(type)) return completeInput(type.ofType, value, ids, name);
  if (isListType(type))
    return (Array.isArray(value) ? value : [value]).map((each) =>
      completeInput(type.ofType, each, ids, name),
    );
  if (!isInputObjectType(type))
    return value === undefined ? sample(getNamedType(type) as GraphQLNamedType, ids, name) : value;
  const fields = Object.values(type.getFields()).filter(
    (field) => isRequiredInputField(field) || field.name in ((value as object) ?? {}),
  );
  return Object.fromEntries(
    fields.map((field) => [
      field.name,
      (value as Record<string, unknown>)?.[field.name] === null
        ? null
        : completeInput(field.type, (value as Record<string, unknown>)?.[field.name], ids, field.name),
    ]),
  );
}

const SAMPLES: Record<string, unknown> = {
  String: 'x',
  Int: 1,
  Float: 1,
  Boolean: true,
  BigInt: 1,
  DateTime: '2031-03-04T09:15:27Z',
};

function sample(type: GraphQLNamedType, ids: Tenant['ids'], name: string): unknown {
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (name === 'email') return 'someone@example.test';
  if (type.name === 'ID') return ids[idTypesOf(name)[0] as IdType]?.[0] ?? newId('Task');
  return SAMPLES[type.name];
}
