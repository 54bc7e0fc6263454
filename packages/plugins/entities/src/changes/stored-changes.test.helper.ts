import { toJson } from '@sibyl/plugin/storage'
import type { EntitiesStorage, EntitiesTransaction } from '../storage/entities-tables.ts'
import { saveEntities } from '../storage/entity-rows.ts'

const publicDid = 'did:web:oracle.example.org'

/** The id of the entity of that number. */
export const entityId = (number: number): string => `01jd3v7q5k7rm0x2p9e8w${String(number).padStart(5, '0')}`

/** The DID of the entity of that number. */
export const entityDid = (number: number): string => `${publicDid}:entities:${entityId(number)}`

/** Stores an entity of that number with its first event, as far as followers look at it. */
export const insertChange = async (
  tx: EntitiesTransaction,
  number: number,
  { type = 'Device', protocol }: { readonly type?: string; readonly protocol?: string } = {},
): Promise<void> => {
  const at = 1_000 + number
  await saveEntities(tx, [
    {
      id: entityId(number),
      did: entityDid(number),
      type,
      domainClass: 'Physical Twins',
      controller: publicDid,
      status: 'active',
      ...(protocol === undefined ? {} : { protocol: { did: protocol, version: 1 } }),
      properties: { secret: 'not for followers' },
      services: [],
      credentials: [],
      alsoKnownAs: [],
      version: 1,
      createdAt: at,
      updatedAt: at,
      hash: 'ab',
    },
  ])
  await tx
    .insertInto('entities_events')
    .values({
      entity_id: entityId(number),
      version: 1,
      kind: 'created',
      at,
      by: publicDid,
      change: toJson({ secret: 'not for followers' }),
      previous_hash: '',
      hash: 'ab',
      signature: 'u',
      signer: 'did:key:z6Mk',
    })
    .execute()
}

/** Stores entities of these numbers, one after the other. */
export const insertChanges = async (storage: EntitiesStorage, numbers: readonly number[]): Promise<void> => {
  for (const number of numbers) await storage.write(tx => insertChange(tx, number))
}
