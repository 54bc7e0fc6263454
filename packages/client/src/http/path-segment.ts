import { identifier } from '@sibyl/protocol'
import { InvalidIdentifierError } from '../errors/request-errors.ts'

/**
 * Encodes an id for a path. Dots alone are refused: URL parsers would climb a folder with them.
 *
 * @param what Names the id in the error: 'session'.
 * @throws InvalidIdentifierError (`invalid_identifier`)
 */
export const pathSegment = (what: string, id: string): string => {
  if (!identifier.safeParse(id).success || /^\.+$/.test(id)) throw new InvalidIdentifierError(what)
  return encodeURIComponent(id)
}
