// An oracle with the USSD gateway that sends itself a requested number of bodies.
import { createOracleApp } from '@sibyl/core'
import { ussd } from '@sibyl/plugin-ussd'
import { silentLogger } from '@sibyl/testing'
import { announceOracle } from '../frame/start-oracle.ts'
import { type FuzzOrder, fuzzInProcess } from './fuzz-in-process.ts'

const [file = ''] = process.argv.slice(2)
const app = await createOracleApp({ plugins: [ussd()], logger: silentLogger })
process.once('message', async (order: FuzzOrder) => {
  process.send?.(await fuzzInProcess(app, file, order))
})
const { url } = await app.listen({ port: 0, host: '127.0.0.1' })
announceOracle(url, app.identity.did)
