import type { BotCredentials } from '../scaffold/bot-credentials.ts'

/** A variable of the messaging bot. */
export interface BotVariable {
  readonly name: string
  readonly description: string
  /** The part of the credentials that it holds. */
  readonly credential: keyof BotCredentials
}

/** What the messaging bot signs in with, as `.env` holds it. */
export const botVariables: readonly BotVariable[] = [
  { name: 'MATRIX_BASE_URL', description: 'The homeserver of the messaging bot.', credential: 'baseUrl' },
  { name: 'MATRIX_ORACLE_ADMIN_USER_ID', description: "The bot's Matrix user.", credential: 'userId' },
  { name: 'MATRIX_ORACLE_ADMIN_PASSWORD', description: "The bot's password.", credential: 'password' },
  { name: 'MATRIX_ORACLE_ADMIN_ACCESS_TOKEN', description: "The bot's access token.", credential: 'accessToken' },
  {
    name: 'MATRIX_ORACLE_ACCOUNT_ROOM_ID',
    description: "The room in which the bot keeps its own account's matters.",
    credential: 'accountRoomId',
  },
]
