import { type MadeSecret, madeSecrets } from '@sibyl/cli/env'

const variables = ['ORACLE_MNEMONIC', 'PIN_ENCRYPTION_KEY', 'ORACLE_OPERATOR_TOKEN']

/** What each computer makes for itself at the first run. */
export const ownSecrets: readonly MadeSecret[] = madeSecrets.filter(({ variable }) => variables.includes(variable))
