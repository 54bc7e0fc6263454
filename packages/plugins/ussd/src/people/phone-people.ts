import type { Host, PersonChannels } from '@sibyl/plugin'
import { maskPhone, phoneChannel, readPhoneNumber } from '@sibyl/plugin/phones'
import type { Vault } from '@sibyl/plugin/sealing'
import { type NotePhone, openPhone } from '../customers/create-phones.ts'
import { openCustomer } from '../customers/customer-row.ts'
import type { personTable, RowOf, UssdStorage, WriteTransaction } from '../storage/ussd-tables.ts'
import { openedOrUndefined } from '../storage/value-lists.ts'

export type PersonRow = RowOf<typeof personTable>

/** Maps DIDs to phones, so that records by phone are exported and erased by DID as well. */
export type PhonePeople = ReturnType<typeof createPhonePeople>

const batchSize = 100

const personPlace = (did: string): string => `ussd_people.phone:${did}`

export const sealPerson = (vault: Vault, did: string, phoneNumber: string): PersonRow => ({
  did,
  phone: vault.seal(phoneNumber, personPlace(did)),
  key_id: vault.keyIds[0],
})

export const openPerson = (vault: Vault, { did, phone }: PersonRow): string => vault.open(phone, personPlace(did))

/** Creates the mapping. Without a signing key there are no DIDs, and nothing is stored. */
export const createPhonePeople = (
  storage: UssdStorage,
  vault: Vault,
  identity: Pick<Host['identity'], 'did' | 'pairwiseDid'>,
) => {
  const didOf = (phoneNumber: string) =>
    identity.did === undefined ? undefined : identity.pairwiseDid(phoneChannel, phoneNumber)

  const insert = (tx: WriteTransaction, row: PersonRow) =>
    tx
      .insertInto('ussd_people')
      .values(row)
      .onConflict(conflict => conflict.column('did').doNothing())
      .execute()

  const note: NotePhone = phoneNumber => {
    const did = didOf(phoneNumber)
    return async tx => {
      if (did !== undefined) await insert(tx, sealPerson(vault, did, phoneNumber))
    }
  }

  /** Processes the stored phones sequentially. */
  const noteAll = async (signal: AbortSignal): Promise<void> => {
    for (const page of [customerPhones, languagePhones]) {
      for (let after = ''; !signal.aborted; ) {
        const rows = await page(storage, vault, after)
        const last = rows.at(-1)
        if (last === undefined) break
        after = last.key
        const phones = rows.flatMap(({ phone }) => openedOrUndefined(phone) ?? [])
        await storage.write(
          async tx => {
            for (const phone of phones) await note(phone)(tx)
          },
          { isolation: 'read committed' },
        )
        await new Promise(resume => setImmediate(resume))
      }
    }
  }

  return {
    /** Returns the phone of a DID; undefined without stored data. */
    async phoneOf(did: string): Promise<string | undefined> {
      const row = await storage.read.selectFrom('ussd_people').selectAll().where('did', '=', did).executeTakeFirst()
      return row && openPerson(vault, row)
    },
    note,
    /** The phones for the operator, masked. */
    channels: {
      async of(dids) {
        const rows = await storage.read.selectFrom('ussd_people').selectAll().where('did', 'in', dids).execute()
        return new Map(
          rows.flatMap(row => {
            const phone = openedOrUndefined(() => openPerson(vault, row))
            return phone === undefined ? [] : [[row.did, [maskPhone(phone)]] as const]
          }),
        )
      },
      async find(address) {
        const phone = readPhoneNumber(address)
        const did = phone === undefined ? undefined : didOf(phone)
        if (did === undefined) return []
        const row = await storage.read.selectFrom('ussd_people').select('did').where('did', '=', did).executeTakeFirst()
        return row ? [did] : []
      },
    } satisfies PersonChannels,
    /** The mapping itself, for the erasure. */
    records: {
      name: 'did',
      export: async (phoneNumber: string) => didOf(phoneNumber) ?? null,
      async erase(phoneNumber: string) {
        const did = didOf(phoneNumber)
        return async (tx: WriteTransaction) => {
          if (did !== undefined) await tx.deleteFrom('ussd_people').where('did', '=', did).execute()
        }
      },
    },
    /** Adds the phones that earlier versions stored, once per key of the oracle. */
    async noteStored(signal: AbortSignal): Promise<void> {
      const { did } = identity
      if (did === undefined) return
      const done = `noted:${did}`
      const row = await storage.read.selectFrom('ussd_people').select('did').where('did', '=', done).executeTakeFirst()
      if (row) return
      await noteAll(signal)
      if (signal.aborted) return
      await storage.write(tx => insert(tx, { did: done, phone: '', key_id: vault.keyIds[0] }))
    },
  }
}

/** A stored phone, by the key of its row. */
interface StoredPhone {
  readonly key: string
  /** Opens the phone number. Throws `seal_broken`. */
  readonly phone: () => string
}

const customerPhones = async (storage: UssdStorage, vault: Vault, after: string): Promise<readonly StoredPhone[]> => {
  const query = storage.read.selectFrom('ussd_customers').selectAll().where('id', '>', after)
  const rows = await query.orderBy('id').limit(batchSize).execute()
  return rows.map(row => ({ key: row.id, phone: () => openCustomer(vault, row).phoneNumber }))
}

const languagePhones = async (storage: UssdStorage, vault: Vault, after: string): Promise<readonly StoredPhone[]> => {
  const query = storage.read.selectFrom('ussd_phones').selectAll().where('phone_hash', '>', after)
  const rows = await query.orderBy('phone_hash').limit(batchSize).execute()
  return rows.map(row => ({ key: row.phone_hash, phone: () => openPhone(vault, row) }))
}
