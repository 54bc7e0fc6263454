import { cliErrors } from '../../errors/cli-errors.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { capitalized } from '../../output/format.ts'

export interface PluginNames {
  readonly name: string
  /** Its factory function: `fieldAdvice`. */
  readonly maker: string
  readonly title: string
  readonly tool: string
}

const longestName = 40

/** Words that cannot name a function. */
const reservedWords = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends false
  finally for function if implements import in instanceof interface let new null package private protected public return
  static super switch this throw true try typeof undefined var void while with yield`.split(/\s+/),
)

/** Names that the files of a new plugin already use. */
const namesInItsFiles = new Set([
  'assert',
  'check',
  'checkPlugin',
  'context',
  'definePlugin',
  'defineTool',
  'oracle',
  'test',
  'testApp',
  'text',
  'z',
])

/**
 * Converts a name of a plugin to its forms: `Field Advice`, `field_advice` and `FieldAdvice` become `field-advice`.
 *
 * @throws `usage_invalid` when the result is not a valid name
 */
export const pluginNames = (given: string): PluginNames => {
  const words = given
    .trim()
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[\s_-]+/)
  const name = words.filter(Boolean).join('-')
  if (!/^[a-z][a-z\d]*(-[a-z\d]+)*$/.test(name)) {
    throw cliErrors.usage_invalid(
      `'${cleanLine(given).slice(0, longestName)}' is not a valid plugin name.`,
      'Start with a letter, and use lower-case letters, digits and hyphens: field-advice',
    )
  }
  if (name.length > longestName) {
    throw cliErrors.usage_invalid(`The name has ${name.length} characters.`, `Use at most ${longestName} characters.`)
  }
  const maker = name.replace(/-([a-z\d])/g, (_, letter: string) => letter.toUpperCase())
  if (reservedWords.has(maker)) {
    throw cliErrors.usage_invalid(`'${name}' is a reserved word of JavaScript.`, `Take another: ${name}-desk`)
  }
  if (namesInItsFiles.has(maker)) {
    throw cliErrors.usage_invalid(`The files of a plugin already use the name ${maker}.`, `Take another: ${name}-desk`)
  }
  const title = name.replaceAll('-', ' ')
  return {
    name,
    maker,
    title: capitalized(title),
    tool: `ask_${name.replaceAll('-', '_')}`,
  }
}
