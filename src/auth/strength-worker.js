// The thread that estimates how easily a password is guessed. Plain JavaScript, so that Node loads it alike from the sources
// (vitest, tsx) and from dist. The lists of common passwords take 37 MB.
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { dictionary, adjacencyGraphs as graphs } from '@zxcvbn-ts/language-common';

/**
 * `personal`: words that whoever guesses the password tries first.
 * @typedef {{ password: string, personal: string[] }} GuessTask
 */

/** Lets the threads that answer requests go first. On Linux each thread has a priority of its own; elsewhere nothing changes. */
function lowerPriority() {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), constants.priority.PRIORITY_LOW);
  } catch {} // not on Linux
}

lowerPriority();
const factory = new ZxcvbnFactory({ dictionary, graphs });
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);

port.on('message', (/** @type {GuessTask} */ { password, personal }) =>
  port.postMessage(factory.check(password, personal).score),
);
