// @ts-nocheck: this file runs in browsers, and the project has no types for them.
// GraphiQL on its page, or its editor alone, in place of a text field. scripts/page-assets.js bundles it.
import 'graphiql/style.css';
import '@graphiql/plugin-explorer/style.css';
import { mountGraphiql } from './graphiql-page.js';
import { mountSelectionEditor } from './selection-editor.js';

const WORKERS = { json: 'json.worker.js', graphql: 'graphql.worker.js' };

const button = document.querySelector('button[data-editor-of]');
const settings = button ? button.dataset : JSON.parse(document.getElementById('settings').textContent);

globalThis.MonacoEnvironment = {
  getWorker: (_, label) => new Worker(`${settings.files}/${WORKERS[label] ?? 'editor.worker.js'}`),
};

if (button) mountSelectionEditor(button);
else mountGraphiql(document.getElementById('graphiql'), settings);
