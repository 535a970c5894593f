import { describe, expect, it } from 'vitest';
import { isTimeZone, nextHour, startOfDay } from '../../src/lib/local-time.ts';

describe('eight o’clock', () => {
  it.each([
    ['UTC', '2026-11-24T07:59:59.999Z', '2026-11-24T08:00:00.000Z'],
    ['UTC', '2026-11-24T08:00:00.000Z', '2026-11-25T08:00:00.000Z'],
    ['Asia/Kolkata', '2026-11-24T00:00:00.000Z', '2026-11-24T02:30:00.000Z'],
    ['America/Los_Angeles', '2026-11-24T16:00:00.001Z', '2026-11-25T16:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-11-24T17:00:00.000Z', '2026-11-24T18:00:00.000Z'],
    // The clock is put forward in the night to 29 March, and back in the night to 25 October 2026.
    ['Europe/Berlin', '2026-03-28T12:00:00.000Z', '2026-03-29T06:00:00.000Z'],
    ['Europe/Berlin', '2026-03-27T12:00:00.000Z', '2026-03-28T07:00:00.000Z'],
    ['Europe/Berlin', '2026-10-24T12:00:00.000Z', '2026-10-25T07:00:00.000Z'],
    ['Europe/Berlin', '2026-10-23T12:00:00.000Z', '2026-10-24T06:00:00.000Z'],
    ['Australia/Lord_Howe', '2026-10-03T12:00:00.000Z', '2026-10-03T21:00:00.000Z'],
  ])('in %s after %s is %s', (zone, after, next) => {
    expect(nextHour(zone, 8, new Date(after)).toISOString()).toBe(next);
  });

  it('comes once on each day of a year, in every time zone', () => {
    for (const zone of [
      'Europe/Berlin',
      'America/New_York',
      'Africa/Casablanca',
      'Asia/Tehran',
      'Pacific/Apia',
    ]) {
      let at = new Date('2026-01-01T00:00:00Z');
      const days = new Set<string>();
      for (let day = 0; day < 366; day++) {
        at = nextHour(zone, 8, at);
        days.add(at.toLocaleDateString('en-CA', { timeZone: zone }));
        expect(at.toLocaleTimeString('en-GB', { timeZone: zone })).toBe('08:00:00');
      }
      expect(days.size).toBe(366);
    }
  });
});

describe('the beginning of a day', () => {
  it.each([
    ['UTC', '2026-11-24', '2026-11-24T00:00:00.000Z'],
    ['Pacific/Auckland', '2026-11-24', '2026-11-23T11:00:00.000Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z'],
    // The clock is put forward at midnight.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  ])('in %s of %s is %s', (zone, day, start) => {
    expect(startOfDay(zone, new Date(day)).toISOString()).toBe(start);
  });
});

it('a time zone is a name that is in the database of time zones', () => {
  expect(['Europe/Berlin', 'UTC', 'Etc/GMT+3'].map(isTimeZone)).toEqual([true, true, true]);
  const others = ['Mars/Base', '', '+01:00', "UTC'; --", 'x'.repeat(100)];
  expect(others.map(isTimeZone)).toEqual(others.map(() => false));
});
