import type { OracleInspection } from '@sibyl/core/records'
import { madeSecrets } from '../../env/made-secrets.ts'
import { octal } from '../../home/home-folder.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Project } from '../../project/project.ts'

/** A finding about the variables of an oracle; `fail` prevents it from working, `note` is for information. */
export interface EnvFinding {
  readonly level: 'fail' | 'warn' | 'note'
  readonly variable?: string | undefined
  /** One sentence; never the value of a secret. */
  readonly message: string
  readonly fix?: string | undefined
}

/** The state of the `.env` of a project. */
export interface EnvFileFacts {
  readonly path: string
  readonly text: string | undefined
  /** Undefined on systems without modes. */
  readonly mode: number | undefined
}

/** Returns the findings of an inspection: invalid variables, and unknown names. */
export const inspectionFindings = ({ problems, plugins, unknownVariables }: OracleInspection): EnvFinding[] => [
  ...problems.map(({ headline, lines, variable }): EnvFinding => {
    const [what = '', ...remedy] = lines.map(cleanLine)
    return {
      level: 'fail',
      variable,
      message: sentence(`${cleanLine(headline)}: ${what}`),
      fix: remedy.join(' ') || undefined,
    }
  }),
  ...unknownVariables.map(({ name, meant }): EnvFinding => {
    const fix = meant === undefined ? 'Remove it, or keep it if another program uses it.' : `Did you mean ${meant}?`
    return { level: 'warn', variable: cleanLine(name), message: 'Nothing reads it.', fix }
  }),
  ...plugins
    .filter(({ state }) => state === 'excluded')
    .map(
      ({ name, variable, reason }): EnvFinding => ({
        level: 'note',
        variable,
        message: `Plugin ${cleanLine(name)} is off${variable === undefined ? `: ${cleanLine(reason ?? '')}` : ''}.`,
        fix: variable === undefined ? undefined : `To enable it, set ${variable}: sibyl env explain ${variable}`,
      }),
    ),
]

export const fileFindings = ({ path, text, mode }: EnvFileFacts): EnvFinding[] => {
  if (text === undefined)
    return [{ level: 'warn', message: `${path} does not exist.`, fix: 'Create it: sibyl env init' }]
  const { set, unread } = readEnvLines(text)
  return [
    ...(mode !== undefined && (mode & 0o077) !== 0
      ? [
          {
            level: 'warn',
            message: `Other users can read ${path} (mode ${octal(mode)}).`,
            fix: `Run: chmod 600 '${path}'`,
          } as const,
        ]
      : []),
    ...[...Map.groupBy(set, ({ name }) => name)]
      .filter(([, lines]) => lines.length > 1)
      .map(([name, lines]): EnvFinding => {
        const places = lines.map(({ line }) => line)
        const message = `It is set on lines ${places.slice(0, -1).join(', ')} and ${places.at(-1)}; the last one applies.`
        return { level: 'warn', variable: cleanLine(name), message, fix: 'Keep only one of them.' }
      }),
    ...unread.map(
      (line): EnvFinding => ({
        level: 'warn',
        message: `Line ${line} of ${path} sets nothing.`,
        fix: 'Write NAME=value, or start the line with #.',
      }),
    ),
  ]
}

/** Returns the required secrets that are unset. */
export const secretFindings = (
  { setting, envFile }: Project,
  known: ReadonlySet<string>,
  environment: Readonly<Record<string, string | undefined>>,
): EnvFinding[] => [
  ...madeSecrets
    .filter(({ variable }) => known.has(variable) && setting(variable) === undefined)
    .map(({ variable, description }): EnvFinding => {
      const isBlank = (environment[variable] ?? envFile[variable]) !== undefined
      const fix = isBlank
        ? 'Set a value, or remove the line: sibyl env init then creates one.'
        : 'Create it: sibyl env init'
      return { level: 'warn', variable, message: `It is ${isBlank ? 'blank' : 'missing'}. ${description}`, fix }
    }),
]

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)

interface EnvLine {
  readonly name: string
  readonly line: number
}

interface EnvLines {
  readonly set: readonly EnvLine[]
  /** Lines that are neither empty, nor comments, nor assignments. */
  readonly unread: readonly number[]
}

/** Reads which lines of an `.env` set which variables. A quoted value may span several lines. */
export const readEnvLines = (text: string): EnvLines => {
  const set: EnvLine[] = []
  const unread: number[] = []
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  for (let place = 0; place < lines.length; place += 1) {
    const line = lines[place] ?? ''
    const [, name, value = ''] = /^\s*(?:export\s+)?([^\s#=][^=]*?)\s*=\s*(.*)$/.exec(line) ?? []
    if (name !== undefined) {
      set.push({ name, line: place + 1 })
      place += linesBehind(value, lines.slice(place + 1))
    } else if (!/^\s*(#|$)/.test(line)) unread.push(place + 1)
  }
  return { set, unread }
}

/** Returns the number of further lines of a value, up to the closing quote. */
const linesBehind = (value: string, following: readonly string[]): number => {
  const [quote = ''] = value
  if (!['"', "'", '`'].includes(quote) || value.includes(quote, 1)) return 0
  return following.findIndex(line => line.includes(quote)) + 1
}
