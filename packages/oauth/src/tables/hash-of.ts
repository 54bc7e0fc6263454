import { createHash } from 'node:crypto'

/** Returns the hash under which a secret is stored. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')
