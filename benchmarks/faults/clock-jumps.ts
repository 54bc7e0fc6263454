// Moves the computer's clock by an hour or a day, there and back, under an oracle that works.
import { join } from 'node:path'
import { createMnemonic } from '@sibyl/identity'
import { JumpTrial, jumps } from './clock-jumps/jump-trial.ts'
import { startMovedOracle } from './clock-jumps/moved-oracle.ts'
import { tryRateLimit } from './clock-jumps/rate-limit-trial.ts'
import { openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'

const requestsPerMinute = 20

await runFault({
  name: 'clock-jumps',
  count: 40,
  quick: 1,
  defences: ['nonces-outlive-jumps', 'rate-windows-by-stopwatch', 'schedules-put-right'],
  async run(fault) {
    await using database = await openFaultDatabase(fault, 'sqlite')
    await using other = await openFaultDatabase(fault, 'sqlite')
    const journal = join(database.folder, 'journal.txt')
    const env = { DATABASE_URL: database.url, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
    const oracle = await startMovedOracle({ env, journal, without: fault.without })
    await using _ = oracle.process
    const trial = new JumpTrial(oracle)
    for (let jump = 0; jump < fault.count; jump += 1) {
      await trial.jump(jump < jumps.length ? jumps[jump]! : fault.random.pick(jumps))
    }
    await trial.afterAll()
    trial.report(fault)

    const limits = { RATE_LIMIT_PER_MINUTE: String(requestsPerMinute), DATABASE_URL: other.url }
    const limited = await startMovedOracle({ env: { ...env, ...limits }, journal, without: fault.without })
    await using __ = limited.process
    await tryRateLimit(fault, limited, requestsPerMinute)
    fault.atMost('processes that ended', oracle.process.alive && limited.process.alive ? 0 : 1, 0)
  },
})
