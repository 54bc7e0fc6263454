import type { CommandIo } from '../command-io.ts'
import { cliErrors } from '../errors/cli-errors.ts'
import type { BotRequest } from './provision-bot.ts'

/** What the environment says of a bot that there is already, or of how to register one. */
export type GivenBotAccount = Pick<BotRequest, 'account' | 'earlierAccessToken' | 'registrationToken'>

/**
 * Reads MATRIX_ORACLE_ADMIN_USER_ID and MATRIX_ORACLE_ADMIN_PASSWORD, MATRIX_ORACLE_ADMIN_ACCESS_TOKEN and
 * MATRIX_REGISTRATION_TOKEN.
 *
 * @throws `usage_invalid` when there is one of user and password alone
 */
export const givenBotAccount = ({ env }: Pick<CommandIo, 'env'>): GivenBotAccount => {
  const registrationToken = env.MATRIX_REGISTRATION_TOKEN || undefined
  const userId = env.MATRIX_ORACLE_ADMIN_USER_ID || undefined
  const password = env.MATRIX_ORACLE_ADMIN_PASSWORD || undefined
  if (userId === undefined && password === undefined) return { registrationToken }
  if (userId !== undefined && password !== undefined) {
    const earlierAccessToken = env.MATRIX_ORACLE_ADMIN_ACCESS_TOKEN || undefined
    return { account: { userId, password }, earlierAccessToken, registrationToken }
  }
  const missing = userId === undefined ? 'MATRIX_ORACLE_ADMIN_USER_ID' : 'MATRIX_ORACLE_ADMIN_PASSWORD'
  throw cliErrors.usage_invalid(
    `The messaging bot has no ${missing}.`,
    'Set both, or neither: then a user is registered for it.',
  )
}
