import { encode } from '../../support/oauth.ts';
import { freePort, type ServerProcess } from '../../support/servers/processes.ts';
import { round } from '../calls.ts';
import { CountingServer } from '../mail/server.ts';
import { newSite, type Site } from '../site.ts';
import { type Form, formsOf, type Request } from './forms.ts';
import { newPeople } from './people.ts';
import { compare } from './ranks.ts';

const ORIGIN = 'http://docgraph.test';

/** No limit may end the comparison. Each request comes from a network of its own. */
const UNLIMITED = {
  ...{ SIGN_IN_TRIES: '0', SIGN_IN_TRIES_ADDRESS: '0', SIGN_IN_TRIES_ACCOUNT: '0' },
  ...{ CLIENT_TRIES: '0', CLIENT_TRIES_ADDRESS: '0', TRUST_PROXY: '1' },
  ...{ MAIL_PER_HOUR_ADDRESS: '0', MAIL_PER_HOUR_ORGANIZATION: '0', MAIL_PER_HOUR_PERSON: '0' },
};

/** Turns of each form that are not counted. */
const WARM = 20;

let networks = 0;
const network = () => `10.${(networks >> 16) & 255}.${(networks >> 8) & 255}.${networks++ & 255}`;

/** Sends a request; returns how long its answer took in ms, and its status. */
async function timed({ url }: ServerProcess, { path, cookie, key, form, json }: Request) {
  const headers: Record<string, string> = {
    ...{ origin: ORIGIN, 'sec-fetch-site': 'same-origin', 'x-forwarded-for': network() },
    'content-type': json ? 'application/json' : 'application/x-www-form-urlencoded',
    ...(cookie && { cookie }),
    ...(key && { authorization: `Bearer ${key}` }),
  };
  const body = json ? JSON.stringify(json) : encode(form ?? {});
  const begin = performance.now();
  const answer = await fetch(url + path, { method: 'POST', headers, body, redirect: 'manual' });
  const text = await answer.text();
  return { ms: performance.now() - begin, status: answer.status, text };
}

/** Both requests of each turn, in random order, so that what one leaves behind does not meet the other alone. */
async function compareForm(server: ServerProcess, name: string, form: Form, samples: number) {
  const times: Record<keyof Form, number[]> = { known: [], unknown: [] };
  const statuses = new Set<number>();
  for (let turn = 0; turn < samples + WARM; turn++)
    for (const kind of Math.random() < 0.5
      ? (['known', 'unknown'] as const)
      : (['unknown', 'known'] as const)) {
      const { ms, status, text } = await timed(server, form[kind](turn));
      statuses.add(status);
      if (statuses.size > 1 || status >= 500 || status === 429)
        throw new Error(`${name}: ${kind} answers ${status} ${text.slice(0, 300)}`);
      if (turn >= WARM) times[kind].push(ms);
    }
  const { ratio, greater, p } = compare(times.known, times.unknown);
  return { ratio: round(ratio), greater: round(greater), p: Number(p.toPrecision(2)) };
}

const serve = async (site: Site, mail: CountingServer, program?: string[]) =>
  site.serve(
    await freePort(),
    {
      ...{ SMTP_URL: `smtp://127.0.0.1:${mail.port}`, SMTP_TLS: 'off', MAIL_FROM: 'docs@docgraph.test' },
      ...{ PUBLIC_URL: ORIGIN, SIGN_UP: 'open', LOG_LEVEL: 'silent' },
      ...{ OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'docgraph', OIDC_CLIENT_SECRET: 'secret' },
      ...UNLIMITED,
    },
    program,
  );

/**
 * Asks every form for what exists and for what does not, and compares how long the answers take. A ratio of 1 and a share of 0.5
 * tell nothing.
 */
export async function compareForms(
  { samples, program }: { samples: number; program?: string[] },
  database?: string,
) {
  const site = await newSite(database);
  const mail = new CountingServer(await freePort());
  await mail.start();
  const people = await site.look((db) => newPeople(db, samples + WARM + 1));
  const server = await serve(site, mail, program);
  try {
    const result: Record<string, Awaited<ReturnType<typeof compareForm>>> = {};
    for (const [name, form] of Object.entries(formsOf(people)))
      result[name] = await compareForm(server, name, form, samples);
    return result;
  } finally {
    await server.stop();
    await mail.stop();
    await site.remove();
  }
}
