import { createHash } from 'node:crypto'
import { credentialsErrors } from '../credentials-errors.ts'

import { parseCredentialId } from '../issuing/credential-id.ts'
import type { CredentialFilters } from '../storage/credential-store.ts'

/** What a page that follows begins before, and which query it belongs to. */
export const writeCursor = (id: string, filters: CredentialFilters): string =>
  Buffer.from(`${id} ${marker(filters)}`).toString('base64url')

/** @throws CredentialsCursorInvalid `cursor_invalid` */
export const readCursor = (cursor: string, filters: CredentialFilters): string => {
  const [text = '', query] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ')
  const id = parseCredentialId(text)
  if (id === undefined || query !== marker(filters)) throw credentialsErrors.cursor_invalid()
  return id
}

const marker = ({
  subject = null,
  type = null,
  status = null,
}: { [Name in keyof CredentialFilters]: unknown }): string =>
  createHash('sha256')
    .update(JSON.stringify([subject, type, status]))
    .digest('base64url')
    .slice(0, 12)
