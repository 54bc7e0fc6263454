// An oracle with the bundled plugins, those switched on that its environment names.
import { bundledPlugins } from '@sibyl/bundle'
import { createOracleApp } from '@sibyl/core'

const oracle = await createOracleApp({ config: { name: 'Benchmark' }, plugins: bundledPlugins() })
await oracle.listen()
process.once('SIGTERM', async () => {
  await oracle.close()
  process.exit(0)
})
