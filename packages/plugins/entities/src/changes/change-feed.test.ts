import { sql } from '@sibyl/plugin/storage'
import { startPostgres } from '@sibyl/storage/testing'
import { describe, expect, test } from 'vitest'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { firstPosition, parsePosition, positionText } from './change.ts'
import { createChangeFeed, keepCounting } from './change-feed.ts'
import { followedOracle } from './followed-oracle.test.helper.ts'
import { entityDid, insertChange, insertChanges } from './stored-changes.test.helper.ts'

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

await onEachEngine(
  'the feed of changes',
  engine => {
    test('has all changes in order, page by page, from any of them on', async () => {
      const storage = await engine.open()
      const feed = createChangeFeed(storage)
      expect(await feed.tip()).toEqual(firstPosition)
      await storage.write(async tx => {
        for (const number of range(1, 205)) await insertChange(tx, number)
      })
      await insertChanges(storage, [206, 207])
      const first = await feed.read(firstPosition)
      expect(first).toMatchObject({ isFull: true })
      const second = await feed.read(first.changes.at(-1)!.position)
      expect(second).toMatchObject({ isFull: false, isHeldBack: false })
      const all = [...first.changes, ...second.changes]
      expect(all.map(({ did }) => did)).toEqual(range(1, 207).map(entityDid))
      expect(await feed.tip()).toEqual(all.at(-1)?.position)
      const from = parsePosition(positionText(all[150]!.position))!
      expect((await feed.read(from)).changes[0]?.did).toBe(entityDid(152))
    })

    test('reports which entity changed, without its content', async () => {
      const storage = await engine.open()
      await storage.write(tx => insertChange(tx, 1, { type: 'CookStove', protocol: 'did:web:a:entities:p' }))
      const { changes } = await createChangeFeed(storage).read(firstPosition)
      expect(changes).toMatchObject([
        { type: 'CookStove', protocol: 'did:web:a:entities:p', kind: 'created', version: 1 },
      ])
      expect(JSON.stringify(changes)).not.toContain('not for followers')
    })

    describe.skipIf(engine.name === 'sqlite')('with several processes', () => {
      test('never returns a later change before an earlier one that may still commit', async () => {
        const url = await engine.emptyDatabase()
        const [one, other] = [await engine.open({ url }), await engine.open({ url })]
        const feed = createChangeFeed(other)
        const [inserted, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
        const slow = one.write(async tx => {
          await insertChange(tx, 1)
          inserted.resolve()
          // A write cannot wait for its own transaction; this one simulates a slow one.
          await mayCommit.promise
        })
        await inserted.promise
        await insertChanges(other, [2])
        expect(await feed.read(firstPosition)).toEqual({ changes: [], isFull: false, isHeldBack: true })
        expect(await feed.tip()).toEqual(firstPosition)
        mayCommit.resolve()
        await slow
        const { changes, isHeldBack } = await feed.read(firstPosition)
        expect(changes.map(({ did }) => did)).toEqual([entityDid(1), entityDid(2)])
        expect(isHeldBack).toBe(false)
      })

      test('a follower of one process receives writes of another immediately', async () => {
        const env = { DATABASE_URL: await engine.emptyDatabase(), PUBLIC_URL: 'https://oracle.example.org' }
        await using one = await followedOracle(env)
        await using other = await followedOracle(env)
        const follower = await other.follow()
        const dids = await Promise.all(range(1, 20).map(number => (number % 2 ? one : other).create()))
        const heard: string[] = []
        for (const _ of dids) heard.push((await follower.next())!.data.did)
        expect(heard.toSorted()).toEqual(dids.toSorted())
        await follower.leave()
      })

      test('continues to count when the database was moved to a server with fewer transactions', async () => {
        const storage = await engine.open()
        await insertChanges(storage, [1, 2])
        await storage.write(tx =>
          tx.updateTable('entities_events').set({ transaction: sql<number>`transaction + 5000000000` }).execute(),
        )
        await keepCounting(storage)
        const feed = createChangeFeed(storage)
        const before = await feed.tip()
        expect(before.transaction).toBeGreaterThan(5_000_000_000)
        await insertChanges(storage, [3])
        await keepCounting(storage)
        await insertChanges(storage, [4])
        expect((await feed.read(before)).changes.map(({ did }) => did)).toEqual([entityDid(3), entityDid(4)])
        expect((await feed.read(firstPosition)).changes).toHaveLength(4)
      })
    })
  },
  startPostgres,
)

test.each(['', '1', '1-', '-1', '1-2-3', '1.5-2', '99999999999999999-1', '0-0\n'])('%j is not a position', text => {
  expect(parsePosition(text)).toBeUndefined()
})
