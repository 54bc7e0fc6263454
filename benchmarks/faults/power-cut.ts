// Cuts the power repeatedly: the process is killed, and only synced data of the database files remains.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { runFault } from './frame/run-fault.ts'
import { type OracleProcess, startOracle } from './frame/start-oracle.ts'
import { makeUnreliableDisk } from './frame/unreliable-disk.ts'
import { judgeRun } from './kill-nine/judge-run.ts'
import { runNotingClients } from './kill-nine/noting-clients.ts'

const turnsPerCut = 25

/** Offset of the oracle's clock at each restart. */
const restartAfterMs = 20_000

await runFault({
  name: 'power-cut',
  count: 500,
  quick: 50,
  defences: ['syncs', 'synced-before-told'],
  async run(fault) {
    const folder = mkdtempSync(join(tmpdir(), 'sibyl-faults-'))
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    const noSyncs = fault.without.includes('syncs')
    const disk = makeUnreliableDisk(fault, folder, noSyncs)
    const journal = join(folder, 'journal.txt')
    const mnemonic = createMnemonic(12).reveal()
    const env = { ...disk.env, DATABASE_URL: `file:${join(disk.path, 'sibyl.db')}`, ORACLE_MNEMONIC: mnemonic }
    const person = createSigningKey()
    let clockAheadMs = 0
    const start = () =>
      startOracle({
        file: 'kill-nine/noting-oracle.ts',
        args: [journal, String(clockAheadMs)],
        env,
        without: noSyncs ? [] : fault.without,
      })
    let running: Promise<OracleProcess> = start()
    let cuts = 0
    const cutPower = (victim: OracleProcess) => {
      cuts += 1
      clockAheadMs += restartAfterMs
      running = victim.end('SIGKILL').then(() => {
        disk.cutPower()
        return start()
      })
    }
    /** The process of the last cut: what is heard of it later was on its way. */
    let last: OracleProcess | undefined
    let acknowledged = 0
    let dueAt = fault.random.integer(1, turnsPerCut)
    const actor = (oracle: OracleProcess) => oracle.actor(person, () => Date.now() + clockAheadMs)
    const result = await runNotingClients({
      more: sent => sent < fault.count,
      atOnce: 8,
      turnsPerSession: 5,
      speaker: () => running,
      actor,
      hear(heard, oracle) {
        if (heard !== 'acknowledged' && heard.type !== 'finish') return
        acknowledged += 1
        if (acknowledged < dueAt || oracle === last) return
        last = oracle
        dueAt = acknowledged + fault.random.integer(turnsPerCut, 3 * turnsPerCut)
        cutPower(oracle)
      },
    })
    cutPower(await running)
    await using survivor = await running
    fault.atLeast('power cuts', cuts, 2)
    await judgeRun(fault, result, actor(survivor), journal)
  },
})
