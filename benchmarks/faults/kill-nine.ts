// Kills the oracle with -9 again and again during chat turns, and compares what clients were told with what is stored.
import { join } from 'node:path'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { openFaultDatabase } from './frame/database.ts'
import type { StoredSession } from './frame/ledger.ts'
import { runFault } from './frame/run-fault.ts'
import { type OracleProcess, startOracle } from './frame/start-oracle.ts'
import { judgeJournal } from './kill-nine/journal.ts'
import { isMoment, type Moment, moments } from './kill-nine/moments.ts'
import { runNotingClients } from './kill-nine/noting-clients.ts'

const turnsPerKill = 50
const atOnce = 8

/** How much later each restart is by the oracle's clock: on PostgreSQL a process counts as dead after 15 s. */
const restartAfterMs = 20_000

await runFault({
  name: 'kill-nine',
  count: 1_000,
  quick: 60,
  defences: ['commit-before-acknowledging', 'one-turn-a-message'],
  choices: { engine: ['sqlite', 'postgres'] },
  async run(fault) {
    await using database = await openFaultDatabase(fault, fault.choices.engine!)
    const journal = join(database.folder, 'journal.txt')
    const mnemonic = createMnemonic(12).reveal()
    const person = createSigningKey()
    const wantedKills = Math.max(moments.length, Math.ceil(fault.count / turnsPerKill))
    const kills = new Map<Moment, number>()
    let clockAheadMs = 0

    const start = () =>
      startOracle({
        file: 'kill-nine/noting-oracle.ts',
        args: [journal, String(clockAheadMs)],
        env: { DATABASE_URL: database.url, ORACLE_MNEMONIC: mnemonic },
        without: fault.without,
      })
    let process: Promise<OracleProcess> = start()
    const actor = async () => (await process).actor(person, () => Date.now() + clockAheadMs)

    /** Kills the process and starts the next one. */
    const kill = (moment: Moment, victim: OracleProcess) => {
      kills.set(moment, (kills.get(moment) ?? 0) + 1)
      clockAheadMs += restartAfterMs
      process = victim.end('SIGKILL').then(start)
      return process
    }

    let awaited: ((heard: Parameters<typeof isMoment>[1]) => void) | undefined
    const killAt = async (moment: Moment) => {
      const victim = await process
      const reached = Promise.withResolvers<void>()
      if (moment === 'any') setTimeout(reached.resolve, fault.random.integer(0, 100))
      let passes = fault.random.integer(0, 10)
      awaited = heard => {
        if (!isMoment(moment, heard) || passes-- > 0) return
        awaited = undefined
        victim.child.kill('SIGKILL')
        reached.resolve()
      }
      await Promise.race([reached.promise, over])
      awaited = undefined
      if (!isOver) await kill(moment, victim)
    }

    let isOver = false
    const ended = Promise.withResolvers<void>()
    const over = ended.promise
    let acknowledged = 0
    const clients = runNotingClients({
      turns: fault.count,
      atOnce,
      turnsPerSession: 5,
      actor,
      hear(heard) {
        if (heard === 'acknowledged') acknowledged += 1
        awaited?.(heard)
      },
    }).finally(() => {
      isOver = true
      ended.resolve()
    })
    for (let index = 0; index < wantedKills && !isOver; index += 1) {
      const due = Math.floor((index * fault.count) / wantedKills)
      while (acknowledged < due && !isOver) await new Promise(resolve => setTimeout(resolve, 5))
      await killAt(index < moments.length ? moments[index]! : fault.random.pick(moments))
    }
    const result = await clients

    await using last = await kill('any', await process)
    const reader = last.actor(person, () => Date.now() + clockAheadMs)
    const verdict = await result.ledger.compare(async sessionId => {
      const response = await reader.request(`/sessions/${sessionId}`)
      return response.status === 200 ? ((await response.json()) as StoredSession) : undefined
    })
    const effects = judgeJournal(journal, result.finished)
    const killed = [...kills.values()].reduce((sum, one) => sum + one, 0)
    fault.figure('kills', [...kills].map(([moment, times]) => `${moment} ${times}`).join(', '))
    fault.atLeast('kills in all', killed, wantedKills)
    fault.figure('endings', [...result.endings].map(([ending, times]) => `${ending} ${times}`).join(', '))
    fault.figure('messages acknowledged', verdict.messages)
    fault.figure('answers acknowledged', verdict.answers)
    fault.figure('effects', effects.effects)
    fault.atMost('acknowledged messages lost', verdict.lostMessages, 0)
    fault.atMost('acknowledged answers lost', verdict.lostAnswers, 0)
    fault.atMost('messages stored twice', verdict.doubled, 0)
    fault.atMost('effects twice', effects.doubled, 0)
    fault.atMost('answers without their effect', effects.missing, 0)
    fault.atMost('messages without an end', result.unended, 0)
    fault.atMost('events out of order', result.outOfOrder, 0)
  },
})
