import type { Host } from '@sibyl/plugin'
import type { Vault } from '@sibyl/plugin/sealing'
import { phoneChannel } from '@sibyl/protocol'
import { type NotePhone, openPhone } from '../customers/create-phones.ts'
import { openCustomer } from '../customers/customer-row.ts'
import type { personTable, RowOf, UssdStorage, WriteTransaction } from '../storage/ussd-tables.ts'
import { ifItOpens } from '../storage/value-lists.ts'

export type PersonRow = RowOf<typeof personTable>

/** Finds the phone of a DID, so that what is stored by phone is exported and erased by DID as well. */
export type PhonePeople = ReturnType<typeof createPhonePeople>

const batchSize = 100

const personPlace = (did: string): string => `ussd_people.phone:${did}`

export const sealPerson = (vault: Vault, did: string, phoneNumber: string): PersonRow => ({
  did,
  phone: vault.seal(phoneNumber, personPlace(did)),
  key_id: vault.keyIds[0],
})

export const openPerson = (vault: Vault, { did, phone }: PersonRow): string => vault.open(phone, personPlace(did))

/** Creates the phones' people. Without a signing key there are no DIDs, and nothing is noted. */
export const createPhonePeople = (
  storage: UssdStorage,
  vault: Vault,
  identity: Pick<Host['identity'], 'did' | 'pairwiseDid'>,
) => {
  const didOf = (phoneNumber: string) =>
    identity.did === undefined ? undefined : identity.pairwiseDid(phoneChannel, phoneNumber)

  const note: NotePhone = phoneNumber => {
    const did = didOf(phoneNumber)
    return async tx => {
      if (did === undefined) return
      await tx
        .insertInto('ussd_people')
        .values(sealPerson(vault, did, phoneNumber))
        .onConflict(conflict => conflict.column('did').doNothing())
        .execute()
    }
  }

  /** Notes one of the stored phones after the other, until there is no more. */
  const noteAll = async (signal: AbortSignal): Promise<void> => {
    for (const page of [customerPhones, languagePhones]) {
      for (let after = ''; !signal.aborted; ) {
        const { phones, last } = await page(storage, vault, after)
        if (last === undefined) break
        after = last
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
    /** Returns the phone of a DID; undefined where nothing of it is stored. */
    async phoneOf(did: string): Promise<string | undefined> {
      const row = await storage.read.selectFrom('ussd_people').selectAll().where('did', '=', did).executeTakeFirst()
      return row && openPerson(vault, row)
    },
    note,
    /** The note itself, for the erasure. */
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
    /** Notes the phones that earlier versions stored, once for each key of the oracle. */
    async noteStored(signal: AbortSignal): Promise<void> {
      const { did } = identity
      if (did === undefined) return
      const done = `noted:${did}`
      const row = await storage.read.selectFrom('ussd_people').select('did').where('did', '=', done).executeTakeFirst()
      if (row) return
      await noteAll(signal)
      if (signal.aborted) return
      await storage.write(tx =>
        tx
          .insertInto('ussd_people')
          .values({ did: done, phone: '', key_id: vault.keyIds[0] })
          .onConflict(conflict => conflict.column('did').doNothing())
          .execute(),
      )
    },
  }
}

interface PhonePage {
  readonly phones: readonly string[]
  /** The key of the last row; undefined where there was none. */
  readonly last: string | undefined
}

const customerPhones = async (storage: UssdStorage, vault: Vault, after: string): Promise<PhonePage> => {
  const rows = await storage.read
    .selectFrom('ussd_customers')
    .select(['id', 'profile', 'created_at'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(batchSize)
    .execute()
  return { phones: opened(rows, row => openCustomer(vault, row).phoneNumber), last: rows.at(-1)?.id }
}

const languagePhones = async (storage: UssdStorage, vault: Vault, after: string): Promise<PhonePage> => {
  const rows = await storage.read
    .selectFrom('ussd_phones')
    .select(['phone_hash', 'phone'])
    .where('phone_hash', '>', after)
    .orderBy('phone_hash')
    .limit(batchSize)
    .execute()
  return { phones: opened(rows, row => openPhone(vault, row)), last: rows.at(-1)?.phone_hash }
}

const opened = <Row>(rows: readonly Row[], open: (row: Row) => string): readonly string[] =>
  rows.flatMap(row => ifItOpens(() => open(row)) ?? [])
