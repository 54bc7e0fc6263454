import type { Asker, Choice } from '../../ask/asker.ts'
import { clackAsker } from '../../ask/clack-asker.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { openProject } from '../../project/open-project.ts'
import { findProject } from '../../project/project.ts'

/** Commands that connect to a running oracle, with its default address. */
const talking: ReadonlySet<string | undefined> = new Set(['chat', 'ussd'])
const usualPort = '3000'

/**
 * Shows the menu of `sibyl` without arguments on a terminal.
 *
 * @param available The names of the commands.
 * @returns the arguments of the chosen command
 * @throws `interrupted`
 */
export const menu = async (available: ReadonlySet<string>, io: CommandIo): Promise<readonly string[]> => {
  const project = (await findProject(io)) !== undefined
  const argv = await chooseCommand({ project, available }, clackAsker(io))
  if (!project || !talking.has(argv[0]) || io.env.SIBYL_URL) return argv
  const port = (await openProject(io)).setting('PORT') ?? usualPort
  return port === usualPort ? argv : [...argv, '--url', `http://localhost:${port}`]
}

interface MenuEntry {
  readonly argv: readonly string[]
  readonly label: string
}

const inProject: readonly MenuEntry[] = [
  { argv: ['dev'], label: 'Run this oracle, and restart it at every change' },
  { argv: ['chat'], label: 'Chat with it' },
  { argv: ['console'], label: 'Open its console in the browser' },
  { argv: ['ussd'], label: 'Dial it, with a phone in the terminal' },
  { argv: ['doctor'], label: 'Check it for problems' },
  { argv: ['inspect'], label: 'Show what a turn sends to the model' },
  { argv: ['plugin', 'list'], label: 'List its plugins' },
  { argv: ['update-oracle-api-url'], label: 'Change its address in the registry' },
]

const elsewhere: readonly MenuEntry[] = [
  { argv: ['new'], label: 'Create an oracle' },
  { argv: ['chat'], label: 'Chat with the oracle on this computer' },
  { argv: ['ussd'], label: 'Dial it, with a phone in the terminal' },
  { argv: ['devnet'], label: 'Start a registry on this computer' },
  { argv: ['whoami'], label: 'Show your identity' },
]

const everywhere: readonly MenuEntry[] = [{ argv: ['--help'], label: 'Show all commands' }]

/** The folder of the call. */
interface MenuPlace {
  /** Whether the folder is in a project of an oracle. */
  readonly project: boolean
  /** The names of the commands. */
  readonly available: ReadonlySet<string>
}

/**
 * Asks the user for a command.
 *
 * @returns its arguments
 * @throws `interrupted`
 */
const chooseCommand = ({ project, available }: MenuPlace, asker: Asker): Promise<readonly string[]> => {
  const entries = (project ? inProject : elsewhere).filter(({ argv: [name = ''] }) => available.has(name))
  const choices = [...entries, ...everywhere].map(
    ({ argv, label }): Choice<readonly string[]> => ({ value: argv, label, hint: `sibyl ${argv.join(' ')}` }),
  )
  return asker.select('What would you like to do?', choices)
}
