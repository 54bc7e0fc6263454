// An oracle that says its port and then never returns to its event loop.
import { writeSync } from 'node:fs'
import { silentLogger } from '@sibyl/testing'
import { createOracleApp } from '../create-oracle-app.ts'

const app = await createOracleApp({ plugins: [], logger: silentLogger, env: { DATABASE_URL: 'memory:' } })
const { port } = await app.listen({ port: 0, host: '127.0.0.1' })
writeSync(1, `${port}\n`)
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
