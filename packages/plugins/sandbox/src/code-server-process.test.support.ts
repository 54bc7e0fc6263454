import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { z } from 'zod'

// A remote sandbox in a separate process: it has the languages `upper` and `crash`, and prints its address on the first
// line.   node code-server-process.test.support.ts <port> <token>
const [port = '0', token = ''] = process.argv.slice(2)
const transports = new Map<string, StreamableHTTPServerTransport>()

const newServer = () => {
  const server = new McpServer({ name: 'code-server', version: '1.0.0' })
  server.registerTool(
    'run_code',
    {
      description: 'Runs a program.',
      inputSchema: {
        language: z.enum(['upper', 'crash']),
        code: z.string(),
        files: z.array(z.object({ name: z.string(), text: z.string() })),
      },
    },
    ({ language, code, files }) => {
      if (language === 'crash') process.exit(1)
      const structuredContent = {
        ok: true,
        result: code.toUpperCase(),
        output: `files: ${files.map(({ name, text }) => `${name}=${text}`).join()}\n`,
        files: [
          { name: 'a.txt', text: 'a' },
          { name: '../up', text: 'no' },
        ],
      }
      return { content: [{ type: 'text', text: code.toUpperCase() }], structuredContent }
    },
  )
  return server
}

const http = createServer(async (request, response) => {
  if (request.headers.authorization !== `Bearer ${token}`) {
    response.writeHead(401).end()
    return
  }
  const id = request.headers['mcp-session-id']
  const known = typeof id === 'string' ? transports.get(id) : undefined
  if (typeof id === 'string' && !known) {
    response.writeHead(404).end()
    return
  }
  const transport =
    known ??
    new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: session => void transports.set(session, transport),
    })
  if (!known) await newServer().connect(transport as never)
  await transport.handleRequest(request, response)
})
http.listen(Number(port), '127.0.0.1', () => {
  const address = http.address()
  if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}/mcp\n`)
})
