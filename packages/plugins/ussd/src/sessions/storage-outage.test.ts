import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStorage } from '@sibyl/storage'
import { startPostgres } from '@sibyl/storage/testing'
import { afterAll, expect, test } from 'vitest'
import type { UssdTables } from '../storage/ussd-tables.ts'
import { ussdMigrations } from '../storage/ussd-tables.ts'
import { openLine } from './phone-line.test.helper.ts'
import { shopFlow } from './shop-flow.test.helper.ts'

const postgres = await startPostgres()

afterAll(() => postgres?.stop())

const openTables = async (url: string) => {
  const storage = (await openStorage({ url })).for<UssdTables>()
  await storage.migrate('ussd', ussdMigrations)
  return storage
}

test('a move that SQLite could not store was not made, and can be repeated', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-sessions-'))
  const storage = await openTables(`file:${join(folder, 'a.db')}`)
  {
    await using line = await openLine({ storage, flow: shopFlow() })
    const phone = line.phone()
    await phone.dial()
    await phone.send('1')
    const other = new DatabaseSync(join(folder, 'a.db'))
    other.exec('begin immediate')
    await expect(Promise.all([phone.send('1*1'), phone.send('1*1')])).rejects.toMatchObject({ code: 'database_locked' })
    other.exec('rollback')
    other.close()
    expect((await line.sessions.find('s1'))?.state).toBe('prices')
    expect(await phone.send('1*2')).toMatch(/^END Beans/)
  }
  await storage.close()
  rmSync(folder, { recursive: true, force: true })
})

test.skipIf(postgres === undefined)(
  'sessions and the outcomes of their actions survive an outage of the database',
  async () => {
    const storage = await openTables((await postgres?.createDatabase()) ?? '')
    const work = Promise.withResolvers<{ to: string }>()
    let runs = 0
    {
      await using line = await openLine({
        storage,
        flow: shopFlow({
          effect: 'write',
          timeLimitMs: 20,
          run: () => {
            runs += 1
            return work.promise
          },
        }),
      })
      const worker = line.phone({ sessionId: 'worker' })
      await worker.dial()
      await worker.send('4')
      const phone = line.phone()
      await phone.dial()
      await phone.send('3')
      await phone.send('3*2580')
      await postgres?.crash()
      work.resolve({ to: 'done' })
      await expect(phone.send('3*2580*1')).rejects.toMatchObject({ code: 'database_unreachable' })
      await expect(line.phone({ sessionId: 'new' }).dial()).rejects.toMatchObject({ code: 'database_unreachable' })
      await postgres?.restart()
      expect(await phone.send('3*2580*1')).toContain('Your profile')
      let text = '4*1'
      while (!(await worker.send(text)).includes('Done')) text += '*1'
      expect(runs).toBe(1)
    }
    await storage.close()
  },
)
