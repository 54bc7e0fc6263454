import { type EntityPatch, type EntityRecord, entityPatch } from '@sibyl/protocol'
import { cliErrors } from '../../errors/cli-errors.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { checkDraft, objectIn, propertiesOf, readEntityFile, servicesWith } from '../../registry/read-entity-file.ts'
import type { UpdateEntityOptions } from './update-entity-command.ts'

type PatchOf = (entity: EntityRecord) => EntityPatch

/**
 * Reads the change; undefined to deactivate the entity.
 *
 * @throws `usage_invalid` when there is no change, or a conflict
 */
export const draftPatch = async (options: UpdateEntityOptions, io: CommandIo): Promise<PatchOf | undefined> => {
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
