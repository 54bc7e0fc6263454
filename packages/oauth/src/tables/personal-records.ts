import type { PersonalRecords } from '@sibyl/plugin'
import type { SignInStore } from './sign-in-store.ts'

/** Exports and erases the sign-ins of a person. */
export const personalRecords = (store: SignInStore): PersonalRecords => ({
  async export(did) {
    const found = await store.list(did)
    if (found.length === 0) return undefined
    return {
      signIns: found.map(({ id, client, clientName, redirectUri, resource, scopes, createdAt, expiresAt }) => ({
        id,
        client,
        clientName,
        ...(redirectUri === undefined ? {} : { redirectUri }),
        resource,
        scopes: [...scopes],
        createdAt: new Date(createdAt).toISOString(),
        expiresAt: new Date(expiresAt).toISOString(),
      })),
    }
  },
  erase: did => store.endAllOf(did),
})
