// Has a great many phones call in process, and tells now and then how much memory is in use.
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { createOracleApp } from '@sibyl/core'
import { silentLogger } from '@sibyl/core/testing'
import { ussd } from '@sibyl/plugin-ussd'

const [sessions = 0, everySessions = 0] = process.argv.slice(2).map(Number)
const atOnce = 64
/** As many phones as one process counts each by itself in a minute, with room to spare. */
const phones = 40_000
const app = await createOracleApp({ config: { name: 'Benchmark' }, plugins: [ussd()], logger: silentLogger })

/** The gateway that all calls come from. */
const gateway = { clientAddress: '127.0.0.1' }

const ask = async (number: number, text: string, begins: string): Promise<void> => {
  const phoneNumber = `+26097${String(1_000_000 + (number % phones))}`
  const body = JSON.stringify({ sessionId: `memory-${number}`, serviceCode: '*1234#', phoneNumber, text })
  const headers = { 'content-type': 'application/json' }
  const answer = await app.fetch(new Request('http://oracle.test/api/ussd', { method: 'POST', headers, body }), gateway)
  const said = await answer.text()
  if (!said.startsWith(begins)) throw new Error(`${JSON.stringify(text)} was answered with: ${said}`)
}

const tell = (facts: object) => process.stdout.write(`${JSON.stringify(facts)}\n`)

const tellMemory = (done: number) => {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  tell({ sessions: done, heapUsed, rss })
}

/** Sessions that are in the database now. */
const countRows = (): number => {
  const file = (process.env.DATABASE_URL ?? '').replace('file:', '')
  if (!existsSync(file)) return 0
  const database = new DatabaseSync(file, { readOnly: true })
  const row = database.prepare('select count(*) as count from ussd_sessions').get() as { count: number }
  database.close()
  return row.count
}

let begun = 0
let done = 0
/** Every second session is ended by its phone, the others are left to expire. */
const call = async () => {
  while (begun < sessions) {
    const number = begun++
    await ask(number, '', 'CON ')
    await ask(number, '1', 'CON ')
    if (number % 2 === 0) await ask(number, '1**', 'END ')
    done += 1
    if (done % everySessions === 0) tellMemory(done)
  }
}
await Promise.all(Array.from({ length: atOnce }, call))

const rowsAtEnd = countRows()
let rows = rowsAtEnd
for (let seconds = 0; rows > 0 && seconds < 60; seconds += 1) {
  await new Promise(resolve => setTimeout(resolve, 1_000))
  rows = countRows()
}
tell({ rowsAtEnd, rowsLeft: rows })
await app.close()
process.exit(0)
