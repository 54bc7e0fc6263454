// Reads every list of a long ledger, and erases its person, while others ask for the health of the oracle.
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import type { Storage } from '@sibyl/storage'
import { openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'
import { startFilled } from './frame/start-filled.ts'
import { watchHealth } from './frame/watch-health.ts'

/** The columns of the credits plugin that the script writes. */
type Tables = Record<
  'credits_people' | 'credits_transactions' | 'credits_charges',
  Record<string, string | number | null>
>

const operatorToken = 'operator-token-of-the-script-0123456789'
const limitMs = 50
const perWrite = 200

/** Time for which each list is read again, so that enough answers are measured. */
const readForMs = 2_000

/** Writes a person with as many charged turns. */
const write = async (storage: Storage<Tables>, did: string, turns: number): Promise<void> => {
  const at = Date.now() - turns
  await storage.write(tx =>
    tx
      .insertInto('credits_people')
      .values({ person: 1, did, available: 0, held: 0, typical: 0, last_hold: 0, welcomed: 0 })
      .execute(),
  )
  for (let from = 0; from < turns; from += perWrite) {
    const rows = Array.from({ length: Math.min(perWrite, turns - from) }, (_, index) => from + index)
    await storage.write(async tx => {
      const lines = { to_issued: 0, to_unbilled: -1, to_person: 0, to_held: 0, to_oracle: 1 }
      const transactions = rows.map(row => ({
        key: `charge:t${row}`,
        kind: 'charge',
        person: 1,
        at: at + row,
        ...lines,
      }))
      await tx.insertInto('credits_transactions').values(transactions).execute()
      const usage = { input_tokens: 1, cached_tokens: 0, output_tokens: 1, tools: '{}', amount: 1, billed: 0 }
      const turn = { person: 1, actor: null, day: '2026-11-29', channel: 'http', model: 'm', outcome: 'done', ...usage }
      await tx
        .insertInto('credits_charges')
        .values(rows.map(row => ({ ...turn, turn: `t${row}`, at: at + row })))
        .execute()
    })
  }
}

await runFault({
  name: 'large-ledger',
  count: 100_000,
  quick: 30_000,
  defences: ['others-between-pages'],
  async run(script) {
    await using database = await openFaultDatabase(script, 'sqlite')
    const key = createSigningKey()
    const fill = (storage: Storage<Tables>) => write(storage, key.did, script.count)
    await using oracle = await startFilled(database.url, fill, {
      file: 'credits-kill/oracle.ts',
      env: { ORACLE_MNEMONIC: createMnemonic(12).reveal(), ORACLE_OPERATOR_TOKEN: operatorToken },
      without: script.without,
    })
    const actor = oracle.actor(key)
    const asOperator = { headers: { authorization: `Bearer ${operatorToken}` } }
    const calls: Readonly<Record<string, () => Promise<Response>>> = {
      'GET /credits/ledger': () => fetch(`${oracle.url}/credits/ledger`, asOperator),
      'GET /credits/accounts': () => fetch(`${oracle.url}/credits/accounts`, asOperator),
      'GET /credits/usage.csv': () => actor.request('/credits/usage.csv'),
      'GET /credits/usage': () => actor.request('/credits/usage'),
      'GET /me/export': () => actor.request('/me/export'),
      'DELETE /me': () => actor.request('/me', { method: 'DELETE' }),
    }
    for (const [name, call] of Object.entries(calls)) {
      const from = performance.now()
      let status = 0
      const { p95 } = await watchHealth(oracle, async () => {
        do {
          const response = await call()
          status = response.status
          await response.text()
        } while (name.startsWith('GET') && performance.now() - from < readForMs)
      })
      script.figure(`${name}, status, ms`, `${status}, ${Math.round(performance.now() - from)}`)
      script.atMost(`${name}: health, 95 of 100 within ms`, p95, limitMs)
    }
  },
})
