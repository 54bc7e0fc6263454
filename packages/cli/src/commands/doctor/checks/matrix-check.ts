import { z } from 'zod'
import { homeserverUrl } from '../../../bot/homeserver-url.ts'
import { CommandError } from '../../../errors/command-error.ts'
import { cleanLine } from '../../../output/clean-text.ts'
import type { DoctorContext } from './doctor-context.ts'
import { type Finding, findingsOf } from './finding.ts'

const versions = z.object({ versions: z.array(z.string()).min(1) })
const whoami = z.object({ user_id: z.string() })

/** Checks whether the homeserver of the messaging bot responds and accepts the token of the bot. */
export const checkMatrix = async ({ setting, send }: DoctorContext): Promise<Finding[]> => {
  const given = setting('MATRIX_BASE_URL')
  if (given === undefined) return []
  const { ok, warn, fail } = findingsOf('Services', 'matrix')
  const url = addressOf(given)
  if (typeof url !== 'string') return [fail(url.message, `Check MATRIX_BASE_URL. ${url.remedy}`)]
  const reply = await send(`${url}/_matrix/client/versions`)
  if (reply.kind === 'silent') {
    return [fail(`No homeserver responds at ${url} (${reply.reason}).`, 'Start it, or check MATRIX_BASE_URL.')]
  }
  if (!versions.safeParse(reply.json).success) {
    return [fail(`The server at ${url} is not a Matrix homeserver.`, 'Check MATRIX_BASE_URL.')]
  }
  const answers = ok(`the homeserver ${url} answers`)
  const token = setting('MATRIX_ORACLE_ADMIN_ACCESS_TOKEN')
  const user = setting('MATRIX_ORACLE_ADMIN_USER_ID')
  if (token === undefined && user !== undefined && setting('MATRIX_ORACLE_ADMIN_PASSWORD') !== undefined) {
    return [answers, ok(`the bot signs in with its password, as ${cleanLine(user)}`)]
  }
  if (token === undefined) {
    const fix = 'Set MATRIX_ORACLE_ADMIN_ACCESS_TOKEN, or MATRIX_ORACLE_ADMIN_USER_ID and MATRIX_ORACLE_ADMIN_PASSWORD.'
    return [answers, warn('The bot has no access token and no password, so it cannot send messages.', fix)]
  }
  if (!/^\S+$/.test(token)) {
    return [
      answers,
      fail('MATRIX_ORACLE_ADMIN_ACCESS_TOKEN is not a token: it has white space.', 'Set it to the correct token.'),
    ]
  }
  const who = await send(`${url}/_matrix/client/v3/account/whoami`, { headers: { authorization: `Bearer ${token}` } })
  if (who.kind === 'silent')
    return [answers, warn(`The homeserver did not identify the user of the token (${who.reason}).`, 'Look again.')]
  const signedIn = whoami.safeParse(who.json).data?.user_id
  if (who.status !== 200 || signedIn === undefined) {
    const fix = 'Sign the bot in again, and set MATRIX_ORACLE_ADMIN_ACCESS_TOKEN.'
    return [answers, fail(`The homeserver rejects the bot's token (status ${who.status}).`, fix)]
  }
  if (user !== undefined && user !== signedIn) {
    const fix = 'Set both variables to the same user.'
    return [answers, fail(`The bot's token belongs to ${cleanLine(signedIn)}, not to ${cleanLine(user)}.`, fix)]
  }
  return [answers, ok(`the bot is signed in as ${cleanLine(signedIn)}`)]
}

const addressOf = (given: string): string | CommandError => {
  try {
    return homeserverUrl(given)
  } catch (error) {
    if (error instanceof CommandError) return error
    throw error
  }
}
