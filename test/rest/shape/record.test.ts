import { describe, expect, it } from 'vitest';
import {
  allNullable,
  by,
  integer,
  lower,
  many,
  nullable,
  one,
  pick,
  record,
  string,
  time,
} from '../../../src/rest/shape/record.ts';

interface Person {
  id: string;
  name: string;
  email: string;
}

interface Row {
  name: string | null;
  dueAt: string | null;
  pages: number | null;
  author: Person | null;
}

const person = record<Person>('Person', 'A person.', { ID: string(({ id }) => id) });

const members = {
  Name: string<Row>(({ name }) => name, 'Its name.', 'Permit'),
  NameLower: lower<Row>(({ name }) => name),
  DueOn: time<Row>(({ dueAt }) => dueAt),
  PageCount: integer<Row>(({ pages }) => pages, undefined, 3),
};

const shown = record<Row>(
  'Shown',
  'A thing.',
  {
    ...members,
    ...by<Row>('Created', ({ author }) => author),
    Author: one(person, ({ author }) => author ?? { id: '', name: '', email: '' }),
    Authors: nullable(many(person, ({ author }) => (author ? [author] : []))),
  },
  { PageCount: 4 },
);

describe('a record of REST', () => {
  it('writes its members in their order, and zero values for null', () => {
    const empty = shown({ name: null, dueAt: null, pages: null, author: null });
    expect(Object.entries(empty)).toEqual([
      ['Name', ''],
      ['NameLower', ''],
      ['DueOn', '0001-01-01T00:00:00Z'],
      ['PageCount', 0],
      ['CreatedByUserID', ''],
      ['CreatedByUserEmail', ''],
      ['CreatedByUserName', ''],
      ['Author', { ID: '' }],
      ['Authors', []],
    ]);
  });

  it('writes what it reads', () => {
    const author = { id: 'usr_1', name: 'Tove', email: 'tove@example.test' };
    expect(shown({ name: 'Quay', dueAt: '2031-03-04T09:15:27Z', pages: 2, author })).toEqual({
      Name: 'Quay',
      NameLower: 'quay',
      DueOn: '2031-03-04T09:15:27Z',
      PageCount: 2,
      CreatedByUserID: 'usr_1',
      CreatedByUserEmail: 'tove@example.test',
      CreatedByUserName: 'Tove',
      Author: { ID: 'usr_1' },
      Authors: [{ ID: 'usr_1' }],
    });
  });

  it('describes the members that it writes: with their types, descriptions and samples', () => {
    expect(Object.keys(shown.shape.members)).toEqual(
      Object.keys(shown({ name: null, dueAt: null, pages: null, author: null })),
    );
    expect(shown.shape).toMatchObject({
      about: 'A thing.',
      members: { Name: 'string Its name.', DueOn: 'time', Author: 'Person', Authors: 'Person[]?' },
      example: { Name: 'Permit', PageCount: 4 },
    });
  });

  it('takes members of another record, in an order of its own', () => {
    const picked = pick(members, 'DueOn', 'Name');
    expect(Object.keys(picked)).toEqual(['DueOn', 'Name']);
    expect(Object.values(allNullable(allNullable(picked))).map(({ type }) => type)).toEqual([
      'time?',
      'string?',
    ]);
    expect(() => pick(members, 'Nothing')).toThrow('The record has no member Nothing.');
  });
});
