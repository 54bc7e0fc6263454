import { cleanText } from '@sibyl/plugin'
import { LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { textOf } from './read-inside.ts'

/** Content of a `SKILL.md`. */
export interface SkillText {
  readonly name: string
  /** Its purpose, and when to use it. */
  readonly description: string
  /** Its requirements. */
  readonly compatibility?: string
  /** Markdown after the front matter. */
  readonly instructions: string
}

/** Maximum lengths of members, in characters, as the open Agent Skills format defines them. */
const longest = { name: 64, description: 1024, compatibility: 500 }

/** Maximum length of the front matter, in characters; parsing time grows faster than its length. */
const longestFront = 8_000

/** Maximum length of a reported YAML error, in characters. */
const longestViolation = 200

/** Maximum number of aliases in a front matter; more indicate an attack. */
const maxAliases = 20

const plain = (text: string): string => cleanText(text, { lines: true }).trim()

const frontMatter = z.object({
  name: z
    .string('must be a string')
    .max(longest.name, `has more than ${longest.name} characters`)
    .regex(
      /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
      'must contain only lower-case letters, digits and single hyphens between them',
    ),
  description: z
    .string('must be a string')
    .overwrite(plain)
    .min(1, 'is empty')
    .max(longest.description, `has more than ${longest.description} characters`),
  license: z.string('must be a string').nullish(),
  compatibility: z
    .string('must be a string')
    .overwrite(plain)
    .max(longest.compatibility, `has more than ${longest.compatibility} characters`)
    .nullish(),
  metadata: z.record(z.string(), z.unknown(), 'must be a mapping').nullish(),
  'allowed-tools': z.union([z.string(), z.array(z.string())], 'must be a string or a list of strings').nullish(),
})

/**
 * Parses a `SKILL.md` of the open Agent Skills format: front matter in YAML between two lines of `---`, then Markdown.
 * Unknown members are ignored, and `allowed-tools` allows nothing.
 *
 * @param folder The name of its folder, which must equal the skill's name.
 * @returns The skill, or its problem with the member or line.
 */
export const readSkillText = (bytes: Uint8Array, folder: string): { skill: SkillText } | { fault: string } => {
  const text = textOf(bytes)?.replaceAll(/\r\n?/g, '\n')
  if (text === undefined) return { fault: 'it is not valid UTF-8' }
  const parts = split(text)
  if (!parts) return { fault: "it does not begin with front matter between two lines of '---'" }
  if (parts.front.length > longestFront)
    return { fault: `its front matter has more than ${longestFront.toLocaleString('en')} characters` }
  const read = readYaml(parts.front)
  if ('fault' in read) return read
  const { success, data, error } = frontMatter.safeParse(read.value)
  if (!success) {
    const [issue] = error.issues
    const member = issue?.path.join('.')
    const isMissing = member && !Object.hasOwn(Object(read.value), member)
    return {
      fault: member ? `${member} ${isMissing ? 'is missing' : issue?.message}` : 'its front matter is not a mapping',
    }
  }
  const { name, description, compatibility } = data
  if (name !== folder) return { fault: `name is '${name}', but the folder has another name` }
  const instructions = parts.body.trim()
  if (instructions === '') return { fault: 'it has no instructions after its front matter' }
  return { skill: { name, description, ...(compatibility ? { compatibility } : {}), instructions } }
}

const split = (text: string): { front: string; body: string } | undefined => {
  const lines = text.split('\n')
  const isFence = (line: string) => line.trimEnd() === '---'
  if (!isFence(lines[0] ?? '')) return undefined
  const end = lines.findIndex((line, index) => index > 0 && isFence(line))
  return end < 0 ? undefined : { front: lines.slice(1, end).join('\n'), body: lines.slice(end + 1).join('\n') }
}

const tooMuch = 'its front matter is nested too deep, or has too many aliases'

const readYaml = (front: string): { value: unknown } | { fault: string } => {
  try {
    const lineCounter = new LineCounter()
    const document = parseDocument(front, { schema: 'core', stringKeys: true, prettyErrors: false, lineCounter })
    const [error] = document.errors
    if (error?.message.includes('call stack')) return { fault: tooMuch }
    if (!error) return { value: document.toJS({ maxAliasCount: maxAliases }) }
    const line = lineCounter.linePos(error.pos[0]).line + 1
    const isColon = error.code === 'BLOCK_AS_IMPLICIT_KEY'
    const { message } = error
    const short = message.length > longestViolation ? `${message.slice(0, longestViolation)}…` : message
    return { fault: `line ${line} is not valid YAML: ${isColon ? 'quote text that contains a colon' : short}` }
  } catch {
    return { fault: tooMuch }
  }
}
