import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'

const dials = 1_500

const largest = () => {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))
  } catch {
    return 0
  }
}

test.skipIf(largest() < dials)('connections are taken while the oracle is busy, far more than 511', async () => {
  const file = new URL('./busy-oracle.test.support.ts', import.meta.url).pathname
  const oracle = spawn(process.execPath, ['--conditions=sibyl-source', file], { stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    const [port] = await once(createInterface({ input: oracle.stdout }), 'line')
    const sockets = Array.from({ length: dials }, () => connect(Number(port), '127.0.0.1').on('error', () => {}))
    await Promise.all(sockets.map(socket => once(socket, 'connect')))
    expect(oracle.exitCode).toBeNull()
    for (const socket of sockets) socket.destroy()
  } finally {
    oracle.kill('SIGKILL')
  }
})
