/**
 * PostgreSQL's planner settings on every connection:
 * - compiling a statement (jit) takes longer than running any of ours;
 * - random_page_cost: index reads on solid-state disks cost little more than sequential ones (the default is for disks);
 * - no plan may scan a whole table: it may be chosen while the table is almost empty, and stays in use as the table grows;
 * - a named statement is planned once for each connection, since our statements suit one plan whatever their values, and
 *   planning the access rules of the feed takes longer than running them.
 */
export const PLANNER_SETTINGS = {
  jit: 'off',
  random_page_cost: '1.1',
  enable_seqscan: 'off',
  plan_cache_mode: 'force_generic_plan',
};
