import { parseMnemonic, signingKeyFromMnemonic } from '@sibyl/identity'
import type { EntityCreation } from '@sibyl/protocol'
import type { CommandIo } from '../../command-io.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { openProject } from '../../project/open-project.ts'
import { oracleEntity } from '../../registry/oracle-entity.ts'
import { parseOracleUrl } from '../oracle-url.ts'

/**
 * The entity of the oracle in whose folder the command was called, as its project describes it: listed where it boots.
 *
 * @throws `project_missing` outside of a project, `usage_invalid` when it has an entity
 * already, `configuration_invalid` when it has no words or no address
 */
export const draftOracle = async (io: CommandIo): Promise<Omit<EntityCreation, 'controller'>> => {
  const { setting, config } = await openProject(io)
  const entityDid = setting('ORACLE_ENTITY_DID')
  if (entityDid !== undefined) {
    const remedy = `To change it: sibyl update-entity ${entityDid}; to register it anew, take entityDid out of oracle.config.json.`
    throw cliErrors.usage_invalid(`This oracle is registered already, as ${entityDid}.`, remedy)
  }
  const apiUrl = parseOracleUrl(setting('PUBLIC_URL') ?? `http://localhost:${setting('PORT') ?? 3000}`)
  if (apiUrl === undefined) {
    throw cliErrors.configuration_invalid(
      'PUBLIC_URL is no address.',
      'Set it to one such as https://oracle.example.org.',
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
      'ORACLE_MNEMONIC is not set: this oracle has no key.',
      'Make one: sibyl env init',
    )
  }
  const parsed = parseMnemonic(words)
  if (parsed.ok) return (await signingKeyFromMnemonic(parsed.mnemonic)).did
  throw cliErrors.configuration_invalid(
    `ORACLE_MNEMONIC is no mnemonic. ${parsed.message}`,
    'Put the right words there.',
  )
}
