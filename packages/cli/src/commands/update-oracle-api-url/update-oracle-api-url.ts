import type { EntityRecord } from '@sibyl/plugin-entities/records'
import { didText } from '@sibyl/protocol'
import { during } from '../../ask/work-line.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { parseOracleUrl } from '../../oracle/oracle-url.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import type { Project } from '../../project/project.ts'
import { discoverOracle } from '../../registry/discover-oracle.ts'
import { entityChanges, readEntity } from '../../registry/entity-changes.ts'
import { apiServiceId, movedServices } from '../../registry/oracle-entity.ts'
import { changeLines, showPreview } from '../../registry/show-changes.ts'
import { projectHere, withRegistry } from '../../registry/with-registry.ts'
import type { UpdateOracleApiUrlOptions } from './update-oracle-api-url-command.ts'

export const updateOracleApiUrl = async (
  given: string | undefined,
  options: UpdateOracleApiUrlOptions,
  io: CommandIo,
): Promise<void> => {
  const project = await projectHere(io)
  const url = newUrl(given, options, project)
  const did = entityOf(options, project)
  return withRegistry(options, io, async context => {
    const { entity, etag } = await readEntity(context, did)
    const services = movedServices(entity.services, url)
    const changes = entityChanges(entity, { services })
    const before = apiUrlOf(entity)
    if (changes.length === 0) {
      if (options.json) writeJson(io, { entity: did, before, after: url, changed: false })
      else io.stdout.write(`The registry already lists the oracle at ${url}; nothing was changed.\n`)
      return
    }
    const opened = await context.openAs(entity.controller)
    if (options.dryRun) {
      const write = { kind: 'update', did, patch: { services }, etag } as const
      showPreview(await opened.preview(write), { place: context.node, json: options.json }, io)
      return
    }
    if (!options.json) io.stdout.write(`${changeLines(changes, io).join('\n')}\n\n`)
    if (options.check) await during(`Asking ${url}`, io, () => assertAnswers(url, oracleDidOf(entity)))
    const changed = await during('Changing it', io, () => opened.registry.update(did, { services }, etag))
    if (options.json) writeJson(io, { entity: did, before, after: url, changed: true, etag: changed.etag })
    else io.stdout.write(`The registry now lists the oracle at ${url}.\n`)
  })
}

const newUrl = (
  given: string | undefined,
  { port }: UpdateOracleApiUrlOptions,
  project: Project | undefined,
): string => {
  if (given !== undefined && port !== undefined)
    throw cliErrors.usage_invalid('A url conflicts with --port.', 'Give one.')
  if (port !== undefined) return `http://localhost:${port}`
  if (given === undefined && !project) {
    const remedy = 'Such as: sibyl update-oracle-api-url https://oracle.example.org --entity did:web:…'
    throw cliErrors.usage_invalid('Outside of a project the new url is required.', remedy)
  }
  const own = project?.setting('PUBLIC_URL') ?? `http://localhost:${project?.setting('PORT') ?? 3000}`
  const url = parseOracleUrl(given ?? own)
  if (url !== undefined) return url
  throw cliErrors.usage_invalid(
    'The new url is not the address of an oracle.',
    'Pass an address such as https://oracle.example.org.',
  )
}

const entityOf = ({ entity }: UpdateOracleApiUrlOptions, project: Project | undefined): string => {
  const did = entity ?? project?.setting('ORACLE_ENTITY_DID')
  if (did === undefined) {
    if (!project)
      throw cliErrors.usage_invalid('There is no project in this folder.', 'Pass the entity: --entity did:web:…')
    const remedy = 'Register it: sibyl create-entity --oracle; or pass its entity: --entity did:web:…'
    throw cliErrors.usage_invalid('This project has no entity of its oracle.', remedy)
  }
  if (didText.safeParse(did).success) return did
  throw cliErrors.usage_invalid('The entity of the oracle is not a DID.', 'Pass a DID such as did:web:…')
}

const apiUrlOf = ({ services }: EntityRecord): string | undefined =>
  services.find(({ id }) => id === apiServiceId)?.endpoint

/** Returns the registered did:key of an oracle; undefined if its entity has none. */
const oracleDidOf = ({ properties, alsoKnownAs }: EntityRecord): string | undefined =>
  [properties.did, ...alsoKnownAs].find(
    (did): did is string => typeof did === 'string' && did.startsWith('did:key:') && didText.safeParse(did).success,
  )

const remedy = 'Start the oracle there (sibyl dev), or skip the check: --no-check'

/**
 * Checks that the registered oracle responds at an address.
 *
 * @param expectedDid Its did:key; undefined for any oracle.
 * @throws `api_url_refused` when it does not
 */
const assertAnswers = async (url: string, expectedDid: string | undefined): Promise<void> => {
  const found = await discoverOracle(url)
  if (found.kind === 'silent') {
    throw cliErrors.api_url_refused(
      `No oracle responds at ${url} (${cleanLine(found.reason)}); nothing was changed.`,
      remedy,
    )
  }
  if (found.kind === 'foreign') {
    const message = `The server at ${url} is not an oracle (${cleanLine(found.reason)}); nothing was changed.`
    throw cliErrors.api_url_refused(message, remedy)
  }
  const { name, did } = found.record
  if (expectedDid === undefined || did === expectedDid) return
  const who = did === undefined ? 'it has no signing key loaded' : `it is ${cleanLine(did)}`
  const message = `Another oracle responds at ${url}, ${cleanLine(name)}: ${who}, and ${expectedDid} is registered. Nothing was changed.`
  throw cliErrors.api_url_refused(
    message,
    'If its key was changed, register the new one first: sibyl update-entity <entity> --set did=<the new one>',
  )
}
