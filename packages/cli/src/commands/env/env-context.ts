import { bundledPlugins } from '@sibyl/bundle'
import { type EnvVariable, listEnvVariables } from '@sibyl/core'
import { during } from '../../ask/work-line.ts'
import { projectVariables } from '../../env/command-variables.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { inspectProject } from '../../project/inspect-project.ts'
import { openProject } from '../../project/open-project.ts'
import { findProject, type Project } from '../../project/project.ts'

/** What a person sees while the project's code runs. */
export const askingOracle = 'Inspecting the oracle'

/** What can be set where a command was called. */
export interface EnvRoom {
  /** Undefined outside of a project. */
  readonly project: Project | undefined
  /** Of core, the plugins in their order, and the command. */
  readonly variables: readonly EnvVariable[]
  /** Why these are not the project's own variables, in a sentence. */
  readonly remark?: string
}

/**
 * Finds out what can be set: in a project what its own plugins take, elsewhere what the bundled ones do. Of a project that
 * does not start the bundled ones are told, with a remark.
 */
export const openEnvRoom = async (io: CommandIo): Promise<EnvRoom> => {
  const bundled = listEnvVariables(bundledPlugins())
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
 * Core first, then the bundled plugins, then the others, as `.env.example` has them. What this command knows of a variable
 * itself goes before what was told of it, in which secrets are struck out, and what looks like one in an example.
 */
const inOrder = (told: readonly EnvVariable[], bundled: readonly EnvVariable[]): EnvVariable[] => {
  const owners = [...new Set(bundled.map(({ owner }) => owner))]
  const placeOf = ({ owner }: EnvVariable) => (owners.includes(owner) ? owners.indexOf(owner) : owners.length)
  return told
    .map(variable => bundled.find(it => it.name === variable.name && it.owner === variable.owner) ?? variable)
    .toSorted((one, other) => placeOf(one) - placeOf(other))
}
