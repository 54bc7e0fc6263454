// The oracle with the ussd plugin, and a route that collects garbage and returns the memory usage.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createOracleApp } from '@sibyl/core'
import { definePlugin, route } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import { ussd } from '@sibyl/plugin-ussd'
import { z } from 'zod'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const figures = z.object({ heapUsed: z.number(), rss: z.number(), rows: z.number() })

const memory = definePlugin({
  name: 'memory',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'Memory', summary: 'Reports memory usage.', whenToUse: ['a benchmark asks'], load: 'always' },
  setup: ({ storage }) => ({
    routes: [
      route.get(
        '/memory',
        {
          auth: 'public',
          summary: 'A route',
          ok: { 200: { description: 'Bytes, rows', content: { 'application/json': { schema: figures } } } },
        },
        async c => {
          const { rows } = await sql<{ count: number }>`select count(*) as count from ussd_sessions`.execute(
            storage.read,
          )
          collectGarbage()
          collectGarbage()
          const { heapUsed, rss } = process.memoryUsage()
          return c.json({ heapUsed, rss, rows: Number(rows[0]?.count) }, 200)
        },
      ),
    ],
  }),
})

const app = await createOracleApp({ config: { name: 'Benchmark' }, plugins: [ussd(), memory] })
const { port } = await app.listen({ port: 0 })
console.log(`listening http://127.0.0.1:${port}`)
process.once('SIGTERM', async () => {
  await app.close()
  process.exit(0)
})
