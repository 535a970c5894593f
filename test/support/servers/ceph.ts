import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { type S3Options, s3Client } from '../../../src/files/store/s3-bucket.ts';

const PROGRAMS = ['ceph', 'ceph-authtool', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin'];

/** Debian: `apt-get install ceph-mon ceph-osd ceph-common radosgw`. */
export const hasCeph = PROGRAMS.every((program) => {
  try {
    return execFileSync('which', [program], { stdio: 'pipe' }).length > 0;
  } catch {
    return false;
  }
});

const credentials = { accessKeyId: 'docgraph', secretAccessKey: 'a secret that Ceph checks' };

export interface Ceph {
  endpoint: string;
  /** A new bucket, and how to get at it. */
  bucket(): Promise<S3Options>;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** One monitor, one store in memory and one gateway, in a folder and on ports of their own: an S3 server that checks signatures. */
export async function startCeph(): Promise<Ceph> {
  const dir = mkdtempSync(join(tmpdir(), 'docgraph-ceph-'));
  const [monitor, gateway] = [await freePort(), await freePort()];
  const endpoint = `http://127.0.0.1:${gateway}`;
  const children: ChildProcess[] = [];
  const conf = join(dir, 'ceph.conf');
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, [...args, '-c', conf], { timeout: 60_000, stdio: 'pipe' }).toString();
  const serve = (program: string, ...args: string[]) =>
    children.push(spawn(program, [...args, '-c', conf, '-f'], { stdio: 'ignore' }));
  const stop = async () => {
    for (const child of children.reverse()) {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const id = crypto.randomUUID();
    configure(dir, id, monitor, gateway);
    execFileSync('monmaptool', [
      '--create',
      '--fsid',
      id,
      '--addv',
      'a',
      `[v2:127.0.0.1:${monitor}]`,
      join(dir, 'monmap'),
    ]);
    makeKeys(join(dir, 'keyring'));
    run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', join(dir, 'monmap'), '--keyring', join(dir, 'keyring'));
    serve('ceph-mon', '-i', 'a');
    const osd = crypto.randomUUID();
    run('ceph', 'osd', 'new', osd);
    run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd);
    serve('ceph-osd', '-i', '0');
    const keys = [`--access-key=${credentials.accessKeyId}`, `--secret-key=${credentials.secretAccessKey}`];
    run('radosgw-admin', 'user', 'create', '--uid=docgraph', '--display-name=docgraph', ...keys);
    serve('radosgw', '-n', 'client.admin');
    await answers(endpoint);
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, bucket: () => newBucket(endpoint), stop };
}

function configure(dir: string, id: string, monitor: number, gateway: number): void {
  for (const folder of ['mon', 'osd', 'rgw', 'run']) mkdirSync(join(dir, folder));
  const settings = {
    fsid: id,
    mon_initial_members: 'a',
    mon_host: `v2:127.0.0.1:${monitor}/0`,
    public_addr: '127.0.0.1',
    ms_bind_ipv6: false,
    osd_pool_default_size: 1,
    osd_pool_default_min_size: 1,
    osd_pool_default_pg_num: 1,
    osd_pool_default_pgp_num: 1,
    osd_pool_default_pg_autoscale_mode: 'off',
    osd_crush_chooseleaf_type: 0,
    osd_objectstore: 'memstore',
    memstore_device_bytes: 2 ** 31,
    mon_data_avail_crit: 1,
    mon_data_avail_warn: 1,
    keyring: join(dir, 'keyring'),
    mon_data: join(dir, 'mon'),
    osd_data: join(dir, 'osd'),
    rgw_data: join(dir, 'rgw'),
    run_dir: join(dir, 'run'),
    admin_socket: join(dir, 'run', '$name.asok'),
    pid_file: join(dir, 'run', '$name.pid'),
    log_file: join(dir, '$name.log'),
    rgw_frontends: `beast endpoint=127.0.0.1:${gateway}`,
    rgw_override_bucket_index_max_shards: 1,
    rgw_thread_pool_size: 32,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(join(dir, 'ceph.conf'), `[global]\n${lines.join('\n')}\n`);
}

function makeKeys(keyring: string): void {
  const all = 'allow *';
  const make = (...args: string[]) =>
    execFileSync('ceph-authtool', [keyring, '--gen-key', ...args], { stdio: 'pipe' });
  make('--create-keyring', '-n', 'mon.', '--cap', 'mon', all);
  make('-n', 'client.admin', '--cap', 'mon', all, '--cap', 'osd', all, '--cap', 'mgr', all);
  make('-n', 'osd.0', '--cap', 'mon', 'allow profile osd', '--cap', 'osd', all);
}

async function answers(endpoint: string): Promise<void> {
  for (let left = 600; left > 0; left--) {
    if (
      await fetch(endpoint).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('Ceph did not start.');
}

async function newBucket(endpoint: string): Promise<S3Options> {
  const bucket = `docgraph-${randomBytes(6).toString('hex')}`;
  const options = {
    endpoint,
    bucket,
    region: 'us-east-1',
    credentials,
    forcePathStyle: true,
    partBytes: 5 * 2 ** 20,
  };
  const client = s3Client(options);
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return options;
}
