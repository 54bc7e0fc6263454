import type { personFiles, ServiceOf } from '@sibyl/protocol'
import type { MessagePart, StoredMessage } from '../sessions/stored-message.ts'

export interface LinksRequest {
  readonly files: ServiceOf<typeof personFiles> | undefined
  readonly owner: string
  /** The public address of the oracle: `https://oracle.example.org`. */
  readonly url: string
}

/** Gives the files in messages addresses that a page can show for some minutes; a file that is gone keeps the one of its owner. */
export const withLinks = async (
  messages: readonly StoredMessage[],
  { files, owner, url }: LinksRequest,
): Promise<readonly StoredMessage[]> => {
  const paths = [...new Set(messages.flatMap(({ parts }) => parts.flatMap(part => pathOf(part) ?? [])))]
  if (!files || paths.length === 0) return messages
  const links = await files.linksTo(owner, paths)
  const linked = (part: MessagePart): MessagePart => {
    const link = links.get(pathOf(part) ?? '')
    return link === undefined ? part : { ...part, url: `${url}${link}` }
  }
  return messages.map(message => ({ ...message, parts: message.parts.map(linked) }))
}

const pathOf = ({ type, providerMetadata }: MessagePart): string | undefined => {
  if (type !== 'file') return undefined
  const path = (providerMetadata as { sibyl?: { path?: unknown } } | undefined)?.sibyl?.path
  return typeof path === 'string' ? path : undefined
}
