import { madeSecrets } from '@sibyl/cli/env'
import type { MadeSecret } from '@sibyl/core/start'

const variables = ['ORACLE_MNEMONIC', 'PIN_ENCRYPTION_KEY', 'ORACLE_OPERATOR_TOKEN']

/** The secrets that each computer generates at the first run. */
export const ownSecrets: readonly MadeSecret[] = madeSecrets.filter(({ variable }) => variables.includes(variable))
