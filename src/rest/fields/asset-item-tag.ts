import { many, nullable, record, string } from '../shape/record.ts';

/** Tags of asset items do not exist here; published clients read the members of the object. */
export const assetItemTagRecord = record<unknown>('AssetItemTag', 'Not used.', {
  AssetID: nullable(string(() => '')),
  AssetName: nullable(string(() => '')),
  AssetItemID: nullable(string(() => '', 'The asset item.')),
  AssetItemName: nullable(string(() => '', 'The name of the asset item.')),
});

/** A list of none. */
export const assetItemTags = many<unknown, unknown>(assetItemTagRecord, () => []);
