/** The last part of an entity's DID: 26 characters of Crockford base32 in lower case. */
const idForm = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/

const separator = ':entities:'

/** The DID of an entity of the oracle with that public DID (did:web). */
export const entityDid = (publicDid: string, id: string): string => `${publicDid}${separator}${id}`

/** Whether a text is an entity's id, not whether there is one. */
export const isEntityId = (text: string): boolean => idForm.test(text)

/** The id in an entity's DID; undefined for every other text. Whether the whole DID is right is told by `isSameDid`. */
export const entityIdOf = (did: string): string | undefined => {
  const at = did.lastIndexOf(separator)
  const id = at < 0 ? '' : did.slice(at + separator.length)
  return isEntityId(id) ? id : undefined
}

/**
 * Whether a DID that was given is the stored one. In a path the `%3A` of a port arrives as `:`, unless the client has
 * encoded it once more; both are understood.
 */
export const isSameDid = (stored: string, given: string): boolean =>
  stored === given || stored.replaceAll('%3A', ':') === given.replaceAll('%3A', ':')

/** Where an entity is read, as `Location` says it: `/v1/entities/did:web:localhost%253A3000:entities:0…`. */
export const entityPath = (did: string): string => `/v1/entities/${did.replaceAll('%', '%25')}`
