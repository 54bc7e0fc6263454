// Fifty MCP servers of five tools each in one process, at /1 to /50: streamable HTTP without sessions.
import { createServer } from 'node:http'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { z } from 'zod'

const makeServer = (number: string) => {
  const server = new McpServer({ name: `shelf-${number}`, version: '1.0.0' })
  for (const topic of ['pumps', 'stoves', 'wells', 'seeds', 'roads']) {
    server.registerTool(
      `find_${topic}`,
      {
        description: `Finds the books of library ${number} on ${topic}: titles, authors and years, newest first.`,
        inputSchema: { query: z.string().max(200), limit: z.number().int().min(1).max(50).optional() },
        annotations: { readOnlyHint: true },
      },
      async ({ query }) => ({ content: [{ type: 'text', text: `Nothing on ${query}.` }] }),
    )
  }
  return server
}

const http = createServer(async (request, response) => {
  const server = makeServer(request.url?.slice(1) ?? '')
  const transport = new StreamableHTTPServerTransport()
  response.on('close', () => {
    void transport.close()
    void server.close()
  })
  await server.connect(transport as Parameters<typeof server.connect>[0])
  await transport.handleRequest(request, response)
})
http.listen(0, '127.0.0.1', () => {
  const address = http.address()
  console.log(`listening http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`)
})
process.once('SIGTERM', () => process.exit(0))
