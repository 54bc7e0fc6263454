// Fills the disk under a working oracle, frees it again, and compares acknowledged data with stored data.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { FullDiskTrial } from './disk-full/full-disk-trial.ts'
import { mountSmallDisk } from './disk-full/small-disk.ts'
import type { StoredSession } from './frame/ledger.ts'
import { runFault } from './frame/run-fault.ts'
import { startOracle } from './frame/start-oracle.ts'
import { judgeJournal } from './kill-nine/journal.ts'

/** Room for what the turns store, with the log of writes. */
const megabytesPerCycle = 8

await runFault({
  name: 'disk-full',
  count: 20,
  quick: 1,
  defences: ['ends-stored-before-told', 'ends-stored-later'],
  async run(fault) {
    const folder = mkdtempSync(join(tmpdir(), 'sibyl-faults-'))
    using disk = mountSmallDisk(fault, join(folder, 'disk'), 16 + megabytesPerCycle * fault.count)
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    const journal = join(folder, 'journal.txt')
    const person = createSigningKey()
    const env = { DATABASE_URL: `file:${join(disk.path, 'sibyl.db')}`, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
    const start = () =>
      startOracle({ file: 'kill-nine/noting-oracle.ts', args: [journal], env, without: fault.without })
    await using oracle = await start()
    const trial = new FullDiskTrial(fault, oracle, disk, person)
    for (let cycle = 0; cycle < fault.count; cycle += 1) await trial.cycle()
    fault.atMost('processes that ended', oracle.alive ? 0 : 1, 0)
    await oracle.end('SIGKILL')
    await using restarted = await start()
    const reader = restarted.actor(person)
    const verdict = await trial.ledger.compare(async sessionId => {
      const response = await reader.request(`/sessions/${sessionId}`)
      return response.status === 200 ? ((await response.json()) as StoredSession) : undefined
    })
    const effects = judgeJournal(journal, trial.finished)
    trial.report()
    fault.figure('messages acknowledged', verdict.messages)
    fault.figure('answers acknowledged', verdict.answers)
    fault.atMost('acknowledged messages lost', verdict.lostMessages, 0)
    fault.atMost('acknowledged answers lost', verdict.lostAnswers, 0)
    fault.atMost('messages stored twice', verdict.doubled, 0)
    fault.atMost('effects twice', effects.doubled, 0)
  },
})
