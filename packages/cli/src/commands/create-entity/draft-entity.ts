import { type EntityCreation, entityCreation, type JsonValue } from '@sibyl/protocol'
import type { CommandIo } from '../../command-io.ts'
import { UsageError } from '../../errors/usage-error.ts'
import { checkDraft } from '../../registry/check-draft.ts'
import { objectIn, propertiesOf, servicesWith } from '../../registry/draft-members.ts'
import { readEntityFile } from '../../registry/read-entity-file.ts'
import type { NamedValue } from '../../registry/registry-flags.ts'
import type { CreateEntityOptions } from './create-entity-options.ts'

/**
 * Puts an entity together from a file and from options, which go before it.
 *
 * @throws UsageError (`usage_invalid`) with every fault that needs no registry to be seen
 */
export const draftEntity = async (options: CreateEntityOptions, io: CommandIo): Promise<EntityCreation> => {
  const { type, protocol, controller, file, property = [], service = [], relationship = [] } = options
  const kept = file === undefined ? {} : await readEntityFile(file, io)
  if (type === undefined && kept.type === undefined) {
    const example = 'sibyl create-entity --type CookStove --property serial=A-17'
    throw new UsageError('What is to be registered lacks its --type.', `Such as: ${example}`)
  }
  return checkDraft(entityCreation, {
    ...kept,
    ...(type === undefined ? {} : { type }),
    ...(protocol === undefined ? {} : { protocol }),
    ...(controller === undefined ? {} : { controller }),
    ...(property.length === 0 ? {} : { properties: { ...objectIn(kept.properties), ...propertiesOf(property) } }),
    ...(service.length === 0 ? {} : { services: servicesWith(kept.services, service) }),
    ...(relationship.length === 0
      ? {}
      : { relationships: { ...objectIn(kept.relationships), ...targetsOf(relationship) } }),
  })
}

/** The DIDs of each name, in the order in which they were given. */
const targetsOf = (relationships: readonly NamedValue[]): Record<string, JsonValue> => {
  const groups = Map.groupBy(relationships, ({ name }) => name)
  return Object.fromEntries([...groups].map(([name, given]) => [name, given.map(({ value }) => value)]))
}
