import { createOracleApp } from '@sibyl/core'
import { type ScriptedPart, scriptedModel, silentLogger } from '@sibyl/testing'

/** An oracle process for tests to restart: says 25 words, 20 ms apart, and prints where it listens. */
const [databaseUrl = '', mnemonic = '', graceSeconds = '0'] = process.argv.slice(2)

const words = (): readonly ScriptedPart[] =>
  Array.from({ length: 25 }, (_, index) => [
    { wait: new Promise(resolve => setTimeout(resolve, 20 * index)) },
    `w${index} `,
  ]).flat()

const app = await createOracleApp({
  plugins: [],
  model: scriptedModel(Array.from({ length: 10_000 }, () => words)),
  env: {
    DATABASE_URL: databaseUrl,
    ORACLE_MNEMONIC: mnemonic,
    PUBLIC_URL: 'http://oracle.test',
    RATE_LIMIT_PER_MINUTE: '0',
    RATE_LIMIT_DID_PER_MINUTE: '0',
    SHUTDOWN_GRACE_SECONDS: graceSeconds,
  },
  logger: silentLogger,
})
process.once('SIGTERM', () => void app.close())
const { port } = await app.listen({ port: 0 })
process.stdout.write(`${port}\n`)
