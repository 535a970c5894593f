import { afterAll } from 'vitest';
import { replaceIfLarge } from '../database.ts';

// Of each test file, after its own hooks.
afterAll(replaceIfLarge);
