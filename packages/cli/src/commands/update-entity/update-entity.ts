import { type EntityPatch, type EntityRecord, entityPatch, type RegisteredEntity } from '@sibyl/plugin-entities/records'
import { didText } from '@sibyl/protocol'
import { mayAsk } from '../../ask/asker.ts'
import { clackAsker } from '../../ask/clack-asker.ts'
import { during } from '../../ask/work-line.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import { shellWord } from '../../output/format.ts'
import { asCalled } from '../../process/called-as.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { type EntityChange, entityChanges, readEntity } from '../../registry/entity-changes.ts'
import type { OpenedRegistry, RegistryWrite } from '../../registry/opened-registry.ts'
import { ownRegistryFirst } from '../../registry/own-registry.ts'
import { checkDraft, objectIn, propertiesOf, readEntityFile, servicesWith } from '../../registry/read-entity-file.ts'
import type { RegistryPlace } from '../../registry/registry-node.ts'
import { changeLines, showPreview } from '../../registry/show-changes.ts'
import { type RegistryContext, withRegistry } from '../../registry/with-registry.ts'
import type { UpdateEntityOptions } from './update-entity-command.ts'

export const updateEntity = async (
  did: string,
  options: UpdateEntityOptions,
  io: CommandIo,
): Promise<ExitCode | undefined> => {
  if (!didText.safeParse(did).success) {
    throw cliErrors.usage_invalid('Pass the DID of the entity.', 'For example did:web:localhost%3A4100:entities:01jd…')
  }
  const patchOf = await draftPatch(options, io)
  const asks = mayAsk(io, options)
  if (!patchOf && !asks) assertYes('--deactivate', options)
  if (options.controller !== undefined && !asks) assertYes('--controller', options)
  return withRegistry(await ownRegistryFirst(options, io, did), io, async context => {
    const found = await readEntity(context, did)
    const { patch, accepting } = await consentedPatch(patchOf?.(found.entity), found.entity, context)
    const { write, changes } = writeOf(did, found, patch)
    if (!asks && handsOver(write, found)) assertYes('controller', options)
    if (changes.length === 0) return printUnchanged(found, options, io)
    const opened = await context.openAs(accepting ?? found.entity.controller)
    if (options.dryRun) {
      showPreview(await opened.preview(write), { place: context.node, json: options.json }, io)
      return
    }
    if (!options.json) io.stdout.write(`${[cleanLine(did), '', ...changeLines(changes, io), ''].join('\n')}\n`)
    if (asks && !(await isConfirmed(write, found, context.node, io))) {
      io.stdout.write('Nothing was changed.\n')
      return exitCode.failed
    }
    const changed = await during('Changing it', io, () => send(opened, write))
    if (options.json) writeJson(io, { entity: changed.entity, etag: changed.etag, changes })
    else
      io.stdout.write(
        `${write.kind === 'deactivate' ? 'Deactivated' : 'Changed'}, version ${changed.entity.version}.\n${asCalled(offerLine(write, changed), io.env)}`,
      )
  })
}

/**
 * Turns a patch with a new controller into an offer, since its registry requires the consent of the other controller;
 * unchanged if it accepts such an offer. A chain does not ask for consent.
 */
const consentedPatch = async (
  patch: EntityPatch | undefined,
  { controller: present, pendingController }: EntityRecord,
  { node, openAs }: RegistryContext,
): Promise<{ readonly patch: EntityPatch | undefined; readonly accepting?: string }> => {
  const { controller, ...rest } = patch ?? {}
  if (node.network !== 'devnet' || controller === undefined || controller === present) return { patch }
  const mayAccept = controller === pendingController && (await openAs(controller).then(() => true, isOtherError))
  return mayAccept ? { patch, accepting: controller } : { patch: { ...rest, pendingController: controller } }
}

/** Returns false if this computer cannot sign for the controller; throws any other error. */
const isOtherError = (error: unknown): false => {
  if (cliErrors.not_signed_in.is(error)) return false
  throw error
}

const offerLine = (write: Change, { entity }: RegisteredEntity): string => {
  const { pendingController } = entity
  if (write.kind !== 'update' || !write.patch.pendingController || pendingController === undefined) return ''
  const [did, other] = [cleanLine(entity.did), cleanLine(pendingController)]
  const command = `sibyl update-entity ${shellWord(did)} --controller ${shellWord(other)}`
  return `It is offered to ${other}, who accepts with: ${command}\n`
}

type Change = Exclude<RegistryWrite, { readonly kind: 'create' }>

const assertYes = (change: keyof typeof reasons, { yes, dryRun }: UpdateEntityOptions): void => {
  if (yes || dryRun) return
  throw cliErrors.usage_invalid(`${reasons[change]}, and there is no terminal for a confirmation.`, 'To confirm: --yes')
}

const reasons = {
  '--deactivate': '--deactivate cannot be undone',
  '--controller': '--controller transfers the entity',
  controller: 'The patch transfers the entity to another controller',
} as const

const handsOver = (write: Change, { entity }: RegisteredEntity): boolean => {
  if (write.kind !== 'update') return false
  const { controller, pendingController } = write.patch
  return typeof pendingController === 'string' || (controller !== undefined && controller !== entity.controller)
}

const writeOf = (
  did: string,
  { entity, etag }: RegisteredEntity,
  patch: EntityPatch | undefined,
): { readonly write: Change; readonly changes: readonly EntityChange[] } => {
  const { status } = entity
  if (status === 'deactivated' && patch) {
    throw cliErrors.registry_refused('The entity is deactivated and cannot be changed.', 'Create another one.')
  }
  if (!patch) {
    const changes = status === 'active' ? [{ name: 'status', before: status, after: 'deactivated' }] : []
    return { write: { kind: 'deactivate', did, etag }, changes }
  }
  return { write: { kind: 'update', did, patch, etag }, changes: entityChanges(entity, patch) }
}

/** Asks for confirmation of irreversible changes. */
const isConfirmed = async (
  write: Change,
  found: RegisteredEntity,
  { network }: RegistryPlace,
  io: CommandIo,
): Promise<boolean> => {
  const asker = clackAsker(io)
  if (write.kind === 'deactivate') return asker.confirm('Deactivate it permanently?', false)
  if (!handsOver(write, found)) return true
  if (write.patch.controller !== undefined && network === 'devnet') {
    return asker.confirm('Accept it, and control it from now on?', false)
  }
  return network === 'devnet'
    ? asker.confirm('Offer it? Once it is accepted, you can no longer change it.', false)
    : asker.confirm(`Set another controller? On ${network} your account still owns it and can change it.`, false)
}

const send = ({ registry }: OpenedRegistry, write: Change): Promise<RegisteredEntity> =>
  write.kind === 'deactivate'
    ? registry.deactivate(write.did, write.etag)
    : registry.update(write.did, write.patch, write.etag)

const printUnchanged = (
  { entity, etag }: RegisteredEntity,
  { json }: UpdateEntityOptions,
  io: CommandIo,
): undefined => {
  if (json) writeJson(io, { entity, etag, changes: [] })
  else io.stdout.write('The entity already has these values; nothing was changed.\n')
}

type PatchOf = (entity: EntityRecord) => EntityPatch

/**
 * Reads the change; undefined to deactivate the entity.
 *
 * @throws `usage_invalid` when there is no change, or a conflict
 */
const draftPatch = async (options: UpdateEntityOptions, io: CommandIo): Promise<PatchOf | undefined> => {
  const { set = [], unset = [], service = [], controller, file, deactivate } = options
  const changes = set.length > 0 || unset.length > 0 || service.length > 0 || controller !== undefined
  if (deactivate) {
    if (!changes && file === undefined) return undefined
    throw cliErrors.usage_invalid(
      '--deactivate cannot be combined with other changes.',
      'Change the entity first, then deactivate it.',
    )
  }
  if (!changes && file === undefined) {
    const remedy = 'Give --set, --unset, --service, --controller, --file or --deactivate.'
    throw cliErrors.usage_invalid('No change was given.', remedy)
  }
  const kept = file === undefined ? {} : await readEntityFile(file, io)
  const dropped = unset.filter(name => name.startsWith('#'))
  const properties = {
    ...Object.fromEntries(unset.filter(name => !name.startsWith('#')).map(name => [name, null])),
    ...propertiesOf(set),
  }
  return entity =>
    checkDraft(entityPatch, {
      ...kept,
      ...(controller === undefined ? {} : { controller }),
      ...(Object.keys(properties).length === 0 ? {} : { properties: { ...objectIn(kept.properties), ...properties } }),
      ...(service.length === 0 && dropped.length === 0
        ? {}
        : {
            services: servicesWith(
              (kept.services === undefined ? entity.services : [kept.services].flat()).filter(it => !isIn(dropped, it)),
              service,
            ),
          }),
    })
}

const isIn = (ids: readonly string[], service: unknown): boolean =>
  typeof service === 'object' && service !== null && 'id' in service && ids.includes(String(service.id))
