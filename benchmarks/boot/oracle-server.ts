// An oracle with the weather plugin, a signing key and a database on disk.
import { createOracleApp } from '@sibyl/core'
import { weather } from '@sibyl/plugin-weather'

const oracle = await createOracleApp({ config: { name: 'Benchmark' }, plugins: [weather()] })
await oracle.listen()
process.once('SIGTERM', async () => {
  await oracle.close()
  process.exit(0)
})
