// @ts-nocheck: this file runs in browsers, and the project has no types for them.
import { useMonaco } from '@graphiql/react';
import { getIntrospectionQuery } from 'graphql';
import { createElement, useEffect, useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { send } from './fetcher.js';

const OPTIONS = {
  language: 'graphql',
  automaticLayout: true,
  fixedOverflowWidgets: true,
  folding: false,
  fontSize: 15,
  lineNumbersMinChars: 3,
  minimap: { enabled: false },
  overviewRulerLanes: 0,
  padding: { top: 8, bottom: 8 },
  renderLineHighlight: 'none',
  scrollBeyondLastLine: false,
  scrollbar: { alwaysConsumeMouseWheel: false },
  tabSize: 2,
  wordWrap: 'on',
};

/**
 * Puts the editor in place of the text field that `button` names, which keeps the text for the form; the button then switches between
 * the two.
 */
export async function mountSelectionEditor(button) {
  const field = document.getElementById(button.dataset.editorOf);
  const host = document.createElement('div');
  host.className = 'selection-editor';
  field.after(host);
  createRoot(host).render(createElement(SelectionEditor, { field, schema: await eventSchema() }));
  button.addEventListener('click', () => toggle(button, field, host));
  toggle(button, field, host);
}

function toggle(button, field, host) {
  const isEditor = !field.hidden;
  field.hidden = isEditor;
  host.hidden = !isEditor;
  button.textContent = isEditor ? 'Edit as plain text' : 'Edit with completion';
  field.dispatchEvent(new Event('editor'));
  if (!isEditor) field.focus();
}

/** The schema with Event as its root: a selection of Event is an operation of it. */
async function eventSchema() {
  const query = getIntrospectionQuery({ inputValueDeprecation: true });
  const { data } = await send('/graphql', { query });
  const roots = { queryType: { name: 'Event' }, mutationType: null, subscriptionType: null };
  return { ...data, __schema: { ...data.__schema, ...roots } };
}

/** The key Tab leaves the editor, as it leaves a text field: the editor does not learn of it. */
function leaveByTab(event) {
  if (event.key === 'Tab') event.stopPropagation();
}

function SelectionEditor({ field, schema }) {
  const { monaco, actions } = useMonaco();
  const ref = useRef(null);
  useEffect(() => {
    const uri = 'event.graphql';
    actions.initialize({ schemas: [{ uri, introspectionJSON: schema }] });
  }, [actions, schema]);
  useEffect(() => (monaco ? openEditor(monaco, ref.current, field) : undefined), [monaco, field]);
  return createElement('div', { ref, className: 'monaco' });
}

/** Opens an editor whose text and focus are those of the field. Returns how to close it. */
function openEditor(monaco, host, field) {
  const isDark = matchMedia('(prefers-color-scheme: dark)');
  const label = document.querySelector(`label[for="${field.id}"]`);
  const editor = monaco.editor.create(host, { ...OPTIONS, value: field.value, ariaLabel: label.textContent });
  const colour = () => monaco.editor.setTheme(isDark.matches ? 'vs-dark' : 'vs');
  const show = () => {
    if (!field.hidden) return;
    if (editor.getValue() !== field.value) editor.setValue(field.value);
    editor.focus();
  };
  host.addEventListener('keydown', leaveByTab, true);
  host.querySelector('textarea').setAttribute('aria-describedby', field.getAttribute('aria-describedby'));
  editor.onDidChangeModelContent(() => {
    field.value = editor.getValue();
  });
  field.addEventListener('editor', show);
  label.addEventListener('click', show);
  isDark.addEventListener('change', colour);
  colour();
  show();
  return () => editor.dispose();
}
