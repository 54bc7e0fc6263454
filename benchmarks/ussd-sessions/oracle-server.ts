// The oracle with the ussd plugin and the bundled flow, as it boots by default.
import { createOracleApp } from '@sibyl/core'
import { ussd } from '@sibyl/plugin-ussd'

const app = await createOracleApp({ config: { name: 'Benchmark' }, plugins: [ussd()] })
const { port } = await app.listen({ port: 0 })
console.log(`listening http://127.0.0.1:${port}`)
process.once('SIGTERM', async () => {
  await app.close()
  process.exit(0)
})
