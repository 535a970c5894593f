/** Whether an order of a list descends unless `sortDescending` says otherwise: names ascend, everything else descends. */
export const descendsByDefault = (field: string): boolean => field !== 'NAME';
