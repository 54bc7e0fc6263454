// The chat turn without credits, metered, and held and charged, side by side: what the ledger costs a turn, with one person
// and with many. Then the ledger alone, without turns.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@sibyl/storage/testing'
import { runLoad } from './chat-turn/load.ts'
import { runLedgerAlone } from './credits-ledger/ledger-alone.ts'
import { unlimited } from './faults/frame/unlimited.ts'
import { createInvocations } from './measure/invocations.ts'
import { median, startProcess } from './measure/processes.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const turns = Number(process.env.BENCH_TURNS ?? 300)
const here = import.meta.dirname
const data = mkdtempSync(join(tmpdir(), 'sibyl-bench-'))
const invocations = await createInvocations()
const fake = await startProcess(join(here, '../packages/core/src/testing/fake-openai-process.ts'))
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
    variants.map(async ({ name, perTurn, env }) => ({
      name,
      perTurn,
      turnsPerSecond: [] as number[],
      cpuMs: [] as number[],
      process: await startProcess(join(here, 'credits-ledger/oracle-server.ts'), {
        OPENAI_BASE_URL: fake.url,
        LLM_PROVIDER: 'openai-compatible',
        LLM_MODEL: 'm',
        ORACLE_MNEMONIC: invocations.mnemonic,
        DATABASE_URL:
          engine === 'postgres' && postgres ? await postgres.createDatabase() : `file:${join(data, `${name}.db`)}`,
        LOG_LEVEL: 'error',
        ...unlimited,
        ...env,
      }),
    })),
  )
  for (const [concurrency, persons] of [
    [1, 1],
    [32, 1],
    [32, 100],
  ] as const) {
    for (let round = -1; round < rounds; round += 1) {
      for (const { process: server, turnsPerSecond, cpuMs } of servers) {
        const tokens = await invocations.mint(turns, persons)
        const cpu = server.cpuMs()
        const result = await runLoad(server.url, turns, concurrency, index => tokens[index])
        if (round < 0) continue
        turnsPerSecond.push(result.turnsPerSecond)
        cpuMs.push((server.cpuMs() - cpu) / turns)
      }
    }
    console.log(`${engine}, ${concurrency} at once, ${persons === 1 ? '1 person' : `${persons} persons`}`)
    const base = median(servers[0]!.turnsPerSecond)
    for (const { name, perTurn, turnsPerSecond, cpuMs } of servers) {
      const speed = median(turnsPerSecond.splice(0))
      console.log(
        `  ${name.padEnd(9)} ${speed.toFixed(0).padStart(5)} turns/s   ${(speed / base).toFixed(2)}   ${median(cpuMs.splice(0)).toFixed(2)} CPU ms a turn   ${(speed * perTurn).toFixed(0).padStart(5)} transactions/s`,
      )
    }
  }
  await Promise.all(servers.map(server => server.process.stop()))
  const url = engine === 'postgres' && postgres ? await postgres.createDatabase() : `file:${join(data, 'alone.db')}`
  for (const persons of [1, 100]) {
    const { transactions, seconds } = await runLedgerAlone(url, { turns: turns * 10, atOnce: 32, persons })
    console.log(
      `${engine}, the ledger alone, 32 at once, ${persons === 1 ? '1 person' : `${persons} persons`}: ${(transactions / seconds).toFixed(0)} transactions/s`,
    )
  }
}
await fake.stop()
await postgres?.stop()
rmSync(data, { recursive: true, force: true })
