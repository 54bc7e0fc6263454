// The oracle of the chat turn with every adapter.
import { bundledAdapters } from '@sibyl/bundle'
import { createOracleApp } from '@sibyl/core'
import { weather } from '../measure/weather-plugin.ts'

const config = { name: 'Benchmark' }
const app = await createOracleApp({ config, plugins: [weather], adapters: bundledAdapters() })
const { port } = await app.listen({ port: 0 })
console.log(`listening http://127.0.0.1:${port}`)
process.once('SIGTERM', async () => {
  await app.close()
  process.exit(0)
})
