// The oracle with the entities plugin, as it boots by default but for the limit of requests.
import { createOracleApp } from '@sibyl/core'
import { entities } from '@sibyl/plugin-entities'

const app = await createOracleApp({ config: { name: 'Benchmark' }, plugins: [entities()] })
const { port } = await app.listen({ port: 0 })
console.log(`listening http://127.0.0.1:${port}`)
process.once('SIGTERM', async () => {
  await app.close()
  process.exit(0)
})
