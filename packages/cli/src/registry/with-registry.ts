import { untilInterrupted } from '../ask/until-interrupted.ts'
import { during } from '../ask/work-line.ts'
import type { CommandIo } from '../process/command-io.ts'
import { openProject } from '../project/open-project.ts'
import { findProject, type Project } from '../project/project.ts'
import { controllerFor } from './controller-for.ts'
import { openRegistry } from './open-registry.ts'
import { openRegistryNode } from './open-registry-node.ts'
import type { OpenedRegistry } from './opened-registry.ts'
import { planRegistry } from './plan-registry.ts'
import { networkOf } from './registry-address.ts'
import type { RegistryFlags } from './registry-flags.ts'
import type { RegistryNode, RegistryPlace } from './registry-node.ts'

/** Context of a command that uses a registry. */
export interface RegistryContext {
  readonly node: RegistryNode
  /** The current project. */
  readonly project: Project | undefined
  /** Opens the registry for a controller; undefined for the first one that this computer can sign for. */
  openAs(controller: string | undefined): Promise<OpenedRegistry>
}

/** Returns the current project; undefined outside of one. */
export const projectHere = async (io: CommandIo): Promise<Project | undefined> =>
  (await findProject(io)) === undefined ? undefined : openProject(io)

/**
 * Runs work with the registry of the options, the project or the environment, and always closes it.
 *
 * @throws CommandError, `interrupted`
 */
export const withRegistry = async <Result>(
  flags: RegistryFlags,
  io: CommandIo,
  work: (context: RegistryContext) => Promise<Result>,
): Promise<Result> => {
  const project = await projectHere(io)
  const network = networkOf(flags.network, io, project)
  const options = { ...flags, project }
  const { title } = await planRegistry(network, io, options)
  const node = await during(`Opening ${title}`, io, () => openRegistryNode(network, io, options))
  const opened: OpenedRegistry[] = []
  const openerFor = (signal: AbortSignal) => async (did: string | undefined) => {
    const registry = await openRegistry(node, await controllerFor(did, node, project, io), { signal })
    opened.push(registry)
    return registry
  }
  try {
    return await untilInterrupted(io, signal => work({ node, project, openAs: openerFor(signal) }))
  } finally {
    for (const registry of opened) await registry.close()
    await node.close()
  }
}

/** Returns the registry and controller of a command, without a request. */
export const planned = async (
  flags: RegistryFlags,
  io: CommandIo,
): Promise<{ readonly place: RegistryPlace; readonly project: Project | undefined }> => {
  const project = await projectHere(io)
  return { project, place: await planRegistry(networkOf(flags.network, io, project), io, { ...flags, project }) }
}
