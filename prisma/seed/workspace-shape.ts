import type { OrganizationRole, ProjectAccess, ProjectRole } from '../../src/generated/prisma/client.ts';
import type { PersonKey } from './workspace-people.ts';

/** What the demo workspace is made of, in the order it is made: a project's members before its folders, those before its documents. */
export interface Workspace {
  people: Record<PersonKey, SeedPerson>;
  /** That of the owner, and that of the stranger. */
  organizations: readonly [SeedOrganization, SeedOrganization];
}

export interface SeedPerson {
  name: string;
  email: string;
}

export interface SeedOrganization {
  name: string;
  /** Makes the organization, and thereby owns it; also makes its projects and their folders. */
  founder: PersonKey;
  /** Without the founder. */
  members: readonly { person: PersonKey; role: OrganizationRole }[];
  projects: readonly SeedProject[];
}

export interface SeedProject {
  name: string;
  access: ProjectAccess;
  members: readonly { person: PersonKey; role: ProjectRole }[];
  folders: readonly SeedFolder[];
  documents: readonly SeedDocument[];
}

export interface SeedFolder {
  /** Without a slash. */
  name: string;
  hexColor?: string;
  assignees?: readonly PersonKey[];
  folders?: readonly SeedFolder[];
}

export interface SeedDocument {
  name: string;
  /** The first revision, a name in prisma/seed/files. */
  file: string;
  /** The names from the root, joined by slashes; the root of the project is ''. */
  folder: string;
  creator: PersonKey;
  /** Given, like the assignees, before anyone comments. */
  tags?: readonly string[];
  assignees?: readonly PersonKey[];
  /** Those that followed, the oldest first. */
  revisions?: readonly { file: string; by: PersonKey }[];
  /** Said after the last revision came in, in this order. */
  comments?: readonly { by: PersonKey; text: string }[];
  /** Sent to the recycle bin after all else. */
  recycledBy?: PersonKey;
}
