// @ts-nocheck: this file runs in browsers, and the project has no types for them.
import { ToolbarButton, useGraphiQL } from '@graphiql/react';
import { createElement as element } from 'react';
import { send } from './fetcher.js';

const LEAST_SCOPE = `query LeastScope($document: String!, $operationName: String) {
  leastScope(document: $document, operationName: $operationName)
}`;

const LABEL = 'Make a key for this operation';
const PATH = 'M15 3a6 6 0 0 0-5.7 7.9L3 17.2V21h3.8l1-1v-2h2v-2h2l1.3-1.3A6 6 0 1 0 15 3Zm1.5 5.5h.01';

const Icon = () =>
  element(
    'svg',
    {
      viewBox: '0 0 24 24',
      fill: 'none',
      stroke: 'currentColor',
      strokeWidth: 1.5,
      className: 'graphiql-toolbar-icon',
      'aria-hidden': true,
    },
    element('path', { d: PATH, strokeLinecap: 'round', strokeLinejoin: 'round' }),
  );

/** Opens the form of a new API key with the fewest scopes that the operation needs; shows what is wrong with it as its response. */
export function KeyButton() {
  const { queryEditor, responseEditor, operationName } = useGraphiQL(
    ({ queryEditor, responseEditor, operationName }) => ({ queryEditor, responseEditor, operationName }),
  );
  const open = async () => {
    const variables = { document: queryEditor.getValue(), operationName: operationName || null };
    const { data, errors } = await send('/graphql', { query: LEAST_SCOPE, variables });
    if (errors) responseEditor?.setValue(JSON.stringify({ errors }, null, 2));
    else
      location.assign(
        `/console/keys/new?${new URLSearchParams({ name: operationName ?? '', scopes: data.leastScope.join(',') })}`,
      );
  };
  return element(ToolbarButton, { onClick: open, label: LABEL }, element(Icon));
}
