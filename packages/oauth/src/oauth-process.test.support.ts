import { createOracleApp } from '@sibyl/core'
import { silentLogger } from '@sibyl/plugin/host'
import { oauth } from './oauth.ts'

/** An oracle with OAuth as a process for tests to kill. Prints its port and its DID. */
const app = await createOracleApp({ plugins: [], adapters: [oauth()], logger: silentLogger, env: process.env })
const { port } = await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT ?? 0) })
process.stdout.write(`${JSON.stringify({ port, did: app.identity.did })}\n`)
