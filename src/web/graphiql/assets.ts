import { createHash } from 'node:crypto';
import { CompressedText } from '../ui/compressed-text.ts';

const SCRIPT = 'text/javascript; charset=utf-8';

/** Runs in the browser after graphiql.js: applies the page's settings, loads workers from this server, and stores state per user. */
const START = `
const { files, tabs, headers, owner } = JSON.parse(document.getElementById('settings').textContent);
globalThis.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_, label) => files + '/' + label + '.js',
};
const keyOf = (key) => owner + ':' + key;
const storage = {
  get length() { return localStorage.length; },
  getItem: (key) => localStorage.getItem(keyOf(key)),
  setItem: (key, value) => localStorage.setItem(keyOf(key), value),
  removeItem: (key) => localStorage.removeItem(keyOf(key)),
  clear: () => localStorage.clear(),
};
YogaGraphiQL.renderYogaGraphiQL(document.getElementById('graphiql'), {
  title: 'GraphiQL',
  logo: '<span></span>',
  endpoint: '/graphql',
  credentials: 'same-origin',
  storage,
  defaultTabs: tabs.map((tab) => ({ headers, ...tab })),
  defaultHeaders: headers,
  defaultEditorToolsVisibility: headers ? 'headers' : 'variables',
  shouldPersistHeaders: false,
});
`;

export interface Assets {
  /** Changes with the content of the files, so that browsers may cache them for good. */
  version: string;
  files: Map<string, CompressedText>;
}

let loaded: Promise<Assets> | undefined;

/** GraphiQL's files: 9 MB, read at the first request. */
export const graphiqlAssets = (): Promise<Assets> => {
  loaded ??= load();
  return loaded;
};

async function load(): Promise<Assets> {
  const bundle = await import('@graphql-yoga/render-graphiql/graphiql');
  const texts = {
    'graphiql.js': bundle.js,
    'graphiql.css': bundle.css,
    'start.js': START,
    'editorWorkerService.js': bundle.editorWorkerService,
    'json.js': bundle.jsonWorker,
    'graphql.js': bundle.graphqlWorker,
  };
  const hash = createHash('sha256');
  for (const text of Object.values(texts)) hash.update(text);
  const files = Object.entries(texts).map(([name, text]) => [name, asset(name, text)] as const);
  return { version: hash.digest('hex').slice(0, 16), files: new Map(files) };
}

const asset = (name: string, text: string): CompressedText =>
  new CompressedText(text, {
    'Content-Type': name.endsWith('.css') ? 'text/css; charset=utf-8' : SCRIPT,
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Cross-Origin-Resource-Policy': 'same-origin',
  });

/** The response with a file; undefined if there is none. */
export async function graphiqlAsset(
  version: string,
  name: string,
  acceptEncoding: string | null,
): Promise<Response | undefined> {
  const assets = await graphiqlAssets();
  return version === assets.version ? assets.files.get(name)?.respond(acceptEncoding) : undefined;
}
