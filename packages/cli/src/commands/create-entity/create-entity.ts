import { randomUUID } from 'node:crypto'
import { NetworkError } from '@sibyl/client'
import type { EntityCreation, RegisteredEntity } from '@sibyl/protocol'
import { during } from '../../ask/during.ts'
import type { CommandIo } from '../../command-io.ts'
import { NotSignedInError } from '../../errors/not-signed-in-error.ts'
import { RegistryUnavailableError } from '../../errors/registry-unavailable-error.ts'
import { type ExitCode, exitCode } from '../../exit-code.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { showFields } from '../../output/show-fields.ts'
import { stylesFor } from '../../output/styles.ts'
import { writeJson } from '../../output/write-json.ts'
import { controllerFor } from '../../registry/controller-for.ts'
import { httpRequestOf } from '../../registry/http-request-of.ts'
import type { OpenedRegistry } from '../../registry/opened-registry.ts'
import { describePlace } from '../../registry/registry-node.ts'
import { showPreview } from '../../registry/show-preview.ts'
import { planned, withRegistry } from '../../registry/with-registry.ts'
import type { CreateEntityOptions } from './create-entity-options.ts'
import { draftEntity } from './draft-entity.ts'

/**
 * Runs `sibyl create-entity`.
 *
 * @throws CommandError
 */
export const createEntity = async (options: CreateEntityOptions, io: CommandIo): Promise<ExitCode> => {
  const draft = await draftEntity(options, io)
  const idempotencyKey = options.idempotencyKey ?? randomUUID()
  if (options.dryRun) return preview(draft, idempotencyKey, options, io)
  return withRegistry(options, io, async ({ openAs }) => {
    const opened = await forController(draft.controller, openAs)
    const creation = { ...draft, controller: draft.controller ?? opened.controller.did }
    const made = await during('Registering', io, () => create(opened, creation, idempotencyKey))
    show(made, opened, options, io)
    return exitCode.done
  })
}

const preview = async (
  draft: EntityCreation,
  idempotencyKey: string,
  options: CreateEntityOptions,
  io: CommandIo,
): Promise<ExitCode> => {
  const { place, project } = await planned(options, io)
  const controller = await forController(draft.controller, did => controllerFor(did, place, project, io))
  const creation = { ...draft, controller: draft.controller ?? controller.did }
  const write = { kind: 'create', creation, idempotencyKey } as const
  const request =
    place.network === 'devnet'
      ? httpRequestOf(place.url, write)
      : await withRegistry(options, io, async ({ openAs }) => (await openAs(undefined)).preview(write))
  showPreview(request, { place, json: options.json }, io)
  return exitCode.done
}

/** Whoever signs: the controller that was named, where this computer can sign for them, else anybody. */
const forController = async <Signer>(
  controller: string | undefined,
  find: (did: string | undefined) => Promise<Signer>,
): Promise<Signer> => {
  if (controller === undefined) return find(undefined)
  return find(controller).catch(error => {
    if (error instanceof NotSignedInError) return find(undefined)
    throw error
  })
}

const create = (opened: OpenedRegistry, creation: EntityCreation, idempotencyKey: string): Promise<RegisteredEntity> =>
  opened.registry.create(creation, { idempotencyKey }).catch(error => {
    const isLost = error instanceof RegistryUnavailableError && error.cause instanceof NetworkError
    if (!isLost) throw error
    const remedy = `Run it again with --idempotency-key ${idempotencyKey}: that way nothing is registered twice.`
    throw new RegistryUnavailableError(error.message, remedy, { cause: error })
  })

const show = (
  { entity, etag }: RegisteredEntity,
  { node, controller }: OpenedRegistry,
  { json }: CreateEntityOptions,
  io: CommandIo,
): void => {
  const { network, url } = node
  if (json) {
    writeJson(io, { entity, etag, registry: { network, url } })
    return
  }
  const styles = stylesFor(io.stdout, io.env)
  const isOwn = entity.controller === controller.did
  showFields(io, [
    ['Registered', styles.bold(cleanLine(entity.did))],
    ['type', `${cleanLine(entity.type)}, of the ${cleanLine(entity.domainClass)}`],
    ['controller', `${cleanLine(entity.controller)}${isOwn ? ' (you)' : ''}`],
    ['registry', describePlace(node)],
  ])
}
