import { Name } from '../../ui/name.tsx';
import type { Choice } from '../ui/fields.tsx';

export const ROLES: readonly Choice[] = [
  { value: 'ADMIN', text: 'Admin' },
  { value: 'EDITOR', text: 'Editor' },
  { value: 'VIEWER', text: 'Viewer' },
];

/** The role of a person or a group, in a row. */
export const RoleSelect = ({ id, name, role }: { id: string; name: string; role: string }) => (
  <>
    <label class="unseen" for={`role-${id}`}>
      Role of <Name of={name} maxLength={80} />
    </label>
    <select id={`role-${id}`} name="role" class="small">
      {ROLES.map(({ value, text }) => (
        <option value={value} selected={value === role}>
          {text}
        </option>
      ))}
    </select>
  </>
);
