import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { createVault } from '@sibyl/plugin/sealing'
import { openJobs, openStorage } from '@sibyl/storage'
import { silentLogger } from '@sibyl/testing'
import { createFlowMachine } from '../flow/create-flow-machine.ts'
import type { UssdRequest } from '../requests/ussd-request.ts'
import type { UssdTables } from '../storage/ussd-tables.ts'
import { ussdMigrations } from '../storage/ussd-tables.ts'
import { createSessionEngine } from './session-engine.ts'
import { shopFlow } from './shop-flow.test.helper.ts'
import type { SessionProcessOptions } from './start-session-process.test.helper.ts'

/**
 * A process that serves sessions, for tests: reads `{ number, request }` and writes `{ number, reply }`, one per line.
 * Its action writes its key to the journal, and hangs on request.
 */
const { url, journal, effect, hangs } = JSON.parse(process.argv[2] ?? '{}') as SessionProcessOptions

const storage = (await openStorage({ url })).for<UssdTables>()
await storage.migrate('ussd', ussdMigrations)
const jobs = await openJobs({ storage })
const sessions = createSessionEngine({
  storage,
  jobs,
  vault: createVault({ current: new Uint8Array(32) }),
  machine: createFlowMachine(
    shopFlow({
      effect,
      run: async ({ idempotencyKey }) => {
        appendFileSync(journal, `${idempotencyKey}\n`)
        if (hangs) await new Promise(() => {})
        return { to: 'done' }
      },
    }),
  ),
  clock: { now: () => Date.now() },
  log: silentLogger,
  settings: { ttlMs: 180_000, resume: false, serviceCodes: [] },
})

await jobs.start()

const answer = (number: number, fields: object) => process.stdout.write(`${JSON.stringify({ number, ...fields })}\n`)

createInterface({ input: process.stdin }).on('line', line => {
  const { number, request } = JSON.parse(line) as { number: number; request: UssdRequest }
  sessions.serve(request).then(
    reply => answer(number, { reply }),
    error => answer(number, { error: String(error) }),
  )
})
answer(0, {})
