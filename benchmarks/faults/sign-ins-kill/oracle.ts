// An oracle with sign-ins, at a port that stays.
import { createOracleApp } from '@sibyl/core'
import { oauth } from '@sibyl/oauth'
import { silentLogger } from '@sibyl/testing'
import { announceOracle } from '../frame/start-oracle.ts'

const app = await createOracleApp({ plugins: [], adapters: [oauth()], logger: silentLogger })
const { port } = await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
// Loads the authorization server, so that its defences are taken out.
await fetch(`http://127.0.0.1:${port}/oauth/authorize`)
announceOracle(`http://127.0.0.1:${port}`, app.identity.did)
