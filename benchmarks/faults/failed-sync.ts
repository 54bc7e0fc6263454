// Fails a sync of the database's log under an oracle, repeatedly, and finally cuts the power.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { endings, FailedSyncTrial } from './failed-sync/failed-sync-trial.ts'
import { runFault } from './frame/run-fault.ts'
import { startOracle } from './frame/start-oracle.ts'
import { makeUnreliableDisk } from './frame/unreliable-disk.ts'

await runFault({
  name: 'failed-sync',
  count: 21,
  quick: 3,
  defences: [
    'failed-sync-stops-writes',
    'failed-sync-not-repeated',
    'failed-sync-log-rewritten',
    'failed-sync-in-health',
    'failed-sync-ends-process',
  ],
  async run(fault) {
    const folder = mkdtempSync(join(tmpdir(), 'sibyl-faults-'))
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    const disk = makeUnreliableDisk(fault, folder, false)
    const person = createSigningKey()
    const env = {
      ...disk.env,
      DATABASE_URL: `file:${join(disk.path, 'sibyl.db')}`,
      ORACLE_MNEMONIC: createMnemonic(12).reveal(),
      PORT: '0',
      SHUTDOWN_GRACE_SECONDS: '0',
    }
    const start = () => startOracle({ file: 'failed-sync/supervised-oracle.ts', env, without: fault.without })
    const trial = new FailedSyncTrial(disk, person, fault.random)
    for (let cycle = 0; cycle < fault.count; cycle += 1) {
      await using oracle = await start()
      await trial.cycle(oracle, endings[cycle % endings.length]!)
    }
    const last = await start()
    await trial.work(last)
    await last.end('SIGKILL')
    disk.cutPower()
    await using survivor = await start()
    await trial.judge(survivor, fault)
  },
})
