import { DomainError } from '../../../domain/kernel/errors.ts';
import { ConsoleChosenDocument, ConsoleGroupChoicesDocument } from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import { typeOfId } from '../../../lib/id.ts';
import { offeredEditors } from '../approvals/editors.ts';
import { MAX_OFFERED, type Offer, offerOf, type Person } from '../ui/people-offer.ts';
import type { Visit } from '../ui/visit.ts';
import { type EnteredProcess, SEARCHED, type SearchedField } from './entered.ts';

const CHOSEN = storedOperation(ConsoleChosenDocument);
const GROUPS = storedOperation(ConsoleGroupChoicesDocument);

/** What the fields of a process offer, and who is chosen in them. */
export interface ProcessChoices {
  /** The people or groups of a field, after a search for `search`. */
  offerOf: (field: SearchedField, search: string) => Offer;
  /** Those with these ids, without those that the viewer does not see. */
  chosenOf: (ids: readonly string[]) => Person[];
}

const isGroupField = (field: SearchedField): boolean => field === 'groupIds' || field === 'escalateToGroupId';

/**
 * Reads what the form offers: once for each text that is searched for, however many steps search for it. named: by the
 * process as it is, among them people who are no editors any more.
 */
export async function processChoices(
  visit: Visit,
  projectId: string,
  { steps }: EnteredProcess,
  named: readonly Person[],
): Promise<ProcessChoices> {
  const offers = new Map<string, Offer>();
  for (const { searches } of steps)
    for (const field of SEARCHED) {
      const key = keyOf(field, searches[field]);
      if (!offers.has(key)) offers.set(key, await readOffer(visit, projectId, field, searches[field]));
    }
  const people = new Map<string, Person>();
  for (const person of [...[...offers.values()].flatMap((offer) => offer.people), ...named])
    people.set(person.id, person);
  const chosen = steps.flatMap((step) => [
    ...[...step.approverIds, ...step.escalateToIds, ...step.groupIds, step.escalateToGroupId],
  ]);
  const missing = chosen.filter((id) => !people.has(id));
  for (const person of await readChosen(visit, missing)) people.set(person.id, person);
  return {
    offerOf: (field, search) => offers.get(keyOf(field, search)) ?? { people: [], hasMore: false, search },
    chosenOf: (ids) => ids.flatMap((id) => people.get(id) ?? []),
  };
}

const keyOf = (field: SearchedField, search: string): string => `${isGroupField(field)} ${search}`;

const readOffer = (visit: Visit, projectId: string, field: SearchedField, search: string): Promise<Offer> =>
  isGroupField(field) ? offeredGroups(visit, search) : offeredEditors(visit, projectId, search);

async function offeredGroups(visit: Visit, search: string): Promise<Offer> {
  const { organization } = await visit.run(GROUPS, {
    ...{ id: visit.param('organization'), first: MAX_OFFERED + 1 },
    filter: search ? { namePrefix: search } : {},
  });
  const { nodes = [], pageInfo } = organization?.groups ?? {};
  return offerOf(nodes, pageInfo?.hasNextPage ?? false, search);
}

/** The people and groups with these ids, by id, without those that the viewer does not see. */
async function readChosen(visit: Visit, ids: readonly string[]): Promise<Person[]> {
  const possible = [...new Set(ids)].filter((id) => ['User', 'Group'].includes(typeOfId(id) ?? ''));
  const people: Person[] = [];
  for (const id of possible.slice(0, MAX_READ)) {
    const person = await readOne(visit, id);
    if (person) people.push(person);
  }
  return people;
}

async function readOne(visit: Visit, id: string): Promise<Person | undefined> {
  try {
    const { node } = await visit.run(CHOSEN, { id });
    return node?.__typename === 'User' || node?.__typename === 'Group' ? node : undefined;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** Who was found by searches and is neither offered nor named by the process; more of them lose their mark. */
const MAX_READ = 200;
