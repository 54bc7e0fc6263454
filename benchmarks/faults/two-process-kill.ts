// Kills one of two oracles on one PostgreSQL in the middle of answers, repeatedly; the other takes over. With `--way=pooled`
// both reach it through PgBouncer, which pools transactions on four connections.
import { join } from 'node:path'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { openStorage, sql } from '@sibyl/storage'
import { hasPgbouncer, startPgbouncer } from '@sibyl/storage/testing'
import { openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'
import { type OracleProcess, startOracle } from './frame/start-oracle.ts'
import { judgeRun } from './kill-nine/judge-run.ts'
import { MomentWatch } from './kill-nine/moments.ts'
import { runNotingClients } from './kill-nine/noting-clients.ts'

const turnsPerKill = 50
const takeOverLimitMs = 30_000
const firstMoments = ['finished', 'in-answer', 'in-tool', 'in-answer'] as const
const pooledConnections = 4
const pause = () => new Promise(resolve => setTimeout(resolve, 20))

/** Starts a PgBouncer that is gone at the end. */
const openPooler = async (databaseUrl: string, settings: readonly string[]) => {
  const pooler = await startPgbouncer(databaseUrl, settings)
  return { url: pooler.urlOf(databaseUrl), [Symbol.asyncDispose]: () => pooler.stop() }
}

/** Counts the connections of a database, those of the lines left out. */
const openConnectionCount = async (databaseUrl: string) => {
  const storage = await openStorage({ url: `${databaseUrl}&application_name=count`, poolSize: 1 })
  const count = sql<{ count: number }>`
    select count(*) from pg_stat_activity where datname = current_database() and application_name = 'sibyl'`
  return {
    read: async () => (await count.execute(storage.read)).rows[0]!.count,
    [Symbol.asyncDispose]: () => storage.close(),
  }
}

await runFault({
  name: 'two-process-kill',
  count: 1_000,
  quick: 30,
  defences: ['ends-stored-before-told', 'one-turn-a-message'],
  choices: { way: ['direct', 'pooled'] },
  async run(fault) {
    const isPooled = fault.choices.way === 'pooled'
    if (isPooled && !(await hasPgbouncer())) fault.skip('PgBouncer is not installed here.')
    await using database = await openFaultDatabase(fault, 'postgres')
    const journal = join(database.folder, 'journal.txt')
    const poolerSettings = ['pool_mode = transaction', `default_pool_size = ${pooledConnections}`]
    await using pooler = isPooled ? await openPooler(database.url, poolerSettings) : undefined
    const addresses = pooler
      ? { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url }
      : { DATABASE_URL: database.url }
    const env = { ...addresses, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
    await using connections = await openConnectionCount(database.url)
    const person = createSigningKey()
    const start = () =>
      startOracle({ file: 'kill-nine/noting-oracle.ts', args: [journal], env, without: fault.without })
    let oracles: OracleProcess[] = await Promise.all([start(), start()])

    const watch = new MomentWatch<OracleProcess>()
    /** When the connection of a message broke that has no end yet. */
    const broken = new Map<string, number>()
    let slowestMs = 0
    const wantedKills = Math.max(2, Math.ceil(fault.count / turnsPerKill))
    let kills = 0
    let midway = 0
    let cut = 0
    let acknowledged = 0
    let maxConnections = 0
    let over = false
    const clients = runNotingClients({
      more: sent => sent < fault.count || kills < wantedKills,
      atOnce: 8,
      turnsPerSession: 5,
      speaker: async () => fault.random.pick(oracles),
      actor: oracle => oracle.actor(person),
      hear(heard, oracle) {
        if (heard === 'acknowledged') acknowledged += 1
        watch.hear(heard, oracle)
      },
      broken(message) {
        if (!broken.has(message)) broken.set(message, performance.now())
      },
      ended(message) {
        slowestMs = Math.max(slowestMs, performance.now() - (broken.get(message) ?? performance.now()))
        broken.delete(message)
      },
    }).finally(() => {
      over = true
    })
    while (kills < wantedKills) {
      while (acknowledged < (kills * fault.count) / wantedKills && !over) await pause()
      const kill = (victim: OracleProcess) => {
        oracles = oracles.filter(one => one !== victim)
        victim.child.kill('SIGKILL')
      }
      const moment = firstMoments[kills] ?? fault.random.pick(firstMoments)
      maxConnections = Math.max(maxConnections, await connections.read())
      const victim = await watch.actAt(moment, fault.random.integer(0, 10), kill, clients)
      if (!victim) break
      kills += 1
      if (moment !== 'finished') midway += 1
      await victim.end('SIGKILL')
      await pause()
      cut += broken.size
      while (broken.size > 0) await pause()
      oracles = [...oracles, await start()]
    }
    const result = await clients
    for (const oracle of oracles) await oracle.end('SIGKILL')
    await using last = await start()
    fault.atMost('connections of the pools', maxConnections, isPooled ? pooledConnections : 2 * 10)
    fault.atLeast('kills', kills, wantedKills)
    fault.atLeast('answers interrupted by them', cut, midway)
    fault.atMost('slowest end of an interrupted message, ms', Math.round(slowestMs), takeOverLimitMs)
    await judgeRun(fault, result, last.actor(person), journal)
  },
})
