import { createHash } from 'node:crypto'
import type { ServerEntry } from '../servers-file/server-entry.ts'

/**
 * What an approval of a tool is for beside its name: this server, by where it is, and this definition.
 *
 * @param fingerprint of the definition; none for the tools that every server has
 */
export const approvalScope = ({ address }: Pick<ServerEntry, 'address'>, fingerprint = ''): string => {
  const place = address.kind === 'http' ? [address.url] : [address.command, address.args, address.cwd ?? '']
  return createHash('sha256')
    .update(JSON.stringify([place, fingerprint]))
    .digest('hex')
}
