/** The last part of an entity's DID: 26 characters of Crockford base32 in lower case. */
const idForm = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/

const separator = ':entities:'

/** Returns the DID of an entity of the oracle with that public DID (did:web). */
export const entityDid = (publicDid: string, id: string): string => `${publicDid}${separator}${id}`

/** Returns whether text has the form of an entity's id. */
export const isEntityId = (text: string): boolean => idForm.test(text)

/** Returns the id in an entity's DID; undefined for every other text. `sameDid` compares the whole DID. */
export const entityIdOf = (did: string): string | undefined => {
  const at = did.lastIndexOf(separator)
  const id = at < 0 ? '' : did.slice(at + separator.length)
  return isEntityId(id) ? id : undefined
}

/** Returns the path of an entity for `Location`: `/v1/entities/did:web:localhost%253A3000:entities:0…`. */
export const entityPath = (did: string): string => `/v1/entities/${did.replaceAll('%', '%25')}`
