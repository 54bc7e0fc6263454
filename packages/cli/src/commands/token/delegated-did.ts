import type { OracleRecord } from '@sibyl/protocol'
import { cliErrors } from '../../errors/cli-errors.ts'

/**
 * The did:key of an oracle that lets people in by delegation.
 *
 * @throws `access_refused` when it lets everybody in, or nobody
 */
export const delegatedDid = ({ access, did }: OracleRecord): string => {
  if (did === undefined) {
    throw cliErrors.access_refused(
      'This oracle has no signing key, so it lets nobody in.',
      'Its operator sets ORACLE_MNEMONIC.',
    )
  }
  if (access === 'delegated') return did
  const remedy = 'Where it is to choose, its operator sets ORACLE_ACCESS=delegated, and ORACLE_CONTROLLERS.'
  throw cliErrors.access_refused('This oracle lets everybody in: no delegation is needed.', remedy)
}
