import type { CommandIo } from '../process/command-io.ts'
import { openProject } from '../project/open-project.ts'
import { findProject } from '../project/project.ts'

/**
 * Returns the operator token for a command: `ORACLE_OPERATOR_TOKEN`, else the one in the `.env` of the current project.
 * The token of a project is for its own oracle, so it is not used with `--url` or `SIBYL_URL`.
 *
 * @throws `configuration_invalid` when the files of the project are invalid
 */
export const operatorToken = async (
  { url }: { readonly url?: string },
  io: Pick<CommandIo, 'cwd' | 'env'>,
): Promise<string | undefined> => {
  if (io.env.ORACLE_OPERATOR_TOKEN) return io.env.ORACLE_OPERATOR_TOKEN
  if (url !== undefined || io.env.SIBYL_URL || (await findProject(io)) === undefined) return undefined
  return (await openProject(io)).setting('ORACLE_OPERATOR_TOKEN')
}
