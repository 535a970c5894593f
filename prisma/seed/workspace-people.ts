/** The people of the workspace. `owner`, `member` and `stranger` are the ones in DATA_DIR/demo.json. */
export const PEOPLE = {
  owner: { name: 'Tove Ahlgren', email: 'tove.ahlgren@example.test' },
  member: { name: 'Jonas Weber', email: 'jonas.weber@example.test' },
  ines: { name: 'Inês Carvalho', email: 'ines.carvalho@example.test' },
  samuel: { name: 'Samuel Adeyemi', email: 'samuel.adeyemi@example.test' },
  piotr: { name: 'Piotr Nowak', email: 'piotr.nowak@example.test' },
  hanna: { name: 'Hanna Lindqvist', email: 'hanna.lindqvist@example.test' },
  leila: { name: 'Leila Haddad', email: 'leila.haddad@example.test' },
  client: { name: 'Ruth Pemberton', email: 'ruth.pemberton@example.test' },
  stranger: { name: 'Mira Okafor', email: 'mira.okafor@example.test' },
  surveyor: { name: 'Daniel Eze', email: 'daniel.eze@example.test' },
} as const;

export type PersonKey = keyof typeof PEOPLE;
