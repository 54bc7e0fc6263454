/** What the messaging bot signs in with; goes into `.env` as `MATRIX_ORACLE_ADMIN_*`. */
export interface BotCredentials {
  readonly baseUrl: string
  /** `@field-oracle:matrix.example.org` */
  readonly userId: string
  readonly password: string
  readonly accessToken: string
  /** The room in which the bot keeps its own account's matters. */
  readonly accountRoomId: string
}
