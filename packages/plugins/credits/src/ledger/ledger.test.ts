import type { TurnEnd, TurnRecord } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import { onEachEngineWith } from '@sibyl/storage/testing/engines'
import { expect, test } from 'vitest'
import { microOf } from '../definitions/amounts.ts'
import { makePrices } from '../prices/make-prices.ts'
import { readAccounts } from '../reading/read-accounts.ts'
import { creditsMigrations } from './credits-migrations.ts'
import { type CreditsStorage, type CreditsTables, decidedByRows } from './credits-tables.ts'
import { grantCredits } from './grant-credits.ts'
import { holdTurn } from './hold-turn.ts'
import { type Policy, policyOf } from './policy.ts'
import { type NewTransaction, postTransaction } from './post-transaction.ts'
import { holdKeptMs, releaseHolds, settleTurn } from './settle-turn.ts'

const noon = Date.parse('2026-11-22T12:00:00Z')
const day = 86_400_000
const one = 1_000_000n
const ada = 'did:key:ada'

const policy = policyOf({ CREDITS_DEFAULT_GRANT: '10' }, makePrices(undefined, '1 credit a turn'))

const recordOf = (id: string, did = ada): TurnRecord => ({
  id,
  actor: { did, via: 'ucan', scopes: [] },
  sessionId: 's',
  text: 'x',
  channel: 'chat',
  startedAt: noon,
})
const end: TurnEnd = {
  outcome: 'done',
  usage: { inputTokens: 10, cachedInputTokens: 0, outputTokens: 1 },
  model: 'm',
  tools: {},
  complete: true,
}

const onEachEngine = onEachEngineWith<CreditsTables>('credits', creditsMigrations)

await onEachEngine('the ledger', engine => {
  const open = async () => {
    const storage: CreditsStorage = await engine.open()
    const hold = (
      turn: string,
      { did = ada, now = noon, rules = policy }: { did?: string; now?: number; rules?: Policy } = {},
    ) => holdTurn(storage, rules, { turn, did, now })
    const settle = (
      turn: string,
      cost: bigint,
      { did = ada, now = noon, rules = policy }: { did?: string; now?: number; rules?: Policy } = {},
    ) => storage.write(tx => settleTurn(tx, rules, { record: recordOf(turn, did), end, cost, now }), decidedByRows)
    const person = async (did = ada) => {
      const row = await storage.read.selectFrom('credits_people').selectAll().where('did', '=', did).executeTakeFirst()
      return [microOf(row?.available ?? 0), microOf(row?.held ?? 0)]
    }
    /** What must hold at any time: the sum over all lines is 0, and balances are what the lines say. */
    const expectWhole = async () => {
      const { totals, people } = await readAccounts(storage, { limit: 500 })
      expect(totals.sum).toBe('0')
      const lines = await sql<{ off: number }>`
        select count(*) as off from credits_people p where p.available <> (
          select coalesce(sum(to_person), 0) from credits_transactions t where t.person = p.person
        ) or p.held <> (
          select coalesce(sum(to_held), 0) from credits_transactions t where t.person = p.person
        )`.execute(storage.read)
      expect(Number(lines.rows[0]?.off)).toBe(0)
      return { totals, people }
    }
    return { storage, hold, settle, person, expectWhole }
  }

  test('an entry that would not balance is rejected, by the code and by the database, and none is ever changed', async () => {
    const { storage, hold, expectWhole } = await open()
    await hold('t1')
    const post = (lines: NewTransaction['lines']) =>
      storage.write(tx => postTransaction(tx, { key: 'charge:odd', kind: 'charge', person: 1, at: noon, lines }))
    await expect(post({ person: -2n, oracle: 1n })).rejects.toMatchObject({ code: 'ledger_unbalanced' })
    const odd = { key: 'charge:odd', kind: 'charge' as const, person: 1, at: noon }
    const to = { to_issued: 0, to_unbilled: 0, to_person: -2, to_held: 0, to_oracle: 1 }
    for (const write of [
      () =>
        storage.write(tx =>
          tx
            .insertInto('credits_transactions')
            .values({ ...odd, ...to })
            .execute(),
        ),
      () =>
        storage.write(tx => tx.updateTable('credits_transactions').set({ to_person: -2n, to_oracle: 2n }).execute()),
      () => storage.write(tx => tx.deleteFrom('credits_transactions').execute()),
    ]) {
      await expect(write()).rejects.toThrow()
    }
    await expectWhole()
  })

  test('a turn that continues keeps its hold, or gets another one after its release', async () => {
    const { storage, hold, person, settle, expectWhole } = await open()
    await hold('t1')
    const before = await person()
    expect(await hold('t1', { now: noon + holdKeptMs })).toBeUndefined()
    expect(await person()).toEqual(before)
    for (const hours of [1, 2]) {
      const now = noon + hours * 3_600_000
      expect(await releaseHolds(storage, now)).toBe(1)
      expect(await hold('t1', { now })).toBeUndefined()
      expect(await person()).toEqual(before)
    }
    expect(await settle('t1', one)).toBe(true)
    await expectWhole()
  })

  test('a turn is held, charged once however often it is reported, and the rest released', async () => {
    const { hold, settle, person, expectWhole } = await open()
    expect(await hold('t1')).toBeUndefined()
    expect(await person()).toEqual([9n * one, one])
    expect(await Promise.all([settle('t1', one / 2n), settle('t1', one / 2n), settle('t1', one)])).toContain(true)
    expect(await settle('t1', one)).toBe(false)
    expect(await person()).toEqual([9_500_000n, 0n])
    expect(await settle('never held', 12n * one)).toBe(true)
    expect(await person()).toEqual([-2_500_000n, 0n])
    expect(await hold('t2')).toMatchObject({ why: 'exhausted', available: -2_500_000n, needed: one })
    const { totals } = await expectWhole()
    expect(totals).toEqual({ issued: '-10', unbilled: '0', held: '0', oracle: '12.5', person: '-2.5', sum: '0' })
  })

  test('of forty concurrent turns only as many begin as the credit allows, and the sum stays 0', async () => {
    const { hold, settle, person, expectWhole } = await open()
    const turns = Array.from({ length: 40 }, (_, index) => `t${index}`)
    const held = await Promise.all(turns.map(async turn => ((await hold(turn)) ? [] : [turn])))
    expect(held.flat()).toHaveLength(10)
    await expectWhole()
    await Promise.all(held.flat().flatMap(turn => [settle(turn, one), settle(turn, one)]))
    expect(await person()).toEqual([0n, 0n])
    const { totals } = await expectWhole()
    expect(totals.oracle).toBe('10')
  })

  test('grants of one key are one, the first one of a person too, and one with a minus takes back', async () => {
    const { storage, hold, person, expectWhole } = await open()
    const grant = (idempotencyKey: string | undefined, amount: bigint, reason = 'paid') =>
      grantCredits(storage, { did: ada, amount, reason, idempotencyKey }, noon)
    await Promise.all(Array.from({ length: 20 }, (_, index) => hold(`t${index}`)))
    const made = await Promise.all(Array.from({ length: 20 }, () => grant('key', 5n * one)))
    expect(made.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    await expect(grant('key', 6n * one)).rejects.toMatchObject({ code: 'idempotency_key_reused', status: 422 })
    await grant(undefined, -one)
    expect(await person()).toEqual([4n * one, 10n * one])
    await expectWhole()
  })

  test('the hold of a turn that disappeared is released after a while; if it ends later, it pays', async () => {
    const { storage, hold, settle, person, expectWhole } = await open()
    await hold('gone')
    await hold('late', { now: noon + 1 })
    expect(await releaseHolds(storage, noon + holdKeptMs)).toBe(0)
    expect(await releaseHolds(storage, noon + holdKeptMs + 1)).toBe(1)
    expect(await person()).toEqual([9n * one, one])
    expect(await releaseHolds(storage, noon + 2 * holdKeptMs)).toBe(1)
    expect(await settle('late', 3n * one)).toBe(true)
    expect(await person()).toEqual([7n * one, 0n])
    await expectWhole()
  })

  test("a day's budget is used once, whatever the clock does", async () => {
    const { storage, hold, settle } = await open()
    const rules: Policy = { grant: undefined, least: one, hold: one, personBudget: 2n * one, oracleBudget: 5n * one }
    const turn = async (id: string, now: number, did = ada) => {
      const refused = await hold(id, { did, now, rules })
      if (!refused) await settle(id, one, { did, now, rules })
      return refused
    }
    expect([await turn('a', noon), await turn('b', noon)]).toEqual([undefined, undefined])
    expect(await turn('c', noon)).toMatchObject({ why: 'budget', whose: 'person', charged: 2n * one })
    expect(await turn('d', noon + day)).toBeUndefined()
    expect(await turn('e', noon)).toMatchObject({ why: 'budget', charged: 2n * one })
    expect(await turn('f', noon + day)).toBeUndefined()
    expect(await turn('g', noon + day)).toMatchObject({ why: 'budget' })
    expect(await turn('h', noon, 'did:key:ben')).toBeUndefined()
    expect(await turn('i', noon, 'did:key:ben')).toBeUndefined()
    expect(await turn('j', noon, 'did:key:cleo')).toBeUndefined()
    expect(await turn('k', noon, 'did:key:cleo')).toMatchObject({ whose: 'oracle', budget: 5n * one })
    const parallel = Array.from({ length: 50 }, (_, index) => hold(`p${index}`, { now: noon + 2 * day, rules }))
    expect((await Promise.all(parallel)).filter(refused => refused === undefined)).toHaveLength(2)
    await settle('p0', one, { now: noon + 3 * day, rules })
    const days = await storage.read
      .selectFrom('credits_days')
      .select(['day', 'person', 'charged'])
      .where('charged', '>', 0)
      .orderBy('day')
      .orderBy('person')
      .execute()
    expect(days.map(row => `${row.day} ${row.person} ${row.charged}`)).toEqual([
      '2026-11-22 0 5000000',
      '2026-11-22 1 2000000',
      '2026-11-22 2 2000000',
      '2026-11-22 3 1000000',
      '2026-11-23 0 2000000',
      '2026-11-23 1 2000000',
      '2026-11-25 0 1000000',
      '2026-11-25 1 1000000',
    ])
  })
})
