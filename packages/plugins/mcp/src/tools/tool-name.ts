import { createHash } from 'node:crypto'

/** The longest name of a tool that models take. */
const maxName = 64

/** What the names of a capability's tools begin with. */
export const toolPrefix = (server: string): string => `${server.replaceAll('-', '_')}_`

/**
 * What a server's tool is called behind the prefix of its server. A name that models would not take, that is too long, or
 * that another server could mean as well ends with a hash instead: it stays the same, and means no other tool.
 *
 * @param others The prefixes of all servers.
 * @param reserved Names that are taken on this server.
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
