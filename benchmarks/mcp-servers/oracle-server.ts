// The oracle: with PLUGINS=bundled all bundled plugins, else mcp alone; MCP_SERVERS_FILE names the servers.
import { bundledPlugins } from '@sibyl/bundle'
import { createOracleApp } from '@sibyl/core'
import { mcp } from '@sibyl/plugin-mcp'
import { weather } from '@sibyl/plugin-weather'

const plugins = process.env.PLUGINS === 'bundled' ? bundledPlugins() : [weather(), mcp()]
const app = await createOracleApp({
  config: { name: 'Benchmark' },
  plugins,
})
const { port } = await app.listen({ port: 0 })
console.log(`listening http://127.0.0.1:${port}`)
process.once('SIGTERM', async () => {
  await app.close()
  process.exit(0)
})
