// An oracle that receives tokens, and on request checks tokens within its own process.
import { createOracleApp } from '@sibyl/core'
import { silentLogger } from '@sibyl/testing'
import { announceOracle } from '../frame/start-oracle.ts'
import { type CheckOrder, checkInProcess } from './check-in-process.ts'

const app = await createOracleApp({ plugins: [], logger: silentLogger })
process.on('message', (order: CheckOrder) => {
  void checkInProcess(order).then(result => process.send!(result))
})
const { port } = await app.listen({ port: 0, host: '127.0.0.1' })
announceOracle(`http://127.0.0.1:${port}`, app.identity.did)
