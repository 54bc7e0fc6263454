import { bundledAdapters, bundledPlugins } from '@sibyl/bundle'
import { type EnvVariable, listEnvVariables } from '@sibyl/core'
import { during } from '../../ask/work-line.ts'
import { projectVariables } from '../../env/command-variables.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { inspectProject } from '../../project/inspect-project.ts'
import { openProject } from '../../project/open-project.ts'
import { findProject, type Project } from '../../project/project.ts'

/** Shown while the code of the project runs. */
export const askingOracle = 'Inspecting the oracle'

/** The variables of the folder of a command. */
export interface EnvContext {
  /** Undefined outside of a project. */
  readonly project: Project | undefined
  /** Of core, the plugins in their order, and the command. */
  readonly variables: readonly EnvVariable[]
  /** The reason why these are not the variables of the project, in a sentence. */
  readonly remark?: string
}

/**
 * Finds the variables: in a project those of its plugins, elsewhere those of the bundled ones. For a project that does
 * not start it returns the bundled ones, with a remark.
 */
export const openEnvContext = async (io: CommandIo): Promise<EnvContext> => {
  const bundled = listEnvVariables([...bundledPlugins(), ...bundledAdapters()])
  if ((await findProject(io)) === undefined) return { project: undefined, variables: projectVariables(bundled) }
  const project = await openProject(io)
  try {
    const { variables } = await during(askingOracle, io, () => inspectProject(project, io))
    return { project, variables: projectVariables(inOrder(variables, bundled)) }
  } catch (error) {
    if (!cliErrors.project_failed.is(error)) throw error
    const remark = `${error.message.replace(/[.:]?$/, '.')} The variables of its own plugins are therefore unknown.`
    return { project, variables: projectVariables(bundled), remark }
  }
}

/**
 * Sorts core first, then the bundled plugins, then the others, as in `.env.example`. The definitions of this command
 * override inspected ones, in which secrets and secret-like examples are redacted.
 */
const inOrder = (reported: readonly EnvVariable[], bundled: readonly EnvVariable[]): EnvVariable[] => {
  const owners = [...new Set(bundled.map(({ owner }) => owner))]
  const placeOf = ({ owner }: EnvVariable) => (owners.includes(owner) ? owners.indexOf(owner) : owners.length)
  return reported
    .map(variable => bundled.find(it => it.name === variable.name && it.owner === variable.owner) ?? variable)
    .toSorted((one, other) => placeOf(one) - placeOf(other))
}
