// @ts-nocheck: this file runs in browsers, and the project has no types for them.
// GraphiQL with examples, history and the explorer.
import { explorerPlugin } from '@graphiql/plugin-explorer';
import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import { createElement, Fragment } from 'react';
import { createRoot } from 'react-dom/client';
import { examplesPlugin } from './examples-panel.js';
import { fetcher } from './fetcher.js';
import { KeyButton } from './key-button.js';
import { ownStorage } from './storage.js';

const toolbarWithKey = ({ prettify, merge, copy }) =>
  createElement(Fragment, null, prettify, merge, copy, createElement(KeyButton));

/** Mounts it into `host`. */
export function mountGraphiql(host, { examples, headers, owner }) {
  const storage = ownStorage(owner);
  const link = new URLSearchParams(location.search);
  const linked = link.get('query')
    ? { query: link.get('query'), variables: link.get('variables') ?? undefined }
    : examples.find(({ name }) => name === link.get('example'));
  const EXPLORER = { ...explorerPlugin({ showAttribution: false }), title: 'Explorer' };
  const EXAMPLES = examplesPlugin(examples);
  const isFirstVisit = storage.getItem('graphiql:visiblePlugin') === null;
  const isWide = matchMedia('(min-width: 60rem)').matches;

  if (linked) history.replaceState(null, '', location.pathname);

  const app = createElement(
    GraphiQL,
    {
      fetcher: fetcher('/graphql'),
      storage,
      plugins: [EXAMPLES, HISTORY_PLUGIN, EXPLORER],
      visiblePlugin: isFirstVisit && isWide ? EXAMPLES : undefined,
      defaultTabs: [{ headers, ...(linked ?? examples[0]) }],
      initialQuery: linked?.query,
      initialVariables: linked?.variables,
      defaultHeaders: headers,
      defaultEditorToolsVisibility: headers ? 'headers' : 'variables',
      shouldPersistHeaders: false,
      inputValueDeprecation: true,
      schemaDescription: true,
    },
    createElement(GraphiQL.Logo, null, createElement('span')),
    headers ? null : createElement(GraphiQL.Toolbar, null, toolbarWithKey),
  );

  createRoot(host).render(app);
}
