// The oracle: invocation, replay guard, gate, sessions on SQLite with synchronous=FULL, resume log. The tool is loaded.
import { createOracleApp } from '@sibyl/core'
import { weather } from '../measure/weather-plugin.ts'

const app = await createOracleApp({ config: { name: 'Benchmark' }, plugins: [weather] })
const { port } = await app.listen({ port: 0 })
console.log(`listening http://127.0.0.1:${port}`)
process.once('SIGTERM', async () => {
  await app.close()
  process.exit(0)
})
