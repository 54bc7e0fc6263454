import { clackAsker } from '../../ask/clack-asker.ts'
import type { CommandIo } from '../../command-io.ts'
import { findProject } from '../../project/open-project.ts'
import { chooseCommand } from './choose-command.ts'

/**
 * Shows the menu of `sibyl` alone on a terminal.
 *
 * @param available The names of the commands.
 * @returns what the person would have typed after `sibyl`
 * @throws InterruptedError (`interrupted`)
 */
export const menu = async (available: ReadonlySet<string>, io: CommandIo): Promise<readonly string[]> =>
  chooseCommand({ project: (await findProject(io)) !== undefined, available }, clackAsker(io))
