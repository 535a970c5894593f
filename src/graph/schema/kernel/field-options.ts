import type { FieldNullability, InputFieldMap, SchemaTypes, TypeParam } from '@pothos/core';
import type { HiddenFrom } from '../../operations/explain-access.ts';
import type { FieldScope, TypeScope } from '../../operations/scope-step.ts';

/**
 * The option `scope` of types and fields, which `operations/scope-step.ts` reads. A type that is no part of another one has it, and
 * so has each mutation; a field has it where it requires another scope than its type and the type that it returns.
 *
 * The option `isPart` of a list that is a part of its object: what a mutation returns of an object that it wrote includes the list.
 *
 * The option `runsSelection` of fields that run a selection of Event: the argument that holds its text, whose cost is added, or true for
 * a stored one. A selection does not have such fields.
 *
 * The option `hidden` of fields that are null or empty for some members of an organization. `operations/explain-access.ts` reads it, for
 * callers who ask why; the rule itself is in the domain.
 */
declare global {
  export namespace PothosSchemaTypes {
    export interface BaseTypeOptions<Types extends SchemaTypes = SchemaTypes> {
      scope?: TypeScope;
    }
    export interface FieldOptions<
      Types extends SchemaTypes = SchemaTypes,
      ParentShape = unknown,
      Type extends TypeParam<Types> = TypeParam<Types>,
      Nullable extends FieldNullability<Type> = FieldNullability<Type>,
      Args extends InputFieldMap = InputFieldMap,
      ResolveShape = unknown,
      ResolveReturnShape = unknown,
    > {
      scope?: FieldScope;
      hidden?: HiddenFrom;
      isPart?: true;
      runsSelection?: string | true;
    }
  }
}

/** Extensions of a field, or of all fields of a type, that read what has states, or what never changes (docs/work/history.md). */
export const IN_PAST = { inPast: true };

/** For the option `hidden` of what only owners and admins see. */
export const MANAGERS_ONLY: HiddenFrom = { roles: ['OWNER', 'ADMIN'] };

/** For the option `hidden` of what only owners see, in person. */
export const OWNERS_ONLY: HiddenFrom = { roles: ['OWNER'], noApplication: true };
