import { signingKeyFromMnemonic } from '@sibyl/identity'
import { type EntityCreation, entityCreation } from '@sibyl/plugin-entities/records'
import type { JsonValue } from '@sibyl/protocol'
import { cliErrors } from '../../errors/cli-errors.ts'
import { mnemonicIn } from '../../keystore/given-secret.ts'
import { parseOracleUrl } from '../../oracle/oracle-url.ts'
import { shellWord } from '../../output/format.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { openProject } from '../../project/open-project.ts'
import { oracleEntity } from '../../registry/oracle-entity.ts'
import { checkDraft, objectIn, propertiesOf, readEntityFile, servicesWith } from '../../registry/read-entity-file.ts'
import type { NamedValue } from '../../registry/registry-flags.ts'
import type { CreateEntityOptions } from './create-entity-command.ts'

/**
 * Builds an entity from a file, or from the project of an oracle, and from options, which override both.
 *
 * @throws `usage_invalid` with every error that is found without a registry
 */
export const draftEntity = async (options: CreateEntityOptions, io: CommandIo): Promise<EntityCreation> => {
  const { type, protocol, controller, file, property = [], service = [], relationship = [] } = options
  if (options.oracle && (type !== undefined || file !== undefined)) {
    throw cliErrors.usage_invalid('--oracle conflicts with --type and --file.', 'Pass only one of them.')
  }
  const kept = options.oracle ? await draftOracle(io) : file === undefined ? {} : await readEntityFile(file, io)
  if (type === undefined && kept.type === undefined) {
    const example = 'sibyl create-entity --type CookStove --property serial=A-17'
    const remedy = `For example: ${example}; for the oracle of this folder: sibyl create-entity --oracle`
    throw cliErrors.usage_invalid('The --type of the entity is missing.', remedy)
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

/** Returns the DIDs of each name, in the given order. */
const targetsOf = (relationships: readonly NamedValue[]): Record<string, JsonValue> => {
  const groups = Map.groupBy(relationships, ({ name }) => name)
  return Object.fromEntries([...groups].map(([name, given]) => [name, given.map(({ value }) => value)]))
}

/**
 * Returns the entity of the oracle in this folder, as its project describes it, with the address it listens on.
 *
 * @throws `project_missing` outside of a project, `usage_invalid` when it is already registered,
 * `configuration_invalid` when it has no mnemonic or no address
 */
const draftOracle = async (io: CommandIo): Promise<Omit<EntityCreation, 'controller'>> => {
  const { setting, config } = await openProject(io)
  const entityDid = setting('ORACLE_ENTITY_DID')
  if (entityDid !== undefined) {
    const remedy = `To change it: sibyl update-entity ${shellWord(entityDid)}; to register it again, remove entityDid from oracle.config.json.`
    throw cliErrors.usage_invalid(`This oracle is already registered as ${entityDid}.`, remedy)
  }
  const apiUrl = parseOracleUrl(setting('PUBLIC_URL') ?? `http://localhost:${setting('PORT') ?? 3000}`)
  if (apiUrl === undefined) {
    throw cliErrors.configuration_invalid(
      'PUBLIC_URL is not a valid address.',
      'Set it to an address such as https://oracle.example.org.',
    )
  }
  const { controller: _, ...entity } = oracleEntity({
    profile: {
      name: setting('ORACLE_NAME') ?? 'Oracle',
      description: setting('ORACLE_DESCRIPTION') ?? 'Answers questions.',
      price: config.price ?? 'free',
      model: setting('LLM_MODEL') ?? 'offline',
    },
    apiUrl,
    oracleDid: await oracleDidOf(setting('ORACLE_MNEMONIC')),
    controller: '',
  })
  return entity
}

const oracleDidOf = async (words: string | undefined): Promise<string> => {
  if (words === undefined) {
    throw cliErrors.configuration_invalid(
      'ORACLE_MNEMONIC is not set, so this oracle has no key.',
      'Create one: sibyl env init',
    )
  }
  return (await signingKeyFromMnemonic(mnemonicIn(words, 'ORACLE_MNEMONIC'))).did
}
