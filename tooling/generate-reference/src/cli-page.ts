import { exitCode } from '@sibyl/cli'
import type { Pages } from './link-pages.ts'
import { markdownTable } from './markdown-table.ts'

/** The help of a command. */
export interface CommandHelp {
  /** As it is typed: `sibyl chat`. */
  readonly command: string
  readonly help: string
}

/** Returns the pages `docs/reference/cli.md` and `docs/reference/cli/*.md`: a command with its subcommands on each. */
export const cliPages = (commands: readonly CommandHelp[]): Pages => {
  const groups = Map.groupBy(commands.slice(1), ({ command }) => command.split(' ')[1] ?? '')
  return new Map([
    ['docs/reference/cli.md', overview(commands[0], [...groups.keys()])],
    ...[...groups].map(
      ([name, own]) =>
        [`docs/reference/cli/${name}.md`, `# sibyl ${name}\n\n${own.map(section).join('\n\n')}\n`] as const,
    ),
  ])
}

const overview = (main: CommandHelp | undefined, names: readonly string[]): string => `# The command line

\`sibyl\` is the command of \`@sibyl/cli\`. In a clone it is \`npx -y pnpm@12 sibyl\`. These pages are written by
\`npx -y pnpm@12 reference\` from the help texts of the command itself.

${names.map(name => `- [sibyl ${name}](cli/${name}.md)`).join('\n')}

${main === undefined ? '' : help(main)}

## Exit codes

${markdownTable(
  ['Code', 'What it means'],
  Object.entries(exitCode).map(([name, code]) => [String(code), meanings[name as keyof typeof exitCode]]),
)}

What goes wrong is said on standard error in two lines, what and what to do; \`SIBYL_DEBUG=1\` adds the stack trace.

## Programs that read along

With \`--json\` a command writes one object to standard output and asks nothing; what is meant for people goes to standard
error. Where it fails, the object is this, and the first line of the error alone goes to standard error:

\`\`\`json
{ "error": { "code": "usage_invalid", "message": "…", "remedy": "…" } }
\`\`\`

\`code\` is one of [the error codes](errors.md), \`message\` says what is wrong, and \`remedy\` what to do, where there is
something. \`sibyl chat --json\` and \`sibyl ussd --json\` write one object a line instead, as things happen; an error is then
the last line.

## Files

${markdownTable(['File', 'What it is'], files)}

They are in the folder \`sibyl\` of \`XDG_CONFIG_HOME\`, else of \`~/.config\`; \`SIBYL_HOME\` names another. The folder is made for
you alone (0700), and refused where others may write to it. A damaged file is an error, and is never replaced.

What Node compiled of the command is kept in the folder \`sibyl/compiled\` of \`XDG_CACHE_HOME\`, else of \`~/.cache\`, so that
the next start is faster; it may be deleted. \`NODE_COMPILE_CACHE\` names another folder, \`NODE_DISABLE_COMPILE_CACHE=1\` keeps
nothing.

## Variables

${markdownTable(['Variable', 'What it is'], variables)}
`

/** The help of a command, under its name where it is a subcommand. */
const section = (command: CommandHelp): string => {
  const isMain = command.command.split(' ').length === 2
  return isMain ? help(command) : `## ${command.command}\n\n${help(command)}`
}

const help = ({ command, help: text }: CommandHelp): string =>
  `\`\`\`text\n$ ${command} --help\n${text.trimEnd()}\n\`\`\``

const meanings: Readonly<Record<keyof typeof exitCode, string>> = {
  done: 'Done: every message was answered, or a conversation on a terminal was ended with Ctrl-D.',
  failed:
    'A turn failed, the oracle or registry rejected the request, a check found an error, a screen differs from the recording, or `sibyl` has an internal error.',
  usage: 'The command was not understood, or there was nothing to say.',
  configuration:
    'Something here is not as it must be: a file, a variable, the project or its code, a full disk, or an oracle with another DID than before.',
  network: 'No oracle or registry responds, the server is another program, or the connection was lost permanently.',
  interrupted: 'Ctrl-C, or a question of a tool that was left open.',
}

const files = [
  [
    '`key.json`',
    'Your Ed25519 key as a JSON Web Key, made at the first use, for you alone (0600). Its did:key is who you are to every oracle.',
  ],
  [
    '`known-oracles.json`',
    'The DID that each address had when you first talked to it. An address with another DID is refused until you say `--trust`. Addresses of this computer are not kept.',
  ],
  [
    '`delegations.json`',
    'Your delegations, one per oracle, stored by `sibyl token accept` (0600). They are not secret: only your key can use them.',
  ],
  [
    '`logins.json`',
    'Where you are signed in, as `sibyl login` keeps it (0600): what a phone or a key signed, until when.',
  ],
  ['`signing-port.json`', 'The port of the signing page, where it had to be another one than 4180.'],
]

const variables = [
  [
    '`SIBYL_URL`',
    'Where the oracle is, when `--url` is not given; without either it is this computer, at the `PORT` of the project that the command runs in, or 3000.',
  ],
  ['`SIBYL_HOME`', 'The folder of the files.'],
  [
    '`SIBYL_PACKAGES`',
    'A folder of packed packages (`node scripts/pack-packages.mjs <folder>` in a checkout): `sibyl new` puts those that a project needs into its `vendor/`. From a checkout it packs its own without that.',
  ],
  [
    '`SIBYL_SIGNING_HOST`',
    'The address of this computer at which a phone finds the signing page, where it is another than the likeliest.',
  ],
  [
    '`SIBYL_SIGNING_URL`',
    'An https origin that leads to the signing port on 127.0.0.1, for a page that no network can change.',
  ],
  ['`USSD_GATEWAY_SECRET`', 'Lets `sibyl ussd` in at an oracle that serves trusted gateways alone: what it is there.'],
  [
    '`USSD_OPERATOR_TOKEN`',
    'Opens `sibyl ussd customers` and `sibyl ussd keys` to the operator: what it is at the oracle.',
  ],
  ['`NO_COLOR`', 'Anything in it means no colours. `TERM=dumb` has none, and no moving lines.'],
  ['`SIBYL_DEBUG`', 'Shows the stack trace of an error.'],
]
