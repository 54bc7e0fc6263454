import type { EnvVariable } from '@sibyl/core'
import { markdownTable } from './markdown-table.ts'

/** The page `docs/reference/env.md`: one table for core and one for each plugin. */
export const envPage = (variables: readonly EnvVariable[]): string => {
  const owners = [...Map.groupBy(variables, ({ owner }) => owner)]
  return `# Environment

The environment (with the \`.env\` file) overrides \`oracle.config.json\`, which overrides the default. A blank variable counts as unset.
An opt-in variable turns its plugin on.

This page is written by \`npx -y pnpm@12 reference\` from the schemas in the sources.

${owners.map(([owner, own]) => section(owner, own)).join('\n')}
## The sibyl command

The \`sibyl\` command sets these for the oracle that it runs. Do not set them yourself.

${markdownTable(['Variable', 'What it is'], ofTheCommand)}
`
}

const ofTheCommand = [
  [
    '`SIBYL_INSPECT`',
    'The file descriptor of a pipe: the oracle writes its inspection there, as JSON and without secrets, instead of ' +
      'booting. Its plugins are set up on a database in memory; it does not listen, and runs no job and no model.',
  ],
  ['`SIBYL_TASK`', 'With `SIBYL_INSPECT`: the task of `sibyl storage move`, `backup` or `restore`, as JSON.'],
  ['`SIBYL_USAGE`', 'With `SIBYL_INSPECT`: set by `sibyl storage show`; the oracle measures its tables.'],
  [
    '`SIBYL_DEV`',
    'The file descriptor of a pipe: the oracle writes there when it listens, and stops when the pipe is closed.',
  ],
  ['`SIBYL_DEV_RELOAD`', 'Set when `sibyl dev` restarts the oracle: the boot log then has only warnings and errors.'],
]

const section = (owner: string, variables: readonly EnvVariable[]): string =>
  `## ${owner === 'core' ? 'Core' : `Plugin ${owner}`}

${markdownTable(['Variable', 'What it is', 'Takes', 'Default'], variables.map(row))}
`

const row = (variable: EnvVariable): string[] => [
  `\`${variable.name}\``,
  [variable.description, note(variable), example(variable)].filter(Boolean).join(' '),
  variable.takes,
  variable.default === undefined ? '–' : value(variable.default),
]

const note = ({ need, secret }: EnvVariable): string => {
  const words = [need === 'optional' ? '' : need, secret ? 'secret' : ''].filter(Boolean)
  return words.length === 0 ? '' : `**${words.join(', ')}**`
}

const example = ({ example: text }: EnvVariable): string => (text === undefined ? '' : `Example: ${value(text)}`)

/** One word is a value, and shown as it is; several are a phrase. */
const value = (text: string): string => (/\s/.test(text) ? text.replaceAll('<', '&lt;') : `\`${text}\``)
