import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

const SCRIPT = 'text/javascript; charset=utf-8';

/** Runs in the browser, after graphiql.js: the settings are the page's, the workers files of ours, and what is kept is kept for one person. */
const START = `
const { files, tabs, headers, owner } = JSON.parse(document.getElementById('settings').textContent);
globalThis.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_, label) => files + '/' + label + '.js',
};
const ours = (key) => owner + ':' + key;
const storage = {
  get length() { return localStorage.length; },
  getItem: (key) => localStorage.getItem(ours(key)),
  setItem: (key, value) => localStorage.setItem(ours(key), value),
  removeItem: (key) => localStorage.removeItem(ours(key)),
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

interface Asset {
  type: string;
  text: string;
  compressed?: Promise<Uint8Array<ArrayBuffer>>;
}

export interface Assets {
  /** Changes with the files' content, so that browsers may keep them for good. */
  version: string;
  files: Map<string, Asset>;
}

let loaded: Promise<Assets> | undefined;

/** GraphiQL's files: 9 MB, read when someone first asks for them. */
export const graphiqlAssets = (): Promise<Assets> => {
  loaded ??= load();
  return loaded;
};

async function load(): Promise<Assets> {
  const bundle = await import('@graphql-yoga/render-graphiql/graphiql');
  const files = new Map<string, Asset>([
    ['graphiql.js', { type: SCRIPT, text: bundle.js }],
    ['graphiql.css', { type: 'text/css; charset=utf-8', text: bundle.css }],
    ['start.js', { type: SCRIPT, text: START }],
    ['editorWorkerService.js', { type: SCRIPT, text: bundle.editorWorkerService }],
    ['json.js', { type: SCRIPT, text: bundle.jsonWorker }],
    ['graphql.js', { type: SCRIPT, text: bundle.graphqlWorker }],
  ]);
  const hash = createHash('sha256');
  for (const { text } of files.values()) hash.update(text);
  return { version: hash.digest('hex').slice(0, 16), files };
}

/** Undefined where there is no such file. */
export async function graphiqlAsset(
  version: string,
  name: string,
  acceptEncoding: string | null,
): Promise<Response | undefined> {
  const assets = await graphiqlAssets();
  const asset = version === assets.version ? assets.files.get(name) : undefined;
  if (!asset) return undefined;
  const headers = {
    'Content-Type': asset.type,
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept-Encoding',
  };
  if (!/\bgzip\b/.test(acceptEncoding ?? '')) return new Response(asset.text, { headers });
  asset.compressed ??= compress(asset.text).then((bytes) => Uint8Array.from(bytes));
  return new Response(await asset.compressed, { headers: { ...headers, 'Content-Encoding': 'gzip' } });
}
