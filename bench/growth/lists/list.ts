import { id } from '../shape.ts';

/** The numbers of people in `data/people.sql`: who owns the organization, who sees little of it, and who is in many. */
const PEOPLE = { owner: 1, member: 2, guest: 3, many: 4 } as const;

export type PersonName = keyof typeof PEOPLE;

export const numberOf = (person: PersonName): number => PEOPLE[person];

/** A list of the schema; below `parent`, which is a field with its arguments. */
export interface List {
  name: string;
  parent: string;
  field: string;
  select: string;
  as: PersonName[];
  /** Filters and orders, each of them measured by itself. */
  args: string[];
}

export const organization = `organization(id: "${id('org', 1)}")`;
export const project = (number: number) => `project(id: "${id('prj', number)}")`;
export const node = (field: string, prefix: string, number: number) =>
  `${field}(id: "${id(prefix, number)}")`;

export const ordered = (fields: string[], direction = 'DESC') =>
  fields.map((field) => `orderBy: { field: ${field}, direction: ${direction} }`);

export const filtered = (...filters: string[]) => filters.map((each) => `filter: { ${each} }`);

export const DIRECTIONS = ['direction: DESC', 'direction: ASC'];

export const EVENT = 'kind createdAt createdBy { name }';
