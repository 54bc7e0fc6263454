import { randomUUID } from 'node:crypto'
import { OracleMismatchError, ProblemError, ResponseTooLargeError, UnexpectedResponseError } from '@sibyl/client'
import { signingKeyFromMnemonic } from '@sibyl/identity'
import { type EntityCreation, entityCreation, type RegisteredEntity } from '@sibyl/plugin-entities/records'
import type { JsonValue } from '@sibyl/protocol'
import { during } from '../../ask/work-line.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { CommandError } from '../../errors/command-error.ts'
import { mnemonicIn } from '../../keystore/given-secret.ts'
import { parseOracleUrl } from '../../oracle/oracle-url.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import { truncate } from '../../output/display-width.ts'
import { shellWord } from '../../output/format.ts'
import { showFields } from '../../output/show-fields.ts'
import { stylesFor } from '../../output/styles.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { editConfig } from '../../project/edit-config.ts'
import { openProject } from '../../project/open-project.ts'
import { controllerFor } from '../../registry/controller-for.ts'
import { httpRequestOf } from '../../registry/open-registry.ts'
import type { OpenedRegistry } from '../../registry/opened-registry.ts'
import { oracleEntity } from '../../registry/oracle-entity.ts'
import { ownRegistryFirst } from '../../registry/own-registry.ts'
import { checkDraft, objectIn, propertiesOf, readEntityFile, servicesWith } from '../../registry/read-entity-file.ts'
import type { NamedValue } from '../../registry/registry-flags.ts'
import { describePlace, isSameController, type RegistryPlace, shownAddress } from '../../registry/registry-node.ts'
import { showPreview } from '../../registry/show-changes.ts'
import { planned, withRegistry } from '../../registry/with-registry.ts'
import type { CreateEntityOptions } from './create-entity-command.ts'

/** The maximum columns of one value of a registry; a DID has up to 500. */
const maxColumns = 500

export const createEntity = async (given: CreateEntityOptions, io: CommandIo): Promise<void> => {
  const draft = await draftEntity(given, io)
  const options = given.oracle ? given : await ownRegistryFirst(given, io)
  const idempotencyKey = options.idempotencyKey ?? randomUUID()
  if (options.dryRun) return preview(draft, idempotencyKey, options, io)
  let sent = false
  try {
    return await withRegistry(options, io, async ({ openAs }) => {
      const opened = await forController(draft.controller, openAs)
      const creation = creationBy(opened.controller.did, draft, opened.node)
      sent = true
      const made = await during(`Registering at ${describePlace(opened.node)}`, io, () =>
        opened.registry.create(creation, { idempotencyKey }),
      )
      // A key that was never shown is not used again.
      if (options.idempotencyKey === undefined) await opened.forget(idempotencyKey)
      if (options.oracle) await keepInProject(made.entity.did, io)
      show(made, opened, options, io)
    })
  } catch (error) {
    throw sent ? withWayOn(error, repeatCommand(options, idempotencyKey)) : error
  }
}

/** Stores the DID in the project; if that fails, the error contains it. */
const keepInProject = async (entityDid: string, io: CommandIo): Promise<void> => {
  const { folder } = await openProject(io)
  await editConfig(folder, { entityDid }).catch(error => {
    if (!(error instanceof CommandError)) throw error
    const message = `The oracle is registered as ${entityDid}, but oracle.config.json was not updated: ${error.message}`
    throw cliErrors.configuration_invalid(message, 'Set entityDid there.', { cause: error })
  })
}

/** Adds the command that continues to an error after which the entity may exist. */
const withWayOn = (error: unknown, command: string): unknown => {
  const wayOn = `To continue without registering twice: ${command}`
  if (cliErrors.interrupted.is(error)) {
    return cliErrors.interrupted('Interrupted; the entity may already be registered.', wayOn, { cause: error })
  }
  if (!cliErrors.registry_unavailable.is(error) || isAnswered(error)) return error
  const isForeign = error.cause instanceof UnexpectedResponseError || error.cause instanceof ResponseTooLargeError
  return cliErrors.registry_unavailable(error.message, isForeign ? `${error.remedy} ${wayOn}` : wayOn, { cause: error })
}

/** Returns whether it is certain that no entity was created. */
const isAnswered = ({ cause }: CommandError): boolean =>
  cause instanceof OracleMismatchError || (cause instanceof ProblemError && cause.status < 500)

const preview = async (
  draft: EntityCreation,
  idempotencyKey: string,
  options: CreateEntityOptions,
  io: CommandIo,
): Promise<void> => {
  const { place, project } = await planned(options, io)
  const controller = await forController(draft.controller, did => controllerFor(did, place, project, io))
  const creation = creationBy(controller.did, draft, place)
  const write = { kind: 'create', creation, idempotencyKey } as const
  const request =
    place.network === 'devnet'
      ? httpRequestOf(place.url, write)
      : await withRegistry(options, io, async ({ openAs }) => (await openAs(undefined)).preview(write))
  showPreview(request, { place, json: options.json }, io)
}

/** Returns the creation: for the signer, and offered to another controller; a chain does not ask for consent. */
const creationBy = (signer: string, draft: EntityCreation, { network }: Pick<RegistryPlace, 'network'>) => {
  const { controller = signer } = draft
  return controller === signer || network !== 'devnet'
    ? { ...draft, controller }
    : { ...draft, controller: signer, pendingController: controller }
}

/** Signs as the named controller if this computer can, otherwise as the first available one. */
const forController = async <Signer>(
  controller: string | undefined,
  find: (did: string | undefined) => Promise<Signer>,
): Promise<Signer> => {
  if (controller === undefined) return find(undefined)
  return find(controller).catch(error => {
    if (cliErrors.not_signed_in.is(error)) return find(undefined)
    throw error
  })
}

const show = (
  { entity, etag }: RegisteredEntity,
  { node, controller }: OpenedRegistry,
  { json, oracle }: CreateEntityOptions,
  io: CommandIo,
) => {
  const { network } = node
  if (json) return writeJson(io, { entity, etag, registry: { network, url: shownAddress(node) } })
  const styles = stylesFor(io.stdout, io.env)
  const isOwn = isSameController(entity.controller, controller.did, node)
  showFields(io, [
    ['Registered', styles.bold(shown(entity.did))],
    ['type', `${shown(entity.type)}, of the ${cleanLine(entity.domainClass)}`],
    ['controller', `${shown(entity.controller)}${isOwn ? ' (you)' : ''}`],
    ...(entity.pendingController === undefined
      ? []
      : [['offered to', `${shown(entity.pendingController)}, who has not accepted yet`] as const]),
    ['registry', describePlace(node)],
    ...(oracle ? [['written', 'entityDid in oracle.config.json'] as const] : []),
  ])
}

const shown = (text: string): string => truncate(cleanLine(text), maxColumns)

/** The maximum length of a command that is shown in full. */
const maxLength = 500

/**
 * Returns the same call with its idempotency key, for a shell. An address is omitted if its path may contain a key;
 * then, or if a value is too long, only the key is returned.
 */
const repeatCommand = (options: CreateEntityOptions, idempotencyKey: string): string => {
  const { property = [], service = [], relationship = [], rpcUrl } = options
  const named = (flag: string, given: typeof property) => given.map(({ name, value }) => [flag, `${name}=${value}`])
  const flags: readonly (readonly (string | undefined)[])[] = [
    ['--type', options.type],
    ['--protocol', options.protocol],
    ...named('--property', property),
    ...service.map(({ id, type, endpoint }) => ['--service', `${id.slice(1)}=${type}=${endpoint}`]),
    ...named('--relationship', relationship),
    ['--controller', options.controller],
    ['--file', options.file],
    ['--network', options.network],
    ['--registry-url', options.registryUrl],
    ['--rpc-url', rpcUrl],
    ['--idempotency-key', idempotencyKey],
  ]
  const words = flags.flatMap(([flag, value]) => (value === undefined ? [] : [`${flag}=${shellWord(value)}`]))
  const command = [
    'sibyl create-entity',
    ...(options.oracle ? ['--oracle'] : []),
    ...words,
    ...(options.json ? ['--json'] : []),
  ].join(' ')
  const mayHoldKey = rpcUrl !== undefined && new URL(rpcUrl).origin !== rpcUrl.replace(/\/$/, '')
  if (!mayHoldKey && command.length <= maxLength) return command
  return `the same command with --idempotency-key ${shellWord(idempotencyKey)}`
}

/**
 * Builds an entity from a file, or from the project of an oracle, and from options, which override both.
 *
 * @throws `usage_invalid` with every error that is found without a registry
 */
const draftEntity = async (options: CreateEntityOptions, io: CommandIo): Promise<EntityCreation> => {
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
