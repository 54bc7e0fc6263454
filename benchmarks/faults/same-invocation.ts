// Copies of one invocation that arrive together, after a restart and at other processes: one is accepted, once.
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'
import { type OracleProcess, startOracle } from './frame/start-oracle.ts'
import { type SpendingRequest, sendCopies } from './same-invocation/send-copies.ts'

/** Requests of the copies: all the same, or different ones. */
const rounds: readonly (readonly SpendingRequest[])[] = [['chat'], ['stop'], ['delete'], ['chat', 'stop', 'delete']]

await runFault({
  name: 'same-invocation',
  count: 1_000,
  quick: 60,
  defences: ['replay-guard', 'shared-replay-guard'],
  choices: { engine: ['sqlite', 'postgres'] },
  async run(fault) {
    await using database = await openFaultDatabase(fault, fault.choices.engine!)
    const env = { DATABASE_URL: database.url, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
    const start = () => startOracle({ file: 'frame/plain-oracle.ts', env, without: fault.without })
    const person = createSigningKey()
    const several = fault.choices.engine === 'postgres'

    const first = await start()
    const together: OracleProcess[] = several ? [first, await start()] : [first]
    const urls = together.map(({ url }) => url)
    fault.figure('processes', urls.length)
    const spent: string[] = []
    for (const kinds of rounds) {
      const token = await first.actor(person).token()
      const { accepted, other, putOff } = await sendCopies(urls, kinds, token, fault.count)
      spent.push(token)
      fault.atLeast(`${kinds.join(', ')}: accepted of ${fault.count} copies`, accepted, 1)
      fault.atMost(`${kinds.join(', ')}: accepted of ${fault.count} copies`, accepted, 1)
      fault.atMost(`${kinds.join(', ')}: not decided`, other, 0)
      if (putOff > 0) fault.figure(`${kinds.join(', ')}: put off with 503 and sent again`, putOff)
    }

    const again = async (name: string, where: OracleProcess) => {
      let accepted = 0
      for (const token of spent) accepted += (await sendCopies([where.url], rounds.at(-1)!, token, 30)).accepted
      fault.atMost(`accepted ${name}`, accepted, 0)
    }
    if (several) await again('at a process that started later', await start())
    for (const one of together) await one.end('SIGKILL')
    await again('after kill -9 and a restart', await start())
  },
})
