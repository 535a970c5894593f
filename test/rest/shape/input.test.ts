import { describe, expect, it } from 'vitest';
import { combined, input } from '../../../src/rest/shape/input.ts';
import {
  clearableText,
  filledText,
  integer,
  mapped,
  object,
  objects,
  requiredText,
  text,
  time,
} from '../../../src/rest/shape/input-member.ts';
import { membersOf } from '../../../src/rest/wire/members.ts';

const person = input('PersonInput', 'A person.', { userId: requiredText('UserID') });

const thing = input(
  'ThingInput',
  'A thing.',
  {
    name: requiredText('Name', 'Its name.'),
    assigneeEmail: clearableText('AssignmentUserEmail'),
    parentId: filledText('ParentID'),
    dueAt: time('DueOn'),
    owner: object('Owner', person),
    peopleIds: mapped(objects('People', person, 'Replaces them.'), (all) => all?.map(({ userId }) => userId)),
    size: combined({ width: integer('Width'), unit: text('Unit') }, (item, { width, unit }) =>
      width.read(item) ? { width: width.read(item), unit: unit.read(item) } : undefined,
    ),
  },
  { besides: { ID: 'string Ignored.' }, example: { Name: 'Quay' } },
);

const read = (value: object) => thing(membersOf(value, '2'));

describe('an input of REST', () => {
  it('reads the members of the wire as those of the graph', () => {
    expect(
      read({
        NAME: 'Quay',
        AssignmentUserEmail: '',
        ParentID: '',
        DueOn: '',
        Owner: { UserID: 'usr_1' },
        People: [{ UserID: 'usr_2' }],
        Width: 3,
        Unit: 'cm',
      }),
    ).toEqual({
      name: 'Quay',
      assigneeEmail: null,
      parentId: undefined,
      dueAt: null,
      owner: { userId: 'usr_1' },
      peopleIds: ['usr_2'],
      size: { width: 3, unit: 'cm' },
    });
  });

  it('leaves absent members undefined, and does not read parts that are not needed', () => {
    expect(read({ Name: 'Quay', Unit: 7 })).toEqual({ name: 'Quay' });
  });

  it.each([
    [{}, '2.Name'],
    [{ Name: 'Quay', DueOn: 7 }, '2.DueOn'],
    [{ Name: 'Quay', People: [{ UserID: 'usr_1' }, {}] }, '2.People.1.UserID'],
    [{ Name: 'Quay', Width: 3, Unit: 7 }, '2.Unit'],
  ])('names the member of the wire in an error: %j', (value, at) => {
    expect(() => read(value)).toThrow(expect.objectContaining({ at }));
  });

  it('has the names of the wire for all members of the graph', () => {
    expect(thing.names).toEqual({
      name: 'Name',
      assigneeEmail: 'AssignmentUserEmail',
      parentId: 'ParentID',
      dueAt: 'DueOn',
      owner: 'Owner',
      userId: 'UserID',
      peopleIds: 'People',
      'size.width': 'Width',
      'size.unit': 'Unit',
    });
  });

  it('describes the members of the wire in their order', () => {
    expect(Object.entries(thing.shape.members)).toEqual([
      ['ID', 'string Ignored.'],
      ['Name', 'string! Its name.'],
      ['AssignmentUserEmail', 'string'],
      ['ParentID', 'string'],
      ['DueOn', 'string'],
      ['Owner', 'PersonInput'],
      ['People', 'PersonInput[] Replaces them.'],
      ['Width', 'integer'],
      ['Unit', 'string'],
    ]);
    expect(thing.shape.example).toEqual({ Name: 'Quay' });
  });
});
