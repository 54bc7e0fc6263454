// An oracle that accepts claims, issues credentials, and whose agent approves everything; its clock is ahead by a given
// time.
import { setTimeout as pause } from 'node:timers/promises'
import { createOracleApp } from '@sibyl/core'
import { claims } from '@sibyl/plugin-claims'
import { credentials } from '@sibyl/plugin-credentials'
import { entities } from '@sibyl/plugin-entities'
import { silentLogger } from '@sibyl/testing'
import { endlessModel } from '../frame/endless-model.ts'
import { announceOracle } from '../frame/start-oracle.ts'

const [clockAheadMs = '0'] = process.argv.slice(2)
const verdict = JSON.stringify({ decision: 'approve', reasons: ['It looks right.'], checks: [] })

const app = await createOracleApp({
  plugins: [entities(), credentials(), claims()],
  model: endlessModel(() => [{ wait: pause(Math.random() * 20) }, verdict]),
  clock: { now: () => Date.now() + Number(clockAheadMs) },
  logger: silentLogger,
})
const { port } = await app.listen({ port: 0, host: '127.0.0.1' })
announceOracle(`http://127.0.0.1:${port}`, app.identity.did)
