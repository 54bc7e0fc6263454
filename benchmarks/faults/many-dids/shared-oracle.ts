// An oracle with entities, whose connections and webhooks are shared by all callers.
import { createOracleApp } from '@sibyl/core'
import { entities } from '@sibyl/plugin-entities'
import { silentLogger } from '@sibyl/testing'
import { announceOracle } from '../frame/start-oracle.ts'

const app = await createOracleApp({ plugins: [entities()], logger: silentLogger })
const { port } = await app.listen({ port: 0, host: '127.0.0.1' })
announceOracle(`http://127.0.0.1:${port}`, app.identity.did)
