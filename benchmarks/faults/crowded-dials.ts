// Thousands dial an oracle at once while it is busy: the kernel keeps each connection, and drops none.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createMnemonic } from '@sibyl/identity'
import { runFault } from './frame/run-fault.ts'
import { startOracle } from './frame/start-oracle.ts'

/** Returns how many connections the kernel has dropped since its start, since a queue was full. */
const dropped = (): number => {
  const [names = '', values = ''] = readFileSync('/proc/net/netstat', 'utf8').split('\n')
  return Number(values.split(' ')[names.split(' ').indexOf('ListenOverflows')])
}

await runFault({
  name: 'crowded-dials',
  count: 3_000,
  quick: 1_000,
  defences: ['connections-wait'],
  async run(script) {
    if (process.platform !== 'linux') script.skip('It reads what the kernel dropped from /proc.')
    await using oracle = await startOracle({
      file: 'frame/plain-oracle.ts',
      without: script.without,
      env: { DATABASE_URL: 'memory:', ORACLE_MNEMONIC: createMnemonic(12).reveal() },
    })
    const { hostname, port } = new URL(oracle.url)
    const before = dropped()
    let made = 0
    // A stopped process accepts none, as one that is busy.
    oracle.child.kill('SIGSTOP')
    const sockets = Array.from({ length: script.count }, () =>
      connect(Number(port), hostname)
        .on('connect', () => {
          made += 1
        })
        .on('error', () => {}),
    )
    while (made < script.count && dropped() === before) await pause(20)
    script.atMost('connections that the kernel dropped', dropped() - before, 0)
    script.atLeast('connections that wait', made, script.count)
    oracle.child.kill('SIGCONT')
    for (const socket of sockets) socket.destroy()
    script.atLeast('answers of /health', Number((await fetch(`${oracle.url}/health`)).ok), 1)
  },
})
