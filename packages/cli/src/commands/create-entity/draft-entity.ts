import { type EntityCreation, entityCreation, type JsonValue } from '@sibyl/protocol'
import type { CommandIo } from '../../command-io.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { checkDraft } from '../../registry/check-draft.ts'
import { objectIn, propertiesOf, servicesWith } from '../../registry/draft-members.ts'
import { readEntityFile } from '../../registry/read-entity-file.ts'
import type { NamedValue } from '../../registry/registry-flags.ts'
import type { CreateEntityOptions } from './create-entity-options.ts'
import { draftOracle } from './draft-oracle.ts'

/**
 * Puts an entity together from a file, or for an oracle from its project, and from options, which go before either.
 *
 * @throws `usage_invalid` with every fault that needs no registry to be seen
 */
export const draftEntity = async (options: CreateEntityOptions, io: CommandIo): Promise<EntityCreation> => {
  const { type, protocol, controller, file, property = [], service = [], relationship = [] } = options
  if (options.oracle && (type !== undefined || file !== undefined)) {
    throw cliErrors.usage_invalid(
      '--oracle says what is registered, and so does --type or --file.',
      'Give one of them.',
    )
  }
  const kept = options.oracle ? await draftOracle(io) : file === undefined ? {} : await readEntityFile(file, io)
  if (type === undefined && kept.type === undefined) {
    const example = 'sibyl create-entity --type CookStove --property serial=A-17'
    const remedy = `Such as: ${example}; the oracle of this folder: sibyl create-entity --oracle`
    throw cliErrors.usage_invalid('What is to be registered lacks its --type.', remedy)
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
