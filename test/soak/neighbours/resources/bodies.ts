import { newId } from '../../../../src/lib/id.ts';
import { newSecret } from '../../../../src/lib/secret.ts';
import type { Resource } from '../measure.ts';
import { keepSending } from '../wait.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** An array of the most items that fit into the largest body. */
const ITEMS = Buffer.from(`[${'{},'.repeat(344_999)}{}]`);

const VARIABLES = Buffer.from(
  JSON.stringify({
    query: 'query ($id: ID!) { node(id: $id) { id } }',
    variables: Object.fromEntries(Array.from({ length: 49_000 }, (_, index) => [`variable${index}`, index])),
  }),
);

/** Bodies of 1 MB that take long to parse: without a credential, and with one. */
export const bodies: Resource = {
  aggress: ({ aggressor }, signal) => {
    const form = `/api/v1/formTemplatesPublic/${newId('FormTemplate')}/submissions?uniqueId=${newSecret('dgl_')}`;
    return keepSending(
      200,
      (turn) => {
        if (turn % 2 === 0)
          return aggressor.anonymous.send({ method: 'POST', path: form, body: ITEMS, headers: JSON_TYPE });
        const [path, body] =
          turn % 4 === 1 ? [`${aggressor.restPath}/tasks`, ITEMS] : ['/graphql', VARIABLES];
        return aggressor.next.send({ method: 'POST', path, body, headers: JSON_TYPE });
      },
      signal,
    );
  },
};
