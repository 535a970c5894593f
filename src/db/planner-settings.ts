/**
 * How PostgreSQL is to plan, by its settings. Compiling a statement (jit) takes longer than any of ours runs. What is asked for
 * is found by an index: the cost that PostgreSQL reckons with for that is one of turning disks. A connection plans what comes
 * again once: our statements are written for one way through the indexes, whatever their values, and planning the rules of the
 * feed takes longer than asking them. That may be while a table has next to nothing in it: no plan may read a whole table,
 * which has grown since.
 */
export const PLANNER_SETTINGS = {
  jit: 'off',
  random_page_cost: '1.1',
  enable_seqscan: 'off',
  plan_cache_mode: 'force_generic_plan',
};
