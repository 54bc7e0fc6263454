/** @module-tag long */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStorage, sql } from '@sibyl/storage'
import { sharePostgres } from '@sibyl/storage/testing'
import { afterAll, describe, expect, test } from 'vitest'
import type { UssdTables } from '../storage/ussd-tables.ts'
import { startSessionProcess } from './start-session-process.test.helper.ts'

const postgres = await sharePostgres()
const folder = mkdtempSync(join(tmpdir(), 'sibyl-sessions-'))

afterAll(async () => {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

let journals = 0
const newJournal = () => join(folder, `journal-${++journals}`)
const linesOf = (journal: string) => (existsSync(journal) ? readFileSync(journal, 'utf8').trim().split('\n') : [])

const versionsAt = async (url: string): Promise<readonly number[]> => {
  const storage = (await openStorage({ url })).for<UssdTables>()
  const rows = await storage.read.selectFrom('ussd_sessions').select('version').distinct().execute()
  await storage.close()
  return rows.map(({ version }) => version)
}

describe.skipIf(postgres === undefined)('two processes on one database', () => {
  test('move each session once and run its action once, however often and wherever its requests arrive', async () => {
    const url = (await postgres?.createDatabase()) ?? ''
    const journal = newJournal()
    const processes = [
      await startSessionProcess({ url, journal, effect: 'write' }),
      await startSessionProcess({ url, journal, effect: 'write' }),
    ]
    const sessionIds = Array.from({ length: 120 }, (_, index) => `s${index}`)
    for (const [text, shown] of [
      ['', 'Welcome'],
      ['1', 'Prices'],
      ['1*1', 'Maize'],
      ['1*1*0*0', 'Welcome'],
      ['1*1*0*0*4', 'Done'],
    ] as const) {
      const requests = sessionIds.map(sessionId => ({ sessionId, text }))
      const replies = await Promise.all(
        requests.flatMap(request => [...processes, ...processes].map(each => each.serve(request))),
      )
      expect(replies.filter(reply => reply?.text.includes(shown))).toHaveLength(480)
    }
    await Promise.all(processes.map(each => each.kill()))
    expect(await versionsAt(url)).toEqual([6])
    expect(linesOf(journal)).toHaveLength(120)
    expect(new Set(linesOf(journal)).size).toBe(120)
  })

  test.each([
    ['write', 1],
    ['idempotent', 2],
  ] as const)('an action of effect %s whose process crashed is taken over', async (effect, runs) => {
    const url = (await postgres?.createDatabase()) ?? ''
    const journal = newJournal()
    const first = await startSessionProcess({ url, journal, effect, hangs: true })
    await first.serve({})
    void first.serve({ text: '4' })
    await expect.poll(() => linesOf(journal)).toHaveLength(1)
    await first.kill()
    const storage = (await openStorage({ url })).for<UssdTables>()
    await storage.write(tx => sql`update sibyl_job set lease_until = lease_until - 30000`.execute(tx))
    await storage.close()
    await using second = await startSessionProcess({ url, journal, effect })
    const reply = await second.serve({ text: '4*1' })
    expect(reply?.text.startsWith('Done')).toBe(effect === 'idempotent')
    expect(linesOf(journal)).toHaveLength(runs)
    expect(new Set(linesOf(journal)).size).toBe(1)
  })
})
