// An oracle whose turns cost credit and take a moment.
import { setTimeout as pause } from 'node:timers/promises'
import { createOracleApp } from '@sibyl/core'
import { credits } from '@sibyl/plugin-credits'
import { silentLogger } from '@sibyl/testing'
import { endlessModel } from '../frame/endless-model.ts'
import { announceOracle } from '../frame/start-oracle.ts'

const app = await createOracleApp({
  plugins: [credits()],
  config: { price: '1 credit a turn' },
  model: endlessModel(() => [{ wait: pause(Math.random() * 40) }, 'All is well.']),
  logger: silentLogger,
})
const { port } = await app.listen({ port: 0, host: '127.0.0.1' })
announceOracle(`http://127.0.0.1:${port}`, app.identity.did)
