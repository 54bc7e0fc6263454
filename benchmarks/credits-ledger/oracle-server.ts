// The oracle of chat-turn.ts without its tool, with the credits plugin where BENCH_CREDITS says so.
import { createOracleApp } from '@sibyl/core'
import { credits } from '@sibyl/plugin-credits'

const plugins = process.env.BENCH_CREDITS === 'none' ? [] : [credits()]
const app = await createOracleApp({ config: { name: 'Benchmark', price: '1 credit a turn' }, plugins })
const { port } = await app.listen({ port: 0 })
console.log(`listening http://127.0.0.1:${port}`)
process.once('SIGTERM', async () => {
  await app.close()
  process.exit(0)
})
