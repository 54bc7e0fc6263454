// The chat turn without credits, metered, and held and charged, side by side: what the ledger costs a turn, with one person
// and with many. Then the ledger alone, without turns.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@sibyl/storage/testing'
import { compareServers, startCompared } from './chat-turn/compare-servers.ts'
import { runLedgerAlone } from './credits-ledger/ledger-alone.ts'
import { unlimited } from './faults/frame/unlimited.ts'
import { createInvocations } from './measure/invocations.ts'
import { startProcess } from './measure/processes.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const turns = Number(process.env.BENCH_TURNS ?? 300)
const here = import.meta.dirname
const data = mkdtempSync(join(tmpdir(), 'sibyl-bench-'))
const invocations = await createInvocations()
const fake = await startProcess(join(here, '../packages/models/src/testing/fake-openai-process.ts'))
const postgres = (process.env.BENCH_ENGINES ?? 'sqlite,postgres').includes('postgres')
  ? await startPostgres()
  : undefined

/** Each with how many transactions of the ledger a turn makes. */
const variants: readonly { readonly name: string; readonly perTurn: number; readonly env: Record<string, string> }[] = [
  { name: 'none', perTurn: 0, env: { BENCH_CREDITS: 'none' } },
  { name: 'metering', perTurn: 1, env: { BENCH_CREDITS: 'yes' } },
  { name: 'holding', perTurn: 2, env: { BENCH_CREDITS: 'yes', CREDITS_DEFAULT_GRANT: '1000000' } },
  {
    name: 'budgets',
    perTurn: 2,
    env: {
      BENCH_CREDITS: 'yes',
      CREDITS_DEFAULT_GRANT: '1000000',
      CREDITS_BUDGET_PERSON_PER_DAY: '1000000',
      CREDITS_BUDGET_ORACLE_PER_DAY: '1000000',
    },
  },
]
console.log(`node ${process.version}, ${turns} turns a round, medians of ${rounds} interleaved rounds`)
for (const engine of postgres ? ['sqlite', 'postgres'] : ['sqlite']) {
  const servers = await Promise.all(
    variants.map(async ({ name, env }) =>
      startCompared(join(here, 'credits-ledger/oracle-server.ts'), {
        fake,
        name,
        env: {
          ORACLE_MNEMONIC: invocations.mnemonic,
          DATABASE_URL:
            engine === 'postgres' && postgres ? await postgres.createDatabase() : `file:${join(data, `${name}.db`)}`,
          ...unlimited,
          ...env,
        },
      }),
    ),
  )
  for (const [concurrency, users] of [
    [1, 1],
    [32, 1],
    [32, 100],
  ] as const) {
    const figures = await compareServers(servers, { invocations, rounds, turns, concurrency, persons: users })
    console.log(`${engine}, ${concurrency} at once, ${users === 1 ? '1 user' : `${users} users`}`)
    for (const [index, { name, perTurn }] of variants.entries()) {
      const { text, turnsPerSecond } = figures[index]!
      const transactions = (turnsPerSecond * perTurn).toFixed(0).padStart(5)
      console.log(`  ${name.padEnd(9)} ${text}   ${transactions} transactions/s`)
    }
  }
  await Promise.all(servers.map(server => server.process.stop()))
  const url = engine === 'postgres' && postgres ? await postgres.createDatabase() : `file:${join(data, 'alone.db')}`
  for (const users of [1, 100]) {
    const { transactions, seconds } = await runLedgerAlone(url, { turns: turns * 10, atOnce: 32, persons: users })
    console.log(
      `${engine}, the ledger alone, 32 at once, ${users === 1 ? '1 user' : `${users} users`}: ${(transactions / seconds).toFixed(0)} transactions/s`,
    )
  }
}
await fake.stop()
await postgres?.stop()
rmSync(data, { recursive: true, force: true })
