// Kills an oracle while hooks and attachments hold turns up before they are admitted; the same messages are sent again.
import { setTimeout as pause } from 'node:timers/promises'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'
import { type OracleProcess, startOracle } from './frame/start-oracle.ts'
import { judgeRun } from './kill-nine/judge-run.ts'
import { runNotingClients } from './kill-nine/noting-clients.ts'

const turnsPerKill = 25
const leastKills = 4
const places = ['hook', 'attachment'] as const

const note = { type: 'file', mediaType: 'text/plain', filename: 'note.txt', url: 'data:text/plain;base64,aGVsbG8=' }

await runFault({
  name: 'vanished-turns',
  count: 500,
  quick: 24,
  defences: ['vanished-turns-begun-again', 'vanished-turns-taken-back'],
  choices: { engine: ['postgres', 'sqlite'] },
  async run(fault) {
    await using database = await openFaultDatabase(fault, fault.choices.engine!)
    const env = { DATABASE_URL: database.url, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
    const person = createSigningKey()
    let held: (place: string, oracle: OracleProcess) => void = () => {}
    const start = async (): Promise<OracleProcess> => {
      const oracle: OracleProcess = await startOracle({
        file: 'vanished-turns/holding-oracle.ts',
        args: [database.folder],
        env,
        without: fault.without,
        onReport: ({ holding }) => typeof holding === 'string' && held(holding, oracle),
      })
      return oracle
    }
    const atOnce = fault.choices.engine === 'postgres' ? 2 : 1
    let oracles = await Promise.all(Array.from({ length: atOnce }, start))

    const wanted = Math.max(leastKills, Math.ceil(fault.count / turnsPerKill))
    const killed = { hook: 0, attachment: 0 }
    let kills = 0
    let over = false
    const clients = runNotingClients({
      more: sent => sent < fault.count || kills < wanted,
      atOnce: 6,
      turnsPerSession: 3,
      async speaker() {
        while (oracles.length === 0) await pause(20)
        return fault.random.pick(oracles)
      },
      actor: oracle => oracle.actor(person),
      files: messageId => (messageId.endsWith('1') || messageId.endsWith('2') ? [note] : []),
      hear: () => {},
    }).finally(() => {
      over = true
    })
    while (kills < wanted && !over) {
      const place = places[kills % 2]!
      let passes = fault.random.integer(0, 3)
      const struck = Promise.withResolvers<OracleProcess>()
      held = (at, oracle) => {
        if (at !== place || !oracles.includes(oracle) || passes-- > 0) return
        held = () => {}
        oracle.child.kill('SIGKILL')
        struck.resolve(oracle)
      }
      const victim = await Promise.race([struck.promise, clients.then(() => undefined)])
      if (!victim) break
      kills += 1
      killed[place] += 1
      oracles = oracles.filter(one => one !== victim)
      await victim.end('SIGKILL')
      oracles = [...oracles, await start()]
    }
    const result = await clients
    for (const oracle of oracles) await oracle.end('SIGKILL')
    await using last = await start()
    fault.atLeast('kills in a hook', killed.hook, Math.floor(wanted / 2))
    fault.atLeast('kills while an attachment is stored', killed.attachment, Math.floor(wanted / 2))
    await judgeRun(fault, result, last.actor(person), undefined)
  },
})
