import { clackAsker } from '../../ask/clack-asker.ts'
import type { CommandIo } from '../../command-io.ts'
import { findProject, openProject } from '../../project/open-project.ts'
import { chooseCommand } from './choose-command.ts'

/** The commands that speak to a running oracle, and where it is unless they are told. */
const talking: ReadonlySet<string | undefined> = new Set(['chat', 'ussd'])
const usualPort = '3000'

/**
 * Shows the menu of `sibyl` alone on a terminal.
 *
 * @param available The names of the commands.
 * @returns what the person would have typed after `sibyl`
 * @throws `interrupted`
 */
export const menu = async (available: ReadonlySet<string>, io: CommandIo): Promise<readonly string[]> => {
  const project = (await findProject(io)) !== undefined
  const argv = await chooseCommand({ project, available }, clackAsker(io))
  if (!project || !talking.has(argv[0]) || io.env.SIBYL_URL) return argv
  const port = (await openProject(io)).setting('PORT') ?? usualPort
  return port === usualPort ? argv : [...argv, '--url', `http://localhost:${port}`]
}
