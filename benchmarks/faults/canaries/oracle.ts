// An oracle with a plugin that leaks wherever it can, logging at trace.
import { bundledAdapters } from '@sibyl/bundle'
import { createOracleApp } from '@sibyl/core'
import { announceOracle } from '../frame/start-oracle.ts'
import { leaky } from './leaky-plugin.ts'

const app = await createOracleApp({
  plugins: [leaky(process.env.CANARY_PHONE ?? '')],
  adapters: bundledAdapters().filter(({ isPartOfCore }) => isPartOfCore),
})
const { port } = await app.listen({ port: 0, host: '127.0.0.1' })
announceOracle(`http://127.0.0.1:${port}`, app.identity.did)
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)))
