import { type ReadResourceResult, type Resource, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { type Actor, holdsAbility } from '@sibyl/plugin'
import { personFilesAbilities } from '@sibyl/protocol'
import { isCallSession } from '../tools/session-ids.ts'
import type { McpParts } from '../turns/mcp-parts.ts'

const filesPrefix = 'sibyl://files/'
const sessionsPrefix = 'sibyl://sessions/'
const skillsPrefix = 'sibyl://skills/'

/** The most sessions that are listed. */
const listedSessions = 50

/** The largest file that is read as a resource, in bytes. */
const maxFileBytes = 4_000_000

/** The addresses of resources, for `resources/templates/list`. */
export const resourceTemplates = [
  { uriTemplate: `${sessionsPrefix}{id}`, name: 'session', title: 'Session', mimeType: 'text/markdown' },
  { uriTemplate: `${filesPrefix}{+path}`, name: 'file', title: 'File of the user' },
  { uriTemplate: `${skillsPrefix}{name}`, name: 'skill', title: 'Skill', mimeType: 'text/markdown' },
]

/** Returns the resources that the caller may read: their sessions, latest first, their files, and the skills. */
export const listResources = async (
  { turns, files, skills }: McpParts,
  { did, scopes }: Actor,
): Promise<Resource[]> => {
  const mayReadSessions = holdsAbility(scopes, 'session/read')
  const sessions = mayReadSessions ? await turns.sessions(did, listedSessions) : []
  const kept = files && holdsAbility(scopes, personFilesAbilities.read) ? await files.list(did) : []
  return [
    ...sessions
      .filter(({ session }) => !isCallSession(session))
      .map(({ session, title }) => ({
        uri: sessionsPrefix + encodeURIComponent(session),
        name: session,
        title: title || session,
        mimeType: 'text/markdown',
      })),
    ...kept.map(({ path, bytes, mediaType }) => ({
      uri: filesPrefix + path.split('/').map(encodeURIComponent).join('/'),
      name: path,
      mimeType: mediaType,
      size: bytes,
    })),
    ...((await skills?.list()) ?? []).map(({ name, description }) => ({
      uri: skillsPrefix + name,
      name,
      description,
      mimeType: 'text/markdown',
    })),
  ]
}

/** Reads a resource of the caller. Throws for one that does not exist, or that the caller may not read. */
export const readResource = async (parts: McpParts, actor: Actor, uri: string): Promise<ReadResourceResult> => {
  const contents =
    (await readSession(parts, actor, partOf(uri, sessionsPrefix), uri)) ??
    (await readFile(parts, actor, partOf(uri, filesPrefix), uri)) ??
    (await readSkill(parts, partOf(uri, skillsPrefix), uri))
  if (!contents) throw new ResourceNotFoundError(uri)
  return { contents: [contents] }
}

const partOf = (uri: string, prefix: string): string | undefined => {
  if (!uri.startsWith(prefix) || uri.length === prefix.length) return undefined
  try {
    return decodeURIComponent(uri.slice(prefix.length))
  } catch {
    return undefined
  }
}

type Contents = ReadResourceResult['contents'][number]

const readSession = async (
  { turns }: McpParts,
  { did, scopes }: Actor,
  session: string | undefined,
  uri: string,
): Promise<Contents | undefined> => {
  if (session === undefined || !holdsAbility(scopes, 'session/read')) return undefined
  const [transcript] = await turns.transcripts(did, { session })
  if (!transcript) return undefined
  const blocks = transcript.messages
    .filter(({ text }) => text !== '')
    .map(({ role, text, at }) => `**${role}** (${new Date(at).toISOString()})\n\n${text}`)
  return { uri, mimeType: 'text/markdown', text: blocks.join('\n\n') }
}

const readFile = async (
  { files }: McpParts,
  { did, scopes }: Actor,
  path: string | undefined,
  uri: string,
): Promise<Contents | undefined> => {
  if (path === undefined || !files || !holdsAbility(scopes, personFilesAbilities.read)) return undefined
  const found = await files.read(did, path).catch(() => undefined)
  if (!found || found.content.byteLength > maxFileBytes) return undefined
  const { mediaType } = found.file
  const content = Buffer.from(found.content)
  return isText(mediaType)
    ? { uri, mimeType: mediaType, text: content.toString('utf8') }
    : { uri, mimeType: mediaType, blob: content.toString('base64') }
}

const readSkill = async (
  { skills }: McpParts,
  name: string | undefined,
  uri: string,
): Promise<Contents | undefined> => {
  const text = name === undefined ? undefined : await skills?.read(name)
  return text === undefined ? undefined : { uri, mimeType: 'text/markdown', text }
}

const isText = (mediaType: string): boolean => /^text\/|[/+](json|xml|yaml)\b/.test(mediaType)
