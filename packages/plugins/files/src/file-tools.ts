import { createHash } from 'node:crypto'
import { defineTool, PersonNeeded, type Tools, untrustedContent, utcDay } from '@sibyl/plugin'
import { type JsonObject, personFilesAbilities } from '@sibyl/protocol'
import { z } from 'zod'
import { filePath, folderPrefix } from './content/file-path.ts'
import { readText, snippetOf } from './content/read-text.ts'
import type { FilesLimits } from './definitions/files-env.ts'
import { filesErrors } from './definitions/files-errors.ts'
import type { FilesStorage } from './definitions/files-tables.ts'
import { urlOf } from './http/content-routes.ts'
import { once } from './person-files.ts'
import { findFile, listFiles, searchFiles } from './store/file-queries.ts'
import type { FileStore } from './store/file-store.ts'
import { anyState, mustBeFree, unchanged } from './store/precondition.ts'
import { bytesText, type FileFacts, type StoredFile } from './store/stored-file.ts'
import { wordsOfQuery } from './store/word-index.ts'
import type { PdfReader } from './text/pdf-reader.ts'

/** Maximum length of text that one call reads, in characters. */
const maxRead = 20_000
/** Maximum length of text that one call writes, in characters. */
const maxWritten = 200_000
/** Maximum size of a file whose text is read, in bytes. */
const maxInspected = 30_000_000
const maxListed = 200
const maxFound = 10
const day = 86_400_000

export interface FileToolsDependencies {
  readonly storage: FilesStorage
  readonly store: FileStore
  readonly limits: FilesLimits
  readonly pdfs: PdfReader
}

const path = z.string().min(1).max(4_096)
const listInput = z.object({
  under: path.optional(),
  after: z.string().max(2_000).optional().describe('`next` of the previous list'),
})
const readInput = z.object({
  path,
  range: z
    .object({ from: z.int().min(0).default(0), length: z.int().min(1).max(maxRead).default(maxRead) })
    .optional()
    .describe('In characters, from 0'),
})
const writeInput = z.object({
  path,
  text: z.string().max(maxWritten),
  media_type: z.string().max(127).optional().describe('Default: by extension'),
})
const searchInput = z.object({ query: z.string().trim().min(1).max(500) })
const deleteInput = z.object({ path, forever: z.boolean().default(false) })
const outside = z.object({ source: z.string(), notice: z.string(), text: z.string() })

/** Creates the tools for the user's own files. */
export const fileTools = (parts: FileToolsDependencies): Tools => ({
  list_files: listTool(parts),
  read_file: readTool(parts),
  write_file: writeTool(parts),
  search_files: searchTool(parts),
  delete_file: deleteTool(parts),
})

const listTool = ({ storage }: FileToolsDependencies) =>
  defineTool({
    description: "Lists the user's files, or those in the folder `under`.",
    effect: 'read',
    ability: personFilesAbilities.read,
    input: listInput,
    inputSchema: shownInput(listInput),
    output: z.object({ listed: z.number(), summary: z.string(), files: outside, next: z.string().optional() }),
    async execute({ under, after }, { turn }) {
      const prefix = under === undefined ? undefined : folderPrefix(under)
      const page = { prefix, limit: maxListed, cursor: after }
      const { items, next } = await listFiles(storage.read, turn.actor.did, page)
      return {
        listed: items.length,
        summary: items.length === 0 ? 'There are no files.' : 'These are your files:',
        files: untrustedContent('files', items.map(line).join('\n')),
        next,
      }
    },
  })

const readTool = ({ storage, store, pdfs }: FileToolsDependencies) =>
  defineTool({
    description: 'Reads a text file or PDF of the user, 20,000 characters at a time; continue at `next`.',
    effect: 'read',
    ability: personFilesAbilities.read,
    input: readInput,
    inputSchema: shownInput(readInput),
    output: z.object({
      path: z.string(),
      media_type: z.string(),
      bytes: z.number(),
      sha256: z.string(),
      characters: z.number().optional(),
      next: z.number().optional(),
      content: outside,
    }),
    async execute({ path, range }, { turn, signal }) {
      const at = filePath(path)
      const known = await findFile(storage.read, turn.actor.did, at.key)
      if (known && known.bytes > maxInspected)
        throw filesErrors.file_too_large_to_read({
          bytes: known.bytes.toLocaleString('en'),
          url: urlOf(known.path),
        })
      const read = await store.read(turn.actor.did, at)
      if (!read) throw filesErrors.file_not_found()
      const { file, content } = read
      const facts = { path: file.path, media_type: file.mediaType, bytes: file.bytes, sha256: file.sha256 }
      const isPdf = file.mediaType === 'application/pdf'
      const { actor } = turn
      const text = isPdf
        ? (await pdfs.read({ actor, sha256: file.sha256, content, signal })).text
        : readText(content, file.mediaType)
      if (text === undefined) {
        const described = `The file is not text: ${file.mediaType}, ${bytesText(file.bytes)}. Its owner can download it with GET ${urlOf(file.path)}.`
        return { ...facts, content: untrustedContent(file.path, described) }
      }
      const { from = 0, length = maxRead } = range ?? {}
      const to = wholeCharacter(text, Math.max(from + length, from + 2))
      return {
        ...facts,
        characters: text.length,
        ...(to < text.length ? { next: to } : {}),
        content: untrustedContent(file.path, text.slice(from, to)),
      }
    },
  })

const writeTool = ({ storage, store, limits }: FileToolsDependencies) =>
  defineTool({
    description: 'Writes text to a file of the user, who is asked before a file is overwritten.',
    effect: 'write',
    ability: personFilesAbilities.write,
    input: writeInput,
    inputSchema: shownInput(writeInput),
    output: z.object({ path: z.string(), bytes: z.number(), sha256: z.string(), summary: z.string() }),
    async execute({ path, text, media_type }, { turn, answer, canAsk }) {
      const { did } = turn.actor
      const at = filePath(path)
      const content = new TextEncoder().encode(text)
      const current = await findFile(storage.read, did, at.key)
      const isSame = current?.sha256 === createHash('sha256').update(content).digest('hex')
      if (current && !isSame && !answer?.accepted) {
        if (answer) throw filesErrors.file_overwrite_refused()
        if (!canAsk) throw filesErrors.file_overwrite_unasked()
        throw new PersonNeeded({ text: `Overwrite ${line(current)}? ${whatStays(limits)}` })
      }
      const precondition = current ? unchanged(current) : mustBeFree
      const { file, created } = await store.keep({
        actor: turn.actor,
        at,
        content: once(content),
        size: content.byteLength,
        mediaType: media_type,
        precondition,
      })
      const verb = created ? 'Wrote' : 'Overwrote'
      const summary = `${isSame ? 'Nothing to change in' : verb} ${file.path}, ${bytesText(file.bytes)}.`
      return { path: file.path, bytes: file.bytes, sha256: file.sha256, summary }
    },
  })

const searchTool = ({ storage, store }: FileToolsDependencies) =>
  defineTool({
    description: "Finds the user's files by words in path or text, with the best line of each.",
    effect: 'read',
    ability: personFilesAbilities.read,
    input: searchInput,
    inputSchema: shownInput(searchInput),
    output: z.object({ found: z.number(), summary: z.string(), files: outside }),
    async execute({ query }, { turn }) {
      const found = await searchFiles(storage, turn.actor.did, query, maxFound)
      const words = wordsOfQuery(query)
      const lines: string[] = []
      for (const file of found) lines.push(`${line(file)}${await quoted(store, file, words)}`)
      return {
        found: found.length,
        summary: found.length === 0 ? 'No file contains these words.' : 'Matching files:',
        files: untrustedContent('files', lines.join('\n')),
      }
    },
  })

const deleteTool = ({ store, limits }: FileToolsDependencies) =>
  defineTool({
    description: 'Deletes a file of the user; it can be restored for a time, unless `forever`.',
    effect: 'write',
    ability: personFilesAbilities.write,
    approval: 'user',
    input: deleteInput,
    inputSchema: shownInput(deleteInput),
    output: z.object({ path: z.string(), summary: z.string() }),
    describe: input =>
      `Delete the file ${input.path}${input.forever ? ' and its old versions, for good' : `? ${whatStays(limits)}`}`,
    async execute({ path, forever }, { turn }) {
      const at = filePath(path)
      await store.remove(turn.actor.did, at, anyState, forever)
      return { path: at.path, summary: `Deleted ${at.path}.` }
    },
  })

const whatStays = ({ versionMs }: FilesLimits): string =>
  versionMs === 0 ? 'It cannot be restored.' : `It can be restored for ${versionMs / day} days.`

const line = ({ path, mediaType, bytes, updatedAt }: FileFacts): string =>
  `${path}, ${mediaType}, ${bytesText(bytes)}, ${utcDay(updatedAt)}`

/** Returns the best line of a file; empty if its content was deleted meanwhile or is corrupt. */
const quoted = async (store: FileStore, file: StoredFile, words: readonly string[]): Promise<string> => {
  const head = await store.head(file).catch(() => new Uint8Array())
  const text = readText(head, file.mediaType, true)
  const snippet = text === undefined ? undefined : snippetOf(text, words)
  return snippet === undefined ? '' : `\n  ${snippet}`
}

/** Returns an offset, or the one before it if it is inside a character. */
const wholeCharacter = (text: string, place: number): number => {
  const unit = text.charCodeAt(place)
  return unit >= 0xdc00 && unit <= 0xdfff ? place - 1 : Math.min(place, text.length)
}

/** Keywords of limits, which are checked when the tool is called. */
const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'default'] as const

/** Returns a short input schema for the model: JSON Schema without its dialect and without limits. */
const shownInput = (input: z.ZodType): JsonObject => {
  const { $schema: _, ...shown } = z.toJSONSchema(input, {
    io: 'input',
    override({ jsonSchema }) {
      for (const bound of bounds) delete jsonSchema[bound]
    },
  })
  return JSON.parse(JSON.stringify(shown))
}
