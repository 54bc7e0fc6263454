// Strangers ask for answers by schemas that take long to check, as often as one address may, while others ask for health.
import { setTimeout as pause } from 'node:timers/promises'
import { createMnemonic } from '@sibyl/identity'
import { askBySlowSchema, personAt } from './flood/attacks.ts'
import { runFault } from './frame/run-fault.ts'
import { startOracle } from './frame/start-oracle.ts'
import { watchHealth } from './frame/watch-health.ts'

const perMinute = 280
const limitMs = 50

await runFault({
  name: 'hostile-schemas',
  count: perMinute,
  quick: 40,
  defences: ['answers-checked-on-a-thread'],
  async run(script) {
    await using oracle = await startOracle({
      file: 'flood/oracle.ts',
      without: script.without,
      env: { DATABASE_URL: 'memory:', ORACLE_MNEMONIC: createMnemonic(12).reveal(), TRUST_PROXY_ENABLED: 'true' },
    })
    const statuses: Record<number, number> = {}
    const { p95, longest } = await watchHealth(oracle, async () => {
      const asked: Promise<void>[] = []
      for (let index = 0; index < script.count; index += 1) {
        const ask = async () => {
          const status = await askBySlowSchema(personAt(oracle, '203.0.113.1'))
          statuses[status] = (statuses[status] ?? 0) + 1
        }
        asked.push(ask())
        await pause(60_000 / perMinute)
      }
      await Promise.all(asked)
    })
    script.figure('answers by status', JSON.stringify(statuses))
    script.figure('health, longest ms', longest)
    script.atMost('health, 95 of 100 within ms', p95, limitMs)
  },
})
