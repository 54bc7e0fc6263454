import { createHash } from 'node:crypto'

/** Maximum length of a tool's name for models. */
const maxName = 64

/** Returns the prefix of a capability's tool names. */
export const toolPrefix = (server: string): string => `${server.replaceAll('-', '_')}_`

/**
 * Returns the name of a server's tool after the server's prefix. A name that models would reject, that is too long, or
 * that is ambiguous with another server's gets a hash as its end, so that it is stable and unique.
 *
 * @param others The prefixes of all servers.
 * @param reserved Names that are already used on this server.
 */
export const toolName = (
  server: string,
  tool: string,
  others: readonly string[],
  reserved: ReadonlySet<string> = new Set(),
): string => {
  const prefix = toolPrefix(server)
  const plain = tool.replace(/[^\w-]+/g, '_')
  const whole = `${prefix}${plain}`
  const isAmbiguous = others.some(other => other.length > prefix.length && whole.startsWith(other))
  if (plain === tool && whole.length <= maxName && !isAmbiguous && !reserved.has(plain)) return plain
  const hash = createHash('sha256').update(`${server}\n${tool}`).digest('hex').slice(0, 6)
  return `${plain.slice(0, maxName - prefix.length - hash.length - 1)}_${hash}`
}
