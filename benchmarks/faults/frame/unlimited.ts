/** Settings without rate limits, for scripts that test something else. */
export const unlimited: Readonly<Record<string, string>> = {
  RATE_LIMIT_PER_MINUTE: '0',
  RATE_LIMIT_DID_PER_MINUTE: '0',
  ENTITIES_HISTORY_PER_MINUTE: '0',
  DID_RESOLUTION_PER_MINUTE: '0',
  TOKEN_BUDGET_DID_PER_DAY: '0',
  TOKEN_BUDGET_ORACLE_PER_DAY: '0',
}
