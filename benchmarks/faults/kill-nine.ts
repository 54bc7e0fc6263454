// Kills the oracle with -9 repeatedly during chat turns, and compares acknowledged data with stored data.
import { join } from 'node:path'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'
import { type OracleProcess, startOracle } from './frame/start-oracle.ts'
import { judgeRun } from './kill-nine/judge-run.ts'
import { type Moment, MomentWatch, moments } from './kill-nine/moments.ts'
import { runNotingClients } from './kill-nine/noting-clients.ts'

const turnsPerKill = 50
const leastKills = 3

/** Offset of the oracle's clock at each restart: on PostgreSQL a silent process may count as alive for a while. */
const restartAfterMs = 20_000

await runFault({
  name: 'kill-nine',
  count: 1_000,
  quick: 30,
  defences: ['ends-stored-before-told', 'one-turn-a-message'],
  choices: { engine: ['sqlite', 'postgres'] },
  async run(fault) {
    await using database = await openFaultDatabase(fault, fault.choices.engine!)
    const journal = join(database.folder, 'journal.txt')
    const env = { DATABASE_URL: database.url, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
    const person = createSigningKey()
    let clockAheadMs = 0
    const start = () =>
      startOracle({
        file: 'kill-nine/noting-oracle.ts',
        args: [journal, String(clockAheadMs)],
        env,
        without: fault.without,
      })
    let process: Promise<OracleProcess> = start()
    const actor = (oracle: OracleProcess) => oracle.actor(person, () => Date.now() + clockAheadMs)
    const kills = new Map<Moment, number>()
    const restart = (moment: Moment, victim: OracleProcess) => {
      kills.set(moment, (kills.get(moment) ?? 0) + 1)
      clockAheadMs += restartAfterMs
      process = victim.end('SIGKILL').then(start)
    }

    const watch = new MomentWatch<OracleProcess>()
    let acknowledged = 0
    let over = false
    const clients = runNotingClients({
      more: sent => sent < fault.count,
      atOnce: 8,
      turnsPerSession: 5,
      speaker: () => process,
      actor,
      hear(heard, oracle) {
        if (heard === 'acknowledged') acknowledged += 1
        watch.hear(heard, oracle)
      },
    }).finally(() => {
      over = true
    })
    const wantedKills = Math.max(leastKills, Math.ceil(fault.count / turnsPerKill))
    for (let index = 0; index < wantedKills; index += 1) {
      const due = Math.floor((index * fault.count) / wantedKills)
      while (acknowledged < due && !over) await new Promise(resolve => setTimeout(resolve, 5))
      const moment = index < moments.length ? moments[index]! : fault.random.pick(moments)
      const kill = ({ child }: OracleProcess) => void child.kill('SIGKILL')
      for (;;) {
        const victim = await watch.actAt(moment, fault.random.integer(0, 10), kill, clients)
        const isLate = victim !== undefined && victim !== (await process)
        if (victim && !isLate) restart(moment, victim)
        if (!isLate) break
      }
    }
    const result = await clients
    restart('any', await process)
    await using last = await process
    fault.figure('kills', [...kills].map(([moment, times]) => `${moment} ${times}`).join(', '))
    const killed = [...kills.values()].reduce((sum, one) => sum + one, 0)
    fault.atLeast('kills in all', killed, wantedKills)
    await judgeRun(fault, result, actor(last), journal)
  },
})
