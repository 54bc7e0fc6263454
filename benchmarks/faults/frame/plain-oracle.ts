// An oracle without plugins whose model says one sentence, as often as it is asked.
import { createOracleApp } from '@sibyl/core'
import { silentLogger } from '@sibyl/testing'
import { endlessModel } from './endless-model.ts'
import { announceOracle } from './start-oracle.ts'

const app = await createOracleApp({ plugins: [], model: endlessModel(() => ['All is well.']), logger: silentLogger })
const { port } = await app.listen({ port: 0, host: '127.0.0.1' })
announceOracle(`http://127.0.0.1:${port}`, app.identity.did)
