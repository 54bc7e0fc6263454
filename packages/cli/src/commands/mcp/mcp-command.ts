import { abilities, oracleOptions } from '../../command/common-options.ts'
import { defineCommand, type OptionsOf } from '../../command/define-command.ts'

const mcpOptions = {
  url: oracleOptions.url,
  ability: { ...abilities, summary: 'an ability that the client may use for you, repeatable (default: all of yours)' },
  trust: oracleOptions.trust,
} as const

export type McpOptions = OptionsOf<typeof mcpOptions>

const help = `For clients of the Model Context Protocol that start servers as programs, such as Claude Desktop, Cursor or VS Code. Sends
the messages on standard input to the oracle at /mcp, and writes its responses to standard output. The oracle needs the
adapter mcp-server (ORACLE_ADAPTERS). You act with your key on this computer, as in sibyl chat.`

export const mcpCommand = defineCommand({
  name: 'mcp',
  summary: 'connect an MCP client on this computer to an oracle',
  help,
  examples: [
    'sibyl mcp                              the oracle on this computer',
    'sibyl mcp --url https://oracle.example',
    "sibyl mcp --ability 'chat/*'           the client reads and writes only your own data",
  ],
  exits: '0 done, 2 usage, 3 configuration, 4 network.',
  options: mcpOptions,
  run: async ({ options, io }) => (await import('./mcp.ts')).mcp(options, io),
})
