import { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const stoves = new Map([
  ['A-17', { owner: 'Mercy Banda', village: 'Chongwe', since: '2026-03-02' }],
  ['B-07', { owner: 'Joseph Phiri', village: 'Kasenga', since: '2026-05-19' }],
])

/** The programme's register of stoves, an MCP server over standard input and output that any host can start. */
const server = new McpServer({ name: 'stove-register', version: '0.1.0' })

server.registerTool(
  'find_stove',
  {
    description: 'Who has a stove, and since when, by the serial on its plate.',
    inputSchema: z.object({ serial: z.string().max(20) }),
    annotations: { readOnlyHint: true },
  },
  async ({ serial }) => {
    const stove = stoves.get(serial.toUpperCase())
    const text = stove
      ? `${serial.toUpperCase()}: ${stove.owner} in ${stove.village}, since ${stove.since}`
      : `No stove has the serial ${serial}.`
    return { content: [{ type: 'text', text }], ...(stove ? {} : { isError: true }) }
  },
)

await server.connect(new StdioServerTransport())
