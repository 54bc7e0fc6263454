import { createInterface } from 'node:readline'
import { openOracle } from '../../oracle/open-oracle.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { McpBridge } from './mcp-bridge.ts'
import type { McpOptions } from './mcp-command.ts'

/** Runs `sibyl mcp`: forwards messages until standard input ends, or a signal cancels them. */
export const mcp = async (options: McpOptions, io: CommandIo): Promise<void> => {
  const { client, explain } = await openOracle({ ...options, chatAbilities: options.ability }, io)
  const bridge = new McpBridge({
    url: `${client.url.replace(/\/+$/, '')}/mcp`,
    headers: () => client.headers('chat/send'),
    write: message => void io.stdout.write(`${JSON.stringify(message)}\n`),
    explain,
  })
  const lines = createInterface({ input: io.stdin, crlfDelay: Number.POSITIVE_INFINITY })
  const stop = () => {
    bridge.cancel()
    lines.close()
  }
  const releases = [io.onInterrupt(stop), io.onTermination(stop)]
  try {
    for await (const line of lines) if (line.trim() !== '') bridge.forward(line)
    await bridge.close()
  } finally {
    for (const release of releases) release()
  }
}
