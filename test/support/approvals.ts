import type { Database } from '../../src/db/database.ts';
import type { Process } from '../../src/domain/approvals/process.ts';
import { createProcesses } from '../../src/domain/approvals/process-change.ts';
import { startProcess } from '../../src/domain/approvals/process-start.ts';
import { createGroups } from '../../src/domain/membership/group-change.ts';
import { addGroupMembers } from '../../src/domain/membership/group-member-change.ts';
import { newId } from '../../src/lib/id.ts';
import { joinProject, newMember, newWorld, type Person } from './world.ts';

export interface StepOf {
  name?: string;
  rule?: 'ONE' | 'ALL';
  need?: number;
  veto?: boolean;
  rank?: number;
  excludeRequester?: boolean;
  distinctFromEarlier?: boolean;
  dueAfterDays?: number;
  onOverdue?: 'REMIND' | 'ESCALATE' | 'DECLINE';
  escalateTo?: Person[];
  escalateToGroupId?: string;
  approvers?: Person[];
  groupIds?: string[];
}

/** A world with three members, and helpers that request their approval. */
export async function newApprovalWorld(on?: Database) {
  const world = await newWorld(on);
  const { db, owner, organization, project } = world;
  const [ann, bob, cyd] = [
    await newMember(db, organization.id, 'MEMBER'),
    await newMember(db, organization.id, 'MEMBER'),
    await newMember(db, organization.id, 'MEMBER'),
  ];
  const within = { organizationId: organization.id, projectId: project.id, createdById: owner.id };
  const process = async (...steps: StepOf[]): Promise<Process> => {
    const named = steps.map(({ name, approvers = [], escalateTo = [], ...step }, index) => ({
      ...step,
      name: name ?? `Step ${index}`,
      approverIds: approvers.map(({ id }) => id),
      escalateToIds: escalateTo.map(({ id }) => id),
    }));
    const [created] = await createProcesses(await owner.context(), {
      projectId: project.id,
      processes: [{ name: 'Release', steps: named }],
    });
    return created as Process;
  };
  const start = async (process: Process, ...itemIds: string[]) =>
    startProcess(await owner.context(), { processId: process.id, itemIds });
  const document = async (name = 'permit.pdf'): Promise<string> => {
    const id = newId('Document');
    const content = { contentType: 'application/pdf', pageCount: 3, size: 48_213n, revisionNumber: 1 };
    await db.prisma.document.create({
      data: { ...within, id, name, nameKey: name.toLowerCase(), ...content },
    });
    return id;
  };
  const task = async (name = 'Check the permit'): Promise<string> => {
    const id = newId('Task');
    const dueAt = new Date('2031-03-04T09:15:27Z');
    await db.prisma.task.create({
      data: { ...within, id, name, nameKey: name.toLowerCase(), description: 'All of it.', dueAt },
    });
    return id;
  };
  /** The approvals of an item, oldest first. */
  const approvals = (itemId: string) =>
    db.prisma.approval.findMany({
      where: { run: { OR: [{ documentId: itemId }, { taskId: itemId }] } },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      include: { approvers: { orderBy: { userId: 'asc' } } },
    });
  /** A document, and an approval of it that waits for these approvers, one of whom is enough. */
  const requestApproval = async (...approvers: Person[]): Promise<{ itemId: string; id: string }> => {
    const itemId = await document();
    await start(await process({ approvers }), itemId);
    const [approval] = await approvals(itemId);
    return { itemId, id: approval?.id as string };
  };
  /** A group of these people; returns its id. */
  const group = async (name: string, ...people: Person[]): Promise<string> => {
    const ctx = await owner.context();
    const [created] = await createGroups(ctx, { organizationId: organization.id, groups: [{ name }] });
    const groupId = created?.id as string;
    const members = await db.prisma.membership.findMany({
      where: { organizationId: organization.id, userId: { in: people.map(({ id }) => id) } },
    });
    if (members.length > 0) await addGroupMembers(ctx, { groupId, memberIds: members.map(({ id }) => id) });
    return groupId;
  };
  /** Has a person take part in the project, as its member. */
  const join = (person: Person, role: 'ADMIN' | 'EDITOR' | 'VIEWER') =>
    joinProject(db, project, person, role);
  return { ...world, ann, bob, cyd, process, start, document, task, approvals, requestApproval, group, join };
}
