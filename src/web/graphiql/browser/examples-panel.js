// @ts-nocheck: this file runs in browsers, and the project has no types for them.
import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { createElement as element } from 'react';

/** A panel that opens each example in a tab. */
export const examplesPlugin = (examples) => ({
  title: 'Examples',
  icon: Icon,
  content: () => element(Examples, { examples }),
});

const PATHS = ['M4 5h16', 'M4 12h16', 'M4 19h10'];

const Icon = () =>
  element(
    'svg',
    { viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor', strokeWidth: 2, 'aria-hidden': true },
    PATHS.map((d) => element('path', { key: d, d, strokeLinecap: 'round' })),
  );

function Examples({ examples }) {
  const open = useOpenExample();
  return element(
    'section',
    { 'aria-label': 'Examples', className: 'examples' },
    element('h2', null, 'Examples'),
    element(
      'ul',
      null,
      examples.map((example) =>
        element(
          'li',
          { key: example.name },
          element('button', { type: 'button', onClick: () => open(example) }, example.title),
          element('p', null, example.about),
        ),
      ),
    ),
  );
}

/** Shows the tab with an example, or adds one. On a narrow window the panel covers the editors, and closes. */
function useOpenExample() {
  const { addTab, changeTab, setVisiblePlugin } = useGraphiQLActions();
  const { tabs, queryEditor, variableEditor } = useGraphiQL(({ tabs, queryEditor, variableEditor }) => ({
    tabs,
    queryEditor,
    variableEditor,
  }));
  return ({ query, variables = '' }) => {
    const index = tabs.findIndex((tab) => tab.query === query && (tab.variables ?? '') === variables);
    if (index >= 0) changeTab(index);
    else {
      addTab();
      queryEditor.setValue(query);
      variableEditor?.setValue(variables);
    }
    if (!matchMedia('(min-width: 60rem)').matches) setVisiblePlugin(null);
  };
}
