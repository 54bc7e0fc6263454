/**
 * The name of a credential's type from what somebody said: `clean cooking` becomes `CleanCookingCredential`.
 *
 * @param text hostile; what cannot be named gives a text that is refused as a type
 */
export const credentialTypeName = (text: string): string => {
  const words = text.match(/[A-Za-z0-9]+/g) ?? []
  const name = words.map(word => word[0]!.toUpperCase() + word.slice(1)).join('')
  return name.endsWith('Credential') ? name : `${name}Credential`
}
