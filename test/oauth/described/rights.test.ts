import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sweepExpired } from '../../../src/domain/maintenance/sweep.ts';
