import { z } from 'zod';
import { parse } from '../domain/kernel/input.ts';
import { SCOPES } from '../domain/kernel/scope.ts';
import { mayRun, reachedFields } from '../graph/operations/scope-reach.ts';
import { schema } from '../graph/schema/schema.ts';
import { reachedRoutes } from '../rest/route-scopes.ts';

const scopeNames = z.array(z.enum(SCOPES)).min(1, 'at least one');
const credentialKind = z.enum(['API_KEY', 'ACCESS_TOKEN', 'SESSION']).default('API_KEY');

/** The fields and the routes that a credential may use, one in each line. Throws BAD_USER_INPUT for unknown scopes. */
export function scopeReach(scopes: string, kind: string | undefined): string {
  const credential = {
    scopes: parse(scopeNames, scopes.trim().split(/[\s,]+/), 'scopes'),
    kind: parse(credentialKind, kind, 'kind'),
  };
  const routes = reachedRoutes((required) => required.every((each) => mayRun(each, credential)));
  return [...reachedFields(schema, credential), ...routes].join('\n');
}
