// Fills the disk under an oracle that phones call, and frees it again: callers are informed, and no acknowledged turn
// is lost.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mountSmallDisk } from './disk-full/small-disk.ts'
import { runFault } from './frame/run-fault.ts'
import { startOracle } from './frame/start-oracle.ts'
import { gatewaySettings } from './ussd/gateway-settings.ts'
import { FullDiskTrial } from './ussd-disk-full/full-disk-trial.ts'
import { readAccounts } from './ussd-kills/read-accounts.ts'

/** Room for what the sessions store, with the log of writes. */
const megabytesPerCycle = 8

await runFault({
  name: 'ussd-disk-full',
  count: 20,
  quick: 1,
  defences: ['ussd-told-after-commit'],
  async run(fault) {
    const folder = mkdtempSync(join(tmpdir(), 'sibyl-faults-'))
    using disk = mountSmallDisk(fault, join(folder, 'disk'), 16 + megabytesPerCycle * fault.count)
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    const databaseUrl = `file:${join(disk.path, 'sibyl.db')}`
    const env = gatewaySettings(databaseUrl)
    const start = () => startOracle({ file: 'ussd/oracle.ts', env, without: fault.without })
    await using oracle = await start()
    const trial = new FullDiskTrial(fault, oracle.url, disk)
    for (let cycle = 0; cycle < fault.count; cycle += 1) await trial.cycle()
    fault.atMost('processes that ended', oracle.alive ? 0 : 1, 0)
    await oracle.end('SIGKILL')
    const restarted = await start()
    await trial.verify(restarted.url)
    await restarted.end('SIGKILL')
    trial.report()
    const accounts = await readAccounts(databaseUrl)
    fault.figure('accounts made', accounts.made)
    fault.atMost('accounts made twice', accounts.twice, 0)
    fault.atMost('acknowledged accounts lost', trial.customerIds.filter(id => !accounts.ids.has(id)).length, 0)
  },
})
