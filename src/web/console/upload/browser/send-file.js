// @ts-nocheck: this file runs in browsers, and the project has no types for them.
import { createClient, DocgraphError } from '@docgraph/client';
import { KeptSession } from './kept-session.js';

/** Signed URLs name the public host; the page may be open under another name of this server. */
const fetchHere = (url, init) => {
  const { pathname, search } = new URL(url);
  return fetch(pathname + search, init);
};

/** A client with the session of who is signed in. */
const client = createClient({ url: location.origin, fetch: fetchHere });

/** Uploads a file to a destination, and continues where an earlier upload of it ended. */
export async function sendFile(file, destination, options) {
  const kept = new KeptSession(destination, file);
  const earlier = kept.read();
  const send = (session) =>
    client.upload(file, { ...destination, ...options, session, onSession: (begun) => kept.keep(begun) });
  try {
    await send(earlier).catch((error) => {
      if (!earlier || !(error instanceof DocgraphError)) throw error;
      return send(undefined);
    });
    kept.forget();
  } catch (error) {
    if (error instanceof DocgraphError || options.signal.aborted) kept.forget();
    throw error;
  }
}

/** Why an upload failed, for people. */
export function failureText(error) {
  if (!(error instanceof DocgraphError)) return 'The server could not be reached. Try again.';
  if (error.code === 'UNAUTHENTICATED') return 'You are signed out. Sign in in another tab, then try again.';
  const text = error.at ? error.message.replace(`${error.at}: `, '') : error.message;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
