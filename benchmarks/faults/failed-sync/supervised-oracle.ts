// An oracle that ends as in production, by `runUntilSignal`; its model answers in one sentence.
import { createOracleApp } from '@sibyl/core'
import { runUntilSignal } from '@sibyl/core/start'
import { silentLogger } from '@sibyl/testing'
import { endlessModel } from '../frame/endless-model.ts'
import { announceOracle } from '../frame/start-oracle.ts'

await runUntilSignal(async () => {
  const app = await createOracleApp({ plugins: [], model: endlessModel(() => ['All is well.']), logger: silentLogger })
  app.on('listening', ({ url }) => announceOracle(url, app.identity.did))
  return app
})
