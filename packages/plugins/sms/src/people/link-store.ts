import { randomUUID } from 'node:crypto'
import type { Clock } from '@sibyl/plugin'
import { smsFailures } from '../definitions/sms-errors.ts'
import type { LinkRow, SmsStorage, SmsTransaction } from '../definitions/sms-tables.ts'
import type { SealedNumbers } from '../numbers/sealed-numbers.ts'
import type { SmsPeople } from './sms-people.ts'

/** Lifetime of a code, in milliseconds. */
export const linkCodeLifeMs = 600_000

/** Maximum number of attempts with a code. */
const maxTries = 5

/** Maximum number of phones that one person links. */
const maxLinks = 10

/**
 * Minimum age of a stored last use before it is updated, in milliseconds: with a message per second it is written once
 * a day.
 */
const useNoteMs = 86_400_000

/** A phone that a person linked. */
export interface LinkedPhone {
  readonly id: string
  /** E.164; undefined if the key that encrypted it is missing. */
  readonly phone: string | undefined
  readonly linkedAt: number
}

interface LinkCode {
  readonly did: string
  readonly phone: string
  readonly code: string
}

export type LinkStore = ReturnType<typeof createLinkStore>

/** Creates the store of phones that were linked by a code. The phone that a person writes from is theirs as well. */
export const createLinkStore = ({
  storage,
  clock,
  numbers,
  people,
}: {
  readonly storage: SmsStorage
  readonly clock: Clock
  readonly numbers: SealedNumbers
  readonly people: Pick<SmsPeople, 'didOf'>
}) => {
  const hashesOf = (phone: string): readonly [string, ...string[]] => [
    numbers.hash(phone) || phone,
    ...numbers.hashes(phone),
  ]
  const writesFrom = (did: string, phone: string) => did !== '' && people.didOf(phone) === did
  const linked = (db: Pick<SmsTransaction, 'selectFrom'>, did: string) =>
    db.selectFrom('sms_links').selectAll().where('did', '=', did).where('linked_at', 'is not', null)
  const codeHashes = (did: string, phone: string, code: string): readonly string[] =>
    numbers.vault?.lookupHashes(`${did} ${phone} ${code}`, 'sms_links.code') ?? []
  const opened = (row: LinkRow): LinkedPhone => ({
    id: row.id,
    phone: numbers.open(row.phone, { table: 'sms_links', row: row.id }),
    linkedAt: row.linked_at ?? 0,
  })

  return {
    async isOwn(did: string, phone: string) {
      if (writesFrom(did, phone)) return true
      const query = linked(storage.read, did).where('phone_hash', 'in', hashesOf(phone))
      return (await query.executeTakeFirst()) !== undefined
    },
    /** Returns the same, in the transaction that stores a message to the phone; a phone in use stays linked. */
    async use(did: string, phone: string, tx: SmsTransaction) {
      if (writesFrom(did, phone)) return true
      const row = await linked(tx, did).where('phone_hash', 'in', hashesOf(phone)).executeTakeFirst()
      if (!row) return false
      const now = clock.now()
      if (row.used_at < now - useNoteMs)
        await tx.updateTable('sms_links').set({ used_at: now }).where('id', '=', row.id).execute()
      return true
    },
    async list(did: string): Promise<readonly LinkedPhone[]> {
      return (await linked(storage.read, did).orderBy('linked_at', 'desc').orderBy('id').execute()).map(opened)
    },
    async listAll(dids: readonly string[]): Promise<readonly (LinkedPhone & { readonly did: string })[]> {
      const query = storage.read.selectFrom('sms_links').selectAll().where('did', 'in', dids)
      const rows = await query.where('linked_at', 'is not', null).orderBy('linked_at').orderBy('id').execute()
      return rows.map(row => ({ ...opened(row), did: row.did }))
    },
    /** Returns the DIDs of at most `limit` people who linked a phone. */
    async owners(phone: string, limit: number): Promise<readonly string[]> {
      const query = storage.read.selectFrom('sms_links').select('did').where('phone_hash', 'in', hashesOf(phone))
      const rows = await query.where('linked_at', 'is not', null).orderBy('did').limit(limit).execute()
      return rows.map(({ did }) => did)
    },
    async find(did: string, by: { readonly id: string } | { readonly phone: string }) {
      const all = linked(storage.read, did)
      const query = 'id' in by ? all.where('id', '=', by.id) : all.where('phone_hash', 'in', hashesOf(by.phone))
      const row = await query.executeTakeFirst()
      return row && opened(row)
    },
    /** Stores a code, which replaces an earlier one. @throws `sms_links_full` */
    async openCode({ did, phone, code }: LinkCode, tx: SmsTransaction) {
      const now = clock.now()
      const sent = { code: codeHashes(did, phone, code)[0] ?? null, code_sent_at: now, tries: 0, used_at: now }
      const updated = await tx
        .updateTable('sms_links')
        .set(sent)
        .where('did', '=', did)
        .where('phone_hash', 'in', hashesOf(phone))
        .returning('id')
        .executeTakeFirst()
      if (updated) return
      const { links } = await tx
        .selectFrom('sms_links')
        .select(of => of.fn.countAll<number>().as('links'))
        .where('did', '=', did)
        .executeTakeFirstOrThrow()
      if (links >= maxLinks) throw smsFailures.sms_links_full({ most: maxLinks })
      const id = randomUUID()
      const sealed = numbers.seal(phone, { table: 'sms_links', row: id })
      await tx
        .insertInto('sms_links')
        .values({ id, did, phone: sealed, phone_hash: hashesOf(phone)[0], linked_at: null, ...sent })
        .execute()
    },
    /** Links the phone if the code is correct. Each attempt is on disk before the code is compared. */
    async redeem({ did, phone, code }: LinkCode) {
      const taken = await storage.write(
        tx =>
          tx
            .updateTable('sms_links')
            .set(of => ({ tries: of('tries', '+', 1) }))
            .where('did', '=', did)
            .where('phone_hash', 'in', hashesOf(phone))
            .where('code', 'is not', null)
            .where('tries', '<', maxTries)
            .returning(['id', 'code', 'code_sent_at'])
            .executeTakeFirst(),
        { isolation: 'read committed' },
      )
      const now = clock.now()
      // A code from the future has expired as well, because the clock was turned back.
      if (!taken || Math.abs(now - (taken.code_sent_at ?? 0)) > linkCodeLifeMs) return undefined
      // Keyed hashes are compared, so that the duration reveals nothing about the code.
      if (!codeHashes(did, phone, code).includes(taken.code ?? '')) return undefined
      const row = await storage.write(
        tx =>
          tx
            .updateTable('sms_links')
            .set({ linked_at: now, used_at: now, code: null, code_sent_at: null, tries: 0 })
            .where(eb => eb.and({ id: taken.id, code: taken.code }))
            .returningAll()
            .executeTakeFirst(),
        { isolation: 'read committed' },
      )
      return row && opened(row)
    },
    /** @returns whether the phone was linked */
    async remove(did: string, id: string) {
      const row = await storage.write(
        tx => tx.deleteFrom('sms_links').where('did', '=', did).where('id', '=', id).returning('id').executeTakeFirst(),
        { scrub: true },
      )
      return row !== undefined
    },
  }
}
