import { cliErrors } from '../../errors/cli-errors.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { discoverOracle } from '../../registry/discover-oracle.ts'

const remedy = 'Start the oracle there (sibyl dev), or register the address unseen: --no-check'

/**
 * Sees to it that an oracle answers at an address, and that it is the one that was registered.
 *
 * @param expectedDid Its did:key; undefined where any oracle will do.
 * @throws `api_url_refused` when it is not
 */
export const assertAnswers = async (url: string, expectedDid: string | undefined): Promise<void> => {
  const found = await discoverOracle(url)
  if (found.kind === 'silent') {
    throw cliErrors.api_url_refused(
      `No oracle answers at ${url} (${cleanLine(found.reason)}); nothing was changed.`,
      remedy,
    )
  }
  if (found.kind === 'foreign') {
    const message = `What answers at ${url} is no oracle (${cleanLine(found.reason)}); nothing was changed.`
    throw cliErrors.api_url_refused(message, remedy)
  }
  const { name, did } = found.record
  if (expectedDid === undefined || did === expectedDid) return
  const who = did === undefined ? 'it has no signing key loaded' : `it is ${cleanLine(did)}`
  const message = `Another oracle answers at ${url}, ${cleanLine(name)}: ${who}, and ${expectedDid} is registered. Nothing was changed.`
  throw cliErrors.api_url_refused(
    message,
    'If its key was changed, register that first: sibyl update-entity <entity> --set did=<the new one>',
  )
}
