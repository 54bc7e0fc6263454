import type { CredentialAbility } from '../access/credential-rights.ts'

/** Who gets to a handler; who may do more than ask is the handler's to say. */
export const credentialsAccess = (ability: CredentialAbility) =>
  ({ apiKey: 'ENTITIES_API_KEYS', orUcan: ability }) as const
