import { cleanText } from '@sibyl/plugin'
import { LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { textOf } from './read-inside.ts'

/** What a `SKILL.md` says. */
export interface SkillText {
  readonly name: string
  /** What it does and when it helps. */
  readonly description: string
  /** What it needs around it. */
  readonly compatibility?: string
  /** Markdown: all that follows the front matter. */
  readonly instructions: string
}

/** How long each member may be, in characters, as the open Agent Skills format has it. */
const longest = { name: 64, description: 1024, compatibility: 500 }

/** Longest front matter, in characters: reading one takes longer than its length grows. */
const longestFront = 8_000

/** Longest fault of the YAML that is told, in characters. */
const longestFault = 200

/** More aliases than this in a front matter are an attack. */
const mostAliases = 20

const plain = (text: string): string => cleanText(text, { lines: true }).trim()

const frontMatter = z.object({
  name: z
    .string('must be a text')
    .max(longest.name, `has more than ${longest.name} characters`)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case letters and digits with single hyphens between them'),
  description: z
    .string('must be a text')
    .overwrite(plain)
    .min(1, 'is empty')
    .max(longest.description, `has more than ${longest.description} characters`),
  license: z.string('must be a text').nullish(),
  compatibility: z
    .string('must be a text')
    .overwrite(plain)
    .max(longest.compatibility, `has more than ${longest.compatibility} characters`)
    .nullish(),
  metadata: z.record(z.string(), z.unknown(), 'must be a mapping').nullish(),
  'allowed-tools': z.union([z.string(), z.array(z.string())], 'must be a text or a list of texts').nullish(),
})

/**
 * Reads a `SKILL.md` of the open Agent Skills format: front matter in YAML between two lines of `---`, then Markdown. What
 * the format does not know is passed over, and `allowed-tools` allows nothing.
 *
 * @param folder The name of its folder, which the skill's name has to be.
 * @returns The skill, or what is wrong with it, with the member or line.
 */
export const readSkillText = (bytes: Uint8Array, folder: string): { skill: SkillText } | { fault: string } => {
  const text = textOf(bytes)?.replaceAll(/\r\n?/g, '\n')
  if (text === undefined) return { fault: 'it is no text in UTF-8' }
  const parts = split(text)
  if (!parts) return { fault: "it has no front matter between two lines of '---' at its beginning" }
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
      fault: member ? `${member} ${isMissing ? 'is missing' : issue?.message}` : 'its front matter is no mapping',
    }
  }
  const { name, description, compatibility } = data
  if (name !== folder) return { fault: `name is '${name}', and its folder is not` }
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

const tooMuch = 'its front matter is nested too deep, or refers to itself too often'

const readYaml = (front: string): { value: unknown } | { fault: string } => {
  try {
    const lineCounter = new LineCounter()
    const document = parseDocument(front, { schema: 'core', stringKeys: true, prettyErrors: false, lineCounter })
    const [error] = document.errors
    if (error?.message.includes('call stack')) return { fault: tooMuch }
    if (!error) return { value: document.toJS({ maxAliasCount: mostAliases }) }
    const line = lineCounter.linePos(error.pos[0]).line + 1
    const isColon = error.code === 'BLOCK_AS_IMPLICIT_KEY'
    const { message } = error
    const short = message.length > longestFault ? `${message.slice(0, longestFault)}…` : message
    return { fault: `line ${line} is no valid YAML: ${isColon ? 'a text with a colon needs quotes' : short}` }
  } catch {
    return { fault: tooMuch }
  }
}
