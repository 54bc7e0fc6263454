// An oracle that stores entities; its clock is ahead by a given time.
import { createOracleApp } from '@sibyl/core'
import { entities } from '@sibyl/plugin-entities'
import { silentLogger } from '@sibyl/testing'
import { announceOracle } from '../frame/start-oracle.ts'

const [clockAheadMs = '0'] = process.argv.slice(2)

const app = await createOracleApp({
  plugins: [entities()],
  clock: { now: () => Date.now() + Number(clockAheadMs) },
  logger: silentLogger,
})
const { port } = await app.listen({ port: 0, host: '127.0.0.1' })
announceOracle(`http://127.0.0.1:${port}`, app.identity.did)
