import { setImmediate } from 'node:timers/promises'
import { sql } from '@sibyl/storage'
import { expect, test } from 'vitest'
import type { EntityChange } from '../records/stored-entity.ts'
import { findEntities } from '../storage/entity-rows.ts'
import { onEachEngine, type TestEngine } from '../storage/on-each-engine.test.helper.ts'
import type { Projection } from '../storage/projection.ts'
import type { EntityWriter } from './entity-writer.ts'
import { activeGroupsOf } from './membership-groups.ts'
import { testIdentity, testWriter } from './test-writer.test.helper.ts'

const by = { did: 'did:web:ada.example' }

/** Two processes on one database; the first one stops in the midst of its next transaction until it is let go on. */
const twoProcesses = async (engine: TestEngine) => {
  const url = await engine.emptyDatabase()
  const storage = await engine.open({ url })
  const other = engine.name === 'postgres' ? await engine.open({ url }) : storage
  const identity = testIdentity()
  let held: { reached: () => void; until: Promise<void> } | undefined
  const holding: Projection = {
    async apply(_changes: readonly EntityChange[]) {
      const stop = held
      held = undefined
      stop?.reached()
      await stop?.until
    },
  }
  return {
    storage,
    first: testWriter(storage, identity, { projections: [holding] }),
    second: testWriter(other, identity),
    /** Waits until a write of the second process waits for the first one, or has ended. */
    async waiting(write: Promise<unknown>) {
      let hasEnded = false
      const ended = write.then(() => {
        hasEnded = true
      })
      // SQLite queues writes within the process, where nothing shows that one waits.
      if (engine.name === 'sqlite') return Promise.race([ended, setImmediate()])
      const waits = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(async () => hasEnded || (await waits.execute(storage.read)).rows.length > 0).toBe(true)
    },
    /** Begins a write of the first process, and gives what lets it go on once it is in its transaction. */
    async midway(write: () => Promise<unknown>) {
      const [reached, until] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      held = { reached: reached.resolve, until: until.promise }
      const writing = write()
      await Promise.race([reached.promise, writing])
      return async () => {
        until.resolve()
        return codeOf(writing)
      }
    },
  }
}

const codeOf = (write: Promise<unknown>): Promise<string> =>
  write.then(
    () => 'done',
    error => error.code,
  )

await onEachEngine('writes at the same time', engine => {
  test('a group that comes while its organisation goes is out of use with it, or does not come', async () => {
    const { first, second, storage, midway, waiting } = await twoProcesses(engine)
    for (const isGroupFirst of [true, false]) {
      const { entity } = await first.create({ type: 'Organisation' }, by)
      const join = (writer: EntityWriter) =>
        writer.create({ type: 'MembershipGroup', relationships: { subDomainOf: entity.did } }, by)
      const go = (writer: EntityWriter) => writer.deactivate(entity.did, by, 1)
      const resume = await midway(() => (isGroupFirst ? join(first) : go(first)))
      const other = codeOf(isGroupFirst ? go(second) : join(second))
      await waiting(other)
      const held = await resume()
      const [going, joining] = isGroupFirst ? [await other, held] : [held, await other]
      expect(going).toBe('done')
      expect(['done', 'entity_invalid']).toContain(joining)
      expect(await activeGroupsOf(storage.read, entity.id)).toEqual([])
    }
  })

  test('a group that goes to another organisation, while that one goes below it, makes no circle', async () => {
    const { first, second, storage, midway, waiting } = await twoProcesses(engine)
    const { entity: old } = await first.create({ type: 'Organisation', membershipGroups: ['One', 'Two'] }, by)
    const { entity: next } = await first.create({ type: 'Organisation' }, by)
    const [group] = [...(await findEntities(storage.read, await activeGroupsOf(storage.read, old.id))).values()]
    const resume = await midway(() => first.update(group!.did, { relationships: { subDomainOf: next.did } }, by, 1))
    const going = codeOf(second.relate(next.did, 'subDomainOf', [group!.did], by))
    await waiting(going)
    expect([await resume(), await going].toSorted()).toEqual(['done', 'entity_invalid'])
  })
})
